from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.workspace.memory import MemoryRoot

from toolpost.errors import DirectoryNotFound, FileNotFound, RemoteFailed
from toolpost.limits import NEAREST_TOLD
from toolpost.tools.nearest import no_directory, no_file, nothing_there
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.root import Entry, Root
from toolpost.workspace.workspace import Workspace


def missing_file(root: Root, path: str) -> FileNotFound:
    workspace = Workspace({"app": root})
    return no_file(workspace, workspace.place(path), path)


def missing_folder(root: Root, path: str) -> DirectoryNotFound:
    workspace = Workspace({"app": root})
    return no_directory(workspace, workspace.place(path), path)


TREE = MemoryRoot(
    {
        "README.md": b"",
        "src/app/main.py": b"",
        "src/app/util.py": b"",
        "src/lib/util.py": b"",
        "tests/util.py": b"",
        ".gitignore": b"out/\n",
        "out/secret_plan.py": b"",
    }
)


@pytest.mark.parametrize(
    ("path", "nearest"),
    [
        ("readme.md", ["README.md"]),
        ("src/app/mian.py", ["src/app/main.py"]),
        ("src\\app\\main.py", ["src/app/main.py"]),
        ("main.py", ["src/app/main.py"]),
        ("lib/util.py", ["src/lib/util.py", "src/app/util.py", "tests/util.py"]),
        ("src/ap/main.py", ["src/app/main.py"]),
        ("source/main.pyx", ["src/app/main.py"]),
        ("qqqqqqqqqqqqqqqq", []),
        ("out/secret_pan.py", []),
        ("secret_plan.py", []),
    ],
)
def test_a_missing_file_is_told_with_the_paths_that_may_be_meant(path: str, nearest: list[str]) -> None:
    error = missing_file(TREE, path)
    assert error.detail == f"File not found: {path}"
    assert error.parameter == "path"
    assert error.context.get("nearest", []) == nearest
    assert (error.suggested == nearest[0]) if nearest else not error.context


@pytest.mark.parametrize(
    ("path", "nearest"),
    [
        ("scr", ["src"]),
        ("SRC/app", ["src/app"]),
        ("app", ["src/app"]),
        ("src\\lib", ["src/lib"]),
        ("zzzzzz", []),
    ],
)
def test_a_missing_directory_is_told_with_directories(path: str, nearest: list[str]) -> None:
    error = missing_folder(TREE, path)
    assert error.detail == f"Directory not found: {path}"
    assert error.context.get("nearest", []) == nearest


def test_a_file_taken_for_a_directory_is_told_with_the_one_it_lies_in() -> None:
    error = missing_folder(TREE, "src/app/main.py")
    assert error.detail == "Not a directory but a file: src/app/main.py"
    assert error.suggested == "src/app"
    assert missing_folder(TREE, "README.md").suggested == "."


def test_no_more_than_a_few_are_told() -> None:
    many = MemoryRoot({f"d{number}/index.ts": b"" for number in range(20)})
    assert len(missing_file(many, "index.ts").context["nearest"]) == NEAREST_TOLD


def test_with_several_roots_the_root_is_named() -> None:
    workspace = Workspace({"one": TREE, "two": MemoryRoot({})})
    path = "one/src/app/mian.py"
    error = no_file(workspace, workspace.place(path), path, "paths[1]")
    assert (error.suggested, error.parameter) == ("one/src/app/main.py", "paths[1]")


class Unreachable(MemoryRoot):
    def scan(self, path: str) -> Iterator[Entry]:
        raise RemoteFailed(f"{path} cannot be asked for now.")


def test_a_tree_that_cannot_be_looked_at_suggests_nothing() -> None:
    assert missing_file(Unreachable({"a.py": b""}), "b.py").context == {}


def test_a_secret_is_never_suggested(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("KEY=1")
    (tmp_path / "env.py").write_text("")
    root = LocalRoot(tmp_path)
    assert missing_file(root, ".envv").context.get("nearest", []) == ["env.py"]
    assert missing_file(root, "config/.env").context.get("nearest", []) == []


def test_a_link_that_leads_to_nothing_was_said_not_to_be_there_and_suggested(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/gone").symlink_to("nowhere")
    root = LocalRoot(tmp_path)
    workspace = Workspace({"app": root})
    place = workspace.place("src/gone")
    errors = [
        no_file(workspace, place, "src/gone"),
        no_directory(workspace, place, "src/gone"),
        nothing_there(workspace, place, "src/gone"),
    ]
    assert [error.detail for error in errors] == [
        "Not a file but a link that leads to nothing: src/gone",
        "Not a directory but a link that leads to nothing: src/gone",
        "A link that leads to nothing: src/gone",
    ]
    assert not any("src/gone" in error.context.get("nearest", []) for error in errors)
