import json

import pytest

from toolpost.authorize.imports import opencode
from toolpost.authorize.imports.imported import Imported


def read(permission: object) -> Imported:
    return opencode.read(json.dumps({"permission": permission}))


def shown(imported: Imported) -> list[str]:
    return [f"{rule.decision} {rule}" for rule in imported.rules]


@pytest.mark.parametrize(
    ("permission", "ours"),
    [
        ({"bash": "allow"}, ["allow exec(*)"]),
        ({"bash": {"*": "ask", "git status *": "allow"}}, ["allow exec(git status *)"]),
        ({"bash": {"git *": "allow", "git push *": "deny"}}, ["allow exec(git *)", "deny exec(git push *)"]),
        ({"bash": {"git *": "allow", "*": "ask"}}, ["allow exec(git *)", "ask exec(*)"]),
        ({"edit": {"*": "deny", "docs/*": "allow"}}, ["allow write(docs/**)"]),
        ({"edit": "deny"}, ["deny write(/**)"]),
        ({"read": {"*.env": "deny"}}, ["deny read(*.env)"]),
        ({"read": "allow"}, ["allow read(**)"]),
        ({"webfetch": "deny"}, ["deny net(*)"]),
        ({"webfetch": {"https://docs.rs/*": "allow"}}, ["allow net(https://docs.rs)"]),
        ({"webfetch": {"https://docs.rs/*": "ask"}}, ["ask net(docs.rs)"]),
        ({"github_*": "deny"}, ["deny tool(github/*)"]),
    ],
)
def test_each_form_has_one_here(permission: object, ours: list[str]) -> None:
    assert shown(read(permission)) == ours


@pytest.mark.parametrize(
    "permission",
    [
        {"webfetch": "allow"},
        {"webfetch": {"https://docs.rs*": "allow"}},
        {"edit": {"/etc/*": "allow"}},
        {"edit": {"a*b": "deny"}},
        {"grep": "deny"},
        {"my_server_tool": "allow"},
        {"*": "allow"},
        "allow",
    ],
)
def test_what_cannot_be_said_is_left_out(permission: object) -> None:
    imported = read(permission)

    assert imported.rules == ()
    assert len(imported.left_out) == 1


def test_a_deny_that_covers_less_here_takes_the_allows_before_it_along() -> None:
    imported = read({"bash": {"npm *": "allow", "npm * publish": "deny", "npm test *": "allow"}})

    assert shown(imported) == ["deny exec(npm * publish)", "allow exec(npm test *)"]


def test_an_answer_that_is_none_counts_as_a_deny() -> None:
    assert shown(read({"bash": {"ls *": 3}})) == ["deny exec(ls *)"]


def test_a_file_without_permissions_has_no_rules() -> None:
    assert opencode.read("{}") == Imported()
