from pathlib import Path

import pytest

from toolpost.authorize.imports import codex
from toolpost.authorize.imports.imported import Imported, Unreadable


def shown(imported: Imported) -> list[str]:
    return [f"{rule.decision} {rule}" for rule in imported.rules]


def test_prefix_rules_with_choices() -> None:
    imported = codex.read(
        '''
"""Rules of ours."""
host_executable(name = "git", paths = ["/usr/bin/git"])
prefix_rule(pattern = ["git", ["push", "fetch"]], decision = "prompt", justification = "it leaves the machine")
prefix_rule(pattern = ("ls",), match = ["ls -l"])
prefix_rule(pattern = ["rm", "-rf"], decision = "forbidden")
network_rule(host = "api.github.com", protocol = "https", decision = "allow")
network_rule(host = "evil.example", protocol = "https", decision = "deny")
'''
    )

    assert shown(imported) == [
        "ask exec(git push *)",
        "ask exec(git fetch *)",
        "allow exec(ls *)",
        "deny exec(rm -rf *)",
        "allow net(https://api.github.com)",
        "deny net(evil.example)",
    ]
    assert imported.rules[0].layer == "line 4: prefix_rule git push|fetch"
    assert imported.left_out == (
        "line 3, host_executable: an allow holds for a bare name and the system's own folders here.",
    )


@pytest.mark.parametrize(
    "line",
    [
        "NAMES = ['ls']",
        "prefix_rule(pattern = NAMES)",
        "prefix_rule(['ls'])",
        "prefix_rule(**x)",
        "[prefix_rule(pattern = [x]) for x in 'ab']",
        "open('x', 'w')",
        "prefix_rule(pattern = ['a', 3], decision = 'forbidden')",
        "prefix_rule(pattern = ['a', ['b', 3]], decision = 'forbidden')",
        "prefix_rule(pattern = [], decision = 'forbidden')",
        "prefix_rule(pattern = ['a'], decision = 'maybe')",
        "network_rule(host = 3)",
        "network_rule(host = 'x', decision = 'maybe')",
    ],
)
def test_what_would_have_to_be_run_is_left_out_and_so_is_all_that_it_may_have_held_back(line: str) -> None:
    imported = codex.read(f"prefix_rule(pattern = ['ls'])\n{line}\n")

    assert imported.left_out[0].startswith(("deny line 2", "allow line 2", "line 2, `"))
    is_allow = imported.left_out[0].startswith("allow")
    assert shown(imported) == (["allow exec(ls *)"] if is_allow else [])


def test_a_line_that_is_no_rule_is_told_as_it_stands_with_what_it_costs() -> None:
    line = "line 2, `import os`"
    run = "nothing of the file is run. It could deny anything, so no allow of the file is taken."
    assert codex.read("prefix_rule(pattern = ['ls'])\nimport os").left_out == (
        f"{line}: only prefix_rule(...) and network_rule(...) with plain values can be read, and {run}",
        f"allow line 1: prefix_rule ls: {line} may hold it back there, and cannot be read.",
    )
    (told,) = codex.read(f"x('{'a' * 500}')").left_out
    assert len(told) < 400


def test_nothing_of_a_file_is_run(tmp_path: Path) -> None:
    target = tmp_path / "made"
    codex.read(f"prefix_rule(pattern = [open({str(target)!r}, 'w')])")

    assert not target.exists()


def test_too_many_choices_are_left_out() -> None:
    ten = [str(number) for number in range(10)]
    imported = codex.read(f"prefix_rule(pattern = ['x', {ten}, {ten}], decision = 'forbidden')")

    assert imported.rules == ()
    assert imported.left_out[0].endswith("it comes to more than 64 rules.")


def test_every_host_is_not_opened() -> None:
    assert codex.read("network_rule(host = '*', decision = 'allow')").rules == ()


def test_settings() -> None:
    imported = codex.read(
        """
approval_policy = "never"
sandbox_mode = "workspace-write"
[sandbox_workspace_write]
network_access = true
writable_roots = ["/srv/out/", "relative", "/a/../b"]
[mcp_servers.docs]
disabled_tools = ["drop"]
enabled_tools = ["find"]
default_tools_approval_mode = "approve"
[mcp_servers.docs.tools.find]
approval_mode = "prompt"
[mcp_servers.docs.tools.other]
approval_mode = "auto"
"""
    )

    assert shown(imported) == [
        "allow write(/srv/out/**)",
        "deny tool(docs/drop)",
        "allow tool(docs/*)",
        "ask tool(docs/find)",
    ]
    assert imported.left_out == (
        "approval_policy never: the nearest profile here is: toolpost config set profile headless",
        "sandbox_mode workspace-write: the nearest profile here is: toolpost config set profile auto",
        "allow writable_roots: relative: it is no plain path from the root of the disk.",
        "allow writable_roots: /a/../b: it is no plain path from the root of the disk.",
        "network_access: hosts are named one by one here: toolpost config set sandbox.hosts HOST",
        "mcp_servers.docs.enabled_tools: which tools of a server are offered is no rule here.",
    )


def test_a_folder_counts_only_where_the_workspace_may_be_written() -> None:
    assert codex.read("[sandbox_workspace_write]\nwritable_roots = ['/a']").rules == ()


@pytest.mark.parametrize("text", ["prefix_rule(", "a = " + "[" * 100_000, "(" * 100_000, "x\0y"])
def test_what_is_neither_is_told(text: str) -> None:
    with pytest.raises(Unreadable):
        codex.read(text)
