import io
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from queue import Queue
from shutil import rmtree
from threading import Thread

import pytest

from toolpost.cli import indexing, watching
from toolpost.cli.main import main
from toolpost.index.fresh.service import Taken
from toolpost.index.indexes import SOCKET
from toolpost.testing import FakeClock


@pytest.fixture(autouse=True)
def project(work: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(work.parent / "cache"))
    for name in ("a.py", "b.py", "c.py"):
        (work / name).write_text(f"{name[0]} = 1\n")
    return work


@pytest.fixture(autouse=True)
def unharmed() -> Iterator[None]:
    """A signal that comes when nobody watches any more must not end the tests."""
    before = signal.signal(signal.SIGTERM, lambda _number, _frame: None)
    yield
    signal.signal(signal.SIGTERM, before)


class Lines(io.StringIO):
    """A stdout whose lines another thread may wait for."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: Queue[str] = Queue()

    def write(self, text: str) -> int:
        self._lines.put(text)
        return len(text)

    def line(self) -> str:
        return self._lines.get(timeout=60)


def meanwhile(lines: Lines, act: Callable[[Lines], object]) -> Thread:
    """Something to do while this thread watches; at its end the watch is over, whatever happened."""

    def run() -> None:
        try:
            act(lines)
        finally:
            os.kill(os.getpid(), signal.SIGTERM)

    thread = Thread(target=run)
    thread.start()
    return thread


@pytest.mark.parametrize("form", ["--json", "--text"])
def test_every_batch_is_a_line_until_it_is_told_to_end(
    project: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    lines, told = Lines(), list[str]()
    monkeypatch.setattr(sys, "stdout", lines)

    def act(lines: Lines) -> None:
        told.append(lines.line())
        (project / "new.py").write_text("n = 1\n")
        told.append(lines.line())

    before = signal.getsignal(signal.SIGTERM)
    thread = meanwhile(lines, act)
    assert main(["index", "watch", form]) == 0
    thread.join(timeout=60)

    assert signal.getsignal(signal.SIGTERM) is before
    if form == "--json":
        begun, batch = map(json.loads, told)
        assert begun == {"root": str(project), "files": 3, "freshness": "watched"}
        assert (batch["added"], batch["changed"], batch["removed"]) == (["new.py"], [], [])
    else:
        assert told[0] == f"watching {project}: 3 files, watched\n"
        assert told[1].endswith(f" {project}: +new.py\n")


def test_a_batch_tells_what_was_added_changed_and_removed(project: Path) -> None:
    with indexing.grounds(is_watching=True) as (workspace, indexes):
        root = indexing.one_root(workspace)
        tree = watching.Tree("here", indexes.live(root), FakeClock())
        assert tree.batch() is None

        (project / "a.py").write_text("a = 2\n")
        (project / "b.py").unlink()
        (project / "d.py").write_text("d = 1\n")
        batch = tree.batch()
        assert batch is not None
        assert (batch.root, batch.added, batch.changed, batch.removed) == (
            "here",
            ["d.py"],
            ["a.py"],
            ["b.py"],
        )

        (project / "c.py").write_text("c = 1\n")
        assert tree.batch() is None  # written, and still the same
        (project / "a.py").write_text("a = 1\n")
        (project / "big.bin").write_bytes(bytes(100))
        again = tree.batch()
        assert again is not None
        assert (again.added, again.changed, again.removed) == (["big.bin"], ["a.py"], [])


def test_another_generation_is_no_change(project: Path) -> None:
    with indexing.grounds(is_watching=True) as (workspace, indexes):
        root = indexing.one_root(workspace)
        tree = watching.Tree("here", indexes.live(root), FakeClock())
        (project / "d.py").write_text("d = 1\n")
        assert tree.batch() is not None

        indexes.build(root)
        assert tree.batch() is None


def test_of_very_many_changes_people_see_some(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "WATCH_NAMES_SHOWN", 2)
    lines, told = Lines(), list[str]()
    monkeypatch.setattr(sys, "stdout", lines)
    (project.parent / "other").mkdir()
    for number in range(5):
        (project.parent / "other" / f"{number}.py").write_text("n = 1\n")

    def act(lines: Lines) -> None:
        lines.line()
        (project.parent / "other").rename(project / "other")
        told.append(lines.line())

    thread = meanwhile(lines, act)
    assert main(["index", "watch", "--text"]) == 0
    thread.join(timeout=60)

    assert told[0].endswith(": +other/0.py +other/1.py and 3 more\n")


def test_where_another_answers_already_this_one_only_watches(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = Lines()
    with indexing.grounds(is_watching=True) as (workspace, indexes):
        indexing.ready(workspace, indexes)
        service = indexes.serve()
        monkeypatch.setattr(sys, "stdout", lines)
        thread = meanwhile(lines, Lines.line)
        assert main(["index", "watch"]) == 0
        thread.join(timeout=60)
        service.stop()

    said = "note: Another process answers others already; this one only watches.\n"
    assert capsys.readouterr().err == said


def test_once_the_other_is_gone_it_is_this_ones_turn(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(watching, "WATCH_SERVE_S", 0.0)
    with indexing.grounds(is_watching=True) as (_, indexes):
        other = indexes.serve()
        with closing(watching.Serving(indexes)) as serving:
            serving.keep()
            assert capsys.readouterr().err == (
                "note: Another process answers others already; this one only watches.\n"
            )
            other.stop()
            serving.keep()
            serving.keep()
            assert capsys.readouterr().err == "note: This process answers others now.\n"
            with pytest.raises(Taken):
                indexes.serve()
        assert not (indexes.shelf.cache / SOCKET).exists()


def test_a_socket_that_was_removed_is_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    with indexing.grounds(is_watching=True) as (_, indexes):
        socket = indexes.shelf.cache / SOCKET
        with closing(watching.Serving(indexes)) as serving:
            rmtree(indexes.shelf.cache)
            serving.keep()
            assert not socket.exists()  # not at once: the folder may still be on its way out
            monkeypatch.setattr(watching, "WATCH_SERVE_S", 0.0)
            serving.keep()
            assert socket.is_socket()
