"""Nobody gets outside by swapping a folder for a link while it is being read and written.

Another process exchanges names as fast as it can. `TOOLPOST_FULL=1` makes 100,000 reads and 20,000 writes in
each of the two ways of opening, beside listings, moves and deletions.
"""

import logging
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import pytest
from tests.workspace.ground import NAMES, WAYS, everything

from toolpost.errors import DirectoryNotFound, FileNotFound, InvalidPath, IoFailed
from toolpost.workspace.local.beneath import Beneath
from toolpost.workspace.local.root import LocalRoot

FULL = os.environ.get("TOOLPOST_FULL") == "1"
READ_ROUNDS, WRITE_ROUNDS = (50_000, 10_000) if FULL else (2_500, 500)  # of two reads, of two writes
PATIENCE = 20  # times as many, should the machine let only one of the two processes run

log = logging.getLogger(__name__)  # `--log-cli-level=INFO` tells how often the two sides met

SWAPPING = """
import ctypes, os, sys
exchange = ctypes.CDLL(None).renameat2
here, pairs = -100, [tuple(name.encode() for name in pair.split("=")) for pair in sys.argv[1:]]
print("ready", flush=True)
while os.getppid() != 1:
    for _ in range(1000):
        for one, other in pairs:
            if exchange(here, one, here, other, 2):
                sys.exit("no exchange")
"""


@contextmanager
def swapping(folder: Path, *pairs: str) -> Iterator[None]:
    """Names `one=other` in a folder change places until this ends."""
    swapper = subprocess.Popen(
        [sys.executable, "-c", SWAPPING, *pairs], cwd=folder, stdout=subprocess.PIPE, text=True
    )
    try:
        assert swapper.stdout is not None
        assert swapper.stdout.readline() == "ready\n"
        yield
        assert swapper.poll() is None
    finally:
        swapper.kill()
        swapper.communicate(timeout=30)


@pytest.fixture(params=WAYS, ids=NAMES)
def root(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[LocalRoot]:
    """`door` is a folder; a link out and a link in wait to take its place. `leaf` is a file, likewise."""
    folder, outside = tmp_path / "root", tmp_path / "outside"
    for place, content in ((folder / "door", b"inside"), (outside, b"outside")):
        place.mkdir(parents=True)
        (place / "file.txt").write_bytes(content)
        (place / f"only-{content.decode()}.txt").write_bytes(content)
    (folder / "in").mkdir()
    (folder / "in" / "file.txt").write_bytes(b"inside")
    (folder / "out").symlink_to("../outside")
    (folder / "far").symlink_to(outside)
    (folder / "near").symlink_to(folder / "in")
    (folder / "leaf").write_bytes(b"inside")
    (folder / "leaf-out").symlink_to("../outside/file.txt")
    (folder / "leaf-far").symlink_to(outside / "file.txt")
    way: Beneath = request.param
    root = LocalRoot(folder, beneath=way)
    before = everything(tmp_path, but=folder)
    yield root
    assert everything(tmp_path, but=folder) == before
    root.close()


def _tried(action: Callable[[], str]) -> str:
    """What became of it; only these refusals are right ones."""
    try:
        return action()
    except InvalidPath:
        return "refused"
    except DirectoryNotFound:
        return "gone"  # the folder just made went away with its parent
    except IoFailed as failed:
        return str(failed.context["errno"])


def _repeat(rounds: int, *actions: Callable[[], str]) -> Counter[str]:
    """Each in turn, until both sides of the race were seen."""
    seen: Counter[str] = Counter()
    for done in range(rounds * PATIENCE):
        if done >= rounds and seen["refused"]:
            break
        for action in actions:
            seen[_tried(action)] += 1
    assert not {name for name in seen if name.isupper()} - {"EAGAIN"}
    return seen


def test_no_byte_from_outside_is_read(root: LocalRoot) -> None:
    def read(path: str) -> str:
        with suppress(BlockingIOError), root.open_ready(path) as source:
            assert source.stream.read() == b"inside"
        with root.open(path) as source:
            assert source.stream.read() == b"inside"
        return "read"

    def listed() -> str:
        names = {entry.name for entry in root.scan("door")}
        assert names <= {"file.txt", "only-inside.txt"}
        return "listed"

    pairs = ("door=out", "door=far", "door=near", "leaf=leaf-out", "leaf=leaf-far")
    with swapping(Path(root.where), *pairs):
        seen = _repeat(READ_ROUNDS, lambda: read("door/file.txt"), lambda: read("leaf"), listed)
    log.info("%s: %s", root.beneath.name, dict(seen))
    assert seen["refused"]
    assert seen["read"]


def test_no_file_outside_is_made_changed_or_removed(root: LocalRoot) -> None:
    numbers = count()

    def change() -> str:
        root.write("door/file.txt", b"inside")
        return "written"

    def make() -> str:
        root.write(f"door/new/{next(numbers)}", b"inside", create_dirs=True)
        return "made"

    def remove() -> str:
        try:
            root.delete("door/only-outside.txt")
        except FileNotFound:
            return "nothing removed"
        return "removed"

    def move() -> str:
        try:
            root.move("door/only-outside.txt", "stolen.txt")
        except FileNotFound:
            return "nothing moved"
        return "moved"

    with swapping(Path(root.where), "door=out", "door=far", "door=near"):
        seen = _repeat(WRITE_ROUNDS, change, make, remove, move)
    log.info("%s: %s", root.beneath.name, dict(seen))
    assert seen["refused"]
    assert seen["written"]
    assert (seen["removed"], seen["moved"]) == (0, 0)
    made = [path for path in Path(root.where).rglob("new/*") if not path.is_symlink()]
    assert len({path.name for path in made}) == seen["made"]
    assert list(Path(root.where).rglob(".toolpost-*")) == []
