import io
import os
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Event

import msgspec
import pytest
from tests.index.build.trees import write

from toolpost.errors import Cancelled, IoFailed
from toolpost.index.build import definitions as defining
from toolpost.index.build.build import build
from toolpost.index.build.definitions import Share, add_definitions, serve
from toolpost.index.build.frames import receive, send
from toolpost.index.build.progress import Progress, Stage, Watch
from toolpost.index.disk.generations import SYMBOLS, Folder, Generation
from toolpost.index.disk.mapped import Base, latest
from toolpost.index.symbols.find import symbols
from toolpost.index.symbols.table import Found, Symbols, found
from toolpost.workspace.local.root import LocalRoot

TREE = {
    "a.py": b"class A:\n    def f(self): pass\n",
    "b.ts": "export function größe() {}\n".encode(),
    "data.json": b"{}",
    "empty.py": b"",
    "picture": b"\0\1",
    "run": b"#!/usr/bin/env python3\ndef main(): pass\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Iterator[LocalRoot]:
    write(tmp_path / "tree", TREE)
    with closing(LocalRoot(tmp_path / "tree")) as made:
        yield made


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "index")


@pytest.fixture
def by_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """As for a large tree."""
    monkeypatch.setattr(defining, "SYMBOLS_ALONE_BYTES", 0)


def built(root: LocalRoot, folder: Folder) -> Generation:
    return build(root, folder, workers=1).generation


def newest(folder: Folder) -> Base:
    base = latest(folder)
    assert base is not None
    return base


def all_of(folder: Folder) -> dict[str, list[str]]:
    """Names defined in each file, as the disk has them."""
    with closing(newest(folder)) as base:
        assert base.symbols is not None
        table = Symbols(base.symbols)
        return {base.path(at).decode(): [one.name for one in table.of(at)] for at in range(base.count)}


ALL = {"a.py": ["A", "f"], "b.ts": ["größe"], "data.json": [], "empty.py": [], "picture": [], "run": ["main"]}


@pytest.mark.parametrize("most", [0, 1 << 20])
@pytest.mark.parametrize("workers", [1, 2, 9])
def test_every_file_of_a_language_with_a_grammar_is_parsed(
    root: LocalRoot, folder: Folder, monkeypatch: pytest.MonkeyPatch, most: int, workers: int
) -> None:
    monkeypatch.setattr(defining, "SYMBOLS_ALONE_BYTES", most)
    told: list[Progress] = []
    made = built(root, folder)
    grown = add_definitions(folder, made, workers=workers, watch=Watch(told.append))
    assert grown is not None
    assert set(grown.files) == {*made.files, SYMBOLS}
    assert all_of(folder) == ALL
    assert {(one.stage, one.total) for one in told} == {(Stage.SYMBOLS, 3)}


def test_definitions_that_are_there_are_not_made_again(root: LocalRoot, folder: Folder) -> None:
    made = built(root, folder)
    grown = add_definitions(folder, made, workers=1, watch=Watch())
    stamp = folder.stamp()
    assert add_definitions(folder, made, workers=1, watch=Watch()) == grown
    assert folder.stamp() == stamp


def test_a_generation_that_is_not_the_newest_any_more_is_left_alone(root: LocalRoot, folder: Folder) -> None:
    first = built(root, folder)
    built(root, folder)
    assert add_definitions(folder, first, workers=1, watch=Watch()) is None
    assert add_definitions(Folder(folder.path / "nothing"), first, workers=1, watch=Watch()) is None
    with closing(newest(folder)) as base:
        assert base.symbols is None


def test_a_generation_superseded_meanwhile_is_left_alone(root: LocalRoot, folder: Folder) -> None:
    first = built(root, folder)

    def meanwhile(_: Progress) -> None:
        if newest(folder).generation == first.number:
            built(root, folder)

    assert add_definitions(folder, first, workers=1, watch=Watch(meanwhile)) is None


class Parsed:
    """Counts what is parsed in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.paths: list[str] = []
        monkeypatch.setattr(defining, "symbols", self)

    def __call__(self, path: str, text: bytes) -> object:
        self.paths.append(path)
        return symbols(path, text)


def test_only_files_with_another_content_are_parsed_again(
    root: LocalRoot, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_definitions(folder, built(root, folder), workers=1, watch=Watch())
    parsed = Parsed(monkeypatch)
    with closing(newest(folder)) as reuse:
        write(Path(root.where), {"a.py": b"def other(): pass\n", "new.py": b"def new(): pass\n"})
        os.utime(Path(root.where, "run"))
        add_definitions(folder, built(root, folder), workers=1, watch=Watch(), reuse=reuse)
    assert parsed.paths == ["a.py", "new.py"]
    assert all_of(folder) == {**ALL, "a.py": ["other"], "new.py": ["new"]}


def test_what_was_there_before_and_is_damaged_or_has_no_definitions_is_of_no_use(
    root: LocalRoot, folder: Folder
) -> None:
    with closing(newest_after(root, folder)) as without:
        add_definitions(folder, built(root, folder), workers=1, watch=Watch(), reuse=without)
    assert all_of(folder) == ALL
    file = folder.path / "2.sym"
    data = bytearray(file.read_bytes())
    data[64:80] = bytes(16)
    file.write_bytes(data)
    with closing(newest(folder)) as damaged:
        add_definitions(folder, built(root, folder), workers=1, watch=Watch(), reuse=damaged)
    assert all_of(folder) == ALL


def newest_after(root: LocalRoot, folder: Folder) -> Base:
    built(root, folder)
    return newest(folder)


@pytest.mark.usefixtures("by_processes")
def test_a_killed_process_is_told_of_and_nothing_is_lost(root: LocalRoot, folder: Folder) -> None:
    made = built(root, folder)

    def kill(_: Progress) -> None:
        for pid in children():
            os.kill(pid, signal.SIGKILL)

    with pytest.raises(IoFailed, match=r"ended\. Nothing is lost: build again"):
        add_definitions(folder, made, workers=2, watch=Watch(kill))
    assert folder.current() == made
    assert children() == []
    add_definitions(folder, made, workers=2, watch=Watch())
    assert all_of(folder) == ALL


def children() -> list[int]:
    """Processes this one started that are still there."""
    return [int(pid) for pid in Path("/proc/self/task", str(os.getpid()), "children").read_text().split()]


@pytest.mark.parametrize("most", [0, 1 << 20])
def test_a_build_that_is_stopped_changes_nothing_and_leaves_nobody_behind(
    root: LocalRoot, folder: Folder, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(defining, "SYMBOLS_ALONE_BYTES", most)
    made = built(root, folder)
    stop = Event()
    with pytest.raises(Cancelled):
        add_definitions(folder, made, workers=2, watch=Watch(lambda _: stop.set(), stop))
    assert folder.current() == made
    assert children() == []


@pytest.mark.usefixtures("by_processes")
def test_a_process_that_takes_long_for_a_file_is_not_waited_for(root: LocalRoot, folder: Folder) -> None:
    write(Path(root.where), {"slow.py": b"def f(): pass\n" + b"# a comment\n" * 9_000})
    made = built(root, folder)
    stop = Event()
    with pytest.raises(Cancelled):
        add_definitions(folder, made, workers=1, watch=Watch(lambda _: stop.set(), stop))
    assert children() == []


@pytest.mark.usefixtures("by_processes")
def test_a_process_that_cannot_be_started_is_told_of(
    root: LocalRoot, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = built(root, folder)
    monkeypatch.setattr("sys.executable", str(folder.path / "nothing"))
    with pytest.raises(IoFailed, match="No process could be started to parse files: No such file"):
        add_definitions(folder, made, workers=1, watch=Watch())


def test_a_worker_answers_batch_by_batch(
    root: LocalRoot, folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(defining, "SYMBOLS_BATCH", 2)
    made = built(root, folder)
    questions, answers = io.BytesIO(), io.BytesIO()
    send(questions, Share(str(folder.path), made, [0, 1, 5]))
    questions.seek(0)
    serve(questions, answers)
    answers.seek(0)
    decoder = msgspec.msgpack.Decoder(list[Found])
    batches: list[list[Found]] = [receive(answers, decoder), receive(answers, decoder)]
    names = ("a.py", "b.ts", "run")
    expected = [found(symbols(name, TREE[name])) for name in names]
    assert batches == [expected[:2], expected[2:]]
