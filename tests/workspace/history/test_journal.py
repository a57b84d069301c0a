import os
from datetime import timedelta
from pathlib import Path

import pytest
from msgspec import structs

from toolpost.errors import InvalidArgument, IoFailed, NotFound
from toolpost.testing import FakeClock
from toolpost.workspace.history import journal as journals
from toolpost.workspace.history.journal import Act, Entry, Journal, Step, in_effect

DAY_S = 24 * 3600


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "undo"


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def journal(folder: Path, clock: FakeClock) -> Journal:
    return Journal(folder, clock)


def entry(journal: Journal, request_id: str, *, session: str = "", before: str | None = None) -> Entry:
    step = Step(path="src/é.txt", act=Act.WRITE, before=before, before_mode=0o644, after="sha256:1")
    return Entry(
        request_id=request_id,
        time=journal.now(),
        session=session,
        tool="fs.edit",
        root_key="local-1",
        where="/srv/app",
        steps=(step,),
    )


def added(journal: Journal, clock: FakeClock, *request_ids: str, session: str = "") -> list[Entry]:
    """One a second."""
    made = []
    for request_id in request_ids:
        clock.advance(1)
        made.append(entry(journal, request_id, session=session))
        journal.add(made[-1])
    return made


def ids(journal: Journal, session: str | None = None) -> list[str]:
    return [one.request_id for one in journal.entries(session)]


def test_an_entry_comes_back_as_it_was_in_another_process_too(
    journal: Journal, folder: Path, clock: FakeClock
) -> None:
    (made,) = added(journal, clock, "req-1")

    assert Journal(folder, clock).find("req-1") == made


def test_entries_are_listed_newest_first(journal: Journal, clock: FakeClock) -> None:
    added(journal, clock, "b", "c", "a")

    assert ids(journal) == ["a", "c", "b"]


def test_a_journal_nobody_wrote_to_is_empty_and_makes_no_folder(journal: Journal, folder: Path) -> None:
    assert ids(journal) == []
    assert not folder.exists()


def test_one_session_sees_only_its_own(journal: Journal, clock: FakeClock) -> None:
    added(journal, clock, "req-1", session="ana")
    added(journal, clock, "req-2", session="rui")

    assert (ids(journal, "ana"), ids(journal, ""), ids(journal)) == (["req-1"], [], ["req-2", "req-1"])
    with pytest.raises(NotFound, match="There is none to undo"):
        journal.find("req-1", "eva")


@pytest.mark.parametrize("name", ["../../evil", "a/b", "\0", ".", "", "x" * 10_000, "né\n"])
def test_any_text_can_be_an_id(journal: Journal, folder: Path, clock: FakeClock, name: str) -> None:
    (made,) = added(journal, clock, name)

    assert journal.find(name) == made
    assert len(list(folder.rglob("*.json"))) == 1
    assert [path.name for path in folder.parent.iterdir()] == ["undo"]


def test_half_a_surrogate_pair_is_written_as_what_it_is_not(journal: Journal, clock: FakeClock) -> None:
    added(journal, clock, "req-\ud800")

    assert ids(journal) == ["req-\ufffd"]


def test_an_id_used_twice_means_the_newest_and_loses_none(journal: Journal, clock: FakeClock) -> None:
    made = added(journal, clock, "req-1", "req-1")

    assert journal.find("req-1") == made[1]
    assert ids(journal) == ["req-1", "req-1"]


def test_the_beginning_of_an_id_is_enough_when_only_one_begins_so(journal: Journal, clock: FakeClock) -> None:
    made = added(journal, clock, "req-123", "req-145", "req-145", "req-1")

    assert journal.find("req-12") == made[0]
    assert journal.find("req-14") == made[2]
    assert journal.find("req-1") == made[3]
    with pytest.raises(InvalidArgument) as raised:
        journal.find("req-")
    assert raised.value.detail == (
        "3 changes have an id that begins with 'req-': req-1, req-145, req-123. Give more of it."
    )


def test_an_unknown_id_is_answered_with_the_newest(journal: Journal, clock: FakeClock) -> None:
    added(journal, clock, *(f"req-{number}" for number in range(25)))

    with pytest.raises(NotFound) as raised:
        journal.find("call-7")
    assert raised.value.detail.startswith(
        "No change has the id 'call-7'. The newest that can be undone: req-24, req-23,"
    )
    assert raised.value.context["newest"] == [f"req-{number}" for number in range(24, 4, -1)]
    with pytest.raises(NotFound):
        journal.find("")


def test_an_entry_that_is_removed_is_gone_and_may_be_removed_again(
    journal: Journal, clock: FakeClock
) -> None:
    (made,) = added(journal, clock, "req-1")
    journal.remove(made)
    journal.remove(made)

    assert ids(journal) == []


def test_a_file_that_is_none_of_ours_is_passed_over(journal: Journal, folder: Path, clock: FakeClock) -> None:
    added(journal, clock, "req-1")
    (folder / "changes" / "20990101T000000.000000-torn.json").write_text('{"request_id": "to')
    (folder / "changes" / "20990101T000000.000000-other.json").write_text("[]")
    (folder / "changes" / "20990101T000000.000000-folder.json").mkdir()

    assert ids(journal) == ["req-1"]


def test_everything_is_for_its_owner_alone(journal: Journal, folder: Path, clock: FakeClock) -> None:
    journal.blobs.put(b"before")
    added(journal, clock, "req-1")

    kinds = {path.is_dir(): path.stat().st_mode & 0o777 for path in (folder, *folder.rglob("*"))}
    assert kinds == {True: 0o700, False: 0o600}


def test_what_is_older_than_a_week_cannot_be_undone_and_goes(
    journal: Journal, folder: Path, clock: FakeClock
) -> None:
    old = journal.blobs.put(b"old")
    journal.add(entry(journal, "req-old", before=old))
    os.utime(next(folder.glob(f"blobs/*/{old}")), (0, 0))
    clock.advance(7 * DAY_S + 1)
    assert ids(journal) == []
    assert len(list(folder.glob("changes/*"))) == 1

    new = journal.blobs.put(b"new")
    journal.add(entry(journal, "req-new", before=new))
    assert ids(journal) == ["req-new"]
    assert len(list(folder.glob("changes/*"))) == 1
    assert (journal.blobs.has(old), journal.blobs.has(new)) == (False, True)


def test_a_content_two_entries_need_stays_as_long_as_one_of_them(
    journal: Journal, folder: Path, clock: FakeClock
) -> None:
    kept = journal.blobs.put(b"both")
    journal.add(entry(journal, "req-1", before=kept))
    clock.advance(4 * DAY_S)
    journal.add(entry(journal, "req-2", before=kept))
    clock.advance(4 * DAY_S)
    os.utime(next(folder.glob(f"blobs/*/{kept}")), (0, 0))
    journal.add(entry(journal, "req-3"))

    assert ids(journal) == ["req-3", "req-2"]
    assert journal.blobs.has(kept)


def test_the_oldest_go_when_there_are_too_many(
    journal: Journal, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journals, "UNDO_ENTRIES", 3)
    added(journal, clock, "a", "b", "c", "d", "e")
    journal.sweep()

    assert ids(journal) == ["e", "d", "c"]


def test_the_oldest_go_when_they_take_too_much_room_but_the_newest_stays(
    journal: Journal, folder: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journals, "UNDO_BYTES", 1_000)
    for number in range(4):
        clock.advance(1)
        journal.add(entry(journal, f"req-{number}", before=journal.blobs.put(b"%d" % number * 400)))
    assert ids(journal) == ["req-3", "req-2"]

    clock.advance(1)
    journal.add(entry(journal, "req-big", before=journal.blobs.put(b"x" * 2_000)))
    assert ids(journal) == ["req-big"]
    for path in folder.glob("blobs/*/*"):
        os.utime(path, (0, 0))
    journal.sweep()
    assert [path.stat().st_size for path in folder.glob("blobs/*/*")] == [2_000]


def test_sweeping_is_not_done_again_for_an_hour(journal: Journal, folder: Path, clock: FakeClock) -> None:
    added(journal, clock, "req-1")
    (folder / "changes" / "20200101T000000.000000-old.json").write_text("{}")
    clock.advance(3_500)
    added(journal, clock, "req-2")
    assert len(list(folder.glob("changes/*"))) == 3

    clock.advance(200)
    added(journal, clock, "req-3")
    assert ids(journal) == ["req-3", "req-2", "req-1"]
    assert len(list(folder.glob("changes/*"))) == 3


def test_what_a_killed_write_left_goes_too(journal: Journal, folder: Path, clock: FakeClock) -> None:
    added(journal, clock, "req-1")
    for name, when in (("old", 0), ("new", clock.now().timestamp())):
        (folder / "changes" / f".{name}").write_bytes(b"{")
        os.utime(folder / "changes" / f".{name}", (when, when))
    journal.sweep()

    assert [path.name for path in folder.glob("changes/.*")] == [".new"]


def test_an_entry_that_cannot_be_read_now_stops_the_sweep_before_it_loses_what_that_one_needs(
    journal: Journal, folder: Path, clock: FakeClock
) -> None:
    kept = journal.blobs.put(b"before")
    journal.add(entry(journal, "req-1", before=kept))
    os.utime(next(folder.glob(f"blobs/*/{kept}")), (0, 0))
    file = next(folder.glob("changes/*"))
    file.unlink()
    file.symlink_to("/proc/self/mem")  # reading it fails, though it is there

    clock.advance(DAY_S)
    journal.add(entry(journal, "req-2"))
    assert journal.blobs.has(kept)
    with pytest.raises(IoFailed, match="What can be undone cannot be read: Input/output error"):
        journal.find("req-1")


def test_a_clock_that_went_back_does_not_stop_the_sweeping(
    journal: Journal, folder: Path, clock: FakeClock
) -> None:
    added(journal, clock, "req-1")
    (folder / "changes" / "20200101T000000.000000-old.json").write_text("{}")
    clock.advance(-DAY_S)
    added(journal, clock, "req-2")

    assert len(list(folder.glob("changes/*"))) == 2


def test_a_change_that_cannot_be_journalled_is_said_not_to_have_happened(
    journal: Journal, folder: Path
) -> None:
    folder.write_text("a file where a folder should be")

    with pytest.raises(IoFailed, match="Nothing was changed, because what was there before cannot be kept"):
        journal.add(entry(journal, "req-1"))


def test_a_sweep_that_fails_fails_no_change(journal: Journal, folder: Path, clock: FakeClock) -> None:
    folder.mkdir()
    (folder / "swept").symlink_to("/proc/nowhere/swept")
    added(journal, clock, "req-1")

    assert ids(journal) == ["req-1"]


def test_times_are_kept_to_the_microsecond(journal: Journal, clock: FakeClock) -> None:
    clock.advance(timedelta(microseconds=7).total_seconds())
    journal.add(entry(journal, "req-1"))

    assert journal.find("req-1").time.microsecond == 7


def test_a_change_that_was_undone_is_not_in_effect_until_the_undo_is_undone(
    journal: Journal, clock: FakeClock
) -> None:
    def ids() -> list[str]:
        return [one.request_id for one in in_effect(journal.entries())]

    added(journal, clock, "req-1", "req-2")
    assert ids() == ["req-2", "req-1"]
    for undo, undone, left in (
        ("undo-1", "req-2", ["req-1"]),
        ("undo-2", "undo-1", ["req-2", "req-1"]),
        ("undo-3", "req-2", ["req-1"]),
        ("undo-4", "req-1", []),
    ):
        clock.advance(1)
        journal.add(structs.replace(entry(journal, undo), undoes=undone))
        assert ids() == left
