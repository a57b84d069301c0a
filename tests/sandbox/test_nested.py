import os
import tempfile
from pathlib import Path

import pytest

from toolpost.sandbox import nested
from toolpost.sandbox.nested import Nested
from toolpost.sandbox.protect import Plan


@pytest.fixture(autouse=True)
def _private(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path_factory.mktemp("private")))


def _made(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name)


def _paths(told: tuple[str, ...], root: Path) -> list[str]:
    return [violation.partition(" (")[0].removeprefix(f"{root}/") for violation in told]


def test_what_is_there_at_any_depth_is_held_and_compared(tmp_path: Path) -> None:
    _made(
        tmp_path,
        "a/.mcp.json",
        "a/b/.vscode/tasks.json",
        ".MCP.json",
        ".mcp.json",
        "a/.github/workflows/x.yml",
    )
    _made(tmp_path, "node_modules/x/.mcp.json", "a/readme")
    fixed = tuple(
        f"{tmp_path}/{name}" for name in (".MCP.json", "a/.github/workflows", "a/.mcp.json", "a/b/.vscode")
    )
    found = Nested(str(tmp_path))
    assert (found.plan(), found.complete) == (Plan(held=(), fixed=fixed, absent=(), watched=fixed), True)


def test_a_repository_below_is_protected_as_one_at_the_top(tmp_path: Path) -> None:
    _made(tmp_path, "a/.git/config", "a/.git/modules/m/config", ".git/config", ".git/worktrees/w/gitdir")
    planned = Nested(str(tmp_path)).plan()
    assert planned.held == (f"{tmp_path}/a/.git", f"{tmp_path}/a/.git/modules")
    assert planned.fixed == tuple(
        f"{tmp_path}/{name}"
        for name in (".git/worktrees/w/gitdir", "a/.git/config", "a/.git/modules/m/config")
    )


def test_what_is_new_is_taken_away(tmp_path: Path) -> None:
    _made(tmp_path, "a/.mcp.json")
    found = Nested(str(tmp_path))
    _made(
        tmp_path,
        "b/.mcp.json",
        "b/.git/hooks/pre-commit",
        ".Vscode/x",
        "b/pyvenv.cfg",
        "c/.git/config",
        "c/x",
    )
    (tmp_path / "c" / ".git" / "config").write_text("[core]\n\tbare = false\n")
    assert _paths(found.revert(), tmp_path) == [".Vscode", "b/.git", "b/.mcp.json"]
    left = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert left == {"a/.mcp.json", "b/pyvenv.cfg", "c/.git/config", "c/x"}


def test_the_walk_has_an_end_and_begins_at_the_top(tmp_path: Path) -> None:
    _made(tmp_path, "a/b/c/.mcp.json", ".MCP.json")
    found = Nested(str(tmp_path), most=2)
    assert (found.complete, found.plan().fixed) == (False, (f"{tmp_path}/.MCP.json",))


def test_an_unchanged_folder_is_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nested, "SANDBOX_SETTLED_S", -1)
    monkeypatch.setattr(nested, "SANDBOX_MASK_FOLDERS", 1)
    _made(tmp_path, "a/x")
    Nested(str(tmp_path / "a"))
    assert nested._walk._known.keys() == {f"{tmp_path}/a"}
    assert Nested(str(tmp_path / "a")).plan().fixed == ()
    Nested(str(tmp_path))
    assert len(nested._walk._known) == 1


def test_a_folder_that_is_gone_or_closed_holds_nothing(tmp_path: Path) -> None:
    assert Nested(f"{tmp_path}/gone").revert() == ()


def test_a_link_is_compared(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / ".vscode").symlink_to("elsewhere")
    assert Nested(str(tmp_path)).plan().watched == (os.fspath(tmp_path / "a" / ".vscode"),)
