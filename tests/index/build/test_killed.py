"""A builder killed, or refused by the system, at any point: readers have what was there, or what is there now."""

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.crash import points
from tests.crash.points import Outcome, every_point
from tests.index.build.trees import built, told, write

OLD = {"a.ts": b"export const old = 1\n", "lib/index.ts": b"export * from '../a'\n"}
NEW = {
    "a.ts": b"export const fresh = 1\n",
    "lib/b.py": b"def b(): ...\n",
    "lib/index.ts": OLD["lib/index.ts"],
}

KILLED = """
import os, signal, sys
from pathlib import Path
from tests.index.build.trees import built

left = int(sys.argv[3])

def tell(progress):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)

built(Path(sys.argv[1]), Path(sys.argv[2]), progress=tell, workers=int(sys.argv[4]))
"""


def _states(folder: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    states = []
    for name, files in (("old", OLD), ("new", NEW)):
        write(folder / name, files)
        built(folder / name, folder / f"{name}-index")
        states.append(told(folder / f"{name}-index"))
    return states[0], states[1]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_builder_killed_at_any_stage_leaves_the_old_state_or_the_new(tmp_path: Path, workers: int) -> None:
    tree, index = tmp_path / "tree", tmp_path / "index"
    write(tree, {f"{number}.ts": b"" for number in range(600)})
    built(tree, index)
    old = told(index)
    write(tree, {"more.ts": b"export const more = 1\n"})
    built(tree, tmp_path / "anew")
    new = told(tmp_path / "anew")
    for point in range(100):
        done = subprocess.run(
            [sys.executable, "-c", KILLED, tree, index, str(point), str(workers)], timeout=120, check=False
        )
        left = told(index)
        assert left in (old, new)
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL
    assert point > 5
    assert left == new
    built(tree, index)
    assert len(list(index.iterdir())) == 5  # nothing of those that were killed


SCRIPT = """
from pathlib import Path
from importlib import import_module
from tests.index.build.trees import built
from toolpost.index.build.build import build
from toolpost.index.disk.generations import Folder
from toolpost.workspace.local.root import LocalRoot

for module in ("index.search.trigrams", "index.names.numbers", "index.extract.ecma", "index.extract.python"):
    import_module(f"toolpost.{module}")

def ready(folder):
    built(folder / "tree", folder / "warm")
    return LocalRoot(folder / "tree"), Folder(folder / "index")

def act(held):
    build(*held)
"""


def test_a_build_that_fails_at_any_call_leaves_the_old_state_or_the_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(points, "FAULTS", ("signal=KILL", "error=EIO"))  # the other two take as long again
    old, new = _states(tmp_path)

    def make(place: Path) -> None:
        write(place / "tree", OLD)
        built(place / "tree", place / "index")
        (place / "tree/a.ts").unlink()
        write(place / "tree", NEW)

    def check(place: Path, outcome: Outcome) -> None:
        left = told(place / "index")
        assert left == old or [_known(now, then) for now, then in zip(left, new, strict=True)] == new
        assert left != old or outcome is not Outcome.DONE
        built(place / "tree", place / "index")
        assert told(place / "index") == new

    seen = every_point(SCRIPT, tmp_path, make, check)
    assert seen[Outcome.KILLED] > 30
    assert seen[Outcome.REFUSED] > 30


def _known(now: dict[str, Any], then: dict[str, Any]) -> dict[str, Any]:
    """A file that could not be read says so, and then it cannot be told from what it would have been."""
    return then if now["passed"] == "unreadable" else {**now, "exports": then["exports"]}
