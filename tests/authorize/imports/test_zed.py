import json
from typing import Any

import pytest

from toolpost.authorize.imports import zed
from toolpost.authorize.imports.imported import Imported


def read(**tools: Any) -> Imported:
    return zed.read(json.dumps({"agent": {"tool_permissions": {"tools": tools}}}))


def rules(*patterns: str) -> list[dict[str, str]]:
    return [{"pattern": pattern} for pattern in patterns]


def shown(imported: Imported) -> list[str]:
    return [f"{rule.decision} {rule}" for rule in imported.rules]


def test_settings_with_comments() -> None:
    imported = zed.read(
        r"""{ // mine
  "agent": { "tool_permissions": { "default": "allow", "tools": {
    "terminal": {
      "default": "confirm",
      "always_allow": [{ "pattern": "^cargo\\s+(build|test)\\b" },],
      "always_deny": [{ "pattern": "^git\\s+push" }],
    },
  }}},
}"""
    )

    assert shown(imported) == [
        "deny exec(git push* *)",
        "allow exec(cargo build *)",
        "allow exec(cargo test *)",
    ]
    assert imported.left_out == (
        "default allow: it means every tool: choose a profile instead.",
        (
            "ask terminal.default: other rules make exceptions from it there, and here ask beats allow. What no rule names "
            "is asked about."
        ),
    )


@pytest.mark.parametrize(
    ("tool", "settings", "ours"),
    [
        ("terminal", {"default": "deny"}, ["deny exec(*)"]),
        ("edit_file", {"always_deny": rules(r"\.env$")}, ["deny write(*.env)"]),
        ("edit_file", {"always_confirm": rules(r"\.(pem|key)$")}, ["ask write(*.pem)", "ask write(*.key)"]),
        ("edit_file", {"always_allow": rules(".*")}, ["allow write(**)"]),
        ("edit_file", {"always_deny": rules(".*")}, ["deny write(/**)"]),
        ("edit_file", {"default": "allow"}, ["allow write(**)"]),
        ("delete_path", {"default": "deny"}, ["deny delete(/**)"]),
        ("fetch", {"always_allow": rules(r"^https://docs\.rs/")}, ["allow net(https://docs.rs)"]),
        ("fetch", {"always_allow": rules(r"^https://docs\.rs/a/b")}, ["allow net(https://docs.rs/a/b)"]),
        ("fetch", {"default": "deny"}, ["deny net(*)"]),
        ("mcp:docs:find", {"default": "allow"}, ["allow tool(docs/find)"]),
    ],
)
def test_each_form_has_one_here(tool: str, settings: Any, ours: list[str]) -> None:
    assert shown(read(**{tool: settings})) == ours
    assert read(**{tool: settings}).left_out == ()


@pytest.mark.parametrize(
    ("tool", "settings"),
    [
        ("terminal", {"always_allow": rules("a.*b")}),
        ("terminal", {"always_allow": [{"pattern": 3}]}),
        ("edit_file", {"always_allow": rules("^src/")}),
        ("edit_file", {"always_deny": rules("a/b$")}),
        ("fetch", {"always_allow": rules("docs")}),
        ("fetch", {"always_allow": rules("^https://docs.rs/x$")}),
        ("fetch", {"default": "allow"}),
        ("mcp:docs:find", {"always_allow": rules("x")}),
        ("web_search", {"default": "allow"}),
    ],
)
def test_what_cannot_be_said_is_left_out(tool: str, settings: Any) -> None:
    imported = read(**{tool: settings})

    assert imported.rules == ()
    assert len(imported.left_out) == 1


def test_a_deny_looked_for_anywhere_takes_the_blanket_along() -> None:
    imported = read(terminal={"default": "allow", "always_deny": rules("rm -rf")})

    assert shown(imported) == ["deny exec(rm -rf *)", "deny exec(rm -rf* *)"]


def test_a_host_that_may_go_on_is_denied_as_far_as_it_is_known() -> None:
    imported = read(fetch={"always_deny": rules("^https://evil")})

    assert shown(imported) == ["deny net(https://evil)"]
    assert "its last word may go on there." in imported.left_out[0]
