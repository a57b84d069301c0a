"""What a live tree does when another generation is committed, by itself or by another process."""

import shutil
from datetime import UTC, datetime
from threading import Event, Thread

import pytest
from tests.index.fresh.trees import Tree, elsewhere, told

from toolpost.index.disk.damage import Damaged
from toolpost.index.fresh import compacting
from toolpost.index.fresh.compacting import Compacting
from toolpost.index.fresh.live import Live
from toolpost.index.snapshot import Snapshot


@pytest.mark.parametrize("watch", [True, False], ids=["watched", "checked"])
def test_a_generation_another_process_commits_is_followed(tree: Tree, watch: bool) -> None:
    live = tree.live() if watch else tree.live(watch=None, check_s=3600)
    first = live.snapshot()
    elsewhere(
        tree.folder,
        "open('src/one.ts', 'w').write('export let other'); open('new.ts', 'w').write('export let n')",
    )
    live.snapshot()
    number = tree.build()
    after = live.snapshot()
    assert told(after) == tree.truth()
    assert (after.base.generation, after.docs, after.gone) == (number, (), frozenset())
    assert first.base.generation != number
    assert first.count == len(told(first)[1])
    elsewhere(tree.folder, "open('src/one.ts', 'a').write('//')")
    live.touched("src/one.ts")
    assert told(live.snapshot()) == tree.truth()


def test_what_changed_while_it_was_built_is_not_lost(tree: Tree) -> None:
    """A file is read half way, put back, and the half is committed: events from before it are gone over again."""
    live = tree.live()
    live.snapshot()
    old = (tree.folder / "src/one.ts").read_text()
    elsewhere(tree.folder, "open('src/one.ts', 'w').write('export let half')")
    live.snapshot()
    (tree.folder / "src/gone.ts").write_text("export let gone")
    began, whole = datetime.now(UTC), tree.whole()
    (tree.folder / "src/one.ts").write_text(old)
    (tree.folder / "src/gone.ts").unlink()
    live.snapshot()
    tree.build(whole, began)
    assert told(live.snapshot()) == tree.truth()


def test_a_base_that_only_grew_keeps_everything(tree: Tree) -> None:
    live = tree.live()
    elsewhere(tree.folder, "open('src/one.ts', 'a').write('//')")
    before = live.snapshot()
    with tree.index.writing() as writing:
        writing.add(before.base.told, "tri", {"x": b"y"})
    after = live.snapshot()
    assert after.base.trigrams is not None
    assert (after.docs, after.gone, after.repo_hash) == (before.docs, before.gone, before.repo_hash)


def test_an_index_that_was_removed_still_answers(tree: Tree) -> None:
    live = tree.live()
    live.snapshot()
    shutil.rmtree(tree.index.path)
    elsewhere(tree.folder, "open('src/one.ts', 'a').write('//')")
    assert told(live.snapshot()) == tree.truth()


def test_a_damaged_index_is_built_anew(tree: Tree) -> None:
    live = tree.live(compact=lambda _snapshot: tree.build())
    live.snapshot()
    (tree.index.path / "current").write_text("nonsense")
    live.snapshot()
    live._compacting.wait()
    after = live.snapshot()
    assert told(after) == tree.truth()
    assert after.base.generation == 2


def test_without_an_index_there_is_nothing_to_keep_fresh(tree: Tree) -> None:
    shutil.rmtree(tree.index.path)
    with pytest.raises(Damaged):
        tree.live()


def test_much_that_changed_is_built_in_and_nothing_is_lost_meanwhile(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compacting, "OVERLAY_FILES", 10)
    listed, go_on = Event(), Event()

    def compact(snapshot: Snapshot) -> None:
        began, whole = datetime.now(UTC), tree.whole()
        listed.set()
        assert go_on.wait(60)
        tree.build(whole, began)

    live = tree.live(compact=compact)
    live.snapshot()
    tree.write({f"many/{number}.ts": f"export const n{number} = 1" for number in range(11)})
    before = live.snapshot()
    assert listed.wait(60)
    elsewhere(
        tree.folder, "open('many/0.ts', 'w').write('export let late'); import os; os.unlink('many/1.ts')"
    )
    assert told(live.snapshot()) == tree.truth()
    elsewhere(tree.folder, "open('many/2.ts', 'w').write('export let later')")
    go_on.set()
    live._compacting.wait()
    after = live.snapshot()
    assert told(after) == tree.truth()
    assert after.base.generation == before.base.generation + 1
    assert {doc.path for doc in after.docs} == {"many/0.ts", "many/2.ts"}


def test_much_text_is_built_in_too_and_a_failure_is_not_repeated_at_once(
    tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compacting, "OVERLAY_BYTES", 100)
    tries: list[Snapshot] = []

    def compact(snapshot: Snapshot) -> None:
        tries.append(snapshot)
        if len(tries) == 1:
            raise OSError("The disk is full")

    live = tree.live()
    (tree.folder / "new").write_text("x" * 150)
    snapshot = live.snapshot()
    work = Compacting(compact)

    def offered(times: int) -> int:
        for _ in range(times):
            work.offer(snapshot)
            work.wait()
        return len(tries)

    assert offered(15) == 0
    assert offered(1) == 1
    assert offered(16) == 1
    (tree.folder / "more").write_text("x" * 100)
    snapshot = live.snapshot()
    assert offered(16) == 2
    assert offered(16) == 3


def test_one_compaction_runs_at_a_time_and_none_where_nobody_can(tree: Tree) -> None:
    go_on, runs = Event(), list[Snapshot]()

    def compact(snapshot: Snapshot) -> None:
        runs.append(snapshot)
        assert go_on.wait(60)

    snapshot = tree.live().snapshot()
    work = Compacting(compact)
    work.start(snapshot)
    work.start(snapshot)
    go_on.set()
    work.wait()
    assert runs == [snapshot]
    nobody = Compacting(None)
    nobody.start(snapshot)
    nobody.wait()


def test_who_asks_while_files_change_sees_one_state_or_the_next(tree: Tree) -> None:
    live = tree.live()
    seen: list[set[tuple[int, str]]] = [set() for _ in range(4)]
    stop = Event()

    def question(found: set[tuple[int, str]]) -> None:
        while not stop.is_set():
            state = live.snapshot()
            found.add((state.count, state.repo_hash))
            assert len(told(state)[1]) == state.count

    threads = [Thread(target=question, args=(each,)) for each in seen]
    for thread in threads:
        thread.start()
    states = {(live.snapshot().count, live.snapshot().repo_hash)}
    for number in range(30):
        (tree.folder / "src/one.ts").write_text(f"export const n{number} = {number}")
        live.touched("src/one.ts")
    stop.set()
    for thread in threads:
        thread.join(60)
    assert told(live.snapshot()) == tree.truth()
    counts = {count for found in seen for count, _ in found}
    assert counts == {count for count, _ in states}


def test_an_index_of_another_kind_of_root_is_as_it_was_built(tree: Tree) -> None:
    class Elsewhere:
        key = "remote"
        where = location = "somewhere else"

    from typing import cast

    from toolpost.index.fresh.live import Means
    from toolpost.workspace.root import Root

    live = Live(cast("Root", Elsewhere()), tree.index, Means(read=tree.read))
    state = live.snapshot()
    assert (state.freshness, state.docs) == ("built", ())
    live.close()
