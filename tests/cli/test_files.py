"""The standard tools through the real command line: read, search, change, undo, and what is refused."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.cli.desk import Ran, Run, process
from tests.fakes.github import GitHubServer

PRICES = 'PRICES = {"apple": 3, "pear": 4}\n\n\ndef total(basket):\n    return sum(PRICES[item] for item in basket)  # TODO\n'


@pytest.fixture(autouse=True)
def standard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLPOST_STANDARD_TOOLS", "on")


@pytest.fixture
def shop_folder(work: Path) -> Path:
    (work / "README.md").write_text("# Shop\n")
    (work / "src").mkdir()
    (work / "src" / "prices.py").write_text(PRICES)
    (work / ".env").write_text("TOKEN=abc\n")
    (work / ".env.example").write_text("TOKEN=\n")
    return work


def git(folder: Path, *words: str) -> None:
    person = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    subprocess.run(["git", *person, *words], cwd=folder, check=True, capture_output=True, timeout=60)


def replacing(old: str, new: str) -> str:
    return f"edits:={json.dumps([{'old_text': old, 'new_text': new}])}"


def problem(ran: Ran) -> dict[str, Any]:
    (only,) = ran.json["problems"]
    return dict(only)


def test_a_file_is_read(run: Run, shop_folder: Path) -> None:
    shown = run("call", "fs.read", "path=README.md", "--text")
    told = run("call", "fs.read", "path=README.md").json

    assert shown == Ran(0, "# Shop\n\n", "")
    assert (told["ok"], told["text"], told["data"]["path"], told["data"]["size_bytes"]) == (
        True,
        "# Shop\n",
        "README.md",
        7,
    )


def test_a_folder_is_listed_with_what_is_hidden_from_reading(run: Run, shop_folder: Path) -> None:
    shown = run("call", "fs.list", "--text")

    assert shown == Ran(0, ".env\n.env.example\nREADME.md\nsrc/\n", "")


def test_a_search_gives_places_and_counts_the_secrets_it_passed_over(run: Run, shop_folder: Path) -> None:
    shown = run("call", "code.search", "query=TODO", "--text")

    assert shown.code == 0
    assert shown.out.startswith("src/prices.py:5:     return sum(")
    assert (shown.out.endswith("Passed over: 1 secret.\n"), shown.err) == (True, "")
    assert run("call", "code.search", "query=abc", "--text").out.startswith("Nothing found.")


def test_files_are_found_by_name(run: Run, shop_folder: Path) -> None:
    assert run("call", "fs.search", "glob=*.py", "--text") == Ran(0, "src/prices.py\n", "")


def test_an_edit_shows_its_diff_and_is_undone_by_what_it_says(run: Run, shop_folder: Path) -> None:
    file = shop_folder / "src" / "prices.py"
    edited = run("call", "fs.edit", "path=src/prices.py", replacing('"pear": 4', '"pear": 5'), "--yes").json

    assert file.read_text() == PRICES.replace('"pear": 4', '"pear": 5')
    assert '+PRICES = {"apple": 3, "pear": 5}' in edited["data"]["diff"]
    undone = run("undo", edited["data"]["request_id"]).json
    assert undone["files"] == [{"path": "src/prices.py", "what": "content"}]
    assert file.read_text() == PRICES


def test_changes_are_listed_and_the_newest_is_undone(run: Run, shop_folder: Path) -> None:
    run("call", "fs.write", "path=a.txt", "content=one", "--yes")
    run("call", "fs.write", "path=b.txt", "content=two", "--yes")

    assert [(one["tool"], one["where"], one["files"]) for one in run("undo", "--list").json] == [
        ("fs.write", str(shop_folder), [{"path": "b.txt", "act": "write"}]),
        ("fs.write", str(shop_folder), [{"path": "a.txt", "act": "write"}]),
    ]
    assert run("undo", "--yes").code == 0
    assert ((shop_folder / "a.txt").exists(), (shop_folder / "b.txt").exists()) == (True, False)


def test_what_writes_is_refused_where_nobody_can_be_asked(run: Run, shop_folder: Path) -> None:
    refused = run("call", "fs.write", "path=a.txt", "content=one")

    assert (refused.code, problem(refused)["code"]) == (3, "NEEDS_APPROVAL")
    assert not (shop_folder / "a.txt").exists()


def test_a_text_that_is_not_there_is_answered_with_the_closest(run: Run, shop_folder: Path) -> None:
    missed = run("call", "fs.edit", "path=src/prices.py", replacing("def totals(basket):", "x"), "--yes")

    assert (missed.code, problem(missed)["code"]) == (2, "EDIT_NOT_FOUND")
    assert "def total(basket):" in missed.out
    assert (shop_folder / "src" / "prices.py").read_text() == PRICES


def test_secrets_are_denied_and_their_examples_are_not(run: Run, shop_folder: Path) -> None:
    denied = run("call", "fs.read", "path=.env")

    assert (denied.code, problem(denied)["code"]) == (3, "DENIED")
    assert "abc" not in denied.out + denied.err
    assert run("call", "fs.read", "path=.env.example", "--text") == Ran(0, "TOKEN=\n\n", "")


def test_an_owner_opens_a_secret_or_all_of_them(
    run: Run, shop_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOOLPOST_WORKSPACE_READABLE", ".env")
    assert run("call", "fs.read", "path=.env", "--text").out == "TOKEN=abc\n\n"

    monkeypatch.setenv("TOOLPOST_WORKSPACE_READABLE", "other.env")
    assert run("call", "fs.read", "path=.env").code == 3
    monkeypatch.setenv("TOOLPOST_WORKSPACE_SECRETS", "allow")
    assert run("call", "fs.read", "path=.env").code == 0


def test_what_runs_by_itself_is_written_only_where_its_owner_says_so(
    run: Run, shop_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("call", "fs.write", "path=.envrc", "content=export A=1")
    assert [run(*words, "--profile", profile).code for profile in ("ask", "edit", "open")] == [3, 3, 3]
    assert run(*words, "--yes").code == 0
    (shop_folder / ".envrc").unlink()

    monkeypatch.setenv("TOOLPOST_WORKSPACE_WRITABLE", ".envrc")
    assert [run(*words, "--profile", profile).code for profile in ("ask", "edit")] == [3, 0]


@pytest.mark.parametrize("path", ["../home/x", "/etc/passwd", "src/../../home", "out/passwd"])
def test_no_path_leaves_the_folder(run: Run, shop_folder: Path, path: str) -> None:
    (shop_folder / "out").symlink_to("/etc")
    refused = run("call", "fs.read", f"path={path}")

    assert (refused.code, problem(refused)["code"]) == (2, "INVALID_PATH")
    assert "root:" not in refused.out + refused.err


def test_a_revision_and_a_folder_stand_side_by_side(
    run: Run, shop_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(shop_folder, "init", "-q", "-b", "main")
    git(shop_folder, "add", "README.md", "src")
    git(shop_folder, "commit", "-qm", "Open the shop")
    (shop_folder / "README.md").write_text("# Closed\n")
    other = shop_folder.parent / "other"
    other.mkdir()
    (other / "note.txt").write_text("hello\n")
    monkeypatch.setenv("TOOLPOST_WORKSPACE_ROOTS", "git:.@main,../other,.")

    listed = run("call", "fs.list").json["data"]["files"]
    assert {one["path"] for one in listed} == {"work", "other", "work-2"}
    assert run("call", "fs.read", "path=work/README.md", "--text").out == "# Shop\n\n"
    assert run("call", "fs.read", "path=work-2/README.md", "--text").out == "# Closed\n\n"
    assert run("call", "fs.read", "path=other/note.txt", "--text").out == "hello\n\n"

    read_only = run("call", "fs.write", "path=work/a.txt", "content=x", "--yes")
    assert (read_only.code, problem(read_only)["code"]) == (3, "READ_ONLY")
    unnamed = run("call", "fs.read", "path=note.txt")
    assert "must begin with the name of a root: work, other, work-2" in problem(unnamed)["detail"]


def test_a_repository_on_github_is_read(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with GitHubServer() as server:
        server.repository("octo/shop", {"README.md": b"# Shop\n"})
        monkeypatch.setenv("TOOLPOST_WORKSPACE_ROOTS", "github:octo/shop")
        monkeypatch.setenv("TOOLPOST_WORKSPACE_GITHUB_URL", server.url)

        assert run("call", "fs.read", "path=README.md", "--text") == Ran(0, "# Shop\n\n", "")
        assert run("call", "fs.write", "path=a.txt", "content=x", "--yes").code == 3


def test_without_a_connection_the_contracts_own_words_are_said(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOOLPOST_WORKSPACE_ROOTS", "github:")
    told = run("call", "read_file", "--as", "agents", "path=README.md")

    assert told.code == 1
    assert told.json == {
        "name": "read_file",
        "input": {"path": "README.md"},
        "output": {"error": "No active GitHub connection found"},
    }


@pytest.mark.parametrize(
    ("roots", "said"),
    [
        ("nope", "There is no directory {work}/nope."),
        ("README.md", "{work}/README.md is not a directory"),
        ("git:nope", "'git:nope' names no revision: write git:PATH@REVISION."),
        ("github:octo", "github:"),
    ],
)
def test_a_root_that_cannot_be_opened_is_said_with_where_it_was_set(
    run: Run, shop_folder: Path, monkeypatch: pytest.MonkeyPatch, roots: str, said: str
) -> None:
    monkeypatch.setenv("TOOLPOST_WORKSPACE_ROOTS", roots)
    shown = run("call", "fs.list")

    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith("error: The workspace cannot be opened: ")
    assert said.format(work=shop_folder) in shown.err
    assert shown.err.endswith(
        "  next: Correct workspace.roots, which comes from environment (TOOLPOST_WORKSPACE_ROOTS).\n"
    )


ANSWERS: dict[str, Any] = {
    "agents": {
        "name": "read_file",
        "input": {"path": "README.md"},
        "output": {"path": "README.md", "content": "# Shop\n", "size": 7},
    },
    "superconnect": {
        "path": "README.md",
        "content": "# Shop\n",
        "size_bytes": 7,
        "truncated": False,
        "encoding": "utf-8",
        "budget": {"reads": 19, "read_bytes": 5242873},
    },
    "sandra": {"ok": True, "tool": "local.fs.read", "data": "# Shop\n"},
    "acp": {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/result",
        "params": {
            "sessionId": "sess_1",
            "toolCallId": "call_1",
            "content": [{"type": "text", "text": "# Shop\n"}],
            "isError": False,
        },
    },
}


@pytest.mark.parametrize("dialect", ANSWERS)
def test_each_contract_reads_in_its_own_shape(run: Run, shop_folder: Path, dialect: str) -> None:
    told = run("call", "fs.read", "--as", dialect, "path=README.md").json
    told.pop("provenance", None)

    assert told == ANSWERS[dialect]


def test_mcp_reads_as_text_and_as_data(run: Run, shop_folder: Path) -> None:
    told = run("call", "read_file", "--as", "mcp", "path=README.md").json["result"]

    assert (told["content"], told["isError"]) == ([{"type": "text", "text": "# Shop\n"}], False)
    assert told["structuredContent"]["content"] == "# Shop\n"


def test_a_component_is_refused_past_its_budget(
    run: Run, shop_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOOLPOST_LIMITS_COMPONENT_READS", "1")
    both = 'paths:=["README.md", ".env.example"]'

    spent = run("call", "fs.read", both, "--component", "Button")
    assert (spent.code, problem(spent)["code"]) == (5, "READ_BUDGET_EXCEEDED")
    assert run("call", "fs.read", both).code == 0


def test_index_first_warns_asks_for_a_reason_or_is_silent(
    run: Run, shop_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("call", "fs.list", "--component", "Button")
    assert run(*words).json["notes"] == [
        "fs.list explores folders. Query the index first, or say in `justification` what it cannot answer."
    ]

    monkeypatch.setenv("TOOLPOST_WORKSPACE_INDEX_FIRST", "strict")
    refused = run(*words)
    assert (refused.code, problem(refused)["code"]) == (3, "POLICY_VIOLATION")
    assert run(*words, "justification=the index has no folders").code == 0

    monkeypatch.setenv("TOOLPOST_WORKSPACE_INDEX_FIRST", "off")
    assert "notes" not in run(*words).json


def test_the_program_itself_reads_and_changes_files(shop_folder: Path) -> None:
    assert process("call", "fs.read", "path=README.md", "--text", folder=shop_folder).out == "# Shop\n\n"
    refused = process("call", "fs.write", "path=a.txt", "content=x", folder=shop_folder)
    assert (refused.code, problem(refused)["code"]) == (3, "NEEDS_APPROVAL")


def test_switched_off_the_standard_tools_are_gone(
    run: Run, shop_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOOLPOST_STANDARD_TOOLS", "off")

    assert run("call", "fs.read", "path=README.md").code == 4


@pytest.mark.parametrize(
    ("key", "value", "understood"),
    [
        ("workspace.roots", "git:.@main", ["git:.@main"]),
        ("workspace.readable", "dev.pem", ["dev.pem"]),
        ("workspace.metrics", "contract", "contract"),
        ("workspace.index_first", "strict", "strict"),
        ("workspace.undo_days", "30", 30),
        ("limits.component.reads", "50", 50),
        ("standard_tools", "off", "off"),
    ],
)
def test_the_workspace_is_set_and_shown(
    run: Run, user_folder: Path, monkeypatch: pytest.MonkeyPatch, key: str, value: str, understood: object
) -> None:
    monkeypatch.delenv("TOOLPOST_STANDARD_TOOLS")
    assert run("config", "set", key, value).json["value"] == understood

    shown = run("config", "show", key).json[key]
    assert shown["value"] == understood
    assert shown["from"].startswith(f"user file ({user_folder}/config.toml:")


def test_a_project_may_only_tighten_what_its_files_tools_may(run: Run, shop_folder: Path) -> None:
    (shop_folder / ".toolpost").mkdir()
    (shop_folder / ".toolpost" / "config.toml").write_text(
        '[workspace]\nsecrets = "allow"\nindex_first = "strict"\n[limits.component]\nreads = 0\n'
    )

    assert "workspace.secrets is left out: a project's file may only tighten" in run("config", "show").err
    assert run("call", "fs.read", "path=.env").code == 3
    assert run("call", "fs.list", "--component", "Button").code == 3
    assert run("call", "fs.read", "path=README.md", "--component", "Button").code == 5
