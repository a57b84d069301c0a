import json

import pytest

from toolpost.authorize.imports import claude
from toolpost.authorize.imports.imported import Imported, Unreadable


def read(**permissions: object) -> Imported:
    return claude.read(json.dumps({"permissions": permissions}))


def shown(imported: Imported) -> list[str]:
    return [f"{rule.decision} {rule}" for rule in imported.rules]


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("Bash(npm run test:*)", "exec(npm run test *)"),
        ("Bash(npm run test *)", "exec(npm run test *)"),
        ("Bash(make lint)", "exec(make lint)"),
        ("Read(./src/**)", "read(src/**)"),
        ("Read(~/notes/**)", "read(~/notes/**)"),
        ("Edit(/docs/**)", "write(docs/**)"),
        ("Write(a.txt)", "write(a.txt)"),
        ("WebFetch(domain:docs.rs)", "net(docs.rs)"),
        ("WebFetch(domain:*.docs.rs)", "net(*.docs.rs)"),
        ("mcp__github__get_issue", "tool(github/get_issue)"),
        ("mcp__github", "tool(github/*)"),
    ],
)
def test_each_form_has_one_here(theirs: str, ours: str) -> None:
    assert shown(read(allow=[theirs])) == [f"allow {ours}"]
    assert read(allow=[theirs]).left_out == ()
    assert shown(read(deny=[theirs])) == [f"deny {ours}"]
    assert shown(read(ask=[theirs])) == [f"ask {ours}"]


def test_a_whole_tool_is_allowed_in_the_workspace_and_denied_everywhere() -> None:
    imported = read(allow=["Read", "Edit(*)"], deny=["Write", "WebFetch"])

    assert shown(imported) == ["deny write(/**)", "deny net(*)", "allow read(**)", "allow write(**)"]
    assert imported.left_out == (
        "allow Read: outside the workspace it is asked here. It became read(**), which covers less.",
        "allow Edit(*): outside the workspace it is asked here. It became write(**), which covers less.",
    )


@pytest.mark.parametrize(
    ("theirs", "why"),
    [
        ("WebFetch", "here it would open every host to commands too."),
        ("WebFetch(domain:*)", "here it would open every host to commands too."),
        ("WebFetch(https://x)", "only `domain:` is known of WebFetch."),
        ("WebSearch", "there is nothing here that WebSearch stands for."),
        ("Grep", "rules are about what is read, not by which tool: write read(...)."),
        ("???", "it is no rule that could be read."),
        ("mcp__", "it names no server."),
        ("mcp__s__t(x)", "what a tool is called with cannot be said in a rule."),
        ("Bash(a | b)", "it holds what the shell reads, and rules are about single commands."),
        ("Read(../x)", "it leads out of the folder it is written for, and where to is not known here."),
    ],
)
def test_what_cannot_be_said_is_left_out_with_its_reason(theirs: str, why: str) -> None:
    assert read(allow=[theirs]) == Imported((), (f"allow {theirs}: {why}",))


def test_a_deny_that_is_lost_takes_its_allows_along() -> None:
    imported = read(deny=["Bash(git push | tee)"], allow=["Bash(git push:*)", "Read(docs/**)"])

    assert shown(imported) == ["allow read(docs/**)"]


def test_further_folders_may_be_read() -> None:
    imported = read(additionalDirectories=["/srv/a", "~/b", "../c"])

    assert shown(imported) == ["allow read(/srv/a/**)", "allow read(~/b/**)"]
    assert imported.left_out == (
        "allow additionalDirectories: ../c: it begins at a folder that is not known here; write its whole path.",
    )


def test_a_mode_is_a_profile() -> None:
    assert read(defaultMode="acceptEdits").left_out == (
        "defaultMode acceptEdits: that is a profile here: toolpost config set profile edit",
    )
    assert read(defaultMode="default", allow=3) == Imported()


def test_what_is_no_json_is_told() -> None:
    with pytest.raises(Unreadable):
        claude.read("permissions:")


@pytest.mark.parametrize("theirs", ["Bash", "Bash(*)"])
def test_an_allow_of_every_command_is_told(theirs: str) -> None:
    imported = read(allow=[theirs])
    assert shown(imported) == ["allow exec(*)"]
    assert [told.startswith(f"allow {theirs}: it allows every command") for told in imported.left_out] == [
        True
    ]
    assert (shown(read(deny=[theirs])), read(deny=[theirs]).left_out) == (["deny exec(*)"], ())
