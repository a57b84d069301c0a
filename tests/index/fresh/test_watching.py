"""What a live tree does when its watcher cannot watch everything, or tells late."""

import gc
from collections.abc import Iterable, Iterator
from pathlib import Path
from queue import Queue
from threading import Event

import pytest
from tests.index.fresh.trees import Tree, elsewhere, open_descriptors, told

from toolpost.index.fresh.happened import Happened
from toolpost.index.fresh.inotify import OVERFLOW, Inotify
from toolpost.index.fresh.notified import Notified
from toolpost.index.fresh.opening import Way, open_live, watcher_of
from toolpost.index.fresh.watcher import NoRoom


class Forgetful(Inotify):
    """Loses everything once, as the kernel does when its queue is full."""

    lost = 0

    def drain(self) -> Happened | None:
        happened = super().drain()
        if happened is not None and not Forgetful.lost:
            Forgetful.lost = 1
            happened = Happened()
            self.note(_overflow(), happened)
        return happened


def _overflow() -> bytes:
    import struct

    return struct.pack("=iIII", -1, OVERFLOW, 0, 0)


def test_when_events_are_lost_every_file_is_looked_at_and_watching_goes_on(tree: Tree) -> None:
    Forgetful.lost = 0
    live = tree.live(watch=Forgetful)
    live.snapshot()
    elsewhere(
        tree.folder,
        "import os; os.rename('src', 'lib'); os.makedirs('a/b'); open('a/b/c.ts', 'w').write('export let c')",
    )
    after = live.snapshot()
    assert Forgetful.lost == 1
    assert (told(after), after.freshness) == (tree.truth(), "watched")
    elsewhere(
        tree.folder, "open('lib/deep/two.ts', 'a').write('//'); open('a/b/d.ts', 'w').write('export let d')"
    )
    assert told(live.snapshot()) == tree.truth()


class Small(Inotify):
    """Has room for some folders."""

    room = 0

    def enter(self, descriptor: int, folder: bytes) -> None:
        if len(self.folders) >= Small.room:
            raise NoRoom("No space left")
        super().enter(descriptor, folder)


@pytest.mark.parametrize("room", [1, 4])
def test_where_not_every_folder_can_be_watched_every_file_is_looked_at(tree: Tree, room: int) -> None:
    Small.room = room
    live = tree.live(watch=Small, check_s=0)
    live.snapshot()
    elsewhere(
        tree.folder,
        "import os; os.makedirs('a/b/c'); [open(f'a/b/{n}', 'w') for n in 'xyz']; open('a/b/c/d', 'w')",
    )
    after = live.snapshot()
    assert (told(after), after.freshness) == (tree.truth(), "checked")
    elsewhere(tree.folder, "open('a/b/c/d', 'a').write('more')")
    assert told(live.snapshot()) == tree.truth()


def test_where_nothing_can_be_watched_nothing_is(tree: Tree) -> None:
    def none() -> Inotify:
        raise OSError("No inotify")

    live = tree.live(watch=none, check_s=0)
    assert live.snapshot().freshness == "checked"


def test_of_much_that_happened_only_that_it_did_is_kept(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolpost.index.fresh.live.JOURNAL_NAMES", 5)
    live = tree.live()
    live.snapshot()
    tree.write({f"many/{number}": "x" for number in range(10)})
    live.snapshot()
    tree.build()
    after = live.snapshot()
    assert (told(after), after.docs) == (tree.truth(), ())


class Heard:
    """Stands for watchfiles: hands on what a test puts in, and ends when it is told to."""

    def __init__(self) -> None:
        self.queue: Queue[set[tuple[int, str]] | OSError] = Queue()
        self.taken = Queue[None]()

    def __call__(self, where: str, stop: Event) -> Iterator[set[tuple[int, str]]]:
        while not stop.is_set():
            if self.queue.empty():
                stop.wait(0.001)
                continue
            heard = self.queue.get()
            if isinstance(heard, OSError):
                raise heard
            yield heard
            self.taken.put(None)

    def tell(self, folder: Path, paths: Iterable[str]) -> None:
        self.queue.put({(1, str(folder / path)) for path in paths})
        self.taken.get(timeout=60)


def test_elsewhere_what_is_told_late_is_taken_in_and_what_is_shown_is_looked_at(tree: Tree) -> None:
    heard = Heard()
    live = tree.live(watch=lambda: Notified(str(tree.folder), heard))
    live.snapshot()
    elsewhere(
        tree.folder,
        "import os, shutil; os.mkdir('new'); open('new/a.ts', 'w').write('export let a'); shutil.rmtree('src/deep');"
        "open('src/one.ts', 'a').write('export let late')",
    )
    heard.tell(tree.folder, ["new", "src/deep"])
    state = live.snapshot()
    assert told(state) != tree.truth()
    assert {doc.path for doc in state.settled.docs} >= {"new/a.ts", "index.ts"}
    assert told(live.confirm(["src/one.ts"])) == tree.truth()
    assert live.told(state.base.generation) is None


def test_a_listener_that_ends_is_done_without(tree: Tree) -> None:
    heard = Heard()
    watcher = Notified(str(tree.folder), heard)
    live = tree.live(watch=lambda: watcher, check_s=0)
    live.snapshot()
    heard.queue.put(OSError("gone"))
    watcher._thread.join(60)
    elsewhere(tree.folder, "open('src/one.ts', 'a').write('//')")
    after = live.snapshot()
    assert (told(after), after.freshness) == (tree.truth(), "checked")


def test_without_watchfiles_nothing_is_heard(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(__import__("sys").modules, "watchfiles", None)
    with pytest.raises(OSError, match="watchfiles"):
        Notified(str(tmp_path))


def test_watchfiles_is_listened_to_where_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Installed:
        @staticmethod
        def watch(where: str, **options: object) -> Iterator[set[tuple[int, str]]]:
            yield {(1, f"{where}/file")}
            stop = options["stop_event"]
            assert isinstance(stop, Event)
            stop.wait(60)

    monkeypatch.setitem(__import__("sys").modules, "watchfiles", Installed)
    watcher = watcher_of(str(tmp_path), "darwin")()
    (tmp_path / "file").touch()
    happened = None
    while happened is None:
        happened = watcher.drain()
    watcher.close()
    assert happened.files == {b"file"}
    assert not watcher.is_prompt


def test_a_live_tree_is_put_together_of_all_it_needs(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolpost.index.fresh.compacting.OVERLAY_FILES", 2)
    place = tree.cache / "run" / "fresh.sock"
    live = open_live(tree.root, tree.index, Way(socket=place))
    assert live.snapshot().freshness == "watched"
    tree.write({f"many/{number}.ts": f"export const n{number} = 1" for number in range(5)})
    assert told(live.snapshot())[1].keys() == tree.truth()[1].keys()
    live._compacting.wait()
    after = live.snapshot()
    assert told(after) == tree.truth()
    assert (after.base.generation, after.docs) == (2, ())
    live.close()
    once = open_live(tree.root, tree.index, Way(is_watching=False))
    assert once.snapshot().freshness == "checked"
    once.close()


def test_a_tree_that_cannot_be_opened_leaves_nothing_open(tree: Tree) -> None:
    (tree.index.path / "current").unlink()
    gc.collect()  # what other tests left behind is not ours to count
    before = open_descriptors()
    with pytest.raises(Exception, match="no index"):
        open_live(tree.root, tree.index, Way())
    assert open_descriptors() == before
