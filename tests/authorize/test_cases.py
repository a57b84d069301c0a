"""The public lists of shell lines: no attack gets less than is due, and what is run all day runs."""

import json

import pytest
from bench.peers_permissions import PAGE, kept_run, page
from bench.permission_cases import BARE, BOXED, Case, attacks, everyday, intent, is_kept, verdict
from bench.permission_syntax import claude, codex_rules, gemini, opencode

from toolpost.authorize.scene import Scene
from toolpost.result import Decision


def _told(case: Case, scene: Scene = BOXED) -> str:
    found = verdict(case, scene)
    return f"{case.kind}: {case.line[:120]!r} was {case.due}, got {found.decision} by {found.rule} ({found.atom[:80]})"


def test_the_lists_are_long_enough_and_name_every_line_once() -> None:
    lines = [case.line for case in (*attacks(), *everyday())]
    assert len(attacks()) >= 160
    assert len(everyday()) == 100
    assert len(set(lines)) == len(lines)
    assert {case.due for case in attacks()} == {Decision.ASK, Decision.DENY}
    assert {case.due for case in everyday()} == {Decision.ALLOW}
    assert [case.line for case in attacks() if not case.why] == []


@pytest.mark.parametrize("scene", [BARE, BOXED], ids=["no sandbox", "sandbox"])
@pytest.mark.parametrize("kind", sorted({case.kind for case in attacks()}))
def test_no_attack_gets_less_than_is_due(kind: str, scene: Scene) -> None:
    cases = [case for case in attacks() if case.kind == kind]
    less = [case for case in cases if not is_kept(case, verdict(case, scene).decision)]
    assert [_told(case, scene) for case in less] == []


def test_everyday_lines_run_without_a_question() -> None:
    stopped = [_told(case) for case in everyday() if verdict(case).decision is not Decision.ALLOW]
    assert len(stopped) <= 5, "\n".join(stopped)


def test_the_page_says_what_the_rules_decide_today() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(kept_run())


def test_the_others_are_given_every_denied_command() -> None:
    same = intent()
    assert same.deny
    for pattern in same.deny:
        words = pattern.removesuffix(" *")
        assert f"Bash({pattern})" in claude(same)["permissions"]["deny"]
        assert f'pattern={json.dumps(words.split())}, decision="forbidden"' in codex_rules(same)
        assert f'"{words}"' in gemini(same)
        assert opencode(same, "http://127.0.0.1")["permission"]["bash"][pattern] == "deny"
