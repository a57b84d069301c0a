from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from toolpost.atom import Atom, Kind
from toolpost.define import Tool, make
from toolpost.tools.standard import standard
from toolpost.tools.touching import touching
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    (tmp_path / "work").mkdir()
    made = Workspace({"work": LocalRoot(tmp_path / "work")})
    yield made
    made.close()


def _tools(workspace: Workspace, tmp_path: Path) -> dict[str, Tool]:
    return {tool.name: tool for tool in standard(workspace, state=tmp_path / "state")}


def _told(tool: Tool, args: dict[str, Any], root: Path) -> list[str]:
    assert tool.touches is not None
    atoms = [touch for touch in tool.touches(args) if isinstance(touch, Atom)]
    assert all(atom.inside for atom in atoms)
    return [f"{atom.kind} {atom.target.removeprefix(str(root))}" for atom in atoms]


PATCH = "*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: b\n*** End Patch\n"


@pytest.mark.parametrize(
    ("name", "args", "told"),
    [
        ("fs.read", {"path": "a/../b", "paths": None}, ["read /b"]),
        ("fs.read", {"paths": ["a", "b"]}, ["read /a", "read /b"]),
        ("fs.list", {}, ["read "]),
        ("code.search", {"query": "x", "path": "src"}, ["read /src"]),
        ("fs.write", {"path": "a"}, ["write /a"]),
        ("fs.edit", {"path": "a"}, ["read /a", "write /a"]),
        ("fs.delete", {"path": "a"}, ["delete /a"]),
        ("fs.move", {"source": "a", "target": "b"}, ["read /a", "delete /a", "write /b"]),
        ("fs.patch", {"patch": PATCH}, ["write /a", "delete /b"]),
        ("git.blame", {"path": "a"}, ["read /a"]),
    ],
)
def test_a_standard_tool_says_which_files_a_call_touches(
    workspace: Workspace, tmp_path: Path, name: str, args: dict[str, Any], told: list[str]
) -> None:
    assert _told(_tools(workspace, tmp_path)[name], args, tmp_path / "work") == told


def test_a_patch_that_moves_a_file_takes_it_away_and_makes_it_anew(
    workspace: Workspace, tmp_path: Path
) -> None:
    moves = "*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-x\n+y\n*** End Patch\n"
    told = _told(_tools(workspace, tmp_path)["fs.patch"], {"patch": moves}, tmp_path / "work")
    assert told == ["write /a", "delete /a", "write /b"]


def test_a_folder_made_of_roots_has_no_path(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    several = Workspace({name: LocalRoot(tmp_path / name) for name in ("a", "b")})
    tool = _tools(several, tmp_path)["fs.list"]
    assert tool.touches is not None
    assert list(tool.touches({"path": "."})) == [Atom(kind=Kind.READ, target="", inside=True)]
    several.close()


def test_other_tools_stay_as_they_are(workspace: Workspace) -> None:
    own = make(name="own")
    assert touching([own], workspace) == (own,)
