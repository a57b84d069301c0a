import io
import json
import sys
from pathlib import Path

import pytest
from tests.authorize.test_queue import pending
from tests.cli.desk import Keyboard, Run, Screen, at_terminal

from toolpost.authorize.ask import Always, Answer, Nobody
from toolpost.cli import asking
from toolpost.cli.main import main

RUN = '''
from toolpost import tool
from toolpost.atom import Command

@tool(effects=["exec"], touches=lambda args: (Command(line=args["command"]),))
def run(command: str) -> str:
    """Run a command, for tests only."""
    return "ran it"
'''


@pytest.fixture
def runner(work: Path) -> str:
    path = work / "runner.py"
    path.write_text(RUN)
    return str(path)


def grants(user_folder: Path) -> list[dict[str, str]]:
    path = user_folder / "grants.json"
    return json.loads(path.read_text())["grants"] if path.exists() else []


@pytest.mark.parametrize(
    ("key", "code", "kept"),
    [
        ("", 3, []),
        ("n", 3, []),
        ("y", 0, []),
        ("p", 0, [("allow", "exec(npm test *)", "project")]),
        ("a", 0, [("allow", "exec(npm test *)", "user")]),
        ("d", 3, [("deny", "exec(npm *)", "user")]),
    ],
)
def test_each_key_at_a_real_terminal(
    runner: str, work: Path, user_folder: Path, key: str, code: int, kept: list[tuple[str, str, str]]
) -> None:
    line = "command=npm test --all"
    shown = at_terminal("--tools", runner, "call", "run", line, typed=f"{key}\n".encode(), folder=work)

    assert shown.code == code
    assert "asks: exec npm test --all" in shown.out
    assert "always would store: allow exec(npm test *)" in shown.out
    assert "never would store: deny exec(npm *)" in shown.out
    assert "[p] allow in this project  [a] always allow  [d] never  [N] deny: " in shown.out
    assert [(one["decision"], one["rule"], one["scope"]) for one in grants(user_folder)] == kept
    assert all(one["agent"] == "local" for one in grants(user_folder))


@pytest.mark.parametrize(("key", "code"), [("a", 0), ("d", 3)])
def test_what_was_answered_for_good_is_not_asked_again(runner: str, work: Path, key: str, code: int) -> None:
    first = ("--tools", runner, "call", "run", "command=npm test --all")
    at_terminal(*first, typed=f"{key}\n".encode(), folder=work)
    again = at_terminal("--tools", runner, "call", "run", "command=npm test -q", typed=b"\n", folder=work)

    assert again.code == code
    assert "wants to" not in again.out


def test_what_can_only_be_allowed_once_offers_no_more(runner: str, work: Path, user_folder: Path) -> None:
    typed = b"a\np\ny\n"
    shown = at_terminal("--tools", runner, "call", "run", "command=PATH=. ls", typed=typed, folder=work)

    assert shown.code == 0
    assert "[p]" not in shown.out
    assert shown.out.count("[y] allow once  [d] never  [N] deny: ") == 3
    assert grants(user_folder) == []


def test_nothing_in_a_question_is_hidden(shop: str, work: Path) -> None:
    line = "text=a\u202eb\u200bc\x1b[8md\u009be\nf"
    shown = at_terminal("--tools", shop, "call", "write_note", line, typed=b"\n", folder=work, NO_COLOR="1")

    assert shown.code == 3
    assert '{"text":"a<U+202E>b<U+200B>c\\u001b[8md<U+009B>e\\nf"}' in shown.out
    assert not set(shown.out) & set("\u202e\u200b\u009b\x1b")


def test_seen_names_what_a_terminal_would_obey() -> None:
    assert asking.seen("a\x1b[8mb\nc\u202ed\u200be") == "a<U+001B>[8mb<U+000A>c<U+202E>d<U+200B>e"


def test_secrets_in_a_command_are_not_shown(runner: str, work: Path) -> None:
    line = "command=curl -H token=ghp_0123456789abcdefghijABCDEFGHIJ https://docs.rs"
    shown = at_terminal("--tools", runner, "call", "run", line, typed=b"\n", folder=work)

    assert shown.code == 3
    assert "ghp_0123" not in shown.out


def test_many_things_that_are_asked_are_counted(runner: str, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("NO_COLOR", "1")
    line = "; ".join(f"make a{number}" for number in range(25))
    monkeypatch.setattr(sys, "stdin", Keyboard("\n"))
    assert main(["--tools", runner, "call", "run", f"command={line}"]) == 3
    assert "\nand 5 more\n" in screen.getvalue()


def test_who_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO())

    assert isinstance(asking.asker(yes=True), Always)
    assert isinstance(asking.asker(yes=False), Nobody)
    assert isinstance(asking.asker(yes=False, wait_s=1), asking.Lasting)
    monkeypatch.setattr(sys, "stdin", Keyboard(""))
    monkeypatch.setattr(sys, "stderr", Screen())
    assert isinstance(asking.asker(yes=False, wait_s=1), asking.Lasting)


def test_a_never_is_kept_for_good(shop: str, user_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Keyboard("d\n"))
    monkeypatch.setattr(sys, "stderr", Screen())

    assert main(["--tools", shop, "call", "write_note", "text=abc"]) == 3
    assert [(one["decision"], one["rule"]) for one in grants(user_folder)] == [("deny", "tool(write_note)")]


def test_whoever_waits_is_told_how_to_answer(run: Run, shop: str) -> None:
    shown = run("--tools", shop, "call", "write_note", "text=abc", "--wait", "0.05")

    assert shown.code == 3
    assert shown.err.startswith(
        "note: write_note waits 0.05 s for an answer\n  next: toolpost permissions answer "
    )


def test_whoever_waited_is_told_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    asking._tell(pending(), Answer.ALLOW_ONCE)

    assert capsys.readouterr().err == "note: t was answered: allow_once\n"
