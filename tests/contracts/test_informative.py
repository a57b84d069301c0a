"""Contract 004's best practice: an answer tells what was done. No standard tool says only "ok", or nothing."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.contracts.line import Line
from tests.workspace.repository import commit, make, write

from toolpost.dialects.acp import Acp

PATCH = "--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-let a;\n+let b;\n"
STEP = {"content": "Map domains", "activeForm": "Mapping domains", "status": "pending"}
EDIT = {"type": "replace", "oldText": "let a;", "newText": "let b;"}

# What each tool is asked, and a word its answer must have: the file, the line, the commit it is about.
ASKED: dict[str, tuple[dict[str, Any], str]] = {
    "read_file": ({"path": "a.ts"}, "let a;"),
    "write_file": ({"path": "new.ts", "content": "x"}, "new.ts (1 bytes)"),
    "edit_file": ({"path": "a.ts", "edits": [EDIT]}, "+let b;"),
    "delete_file": ({"path": "a.ts"}, "a.ts"),
    "move_file": ({"source": "a.ts", "target": "b.ts"}, "b.ts"),
    "apply_patch": ({"patch": PATCH}, "+let b;"),
    "undo_change": ({"request_id": "req-1"}, "made.ts"),
    "list_directory": ({"path": "src"}, "c.ts"),
    "list_dirs": ({}, "src"),
    "find_files": ({"glob": "c.*"}, "src/c.ts"),
    "search_files": ({"query": "let"}, "a.ts:1: let a;"),
    "search_in_files": ({"query": "let"}, "a.ts:1: let a;"),
    "query_index": ({"query": {"type": "listAll"}}, "src/c.ts"),
    "find_symbols": ({"name": "c"}, "src/c.ts:1-1: variable c = 1"),
    "outline_file": ({"path": "src/c.ts"}, "1-1: variable c = 1"),
    "find_references": ({"name": "c"}, "src/c.ts:1: const c = 1; [defined here]"),
    "file_imports": ({"path": "a.ts"}, "Nothing imports it."),
    "map_code": ({}, "files"),
    "git_status": ({}, "made.ts"),
    "git_diff": ({}, "changed.ts"),
    "git_log": ({}, "second"),
    "git_show": ({}, "second"),
    "git_blame": ({"path": "a.ts"}, "let a;"),
    "git_grep": ({"query": "let"}, "a.ts"),
    "git_branches": ({}, "main"),
    "git_add": ({"paths": ["made.ts"]}, "made.ts"),
    "git_commit": ({"message": "third", "all": True, "author": "Ada <ada@example.com>"}, "third"),
    "git_restore": ({"paths": ["changed.ts"]}, "changed.ts"),
    "git_stash": ({"action": "push", "message": "later"}, "later"),
    "git_worktree": ({"action": "list"}, "main"),
    "todo_manager": ({"items": [STEP]}, "Map domains"),
    "validate_output": ({"output_type": "domain_map", "data": {}}, "Missing 'domains' array"),
    "validate_data": ({"data": 7, "schema": {"type": "string"}}, '7 is not of type \\"string\\"'),
}


def use(tool: str, given: dict[str, Any]) -> dict[str, Any]:
    params = {"sessionId": "sess_1", "toolCallId": "call_1", "toolName": tool, "input": given}
    return {"jsonrpc": "2.0", "method": "tools/use", "params": params}


async def told(talk: Line, tool: str, given: dict[str, Any]) -> str:
    answer = (await talk.say(use(tool, given)))["params"]
    text = "\n".join(item.get("text") or item.get("diff", "") for item in answer["content"])
    assert answer["isError"] is False, text
    return text


@pytest.fixture
async def talk(real: Callable[..., Line]) -> Line:
    """A repository with two commits, a change that is not committed, and a new file made by the first call."""
    line = real("acp")
    make(line.folder, {"a.ts": "let a;\n", "src/c.ts": "const c = 1;\n", "changed.ts": "old\n"})
    commit(line.folder, {"d.ts": "const d = 1;\n"}, "second")
    write(line.folder, {"changed.ts": "new\n"})
    await told(line, "write_file", {"path": "made.ts", "content": "made\n"})
    return line


@pytest.mark.parametrize("tool", ASKED)
async def test_no_standard_tool_answers_only_ok(tool: str, talk: Line) -> None:
    given, word = ASKED[tool]
    text = await told(talk, tool, given)
    assert word in text
    assert text.strip(" \n.!").casefold() not in {"ok", "done", "success"}


def test_every_standard_tool_is_asked(real: Callable[..., Line]) -> None:
    standard = {tool.name for tool in real("acp").bench.tools}
    names = {word.says for word in Acp.WORDS if word.tool in standard}
    assert names | {"validate_data"} == set(ASKED)


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("read_file", {"path": "empty.ts"}),
        ("list_directory", {"path": "none"}),
        ("list_directory", {"path": ".", "glob": "*.md"}),
        ("list_dirs", {"path": "none"}),
        ("find_files", {"glob": "*.md"}),
        ("search_files", {"query": "nowhere"}),
    ],
)
async def test_where_there_is_nothing_to_show_the_answer_says_so(
    tool: str, given: dict[str, Any], real: Callable[..., Line]
) -> None:
    text = await told(real("acp", {"none/": 0, "empty.ts": ""}), tool, given)
    assert text.strip()


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("read_file", {"path": "long.ts"}),
        ("list_directory", {"path": "many"}),
        ("list_dirs", {"path": "dirs"}),
        ("find_files", {"glob": "*.ts"}),
        ("search_files", {"query": "x"}),
    ],
)
async def test_where_an_answer_is_cut_it_says_so(
    tool: str, given: dict[str, Any], real: Callable[..., Line]
) -> None:
    files: dict[str, str | int] = {"long.ts": 200_000}
    files |= {f"many/{n}.ts": 10 for n in range(60)} | {f"dirs/{n}/": 0 for n in range(60)}
    text = await told(real("acp", files), tool, given)
    assert "Truncated" in text
