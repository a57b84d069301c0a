import json

import pytest

from toolpost.authorize.imports import gemini
from toolpost.authorize.imports.imported import Imported, Unreadable


def shown(imported: Imported) -> list[str]:
    return [f"{rule.decision} {rule}" for rule in imported.rules]


def rule(**facts: object) -> str:
    facts = {"toolName": "run_shell_command", "decision": "allow", "priority": 100, **facts}
    return "[[rule]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in facts.items())


def test_settings() -> None:
    settings = {
        "tools": {
            "allowed": ["run_shell_command(git status)", "write_file", "read_file(x)", "web_fetch"],
            "exclude": ["run_shell_command(rm)", "web_fetch"],
            "core": ["ls"],
        },
        "allowedTools": ["ShellTool(ls)"],
        "mcpServers": {"docs": {"trust": True, "excludeTools": ["drop"]}, "other": {}},
    }
    imported = gemini.read(json.dumps(settings))

    assert shown(imported) == [
        "deny exec(rm *)",
        "deny net(*)",
        "allow exec(git status *)",
        "allow write(**)",
        "allow exec(ls *)",
        "deny tool(docs/drop)",
        "allow tool(docs/*)",
    ]
    assert imported.left_out == (
        "allow tools.allowed: read_file(x): what a tool is called with cannot be said in a rule.",
        "allow tools.allowed: web_fetch: here it would open every host to commands too.",
        "tools.core: which tools are offered is no rule here.",
    )


@pytest.mark.parametrize(
    ("facts", "ours"),
    [
        ({"commandPrefix": "git status"}, ["allow exec(git status *)"]),
        ({"commandPrefix": ["git ", "ls"]}, ["allow exec(git ?* *)", "allow exec(ls *)"]),
        ({"commandRegex": r"git (log|diff)\b"}, ["allow exec(git log *)", "allow exec(git diff *)"]),
        (
            {"argsPattern": '"command":"rm -x', "decision": "deny"},
            ["deny exec(rm -x *)", "deny exec(rm -x* *)"],
        ),
        ({}, ["allow exec(*)"]),
        ({"toolName": "write_file", "decision": "deny"}, ["deny write(/**)"]),
        ({"toolName": "find", "mcpName": "docs"}, ["allow tool(docs/find)"]),
        ({"toolName": "*", "mcpName": "docs", "decision": "ask_user"}, ["ask tool(docs/*)"]),
        ({"toolName": "docs__find"}, ["allow tool(docs/find)"]),
        ({"toolName": ["replace", "docs__find"]}, ["allow write(**)", "allow tool(docs/find)"]),
    ],
)
def test_rules_of_a_policy(facts: dict[str, object], ours: list[str]) -> None:
    assert shown(gemini.read(rule(**facts))) == ours


@pytest.mark.parametrize(
    "facts",
    [
        {"modes": ["autoEdit"]},
        {"argsPattern": "x"},
        {"toolName": "write_file", "argsPattern": "x"},
        {"commandRegex": "a.*b"},
        {"toolName": "*"},
        {"toolName": "read_file"},
        {"toolName": "google_web_search"},
        {"decision": "maybe"},
    ],
)
def test_what_cannot_be_said_is_left_out(facts: dict[str, object]) -> None:
    imported = gemini.read(rule(**facts))

    assert imported.rules == ()
    assert len(imported.left_out) == 1


def test_a_rule_of_no_known_decision_counts_as_a_deny() -> None:
    assert gemini.read(rule() + rule(decision="maybe", priority="high")).rules != ()
    assert gemini.read(rule(priority=0) + rule(decision="maybe")).rules == ()


def test_the_priority_decides_there_and_strictness_here() -> None:
    imported = gemini.read(
        rule(decision="ask_user", priority=1)
        + rule(commandPrefix="git", decision="deny", priority=2)
        + rule(commandPrefix="git log", priority=3)
    )

    assert shown(imported) == ["deny exec(git *)", "allow exec(git log *)"]
    assert imported.left_out == (
        (
            "ask rule 1: run_shell_command: other rules make exceptions from it there, and here ask beats allow. What no "
            "rule names is asked about."
        ),
        (
            "allow rule 3: run_shell_command, commandPrefix git log: it won over deny rule 2: run_shell_command, "
            "commandPrefix git by order or priority there; here deny beats allow."
        ),
    )


@pytest.mark.parametrize("text", ["[[rule", "a = " + "[" * 100_000])
def test_what_is_neither_is_told(text: str) -> None:
    with pytest.raises(Unreadable):
        gemini.read(text)
