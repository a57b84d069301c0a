import json
import tomllib
from pathlib import Path

import pytest
from tests.cli.desk import Run

from toolpost.atom import Kind
from toolpost.authorize.policy import read_policy
from toolpost.authorize.rule import Rule
from toolpost.cli.permissions_merge import merged, policy_text
from toolpost.result import Decision

CLAUDE = {
    "permissions": {
        "allow": ["Bash(npm test:*)", "Read(./docs/**)", "Bash(a | b)"],
        "deny": ["Bash(psql:*)"],
        "ask": ["Bash(git push:*)"],
    }
}
OWN = """# mine
[permissions]   # here
deny = ["exec(psql *)", "exec(rm *)"] # keep
mode = "ask"

[[test]]
call = {run_command = "rm x"}
expect = "deny"
"""


@pytest.fixture(autouse=True)
def level(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLPOST_SANDBOX_LEVEL", "off")


@pytest.fixture
def claude(work: Path) -> Path:
    path = work / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text(json.dumps(CLAUDE))
    return path


def own(user_folder: Path, text: str) -> Path:
    user_folder.mkdir(parents=True)
    path = user_folder / "policy.toml"
    path.write_text(text)
    return path


def test_the_policy_is_printed_with_where_each_rule_comes_from(run: Run, claude: Path) -> None:
    shown = run("permissions", "import", str(claude))

    assert shown.code == 0
    assert (
        shown.out
        == f"""# Imported from {claude}
[permissions]
deny = [
  "exec(psql *)",  # Bash(psql:*)
]
ask = [
  "exec(git push *)",  # Bash(git push:*)
]
allow = [
  "exec(npm test *)",  # Bash(npm test:*)
  "read(docs/**)",  # Read(./docs/**)
]
"""
    )
    assert shown.err == (
        "note: allow Bash(a | b): it holds what the shell reads, and rules are about single commands.\n"
    )
    assert len(read_policy(shown.out.encode(), "user", "x").rules) == 4


def test_written_rules_keep_the_files_own_text_and_are_shown_as_a_difference(
    run: Run, claude: Path, user_folder: Path
) -> None:
    path = own(user_folder, OWN)
    shown = run("permissions", "import", str(claude), "--write")
    after = path.read_text()

    assert shown.code == 0
    assert '+  "exec(npm test *)",  # Bash(npm test:*)\n' in shown.out
    assert "\n-" not in shown.out.replace("\n---", "")
    assert all(line in after for line in OWN.splitlines())
    assert tomllib.loads(after)["permissions"] == {
        "deny": ["exec(psql *)", "exec(rm *)"],
        "ask": ["exec(git push *)"],
        "allow": ["exec(npm test *)", "read(docs/**)"],
        "mode": "ask",
    }
    again = run("permissions", "import", str(claude), "--write")
    assert (again.code, path.read_text()) == (0, after)
    assert f"Every rule stands in {path} already." in again.err


def test_a_policy_is_made_where_there_is_none(run: Run, claude: Path, user_folder: Path) -> None:
    assert run("permissions", "import", str(claude), "--write").code == 0
    assert (user_folder / "policy.toml").stat().st_mode & 0o777 == 0o600
    assert run("permissions", "explain", "npm test -q").code == 0
    assert run("permissions", "explain", "psql").code == 3


def test_nothing_is_written_that_a_test_of_the_policy_forbids(
    run: Run, claude: Path, user_folder: Path
) -> None:
    text = '[[test]]\ncall = {run_command = "npm test"}\nexpect = "ask"\n'
    path = own(user_folder, text)
    shown = run("permissions", "import", str(claude), "--write")

    assert shown.code == 1
    assert f"the test at {path}:1 fails: exec(npm test *) says allow." in shown.err
    assert path.read_text() == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('permissions = {deny = ["exec(x)"]}\n', "is laid out in a way that we cannot add to"),
        ("[permissions\n", "Not TOML"),
    ],
)
def test_a_layout_that_cannot_be_added_to_is_left_as_it_is(
    run: Run, claude: Path, user_folder: Path, text: str, said: str
) -> None:
    path = own(user_folder, text)
    shown = run("permissions", "import", str(claude), "--write")

    assert shown.code == 2
    assert said in shown.err
    assert path.read_text() == text


def test_a_policy_that_cannot_be_read_or_written_is_told(run: Run, claude: Path, user_folder: Path) -> None:
    path = own(user_folder, "")
    path.write_bytes(b"\xff")
    assert "cannot be read" in run("permissions", "import", str(claude), "--write").err
    path.unlink()
    user_folder.rmdir()
    user_folder.parent.chmod(0o755)
    user_folder.write_text("")
    assert run("permissions", "import", str(claude), "--write").code == 2


@pytest.mark.parametrize(
    ("name", "text", "rule"),
    [
        (".codex/rules/default.rules", "prefix_rule(pattern=['ls'])", "exec(ls *)"),
        ("my.rules", "prefix_rule(pattern=['ls'])", "exec(ls *)"),
        (".gemini/settings.json", '{"tools": {"allowed": ["run_shell_command(ls)"]}}', "exec(ls *)"),
        (
            ".gemini/policies/a.toml",
            '[[rule]]\ntoolName="run_shell_command"\ncommandPrefix="ls"\ndecision="allow"',
            "exec(ls *)",
        ),
        ("opencode.json", '{"permission": {"bash": {"ls *": "allow"}}}', "exec(ls *)"),
        (
            "zed/settings.json",
            '{"agent": {"tool_permissions": {"tools": {"terminal": {"always_allow": [{"pattern": "^ls\\\\b"}]}}}}}',
            "exec(ls *)",
        ),
    ],
)
def test_whose_a_file_is_its_name_tells(run: Run, work: Path, name: str, text: str, rule: str) -> None:
    path = work / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)

    assert f'"{rule}"' in run("permissions", "import", name).out


def test_a_file_of_any_name_needs_to_be_said(run: Run, work: Path) -> None:
    (work / "settings.json").write_text(json.dumps(CLAUDE))

    assert "Say it with --as" in run("permissions", "import", "settings.json").err
    assert "exec(psql *)" in run("permissions", "import", "settings.json", "--as", "claude").out


def test_what_cannot_be_read_is_told(run: Run, work: Path) -> None:
    (work / "a.rules").write_bytes(b"\xff")
    (work / "b.rules").write_bytes(b"#" * 2_000_000)
    (work / "c.rules").write_text("(")

    assert "is not UTF-8" in run("permissions", "import", "a.rules").err
    assert "is larger than" in run("permissions", "import", "b.rules").err
    assert "c.rules: This is neither TOML nor a .rules file" in run("permissions", "import", "c.rules").err
    assert run("permissions", "import", "d.rules").code == 4
    assert "cannot be read" in run("permissions", "import", ".", "--as", "codex").err


def test_nothing_in_a_file_becomes_more_than_a_rule_or_a_comment(run: Run, work: Path) -> None:
    (work / "opencode.json").write_text(
        json.dumps({"permission": {"bash": {'ls "x\n]\nallow = ["exec(*)': "allow"}}})
    )
    shown = run("permissions", "import", "opencode.json")

    assert read_policy(shown.out.encode(), "user", "x").rules == ()


RULES = (Rule(Decision.DENY, Kind.EXEC, "x *", layer="a"), Rule(Decision.ALLOW, Kind.EXEC, "y", layer="b\nc"))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[permissions]",
        "# only\n",
        "[[test]]\ncall = {exec = 'x'}\nexpect = 'deny'",
        "[permissions]\ndeny = []\n",
        "[permissions]\ndeny = [ # [a]\n  'exec(a)', # ]\n]\nallow = ['exec(b)']",
        '[permissions]\n"deny" = ["exec([ab] *)"]\n',
        "[permissions]\r\ndeny = ['exec(a)']\r\n",
        "permissions.deny = ['exec(a)']\npermissions.allow = []\n",
    ],
)
def test_rules_are_added_to_any_usual_layout(text: str) -> None:
    before = {(rule.decision, str(rule)) for rule in read_policy(text.encode(), "user", "x").rules}
    after = read_policy(merged(text, RULES, "from x").encode(), "user", "x").rules

    assert {(rule.decision, str(rule)) for rule in after} == before | {
        (rule.decision, str(rule)) for rule in RULES
    }


def test_a_policy_without_rules() -> None:
    assert policy_text((), "nothing") == "# nothing\n[permissions]"


def test_a_program_goes_by_its_full_name_too(run: Run, work: Path) -> None:
    (work / "theirs.json").write_text(json.dumps(CLAUDE))
    shown = run("permissions", "import", "theirs.json", "--as", "claude-code")

    assert (shown.code, shown.out) == (0, run("permissions", "import", "theirs.json", "--as", "claude").out)
