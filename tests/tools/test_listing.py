import os
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.workspace.memory import MemoryRoot

from toolpost.call import Call
from toolpost.content import Text
from toolpost.define import Output
from toolpost.errors import DirectoryNotFound, InvalidArgument, InvalidDirectory, NoConnection
from toolpost.tools.listing import listing_tools
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.root import Kind, Root
from toolpost.workspace.workspace import Workspace


def run(place: int, workspace: Workspace, args: dict[str, Any]) -> Output:
    tool = listing_tools(workspace)[place]
    assert tool.args_type is not None
    assert tool.run is not None
    named = {"call": Call(tool=tool.name)} if tool.call_parameter else {}
    answer = tool.run(msgspec.convert(args, tool.args_type), **named)
    assert isinstance(answer, Output)
    return answer


def listed(root: Root, **args: Any) -> Output:
    return run(0, Workspace({"app": root}), args)


def names(root: Root, **args: Any) -> list[str]:
    return [entry["name"] for entry in msgspec.to_builtins(listed(root, **args).data)["files"]]


def dirs(root: Root, **args: Any) -> Any:
    return msgspec.to_builtins(run(1, Workspace({"app": root}), args).data)


TREE = MemoryRoot(
    {
        "src/b.ts": b"12",
        "src/a.tsx": b"1",
        "src/c.py": b"",
        "src/lib/x.ts": b"",
        "src/link": b"",
        "src/pipe": b"",
    },
    kinds={"src/link": Kind.LINK, "src/pipe": Kind.OTHER},
)


def test_a_directory_is_listed_with_what_each_entry_is() -> None:
    answer = listed(TREE, path="src")
    assert msgspec.to_builtins(answer.data) == {
        "directory": "src",
        "absolute": "/memory/src",
        "files": [
            {"name": "a.tsx", "path": "src/a.tsx", "type": "file", "size_bytes": 1},
            {"name": "b.ts", "path": "src/b.ts", "type": "file", "size_bytes": 2},
            {"name": "c.py", "path": "src/c.py", "type": "file", "size_bytes": 0},
            {"name": "lib", "path": "src/lib", "type": "directory"},
            {"name": "link", "path": "src/link", "type": "link"},
            {"name": "pipe", "path": "src/pipe", "type": "other"},
        ],
        "total": 6,
        "truncated": False,
    }
    assert answer.content == (Text("a.tsx\nb.ts\nc.py\nlib/\nlink (link)\npipe (not a file)"),)
    assert answer.notes == ()


@pytest.mark.parametrize("path", ["", ".", "./", "src/.."])
def test_the_root_is_listed_under_any_of_its_names(path: str) -> None:
    data = msgspec.to_builtins(listed(TREE, path=path).data)
    assert (data["directory"], data["absolute"]) == (".", "/memory")
    assert data["files"] == [{"name": "src", "path": "src", "type": "directory"}]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"glob": "*.{ts,tsx}"}, ["a.tsx", "b.ts"]),
        ({"glob": "*.ts"}, ["b.ts"]),
        ({"glob": "l*"}, ["lib", "link"]),
        ({"type": "file"}, ["a.tsx", "b.ts", "c.py"]),
        ({"type": "directory"}, ["lib"]),
        ({"type": "file", "glob": "*.py"}, ["c.py"]),
    ],
)
def test_a_listing_is_narrowed_by_pattern_and_type(asked: dict[str, Any], expected: list[str]) -> None:
    assert names(TREE, path="src", **asked) == expected


def test_pages_follow_each_other_without_loss_or_repeat() -> None:
    tree = MemoryRoot(
        {
            **{f"f{number:03}": b"" for number in range(23)},
            "a b/x": b"",
            "f010/y": b"",
            "é/z": b"",
            "50%41": b"",
        }
    )
    whole = names(tree, limit=100)
    assert len(whole) == 26
    pages, cursor = [], None
    while True:
        answer = listed(tree, limit=4, cursor=cursor)
        data = msgspec.to_builtins(answer.data)
        pages += [entry["name"] for entry in data["files"]]
        assert data["total"] == 26
        if not data["truncated"]:
            assert "next_cursor" not in data
            break
        cursor = data["next_cursor"]
        assert answer.notes == (f"Truncated: 4 of 26 entries are shown; continue with cursor={cursor}",)
    assert pages == whole


def test_a_cursor_holds_when_entries_come_and_go() -> None:
    first = msgspec.to_builtins(listed(MemoryRoot({"a": b"", "c": b"", "e": b""}), limit=2).data)
    assert first["next_cursor"] == "c"
    assert names(MemoryRoot({"b": b"", "d": b"", "e": b""}), limit=2, cursor="c") == ["d", "e"]


def test_what_ignore_files_name_is_left_out_unless_asked_for() -> None:
    tree = MemoryRoot({".gitignore": b"*.log\nbuild/\n", "a.log": b"", "a.py": b"", "build/x": b""})
    assert names(tree) == [".gitignore", "a.py"]
    assert names(tree, ignore=False) == [".gitignore", "a.log", "a.py", "build"]
    assert dirs(tree) == {"dirs": [], "truncated": False}


@pytest.mark.parametrize(
    ("asked", "note"),
    [
        ({}, "The directory is empty."),
        ({"glob": "*.py"}, "Nothing in this directory matches."),
        ({"type": "file"}, "Nothing in this directory matches."),
    ],
)
def test_nothing_is_said_to_be_nothing(asked: dict[str, Any], note: str) -> None:
    answer = listed(MemoryRoot({"empty/": b""}), path="empty", **asked)
    assert (answer.content, answer.notes) == ((Text(note),), (note,))


def test_a_cursor_past_the_end_is_said_to_be() -> None:
    assert listed(MemoryRoot({"a": b""}), cursor="z").notes == ("Nothing follows the cursor.",)


def test_a_directory_that_is_not_there_is_said_with_one_that_is() -> None:
    for look in (listed, dirs):
        with pytest.raises(DirectoryNotFound) as caught:
            look(TREE, path="scr")
        assert caught.value.detail == "Directory not found: scr"
        assert (caught.value.parameter, caught.value.suggested) == ("path", "src")


def test_a_path_that_leaves_the_root_is_an_invalid_directory() -> None:
    for look in (listed, dirs):
        for path in ("../x", "/elsewhere"):
            with pytest.raises(InvalidDirectory) as caught:
                look(TREE, path=path)
            assert caught.value.parameter == "path"


def test_a_bad_glob_is_named() -> None:
    with pytest.raises(InvalidArgument) as caught:
        listed(TREE, glob="../*")
    assert caught.value.parameter == "glob"


def test_with_several_roots_the_workspace_lists_them() -> None:
    workspace = Workspace({"two": TREE, "one": MemoryRoot({"a/b.txt": b""})})
    assert msgspec.to_builtins(run(0, workspace, {}).data) == {
        "directory": ".",
        "absolute": ".",
        "files": [
            {"name": "one", "path": "one", "type": "directory"},
            {"name": "two", "path": "two", "type": "directory"},
        ],
        "total": 2,
        "truncated": False,
    }
    assert msgspec.to_builtins(run(0, workspace, {"path": "one/a"}).data)["files"] == [
        {"name": "b.txt", "path": "one/a/b.txt", "type": "file", "size_bytes": 0}
    ]
    assert msgspec.to_builtins(run(1, workspace, {"depth": 2}).data) == {
        "dirs": [
            {"path": "one", "depth": 1},
            {"path": "two", "depth": 1},
            {"path": "one/a", "depth": 2},
            {"path": "two/src", "depth": 2},
        ],
        "truncated": False,
    }
    with pytest.raises(InvalidDirectory):
        run(0, workspace, {"path": "three"})


def test_without_a_root_nothing_is_connected() -> None:
    for place in (0, 1):
        with pytest.raises(NoConnection):
            run(place, Workspace({}), {})


DEEP = MemoryRoot({"b/c/d/e/f": b"", "b/a/x": b"", "a/z/x": b"", "file": b""}, closed=frozenset({"a"}))


def test_directories_come_level_by_level() -> None:
    assert dirs(DEEP, depth=3) == {
        "dirs": [
            {"path": "a", "depth": 1},
            {"path": "b", "depth": 1},
            {"path": "b/a", "depth": 2},
            {"path": "b/c", "depth": 2},
            {"path": "b/c/d", "depth": 3},
        ],
        "truncated": False,
    }
    assert dirs(DEEP, path="b") == {
        "dirs": [{"path": "b/a", "depth": 1}, {"path": "b/c", "depth": 1}],
        "truncated": False,
    }


@pytest.mark.parametrize(("limit", "truncated"), [(1, True), (2, True), (3, True), (4, True), (5, False)])
def test_directories_beyond_the_limit_are_said_to_be_left_out(limit: int, truncated: bool) -> None:
    answer = run(1, Workspace({"app": DEEP}), {"depth": 3, "limit": limit})
    data = msgspec.to_builtins(answer.data)
    whole = dirs(DEEP, depth=3)["dirs"]
    assert data == {"dirs": whole[:limit], "truncated": truncated}
    note = f"Truncated: the first {limit} are shown; start further down for more."
    assert answer.notes == ((note,) if truncated else ())


def test_a_folder_without_folders_says_so() -> None:
    assert run(1, Workspace({"app": DEEP}), {"path": "b/a"}).content == (
        Text("There are no directories in it."),
    )


def test_a_real_folder_is_listed_with_its_links_and_pipes(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"123")
    (tmp_path / "sub").mkdir()
    (tmp_path / "link").symlink_to("a.txt")
    os.mkfifo(tmp_path / "pipe")
    root = LocalRoot(tmp_path)
    data = msgspec.to_builtins(listed(root, limit=3).data)
    assert data["absolute"] == str(tmp_path.resolve())
    assert [(entry["name"], entry["type"]) for entry in data["files"]] == [
        ("a.txt", "file"),
        ("link", "link"),
        ("pipe", "other"),
    ]
    assert names(root, cursor=data["next_cursor"]) == ["sub"]
    assert dirs(root) == {"dirs": [{"path": "sub", "depth": 1}], "truncated": False}


def test_a_line_break_in_a_name_made_two_entries_of_one() -> None:
    root = MemoryRoot({"a\nb/c\td\x1b\x9b\u2028.txt": b"", "caf\u00e9 \u200d": b""})
    top, inner, below = listed(root), listed(root, path="a\nb"), run(1, Workspace({"app": root}), {})
    assert [answer.content for answer in (top, inner, below)] == [
        (Text("a\\nb/\ncaf\u00e9 \u200d"),),
        (Text("c\\td\\x1b\\x9b\\u2028.txt"),),
        (Text("a\\nb/"),),
    ]
    assert names(root) == ["a\nb", "caf\u00e9 \u200d"]
    assert dirs(root)["dirs"] == [{"path": "a\nb", "depth": 1}]
