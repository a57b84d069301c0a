from typing import Any

import pytest

from toolpost.atom import Atom, Kind
from toolpost.authorize.decide import Subject, decide, judge
from toolpost.authorize.grammar import parse_rule
from toolpost.authorize.profiles import PROFILES
from toolpost.authorize.rule import Rule
from toolpost.authorize.rulebook import Rulebook
from toolpost.authorize.scene import Scene
from toolpost.authorize.trial import verdict_of
from toolpost.result import Decision, Verdict

SCENE = Scene(roots=("/work",), home="/home/ada", own=("/work/.toolpost/policy.toml",), level=3)
TOOL = Subject(tool="fs.write")


def _rules(**texts: list[str]) -> tuple[Rule, ...]:
    return tuple(
        parse_rule(text, Decision(decision), f"user:{number}")
        for decision, given in texts.items()
        for number, text in enumerate(given, 1)
    )


def _book(profile: str = "ask", **texts: list[str]) -> Rulebook:
    return Rulebook(PROFILES[profile], _rules(**texts))


def _write(path: str, **more: Any) -> Atom:
    return Atom(kind=Kind.WRITE, target=path, **more)


# The worked examples of the design, under its own policy.
EXAMPLE = _book(
    deny=["exec(psql *)", "exec(git reset --hard *)", "read(customers/**)", "tool(*/drop_*)"],
    ask=["exec(docker push *)", "tool(jira/transition_*)"],
    allow=[
        "exec(cargo test *)",
        "exec(make lint)",
        "write(docs/**)",
        "net(docs.python.org)",
        "net(*.readthedocs.io)",
        "read!(.env.test)",
        "exec(tree *)",
        "exec(fd *)",
        "exec(du *)",
    ],
)
A, K, D = Decision.ALLOW, Decision.ASK, Decision.DENY


@pytest.mark.parametrize(
    ("call", "decision"),
    [
        ({"run_command": "cargo test --workspace -q"}, A),
        ({"run_command": "cargo test --config evil.toml"}, K),
        ({"run_command": "make lint"}, A),
        ({"run_command": "make lint -j4"}, K),
        ({"run_command": "nice -n 5 cargo test | tee docs/t.log"}, K),
        ({"run_command": "./tools/cargo test"}, K),
        ({"run_command": "tree || (git fetch; git reset HEAD~3 --hard)"}, D),
        ({"run_command": "bash -euo pipefail -c 'make lint && psql -l'"}, D),
        ({"run_command": 'fd . | while read f; do psql -f "$f"; done'}, D),
        ({"run_command": 'make lint; p"sq"l -l'}, D),
        ({"run_command": "cargo test # && psql"}, A),
        ({"run_command": ["cargo", "test", "&&", "psql"]}, A),
        ({"run_command": "tree $(<customers/list)"}, D),
        ({"search_files": {"query": "x", "path": "customers"}}, D),
        ({"notes/attach": {"file": "customers/eu.csv"}}, D),
        ({"run_command": 'du -sh "$DIR"'}, K),
        ({"run_command": "RUSTC_WRAPPER=./w cargo test"}, K),
        ({"run_command": "tree docs >| docs/tree.txt"}, A),
        ({"read_file": "deploy/server.pem"}, D),
        ({"web_request": "http://0251.0376.0251.0376/"}, D),
        ({"read_file": ".env.test"}, A),
        ({"web_request": "https://docs.python.org/3/"}, A),
        ({"web_request": "https://docs.python.org.evil.example/"}, K),
        ({"db/drop_table": {}}, D),
        ({"run_command": "docker push x"}, K),
    ],
    ids=str,
)
def test_the_worked_examples_are_decided_so(call: dict[str, Any], decision: Decision) -> None:
    assert verdict_of(EXAMPLE, SCENE, call).decision is decision


def test_our_own_policy_is_closed_even_where_everything_is_open() -> None:
    verdict = verdict_of(_book("open"), SCENE, {"delete_file": ".toolpost/policy.toml"})
    why = "hard: toolpost's own policy, grants and records"
    assert verdict == Verdict(D, why, "built in", "delete /work/.toolpost/policy.toml")


def test_a_verdict_names_the_rule_its_place_and_what_it_was_about() -> None:
    verdict = verdict_of(EXAMPLE, SCENE, {"run_command": "make lint && psql -l"})
    assert verdict == Verdict(D, "exec(psql *)", "user:1", "exec psql -l")


@pytest.mark.parametrize(
    ("profile", "atom", "decision"),
    [
        ("ask", Atom(kind=Kind.READ, target="/work/a"), A),
        ("ask", Atom(kind=Kind.READ, target="/etc/hosts"), K),
        ("ask", _write("/work/a"), K),
        ("edit", _write("/work/a"), A),
        ("edit", _write("/tmp/a"), K),
        ("edit", _write("/work/a", fixed=False), K),
        ("edit", Atom(kind=Kind.DELETE, target="/work/a"), K),
        ("plan", _write("/work/a"), D),
        ("plan", Atom(kind=Kind.NET, target="https://example.org"), K),
        ("read-only", Atom(kind=Kind.NET, target="https://example.org"), D),
        ("headless", _write("/work/a"), D),
        ("headless", Atom(kind=Kind.READ, target="/work/a"), A),
        ("auto", Atom(kind=Kind.NET, target="https://example.org"), A),
        ("auto", _write("/work/.mcp.json"), K),
        ("open", Atom(kind=Kind.NET, target="https://example.org"), A),
        ("open", _write("/work/.mcp.json"), K),
        ("open", Atom(kind=Kind.READ, target="/work/.env"), D),
    ],
    ids=str,
)
def test_a_mode_decides_what_no_rule_does(profile: str, atom: Atom, decision: Decision) -> None:
    assert decide(_book(profile), SCENE, TOOL, [atom]).decision is decision


def test_auto_asks_where_no_sandbox_holds_what_runs() -> None:
    bare = Scene(roots=("/work",), level=1)
    atom = Atom(kind=Kind.NET, target="https://example.org")
    assert decide(_book("auto"), bare, TOOL, [atom]).decision is K


def test_auto_still_asks_what_a_rule_wants_asked() -> None:
    book = _book("auto", ask=["net(example.org)"])
    assert decide(book, SCENE, TOOL, [Atom(kind=Kind.NET, target="https://example.org")]).decision is K


def test_the_strictest_of_all_atoms_decides() -> None:
    atoms = [Atom(kind=Kind.READ, target="/work/a"), _write("/work/a")]
    assert decide(_book(), SCENE, TOOL, atoms) == Verdict(K, "write", "profile:ask", "write /work/a")


@pytest.mark.parametrize("order", [("deny", "ask", "allow"), ("allow", "ask", "deny")])
def test_deny_beats_ask_beats_allow_whatever_the_order(order: tuple[str, ...]) -> None:
    def decided(*names: str) -> Decision:
        book = Rulebook(
            PROFILES["ask"], _rules(**{name: ["write(src/**)"] for name in order if name in names})
        )
        return decide(book, SCENE, TOOL, [_write("/work/src/a")]).decision

    assert (decided("deny", "ask", "allow"), decided("ask", "allow"), decided("allow")) == (D, K, A)


def test_a_rule_about_a_tool_decides_over_all_that_its_calls_do() -> None:
    assert decide(_book(allow=["tool(fs.write)"]), SCENE, TOOL, [_write("/work/a")]).decision is A
    assert decide(_book("edit", deny=["tool(fs.*)"]), SCENE, TOOL, [_write("/work/a")]).decision is D
    assert decide(_book(allow=["tool(fs.write)"]), SCENE, TOOL, [_write("/work/.git/config")]).decision is K


def test_a_strangers_destructive_tool_is_not_allowed_by_a_wildcard() -> None:
    tool = Subject(tool="db/wipe", destructive=True, known=False)
    atom = Atom(kind=Kind.TOOL, target="db/wipe")
    assert decide(_book(allow=["tool(*)"]), SCENE, tool, [atom]).decision is K
    assert decide(_book(allow=["tool(db/wipe)"]), SCENE, tool, [atom]).decision is A


def test_a_guess_meets_what_denies_and_nothing_else() -> None:
    guess = Atom(kind=Kind.READ, target="/etc/hosts", maybe=True)
    secret = Atom(kind=Kind.READ, target="/work/.env", maybe=True)
    assert [one.verdict for one in judge(_book(), SCENE, TOOL, [guess])] == [None]
    assert decide(_book(), SCENE, TOOL, [secret]).decision is D
    assert decide(_book(deny=["read(/etc/**)"]), SCENE, TOOL, [guess]).decision is D


def test_a_call_that_does_nothing_is_allowed() -> None:
    assert decide(_book("read-only"), SCENE, TOOL, []) == Verdict(A, "tool(*)", "no effects", "tool fs.write")


def test_what_an_allowed_command_is_for_is_allowed_in_the_workspace_only() -> None:
    book = _book(allow=["exec(rm *)"])
    decided = [
        verdict_of(book, SCENE, {"run_command": line}).decision for line in ("rm a", "rm /srv/a", "rm -rf .")
    ]
    assert decided == [A, K, D]


def test_a_deny_of_writing_denies_deleting_too() -> None:
    assert verdict_of(_book("open", deny=["write(a)"]), SCENE, {"delete_file": "a"}).decision is D


def test_a_program_that_nobody_can_name_is_asked_about_while_a_rule_denies_one() -> None:
    hidden = {"run_command": "$(echo psql) -l"}
    assert verdict_of(_book("open"), SCENE, hidden).decision is A
    assert verdict_of(_book("open", deny=["exec(psql *)"]), SCENE, hidden).decision is K


def test_what_is_started_to_stay_is_never_allowed_for_its_sandbox() -> None:
    launch = [Atom(kind=Kind.TOOL, target="launch apps.launch")]
    tool = Subject(tool="apps.launch")
    decided = [decide(_book(profile), SCENE, tool, launch).decision for profile in ("ask", "auto", "open")]
    assert decided == [K, K, A]


def test_unpacking_into_the_workspace_is_no_attack_on_our_policy() -> None:
    assert verdict_of(_book(), SCENE, {"run_command": "tar xzf a.tgz"}).decision is K
