"""Which generation is the newest, who may write, and what goes."""

import errno
import json
import os
from pathlib import Path
from threading import Event, Thread

import pytest
from tests.index.disk.samples import DOCS, build, doc

from toolpost.errors import IoFailed
from toolpost.index.disk.about import About
from toolpost.index.disk.damage import Damaged
from toolpost.index.disk.generations import Busy, Folder, Generation, is_same
from toolpost.index.disk.mapped import Base
from toolpost.index.disk.sections import FORMAT, Mark
from toolpost.index.disk.writer import add_trigrams


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path / "cache" / "tree")


def names(folder: Folder) -> list[str]:
    return sorted(path.name for path in folder.path.iterdir())


def test_nothing_is_there_before_somebody_writes(folder: Folder) -> None:
    assert folder.current() is None
    assert folder.stamp() == (0, 0, 0)
    assert folder.gc() == 0
    assert not folder.path.exists()


def test_what_was_committed_is_current(folder: Folder) -> None:
    generation = build(folder)
    assert folder.current() == generation
    assert (generation.number, generation.count, generation.format) == (1, len(DOCS), FORMAT)
    assert names(folder) == ["1.meta", "1.text", "current", "lock"]
    assert {path.stat().st_mode & 0o777 for path in folder.path.iterdir()} == {0o600}
    assert folder.path.stat().st_mode & 0o777 == 0o700
    assert generation.files == {
        kind: Mark(folder.file(generation, kind).stat().st_size, mark.check)
        for kind, mark in generation.files.items()
    }


def test_a_reader_sees_by_one_look_that_something_is_newer(folder: Folder) -> None:
    build(folder)
    seen = folder.stamp()
    assert folder.stamp() == seen
    generation = build(folder)
    later = folder.stamp()
    assert later != seen
    with folder.writing() as writing:
        add_trigrams(writing, generation, {"a": b"b"})
    assert folder.stamp() not in {seen, later}


def test_numbers_are_never_given_twice(folder: Folder) -> None:
    build(folder)
    (folder.path / "7.tri").touch()
    (folder.path / ".11.text.new").touch()
    (folder.path / "99.unknown.file").touch()
    assert build(folder).number == 12


def test_one_writes_at_a_time_and_the_other_is_told(folder: Folder) -> None:
    with folder.writing(), pytest.raises(Busy, match="Another process is writing the index in"):
        build(Folder(folder.path))
    assert build(folder).number == 1


def test_who_waits_writes_once_the_other_is_done(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = Event()
    monkeypatch.setattr("time.sleep", lambda _: tried.set())
    given: list[int] = []

    def wait() -> None:
        with Folder(folder.path).writing(wait_s=60) as writing:
            given.append(writing.next_number())

    thread = Thread(target=wait)
    with folder.writing():
        thread.start()
        assert tried.wait(60)
        (folder.path / "5.meta").touch()
    thread.join(timeout=60)
    assert given == [6]


def test_gc_takes_what_is_superseded_and_what_was_left_behind(folder: Folder) -> None:
    old = build(folder)
    base = Base.open(folder, old)
    new = build(folder, DOCS[:3])
    for left in (".9.text.new", "9.text", ".current.abc", "another's", ".root.new"):
        (folder.path / left).write_bytes(b"12345")
    (folder.path / "7.folder").mkdir()

    assert folder.gc() == sum(mark.size_bytes for mark in old.files.values()) + 20
    assert names(folder) == ["2.meta", "2.text", "7.folder", "another's", "current", "lock"]
    assert folder.current() == new
    assert base.paths() == [known.path.encode() for known in DOCS]
    assert folder.gc() == 0


def test_gc_leaves_everything_alone_while_somebody_writes(folder: Folder) -> None:
    build(folder)
    with folder.writing():
        (folder.path / "9.text").touch()
        assert folder.gc() == 0
    assert "9.text" in names(folder)


def test_gc_takes_what_was_never_committed(folder: Folder) -> None:
    with folder.writing() as writing:
        writing.write(1, "text", {"text": b"x"})
    assert folder.gc() > 0
    assert names(folder) == ["lock"]


def test_gc_leaves_alone_what_a_later_version_may_have_written(folder: Folder) -> None:
    build(folder)
    (folder.path / "current").write_bytes(b'{"format":99}\n')
    assert folder.gc() == 0
    assert names(folder) == ["1.meta", "1.text", "current", "lock"]
    build(folder)
    assert folder.gc() > 0
    assert names(folder) == ["2.meta", "2.text", "current", "lock"]


def test_trigrams_come_later(folder: Folder) -> None:
    generation = build(folder)
    with folder.writing() as writing:
        grown = add_trigrams(writing, generation, {"tri.grams": b"abc"})
    assert grown is not None
    assert folder.current() == grown
    assert is_same(grown, generation)
    assert list(grown.files) == ["meta", "text", "tri"]
    assert folder.gc() == 0
    base = Base.open(folder, grown)
    assert base.trigrams is not None
    assert bytes(base.trigrams.array("tri.grams")) == b"abc"


def test_trigrams_of_a_state_that_is_not_current_any_more_are_not_taken(folder: Folder) -> None:
    generation = build(folder)
    newer = build(folder, DOCS[:2])
    with folder.writing() as writing:
        assert add_trigrams(writing, generation, {}) is None
    assert folder.current() == newer
    with folder.writing() as writing:
        writing.clear()
        assert add_trigrams(writing, newer, {}) is None


def test_a_number_that_begins_anew_is_not_the_same_state(folder: Folder) -> None:
    generation = build(folder)
    with folder.writing() as writing:
        writing.clear()
    again = build(folder, [doc("other.txt", b"other\n")])
    assert again.number == generation.number
    with folder.writing() as writing:
        assert add_trigrams(writing, generation, {}) is None


@pytest.mark.parametrize(
    "told",
    [b"", b"\n", b"nonsense", b"{}", b"\xff\xfe", b'{"format":1}', b"[1]\n", b'{"format":"1"}\n00000000\n'],
)
def test_a_malformed_current_is_damage(folder: Folder, told: bytes) -> None:
    build(folder)
    (folder.path / "current").write_bytes(told)
    with pytest.raises(Damaged, match="current is damaged"):
        folder.current()


def test_every_flipped_bit_of_current_is_seen(folder: Folder) -> None:
    build(folder)
    path = folder.path / "current"
    whole = path.read_bytes()
    for at, byte in enumerate(whole):
        for changed in (whole[:at] + bytes([byte ^ (1 << at % 8)]) + whole[at + 1 :], whole[:at]):
            path.write_bytes(changed)
            with pytest.raises(Damaged):
                folder.current()


def test_a_current_of_another_version_is_damage(folder: Folder) -> None:
    build(folder)
    path = folder.path / "current"
    told = json.loads(path.read_bytes().partition(b"\n")[0])
    path.write_text(json.dumps(told | {"format": FORMAT + 1}) + "\n00000000\n")
    with pytest.raises(Damaged, match="is of another version"):
        folder.current()


def test_what_the_system_refuses_is_not_damage(folder: Folder) -> None:
    folder.path.mkdir(parents=True)
    (folder.path / "current").symlink_to("current")
    with pytest.raises(IoFailed, match="cannot be read: Too many levels of symbolic links"):
        folder.current()
    (folder.path / "1.meta").mkdir()
    with (
        folder.writing() as writing,
        pytest.raises(IoFailed, match=r"The index cannot be written in .*: Is a directory"),
    ):
        writing.write(1, "meta", {})
    assert not (folder.path / ".1.meta.new").exists()


def test_an_empty_folder_in_the_place_of_current_is_damage_and_replaced(folder: Folder) -> None:
    (folder.path / "current").mkdir(parents=True)
    with pytest.raises(Damaged, match="current is a folder, not a file"):
        folder.current()
    with folder.writing() as writing:
        writing.commit(Generation(1, 0, {}))
    assert folder.current() == Generation(1, 0, {})


def test_a_folder_with_something_in_the_place_of_current_is_left_alone(folder: Folder) -> None:
    (folder.path / "current" / "mine").mkdir(parents=True)
    with folder.writing() as writing, pytest.raises(IoFailed, match=r"current is a folder .*: remove it\."):
        writing.commit(Generation(1, 0, {}))
    assert (folder.path / "current" / "mine").is_dir()


def test_a_folder_says_which_tree_it_is_of(tmp_path: Path) -> None:
    told = About("key", "/src", "/src", "1.0")
    folder = Folder(tmp_path / "tree", told)
    for _ in range(2):
        with folder.writing():
            assert json.loads((folder.path / "root").read_bytes()) == {
                "key": "key",
                "where": "/src",
                "place": "/src",
                "version": "1.0",
            }
    with folder.writing() as writing:
        assert writing.sweep() == 0
    assert (folder.path / "root").exists()


def test_a_cleared_folder_is_gone_and_can_be_made_anew(folder: Folder) -> None:
    build(folder)
    with folder.writing() as writing:
        assert writing.clear() > 0
    assert not folder.path.exists()
    assert build(folder).number == 1


def test_a_lock_that_was_taken_away_is_not_waited_for(folder: Folder) -> None:
    """Who opened it before would else hold a lock nobody else will ever look at."""
    with folder.writing() as writing:
        handle = os.open(folder.path / "lock", os.O_RDWR)
        writing.clear()
        folder.path.mkdir()
    os.close(handle)
    with folder.writing(), pytest.raises(Busy), Folder(folder.path).writing():
        pass


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(IoFailed, match="The index cannot be written"),
        Folder(tmp_path / "file" / "x").writing(),
    ):
        pass


def test_clearing_leaves_a_folder_somebody_put_something_in(folder: Folder) -> None:
    build(folder)
    (folder.path / "mine").mkdir()
    with folder.writing() as writing:
        writing.clear()
    assert names(folder) == ["mine"]


def test_generations_without_their_files_are_not_opened(folder: Folder) -> None:
    with pytest.raises(Damaged, match=r"Generation 3 in .* has no files to read"):
        Base.open(folder, Generation(3, 0, {}))


def test_a_folder_that_is_taken_away_again_and_again_is_given_up(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolpost.store.private.make", lambda _: None)
    with pytest.raises(Busy), folder.writing():
        pass


def test_a_file_system_without_locks_is_told(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", refuse)
    with (
        pytest.raises(IoFailed, match=r"The index cannot be written in .*: No locks available"),
        folder.writing(),
    ):
        pass
