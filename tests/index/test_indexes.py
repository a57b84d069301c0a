import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Barrier, Thread

import pytest
from tests.index.build.trees import write
from tests.workspace.repository import commit, make

from toolpost.errors import Cancelled, DirectoryNotFound, IoFailed
from toolpost.index.ask.query import Query, query
from toolpost.index.build.progress import Progress, Stage
from toolpost.index.disk.damage import Damaged
from toolpost.index.disk.generations import SYMBOLS
from toolpost.index.disk.sections import HEADER
from toolpost.index.disk.shelf import Shelf
from toolpost.index.indexes import Indexes, State
from toolpost.index.snapshot import Snapshot
from toolpost.index.symbols.lookup import definitions, is_complete
from toolpost.workspace.git.root import GitRoot
from toolpost.workspace.guard import Guard
from toolpost.workspace.local.root import LocalRoot

TREE = {
    "a.ts": b"export const Alpha = 1\n",
    "b.py": b"def beta():\n    return 1\n",
    "c/d.py": b"class Delta:\n    def run(self): pass\n",
}


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path / "cache")


@pytest.fixture
def root(tmp_path: Path) -> Iterator[LocalRoot]:
    write(tmp_path / "tree", TREE)
    with closing(LocalRoot(tmp_path / "tree")) as made:
        yield made


@contextmanager
def opened(shelf: Shelf, *, is_watching: bool = False) -> Iterator[Indexes]:
    with closing(Indexes(shelf, is_watching=is_watching)) as made:
        yield made


def paths(snapshot: Snapshot) -> list[str]:
    return [file.path for file in query(snapshot, Query("listAll")).files]


def names(snapshot: Snapshot) -> list[str]:
    return [one.path for name in ("beta", "Delta") for one in definitions(snapshot, name)]


def in_threads(count: int, work: Callable[[], object]) -> list[object]:
    """What each of so many threads that begin at once gets."""
    ready, results = Barrier(count, timeout=60), []

    def run() -> None:
        ready.wait()
        results.append(work())

    threads = [Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    return results


def damage(shelf: Shelf, kind: str) -> None:
    """All but the header and the table, which are looked at when a file is opened."""
    (file,) = shelf.cache.glob(f"*/*.{kind}")
    data = bytearray(file.read_bytes())
    begin, end = HEADER.size + 4, HEADER.unpack_from(data)[4]
    data[begin:end] = bytes(byte ^ 0xFF for byte in data[begin:end])
    file.write_bytes(data)


def test_nothing_is_known_before_it_is_built(shelf: Shelf, root: LocalRoot) -> None:
    with opened(shelf) as indexes:
        assert (indexes.known(root), indexes.now(root)) == (None, None)
        assert not shelf.cache.exists()
        assert indexes.ask(root, paths) == ["a.ts", "b.py", "c/d.py"]
        assert indexes.known(root) is indexes.live(root)
        now = indexes.now(root)
        assert now is not None
        assert paths(now) == ["a.ts", "b.py", "c/d.py"]


def test_calls_at_once_build_one_index(shelf: Shelf, root: LocalRoot) -> None:
    with opened(shelf) as indexes:
        lives = in_threads(8, lambda: indexes.live(root))
        assert len(set(map(id, lives))) == 1
        current = indexes.folder(root).current()
        assert current is not None
        assert current.number == 1


def test_several_processes_share_one_index(shelf: Shelf, root: LocalRoot, tmp_path: Path) -> None:
    script = """if True:
        import sys
        from contextlib import closing
        from pathlib import Path
        from toolpost.index.ask.query import Query, query
        from toolpost.index.disk.shelf import Shelf
        from toolpost.index.indexes import Indexes
        from toolpost.workspace.local.root import LocalRoot
        with closing(LocalRoot(Path(sys.argv[1]))) as root, closing(Indexes(Shelf(Path(sys.argv[2])))) as indexes:
            print(indexes.ask(root, lambda found: [one.path for one in query(found, Query("listAll")).files]))
    """
    command = [sys.executable, "-c", script, str(tmp_path / "tree"), str(shelf.cache)]
    others = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    with opened(shelf) as indexes:
        ours = indexes.ask(root, paths)
        said = [other.communicate(timeout=120)[0] for other in others]
        assert said == 3 * [f"{ours}\n"]
        assert len(list(shelf.cache.glob("*/*.meta"))) == 1


def test_who_builds_meanwhile_is_waited_for(shelf: Shelf, root: LocalRoot) -> None:
    with opened(shelf) as indexes, opened(shelf) as others:
        with indexes.folder(root).writing():
            waiting = Thread(target=lambda: indexes.live(root))
            waiting.start()
        others.live(root)
        waiting.join(60)
        assert not waiting.is_alive()
        assert indexes.ask(root, paths) == others.ask(root, paths)


def test_who_builds_for_too_long_is_told_of(
    shelf: Shelf, root: LocalRoot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolpost.index.indexes.INDEX_BUSY_S", 0.05)
    with opened(shelf) as indexes:
        with indexes.folder(root).writing(), pytest.raises(IoFailed, match="Another process is building"):
            indexes.live(root)
        assert indexes.ask(root, paths) == ["a.ts", "b.py", "c/d.py"]


def test_a_build_tells_how_far_it_is(shelf: Shelf, root: LocalRoot) -> None:
    told: list[Progress] = []
    with opened(shelf) as indexes:
        made = indexes.build(root, progress=told.append, workers=1)
        assert made.statistics.total_files == 3
        assert list(dict.fromkeys(one.stage for one in told)) == list(Stage)
        again = indexes.build(root, workers=1, is_full=True)
        assert (again.generation.number, again.taken, again.repo_hash) == (2, 0, made.repo_hash)


def test_a_tree_that_is_gone_is_told_of(shelf: Shelf, root: LocalRoot, tmp_path: Path) -> None:
    with opened(shelf) as indexes:
        indexes.build(root)
        (tmp_path / "tree").rename(tmp_path / "elsewhere")
        assert indexes.now(root) is None
        with pytest.raises(DirectoryNotFound):
            indexes.live(root)


@pytest.mark.parametrize("kind", ["meta", "text", "sym"])
def test_damage_found_by_a_question_is_mended_and_the_question_answered(
    shelf: Shelf, root: LocalRoot, kind: str
) -> None:
    with opened(shelf) as indexes:
        indexes.build(root)
    damage(shelf, kind)
    with opened(shelf) as indexes:
        assert indexes.ask(root, paths) == ["a.ts", "b.py", "c/d.py"]
        assert indexes.ask(root, names) == ["b.py", "c/d.py"]
        assert indexes.ask(root, lambda found: found.base.text.read(0, 23)) == TREE["a.ts"]


@pytest.mark.parametrize("name", ["1.meta", "1.text", "1.tri", "1.sym", "current"])
def test_a_folder_in_the_place_of_a_file_is_damage(shelf: Shelf, root: LocalRoot, name: str) -> None:
    with opened(shelf) as indexes:
        indexes.build(root)
    (path,) = shelf.cache.glob(f"*/{name}")
    path.unlink()
    path.mkdir()
    with opened(shelf) as indexes:
        assert indexes.ask(root, paths) == ["a.ts", "b.py", "c/d.py"]
    with opened(shelf) as indexes:
        assert indexes.known(root) is not None


def test_threads_that_find_the_same_damage_mend_it_once(shelf: Shelf, root: LocalRoot) -> None:
    with opened(shelf) as indexes:
        indexes.build(root)
    damage(shelf, "sym")
    with opened(shelf) as indexes:
        indexes.live(root)
        assert in_threads(6, lambda: indexes.ask(root, names)) == 6 * [["b.py", "c/d.py"]]
        current = indexes.folder(root).current()
        assert current is not None
        assert current.number == 2


def test_damage_that_comes_back_is_told_of(shelf: Shelf, root: LocalRoot) -> None:
    def broken(_: Snapshot) -> None:
        raise Damaged("A page is not as it was written.")

    with opened(shelf) as indexes, pytest.raises(IoFailed, match="damaged again right after it was built"):
        indexes.ask(root, broken)


def test_who_builds_while_damage_is_to_be_mended_is_told_of(
    shelf: Shelf, root: LocalRoot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: Snapshot) -> None:
        raise Damaged("A page is not as it was written.")

    monkeypatch.setattr("toolpost.index.indexes.INDEX_BUSY_S", 0.05)
    with opened(shelf) as indexes:
        indexes.build(root)
        with indexes.folder(root).writing(), pytest.raises(IoFailed, match="Another process is building"):
            indexes.ask(root, broken)


def test_closing_ends_the_wait_for_another_builder(shelf: Shelf, root: LocalRoot) -> None:
    indexes = Indexes(shelf, is_watching=False)
    with indexes.folder(root).writing():
        indexes.warm(root)
        closing_it = Thread(target=indexes.close)
        closing_it.start()
        closing_it.join(30)
        assert not closing_it.is_alive()


def test_definitions_that_cannot_be_made_of_what_was_built_are_told_of(
    shelf: Shelf, root: LocalRoot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise Damaged("A page is not as it was written.")

    monkeypatch.setattr("toolpost.index.indexes.add_definitions", broken)
    with (
        opened(shelf) as indexes,
        pytest.raises(IoFailed, match=r"What was just written cannot be read: A page"),
    ):
        indexes.build(root)


def test_damage_is_mended_beside_a_search(shelf: Shelf, root: LocalRoot) -> None:
    with opened(shelf) as indexes:
        indexes.build(root)
        before = indexes.live(root)
        indexes.mend(root)
        for thread in indexes._threads:
            thread.join(60)
        assert indexes.live(root) is not before
        indexes.mend(root)


def test_what_another_process_builds_by_other_rules_is_not_used(shelf: Shelf, root: LocalRoot) -> None:
    write(Path(root.where), {".env": b"export const Secret = 1\n"})
    with opened(shelf) as indexes, closing(LocalRoot(Path(root.where), guard=Guard(secrets="allow"))) as bare:
        assert indexes.ask(root, paths) == [".env", "a.ts", "b.py", "c/d.py"]
        with opened(shelf) as others:
            text = others.ask(bare, lambda found: found.base.text.read(0, 24))
            assert text == b"export const Secret = 1\n"
        assert indexes.ask(root, lambda found: found.base.text.read(0, 23)) == TREE["a.ts"]
        with opened(shelf) as others:
            others.ask(bare, paths)
        assert indexes.now(root) is None


def test_definitions_follow_beside_everything_else(shelf: Shelf, root: LocalRoot) -> None:
    with opened(shelf) as indexes:
        indexes.live(root)
        for thread in indexes._threads:
            thread.join(60)
        assert indexes.ask(root, is_complete)
        assert indexes.ask(root, names) == ["b.py", "c/d.py"]


def test_definitions_nobody_made_are_made_by_who_stays(shelf: Shelf, root: LocalRoot) -> None:
    with opened(shelf) as indexes:
        indexes.build(root, symbols=False)
        assert not indexes.ask(root, is_complete)
        assert indexes._threads == []
    with opened(shelf, is_watching=True) as indexes:
        assert not indexes.ask(root, is_complete)
        for thread in indexes._threads:
            thread.join(60)
        assert indexes.ask(root, is_complete)
        indexes.build(root, symbols=False, is_full=True)  # as a compaction does
        assert indexes.ask(root, names) == ["b.py", "c/d.py"]
        for thread in indexes._threads:
            thread.join(60)
        assert indexes.ask(root, is_complete)


def test_closing_ends_what_is_still_being_made(
    shelf: Shelf, root: LocalRoot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolpost.index.build.definitions.SYMBOLS_ALONE_BYTES", 0)
    write(Path(root.where), {f"many/{at}.py": b"def f(): pass\n" * 2_000 for at in range(60)})
    indexes = Indexes(shelf, is_watching=False)
    indexes.live(root)
    closing_it = Thread(target=indexes.close)
    closing_it.start()
    closing_it.join(60)
    assert not closing_it.is_alive()
    assert not any(thread.is_alive() for thread in indexes._threads)
    current = indexes.folder(root).current()
    assert current is not None
    assert SYMBOLS not in current.files
    with pytest.raises(Cancelled):
        indexes.build(root)
    indexes.warm(root)
    assert not any(thread.is_alive() for thread in indexes._threads)


def test_a_warmed_tree_is_known_without_being_asked(shelf: Shelf, root: LocalRoot) -> None:
    with opened(shelf) as indexes:
        indexes.warm(root)
        for thread in indexes._threads:
            thread.join(60)
        assert indexes.known(root) is not None


def test_our_own_changes_are_seen_with_and_without_a_watcher(shelf: Shelf, root: LocalRoot) -> None:
    for is_watching in (True, False):
        with opened(shelf, is_watching=is_watching) as indexes:
            indexes.touched(root, "nobody/asked/yet")
            assert "new.py" not in indexes.ask(root, paths)
            write(Path(root.where), {"new.py": b"new = 1\n"})
            indexes.touched(root, "new.py")
            assert "new.py" in indexes.ask(root, paths)
            Path(root.where, "new.py").unlink()
            indexes.touched(root, "new.py")
            assert "new.py" not in indexes.ask(root, paths)


def test_the_state_of_a_tree_counts_each_changed_file_once(shelf: Shelf, root: LocalRoot) -> None:
    with opened(shelf) as indexes:
        made = indexes.build(root)
        write(Path(root.where), {"b.py": b"def other(): pass\n", "new.py": b""})
        Path(root.where, "a.ts").unlink()
        state = indexes.state(root)
        size = sum(file.stat().st_size for file in indexes.folder(root).path.glob("1.*"))
        assert state == State(
            root=root.where,
            files=3,
            exports=3,
            repo_hash=state.repo_hash,
            generated_at=state.generated_at,
            freshness="checked",
            changed=3,
            searches_ready=True,
            symbols_ready=True,
            size_bytes=size,
            tags={"python": 2, "typescript": 1},
        )
        assert state.repo_hash != made.repo_hash


def test_a_revision_is_as_it_was_built(shelf: Shelf, tmp_path: Path) -> None:
    repository = make(tmp_path / "repository", {})
    write(repository, TREE)
    commit(repository, {}, "all")
    with closing(GitRoot(repository, "main")) as revision, opened(shelf) as indexes:
        write(repository, {"a.ts": b"", "z.ts": b""})
        assert indexes.ask(revision, paths) == ["a.ts", "b.py", "c/d.py"]
        assert indexes.state(revision).freshness == "built"


def test_a_process_that_watches_answers_others(shelf: Shelf, root: LocalRoot) -> None:
    with opened(shelf, is_watching=True) as watching, opened(shelf) as asking:
        watching.live(root)
        service = watching.serve()
        try:
            assert asking.state(root).freshness == "watched"
        finally:
            service.stop()


def test_an_index_that_cannot_be_opened_after_it_was_built_is_told_of(
    shelf: Shelf, root: LocalRoot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolpost.index.indexes.made_by", lambda *_: "nobody")
    with opened(shelf) as indexes, pytest.raises(IoFailed, match="was built and cannot be opened"):
        indexes.live(root)


@pytest.mark.parametrize("is_watching", [True, False])
def test_a_query_of_an_index_that_is_there_needs_neither_numpy_nor_a_parser(
    shelf: Shelf, root: LocalRoot, *, is_watching: bool
) -> None:
    with opened(shelf) as indexes:
        indexes.build(root)
    script = """if True:
        import sys
        from pathlib import Path
        from toolpost.index.ask.query import Query, query
        from toolpost.index.disk.shelf import Shelf
        from toolpost.index.indexes import Indexes
        from toolpost.workspace.local.root import LocalRoot
        root = LocalRoot(Path(sys.argv[1]))
        indexes = Indexes(Shelf(Path(sys.argv[2])), is_watching=sys.argv[3] == "True")
        print(indexes.ask(root, lambda found: query(found, Query("exports", "Alpha")).total_matches))
        indexes.close()
        root.close()
        print(sorted({"numpy", "tree_sitter", "watchfiles"} & set(sys.modules)))
    """
    command = [sys.executable, "-c", script, root.where, str(shelf.cache), str(is_watching)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert ran.stdout == "1\n[]\n"


def test_a_tree_goes_by_its_hash_once_it_has_an_index(shelf: Shelf, root: LocalRoot) -> None:
    with opened(shelf) as indexes:
        assert indexes.version(root) == root.key
        before = indexes.live(root).snapshot().repo_hash
        assert indexes.version(root) == f"{root.key} {before}"
        root.write("a.ts", b"export const Other = 1\n")
        indexes.touched(root, "a.ts")
        after = indexes.live(root).snapshot().repo_hash
        assert after != before
        assert indexes.version(root) == f"{root.key} {after}"
