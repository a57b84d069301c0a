import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.cli.desk import Run, at_terminal, process

from toolpost.authorize.ask import Answer
from toolpost.authorize.queue import FOLDER, Shared

POLICY = """
[permissions]
deny = ["exec(psql *)", "read(customers/**)"]
ask = ["exec(docker push *)"]
allow = ["exec(make lint)", "exec(python3 *)", "exec(psql -l)"]
trust_annotations = ["wiki"]

[[test]]
call = {run_command = "make lint && psql -l"}
expect = "deny"
"""
GRANTS = [
    {
        "id": "aa",
        "rule": "exec(npm test *)",
        "decision": "allow",
        "scope": "user",
        "tool": "os.exec",
        "agent": "local",
    },
    {
        "id": "bb",
        "rule": "tool(other)",
        "decision": "deny",
        "scope": "user",
        "tool": "other",
        "made": "2026-01-02T03:04:05Z",
        "expires": "2026-01-03T03:04:05Z",
    },
    {
        "id": "cc",
        "rule": "exec(x *)",
        "decision": "allow",
        "scope": "project",
        "tool": "os.exec",
        "project": "else",
    },
]


@pytest.fixture(autouse=True)
def level(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sandbox is another's matter, and takes its time to be tried."""
    monkeypatch.setenv("TOOLPOST_SANDBOX_LEVEL", "off")


@pytest.fixture
def policy(user_folder: Path) -> Path:
    user_folder.mkdir(parents=True)
    path = user_folder / "policy.toml"
    path.write_text(POLICY)
    return path


@pytest.fixture
def grants(user_folder: Path) -> Path:
    user_folder.mkdir(parents=True, exist_ok=True)
    path = user_folder / "grants.json"
    path.write_text(json.dumps({"version": 1, "grants": GRANTS}))
    return path


def kept(path: Path) -> list[str]:
    return [grant["id"] for grant in json.loads(path.read_text())["grants"]]


def test_list_tells_every_rule_with_its_place(run: Run, policy: Path, grants: Path) -> None:
    told = run("permissions", "list", "--json").json

    assert (told["profile"], told["mode"], told["trust_annotations"]) == ("ask", "ask", ["wiki"])
    assert told["rules"][0] == {"decision": "deny", "rule": "exec(psql *)", "layer": "user:policy.toml:3"}
    assert [grant["id"] for grant in told["grants"]] == ["aa", "bb"]
    assert told["grants"][1]["made"] == "2026-01-02T03:04:05Z"
    assert "can never decide: deny exec(psql *)" in told["warnings"][0]


def test_list_for_people(run: Run, policy: Path, grants: Path) -> None:
    shown = run("permissions", "list", "--text")

    assert shown.out.startswith("profile ask, mode ask\n")
    assert "deny      read(customers/**)   user:policy.toml:3" in shown.out
    assert "aa     allow     exec(npm test *)  user   local                    never" in shown.out
    assert "expired" in shown.out
    assert "note: user:policy.toml:5: allow exec(psql -l) can never decide" in shown.err


def test_the_rules_of_a_profile_are_counted_or_listed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLPOST_PROFILE", "read-only")

    assert "and 5 rules of the profile (--all lists them)" in run("permissions", "list", "--text").out
    assert "deny      write(*)" in run("permissions", "list", "--text", "--all").out


def test_a_projects_policy_that_is_not_trusted_is_told(run: Run, work: Path) -> None:
    (work / ".toolpost").mkdir()
    (work / ".toolpost" / "policy.toml").write_text(
        '[permissions]\nallow = ["exec(ls)"]\ndeny = ["exec(rm *)"]\n'
    )
    told = run("permissions", "list", "--json").json

    assert [rule["rule"] for rule in told["rules"]] == ["exec(rm *)"]
    assert "it is not trusted" in told["notes"][0]


def test_a_broken_policy_stops_everything_with_its_place(run: Run, policy: Path) -> None:
    policy.write_text('[permissions]\ndeny = ["psql"]\n')
    shown = run("permissions", "list")

    assert shown.code == 2
    assert f"{policy}:2:10: 'psql': There is no effect 'psql'." in shown.err


def test_grants_that_cannot_be_understood_are_told(run: Run, grants: Path) -> None:
    grants.write_text("{")

    assert "cannot be understood" in run("permissions", "list").err
    assert "cannot be understood" in run("permissions", "revoke", "aa").err


@pytest.mark.parametrize(
    ("words", "left"),
    [
        (("aa",), ["bb", "cc"]),
        (("tool(other)",), ["aa", "cc"]),
        (("os.exec",), ["bb", "cc"]),
        (("cc",), ["aa", "bb"]),
        (("--all",), ["cc"]),
    ],
)
def test_revoke_by_id_rule_tool_or_all(
    run: Run, grants: Path, words: tuple[str, ...], left: list[str]
) -> None:
    shown = run("permissions", "revoke", *words, "--text")

    assert shown.code == 0
    assert shown.out.startswith("revoked ")
    assert kept(grants) == left


def test_revoke_as_json_and_what_there_is_none_of(run: Run, grants: Path) -> None:
    assert run("permissions", "revoke", "aa", "--json").json[0]["rule"] == "exec(npm test *)"
    assert run("permissions", "revoke", "aa").err.startswith("error: There is no grant 'aa'.")
    assert run("permissions", "revoke", "exec(x *)").code == 4
    assert run("permissions", "revoke", "--all").code == 0
    assert run("permissions", "revoke", "--all").err.startswith("error: There are no grants here.")
    assert run("permissions", "revoke").code == 2
    assert run("permissions", "revoke", "x", "--all").code == 2


def explained(run: Run, line: str) -> dict[str, Any]:
    return {one["atom"]: one for one in run("permissions", "explain", line, "--json").json["atoms"]}


@pytest.mark.parametrize(
    ("line", "code", "verdict"),
    [
        ("make lint", 0, "allow"),
        ("docker push x", 1, "ask"),
        ("make lint; psql", 3, "deny"),
        ("rm -rf /", 3, "deny"),
    ],
)
def test_explain_exits_by_the_verdict(run: Run, policy: Path, line: str, code: int, verdict: str) -> None:
    shown = run("permissions", "explain", line, "--json")

    assert (shown.code, shown.json["verdict"]) == (code, verdict)
    assert shown.json["policy"] == str(policy)


@pytest.mark.parametrize(
    ("line", "atom", "rule", "change"),
    [
        ("psql -l", "exec psql -l", "exec(psql *)", "take deny exec(psql *) out of user:policy.toml:3"),
        ("docker push x", "exec docker push x", "exec(docker push *)", "take ask exec(docker push *) out of"),
        ("git push -f", "exec git push -f", "exec", "write exec(git push *) under allow in your policy"),
        ("./own a 'b c'", "exec ./own a 'b c'", "exec", "write exec(./own a *) under allow in your policy"),
        ("make lint", "exec make lint", "exec(make lint)", "write exec(make lint *) under ask or deny"),
        ("rm -rf /", "delete /", "hard: ", "nothing: hard"),
        ("cat .env", "read {work}/.env", "guard: ", "write read!(./.env) under allow in your policy"),
        ("cat a/.env", "read {work}/a/.env", "guard: ", "write read!(a/.env) under allow in your policy"),
        ("cat /x/y", "read /x/y", "read", "write read(/x/y) under allow in your policy"),
        ("ls -R /x/y", "read /x/y", "read", "write read(/x/y/**) under allow in your policy"),
        ("touch x", "write {work}/x", "write", "an allow of its command covers it"),
        (
            "curl https://docs.rs",
            "net https://docs.rs",
            "net",
            "write net(docs.rs) under allow in your policy",
        ),
        ("PATH=. ls", "exec ls", "exec", "write exec(ls *) under allow in your policy"),
        ("$X a", "exec a", "ask: ", "nothing but a person's answer to this very call"),
        ("du -sh $D", "exec du -sh", "exec", "nothing but a person's answer to this very call"),
        ("npm test", "exec npm test", "exec(npm test *)", "toolpost permissions revoke aa"),
    ],
)
@pytest.mark.usefixtures("policy", "grants")
def test_explain_says_what_would_change_a_verdict(
    run: Run, work: Path, line: str, atom: str, rule: str, change: str
) -> None:
    atoms = explained(run, line)
    found = next(one for name, one in atoms.items() if name.split() == atom.format(work=work).split())

    assert found["rule"].startswith(rule)
    assert found["change"].startswith(change)


def test_a_refusal_that_was_kept_is_revoked(run: Run, grants: Path) -> None:
    grants.write_text(json.dumps({"grants": [{**GRANTS[0], "decision": "deny"}]}))

    assert explained(run, "npm test")["exec npm test"]["change"] == "toolpost permissions revoke aa"


def test_what_a_profile_denies_another_profile_opens(run: Run) -> None:
    shown = run("permissions", "explain", "make x", "--profile", "read-only", "--json")

    assert shown.code == 3
    assert shown.json["atoms"][0]["change"] == "another profile: toolpost config set profile ask"


def test_an_interpreter_below_l2_is_everything(run: Run, policy: Path) -> None:
    said = "below L2 an allow of an interpreter is an allow of everything"

    assert run("permissions", "explain", "python3 x.py", "--json").json["notes"] == [said]
    assert run("permissions", "explain", "make lint", "--json").json["notes"] == []
    shown = run("permissions", "explain", "python3 x.py", "--text").out
    assert shown.endswith(f"profile ask, sandbox L0\nyour policy is {policy}\n{said}\n")


def test_from_l2_on_it_is_not(run: Run, policy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from toolpost.cli import shell

    monkeypatch.setattr(shell, "level", lambda _box: 2)

    assert run("permissions", "explain", "python3 x.py", "--json").json["notes"] == []


def test_explain_runs_nothing(run: Run, work: Path) -> None:
    run("permissions", "explain", "touch made; $(touch made)")

    assert not (work / "made").exists()


def test_explain_hides_nothing(run: Run) -> None:
    shown = run("permissions", "explain", "echo a\u202eb", "--text")

    assert shown.code == 3
    assert "a<U+202E>b" in shown.out


def test_explain_a_tools_call(run: Run, shop: str, policy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLPOST_STANDARD_TOOLS", "on")
    words = ("permissions", "explain", "--json", "--tools", shop)

    assert run(*words, "--tool", "fs.read", "path=customers/a").json["rule"] == "read(customers/**)"
    assert run(*words, "--tool", "write_note", '{"text": "x"}').json["atoms"][0]["change"] == (
        "write write(*) under allow in your policy"
    )
    assert run(*words, "--tool", "forecast", "city=Rome").code == 0
    outside, none = run(*words, "--tool", "fs.read", "path=../../x"), run(*words, "--tool", "forecast")
    assert (outside.code, outside.out) == (2, "")
    assert "error: The path leaves the root" in outside.err
    assert (none.code, "city" in none.err) == (2, True)
    wrong = run(*words, "--tool", "forecast", "days=1")
    assert (wrong.code, "city" in wrong.err) == (2, True)
    assert run(*words, "--tool", "forcast", "city=Rome").err.endswith("next: Did you mean forecast?\n")
    assert run(*words, "--tool", "list_orders", "{}").code == 3


def test_a_guess_that_met_no_rule_is_told_as_one(run: Run, work: Path) -> None:
    path = work / "remote.py"
    path.write_text(
        "from toolpost.define import from_schema\n"
        "attach = from_schema('attach', 'Attach a file to a note.',"
        " {'type': 'object', 'properties': {'file': {'type': 'string'}}}, lambda args: args, location='mcp:notes')\n"
    )
    shown = run("permissions", "explain", "--tools", str(path), "--tool", "attach", "file=a.txt", "--json")

    assert shown.json["atoms"][0] == {
        "atom": f"read {work}/a.txt",
        "verdict": None,
        "rule": None,
        "layer": None,
        "who": None,
        "change": "it is a guess, and no rule denies it",
    }
    words = ("permissions", "explain", "--tools", str(path), "--tool", "attach")
    assert run(*words, "file=a.txt", "--text").out.splitlines()[1].startswith(f"-        read {work}/a.txt")


def test_explain_wants_a_line_or_a_tool(run: Run) -> None:
    assert "Give CALL, a shell line in quotes, or --tool NAME" in run("permissions", "explain").err


def test_a_line_that_was_not_quoted_is_told(run: Run) -> None:
    assert "put it in quotes" in run("permissions", "explain", "git", "push").err


def test_the_tests_of_policies(run: Run, policy: Path) -> None:
    shown = run("permissions", "test", "--json")

    assert shown.code == 0
    assert shown.json == [
        {
            "state": "ok",
            "call": '{"run_command":"make lint && psql -l"}',
            "expect": "deny",
            "got": "deny",
            "rule": "exec(psql *)",
            "where": f"{policy}:8",
        }
    ]
    policy.write_text(POLICY.replace('expect = "deny"', 'expect = "allow"'))
    assert run("permissions", "test", "--text").code == 1


def test_a_test_that_fails_is_told_by_list_and_explain(run: Run, policy: Path) -> None:
    policy.write_text(POLICY.replace('expect = "deny"', 'expect = "allow"'))
    said = (
        f'{policy}:8: The test {{"run_command":"make lint && psql -l"}} expects allow, and the rules say deny.'
        " Until that is corrected, every call is refused."
    )

    assert run("permissions", "list", "--json").json["warnings"][0] == said
    assert f"note: {said}\n" in run("permissions", "list", "--text").err
    assert run("permissions", "explain", "make lint", "--json").json["notes"] == [said]
    assert f"{said}\n" in run("permissions", "explain", "make lint", "--text").out


def test_the_tests_of_a_file(run: Run, work: Path, policy: Path) -> None:
    (work / "p.toml").write_text(
        '[permissions]\nallow=["exec(psql2 *)"]\n[[test]]\ncall={exec="psql2 -x"}\nexpect="allow"\n'
    )

    assert run("permissions", "test", "p.toml", "--text").code == 0
    (work / "p.toml").write_text("x")
    assert "p.toml: Not TOML" in run("permissions", "test", "p.toml").err
    (work / "p.toml").write_text("#" * 300_000)
    assert "is larger than" in run("permissions", "test", "p.toml").err
    assert run("permissions", "test", "none.toml").code == 4
    assert "cannot be read: Is a directory" in run("permissions", "test", ".").err


def test_no_tests_and_a_project_that_is_not_trusted(run: Run, work: Path) -> None:
    assert run("permissions", "test", "--text").err.startswith("note: There are no tests.")
    (work / ".toolpost").mkdir()
    (work / ".toolpost" / "policy.toml").write_text(
        '[permissions]\n[[test]]\ncall={exec="x"}\nexpect="ask"\n'
    )
    assert "1 tests does not count" in run("permissions", "test", "--json").err


def asking(shop: str, folder: Path, *more: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [
            sys.executable,
            "-m",
            "toolpost",
            "--tools",
            shop,
            "call",
            "write_note",
            "text=abc",
            "--wait",
            *more,
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env=os.environ,
    )


def question(asker: "subprocess.Popen[bytes]") -> str:
    """The id of what it asks, read from what it tells on stderr."""
    assert asker.stderr is not None
    told, step = asker.stderr.readline(), asker.stderr.readline()
    assert told == b"note: write_note waits 60 s for an answer\n"
    return step.split()[4].decode()


@pytest.mark.parametrize(("word", "code"), [("once", 0), ("deny", 3), ("never", 3), ("always", 0)])
def test_a_call_waits_for_an_answer(
    run: Run, shop: str, work: Path, user_folder: Path, word: str, code: int
) -> None:
    with asking(shop, work, "60") as asker:
        named = question(asker)
        told = run("permissions", "pending", "--json").json
        assert [(one["id"], one["tool"], one["offers"]) for one in told] == [
            (named, "write_note", ["tool(write_note)"])
        ]
        shown = run("permissions", "pending", "--text").out
        assert (
            "always would store: allow tool(write_note)\n  never would store: deny tool(write_note)\n"
            in shown
        )
        assert run("permissions", "answer", named, word).out == f"answered {named}: {word}\n"
        asker.communicate(timeout=60)
        assert asker.returncode == code
    assert run("permissions", "pending", "--text").err == "note: No call waits for an answer.\n"
    rules = {"never": ["deny"], "always": ["allow"]}.get(word, [])
    told = run("permissions", "list", "--json").json["grants"]
    assert [grant["decision"] for grant in told] == rules
    again = process("--tools", shop, "call", "write_note", "text=abc", folder=work)
    assert again.code == (0 if word == "always" else 3)


def test_a_call_that_nobody_answers_says_so(shop: str, work: Path) -> None:
    with asking(shop, work, "0.2") as asker:
        out, _ = asker.communicate(timeout=60)

    assert asker.returncode == 3
    told = json.loads(out)["problems"][0]
    assert (told["code"], told["detail"]) == (
        "NEEDS_APPROVAL",
        "write_note needs the user's approval, and nobody answered within 0.2 s.",
    )


def test_what_no_longer_waits_cannot_be_answered(run: Run) -> None:
    shown = run("permissions", "answer", "abc", "once")

    assert (shown.code, shown.err) == (
        4,
        (
            "error: No call waits under 'abc': it was answered, or its time is over.\n"
            "  next: toolpost permissions pending\n"
        ),
    )


def test_a_folder_of_questions_that_others_reach_is_told(run: Run, work: Path) -> None:
    folder = work.parent / "home" / "state" / "toolpost" / FOLDER
    folder.mkdir(parents=True)
    folder.chmod(0o755)

    assert "chmod 700" in run("permissions", "pending").err
    assert "chmod 700" in run("permissions", "answer", "abc", "once").err


def test_a_terminal_comes_before_waiting(shop: str, work: Path) -> None:
    words = ("--tools", shop, "call", "write_note", "text=abc", "--wait", "60")

    assert at_terminal(*words, typed=b"y\n", folder=work).code == 0


def test_an_answer_that_needs_a_rule_to_store_is_refused(run: Run, work: Path) -> None:
    from tests.authorize.test_queue import pending

    folder = work.parent / "home" / "state" / "toolpost" / FOLDER
    with Shared(folder).posted(pending()):
        shown = run("permissions", "answer", "abc", "always")
        assert Shared(folder).answer("abc", Answer.REJECT_ONCE)

    assert shown.code == 2
    assert "can only be allowed once" in shown.err
