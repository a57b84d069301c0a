from typing import Any

import pytest
from tests.workspace.memory import MemoryRoot

from toolpost import Bench
from toolpost.call import Call
from toolpost.content import Text
from toolpost.result import Result
from toolpost.tools.search import tools
from toolpost.workspace.root import Kind
from toolpost.workspace.workspace import Workspace

ROOT = MemoryRoot(
    {
        ".gitignore": b"*.log\n",
        "a.log": b"",
        "src/app.ts": b"x",
        "src/link.ts": b"",
        "src/deep/App.tsx": b"xyz",
        "tests/test_1.py": b"",
        "odd\udcff.ts": b"",
    },
    kinds={"src/link.ts": Kind.LINK},
)


async def _find(**args: Any) -> Result:
    return await Bench(tools(Workspace({"root": ROOT}))).call(Call(tool="fs.search", args=args))


def _text(result: Result) -> str:
    return "".join(part.text for part in result.content if isinstance(part, Text))


async def _paths(**args: Any) -> list[str]:
    return [match["path"] for match in (await _find(**args)).data["matches"]]


async def test_names_are_found_by_a_glob() -> None:
    result = await _find(glob="*.{ts,tsx}")
    assert result.data == {
        "directory": ".",
        "matches": [
            {"path": "src/app.ts", "name": "app.ts", "type": "file", "size_bytes": 1},
            {"path": "src/deep/App.tsx", "name": "App.tsx", "type": "file", "size_bytes": 3},
            {"path": "src/link.ts", "name": "link.ts", "type": "link"},
        ],
        "truncated": False,
    }
    assert _text(result) == "src/app.ts\nsrc/deep/App.tsx\nsrc/link.ts (link)"


async def test_a_glob_with_a_slash_is_about_paths_in_the_folder_searched() -> None:
    assert await _paths(glob="src/*.ts") == ["src/app.ts", "src/link.ts"]
    assert await _paths(path="src", glob="/*.ts") == ["src/app.ts", "src/link.ts"]
    assert await _paths(path="src", glob="deep/*") == ["src/deep/App.tsx"]


async def test_names_are_found_by_a_regular_expression() -> None:
    assert await _paths(regex=r"_\d+\.py$") == ["tests/test_1.py"]
    assert await _paths(regex=r"^src/.*App") == ["src/deep/App.tsx"]
    assert await _paths(path="src", regex=r"^deep/") == ["src/deep/App.tsx"]
    assert await _paths(regex="src") == ["src"]


async def test_only_files_or_only_directories() -> None:
    assert await _paths(glob="*", type="directory") == ["src", "src/deep", "tests"]
    assert await _paths(glob="src/*", type="file") == ["src/app.ts"]
    assert _text(await _find(glob="deep")) == "src/deep/"


async def test_what_ignore_files_leave_out_is_found_on_request() -> None:
    assert await _paths(glob="*.log") == []
    assert await _paths(glob="*.log", ignore=False) == ["a.log"]
    assert _text(await _find(glob="*.log")) == "Nothing found."


async def test_pages_follow_each_other() -> None:
    whole = await _paths(glob="*")
    seen: list[str] = []
    cursor: dict[str, str] = {}
    for _ in whole:
        result = await _find(glob="*", limit=2, **cursor)
        seen += [match["path"] for match in result.data["matches"]]
        if not result.data["truncated"]:
            break
        cursor = {"cursor": result.data["next_cursor"]}
        assert result.notes == (f"Truncated: continue with cursor={cursor['cursor']}",)
    assert seen == whole
    assert (await _find(glob="*.py", **cursor)).problems[0].parameter == "cursor"


async def test_several_roots_are_searched_at_once() -> None:
    both = Workspace({"b": MemoryRoot({"x": b""}), "a": MemoryRoot({"y": b""})})
    result = await Bench(tools(both)).call(Call(tool="fs.search", args={"glob": "*"}))
    assert [match["path"] for match in result.data["matches"]] == ["a/y", "b/x"]
    assert result.data["directory"] == "."


@pytest.mark.parametrize(
    ("args", "code", "parameter"),
    [
        ({}, "MISSING_PARAMETER", "glob"),
        ({"glob": "*", "regex": "x"}, "INVALID_ARGUMENT", "regex"),
        ({"glob": "[a"}, "INVALID_ARGUMENT", "glob"),
        ({"regex": "(a"}, "INVALID_ARGUMENT", "regex"),
        ({"glob": "*", "limit": 201}, "LIMIT_EXCEEDED", "limit"),
        ({"glob": "*", "path": "nowhere"}, "DIRECTORY_NOT_FOUND", "path"),
        ({"glob": "*", "path": "src/app.ts"}, "DIRECTORY_NOT_FOUND", "path"),
        ({"glob": "*", "cursor": "?"}, "INVALID_ARGUMENT", "cursor"),
    ],
)
async def test_what_cannot_be_searched_is_refused(args: dict[str, Any], code: str, parameter: str) -> None:
    (problem,) = (await _find(**args)).problems
    assert (problem.code, problem.parameter) == (code, parameter)


async def test_a_line_break_in_a_name_made_two_lines_of_one_entry() -> None:
    made = tools(Workspace({"root": MemoryRoot({"a\nb/c.ts": b"", "d.ts": b""})}))
    result = await Bench(made).call(Call(tool="fs.search", args={"glob": "*"}))
    assert _text(result) == "a\\nb/\na\\nb/c.ts\nd.ts"
    assert [match["path"] for match in result.data["matches"]] == ["a\nb", "a\nb/c.ts", "d.ts"]
