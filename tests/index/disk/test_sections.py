"""One file of sections: what was written is read, and what is not as it was written is never read as if it were."""

import errno
import os
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from toolpost.errors import IoFailed
from toolpost.index.disk.damage import Damaged
from toolpost.index.disk.sections import FORMAT, HEAD_BYTES, Mark, Sections, write
from toolpost.index.limits import INDEX_PIECE_BYTES

PAGE = 1 << 16


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "1.meta"


def test_every_section_is_read_as_it_was_written(path: Path) -> None:
    numbers = array("I", [1, 2, 2**32 - 1])
    write(path, {"a": b"abc", "none": b"", "numbers": memoryview(numbers), "pieces": [b"x", b"", b"yz"]})
    sections = Sections.open(path)

    assert sections.names == ["a", "none", "numbers", "pieces"]
    assert {name: bytes(sections.array(name)) for name in sections.names} == {
        "a": b"abc",
        "none": b"",
        "numbers": numbers.tobytes(),
        "pieces": b"xyz",
    }
    assert sections.array("numbers", "I").tolist() == numbers.tolist()
    assert "a" in sections
    assert "b" not in sections


def test_a_section_in_pieces_is_never_held_whole(path: Path) -> None:
    alive = peak = 0

    class Piece(bytes):
        def __del__(self) -> None:
            nonlocal alive
            alive -= 1

    def pieces() -> Iterator[bytes]:
        nonlocal alive, peak
        for number in range(40):
            alive += 1
            peak = max(peak, alive)
            yield Piece(bytes([number]) * (INDEX_PIECE_BYTES // 4 + 3))

    write(path, {"text": pieces()})
    pages = Sections.open(path).pages("text")
    assert peak <= 2
    assert pages.read(0, len(pages.view)) == b"".join(
        bytes([number]) * (INDEX_PIECE_BYTES // 4 + 3) for number in range(40)
    )


def test_sections_begin_at_multiples_of_eight(path: Path) -> None:
    write(path, {"a": b"1", "b": b"12345678"})
    data = path.read_bytes()
    assert data.index(b"12345678") % 8 == 0


def test_the_same_array_is_given_again(path: Path) -> None:
    write(path, {"a": b"12345678"})
    sections = Sections.open(path)
    assert sections.array("a", "I") is sections.array("a", "I")
    assert sections.array("a", "Q") is sections.array("a", "Q")


def test_a_section_that_is_not_there_is_damage(path: Path) -> None:
    write(path, {})
    with pytest.raises(Damaged, match="has no section a"):
        Sections.open(path).array("a")


def test_bytes_that_are_no_whole_numbers_are_damage(path: Path) -> None:
    write(path, {"a": b"123"})
    with pytest.raises(Damaged, match=r"does not hold whole numbers \(I\)"):
        Sections.open(path).array("a", "I")


def test_only_the_pages_that_are_used_are_checked(path: Path) -> None:
    write(path, {"text": bytes(4 * PAGE)})
    _flip(path, HEAD_BYTES + 2 * PAGE + 5)
    pages = Sections.open(path).pages("text")

    assert pages.read(0, 2 * PAGE) == bytes(2 * PAGE)
    assert pages.read(3 * PAGE, 4 * PAGE) == bytes(PAGE)
    assert pages.read(2 * PAGE, 2 * PAGE) == b""
    for begin, end in [(2 * PAGE, 2 * PAGE + 1), (3 * PAGE - 1, 3 * PAGE), (0, 4 * PAGE)]:
        with pytest.raises(Damaged, match="is damaged near byte 131,072"):
            pages.check(begin, end)
    assert not pages.whole


def test_once_every_page_is_checked_nothing_is_looked_at_any_more(path: Path) -> None:
    write(path, {"text": b"x" * (3 * PAGE + 1), "none": b""})
    sections = Sections.open(path)
    pages = sections.pages("text")
    pages.check(0, PAGE)
    assert not pages.whole
    pages.check(0, PAGE)
    pages.check(PAGE, 3 * PAGE + 1)
    assert pages.whole
    pages.check(0, 3 * PAGE + 1)
    assert sections.pages("none").whole
    assert sections.pages("text") is pages


def test_a_section_may_have_smaller_pages(path: Path) -> None:
    write(path, {"text": bytes(8192)}, page_bits=12)
    _flip(path, HEAD_BYTES + 4096)
    pages = Sections.open(path).pages("text")
    assert pages.read(0, 4096) == bytes(4096)
    with pytest.raises(Damaged):
        pages.read(4096, 4097)


def test_verifying_looks_at_everything(path: Path) -> None:
    write(path, {"a": b"1", "b": bytes(3 * PAGE)})
    sections = Sections.open(path)
    sections.verify()
    assert sections.pages("b").whole
    _flip(path, HEAD_BYTES + 8 + 2 * PAGE)
    with pytest.raises(Damaged, match="Section b of"):
        Sections.open(path).verify()


@pytest.mark.parametrize("size", [0, 1, HEAD_BYTES - 1])
def test_a_file_without_a_whole_header_is_damaged(path: Path, size: int) -> None:
    path.write_bytes(b"t" * size)
    with pytest.raises(Damaged, match=f"is cut short: it has {size} bytes"):
        Sections.open(path)


def test_a_file_cut_short_or_made_longer_is_damaged(path: Path) -> None:
    write(path, {"text": bytes(PAGE)})
    whole = path.read_bytes()
    for data in (whole[:-1], whole[:HEAD_BYTES], whole + b"\0"):
        path.write_bytes(data)
        with pytest.raises(Damaged, match=f"has {len(data):,} bytes, not the {len(whole):,}"):
            Sections.open(path)


def test_a_file_of_another_sort_or_version_is_damaged(path: Path) -> None:
    write(path, {"text": b"x"})
    data = bytearray(path.read_bytes())
    data[8:12] = (FORMAT + 1).to_bytes(4, "little")
    path.write_bytes(data)
    with pytest.raises(Damaged, match=f"of another version: {FORMAT + 1}, not {FORMAT}"):
        Sections.open(path)
    path.write_bytes(b"%PDF-1.7" + data[8:])
    with pytest.raises(Damaged, match="is not a file of the index"):
        Sections.open(path)


def test_damage_of_header_table_and_checksums_is_told_apart(path: Path) -> None:
    write(path, {"text": b"x"})
    whole = path.read_bytes()
    table = whole.index(b"text", HEAD_BYTES)
    for at, told in [(20, "The header of"), (table, "The table of")]:
        path.write_bytes(whole)
        _flip(path, at)
        with pytest.raises(Damaged, match=told):
            Sections.open(path)
    path.write_bytes(whole)
    _flip(path, HEAD_BYTES + 8)
    with pytest.raises(Damaged, match=r"The checksums of section text of .* are damaged"):
        Sections.open(path).array("text")


def test_a_table_that_says_nothing_is_damaged(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As an older version would have written it, had nobody counted the version up."""
    monkeypatch.setattr("toolpost.index.disk.sections.Row", lambda *row: row[:2])
    monkeypatch.setattr("msgspec.structs.replace", lambda row, **_: row)
    write(path, {"text": b"x"})
    with pytest.raises(Damaged, match=r"The table of .* cannot be read"):
        Sections.open(path)


def test_a_mark_tells_one_file_from_any_other(path: Path) -> None:
    mark = write(path, {"text": b"one"})
    assert Sections.open(path, mark).mark == mark == Mark(path.stat().st_size, mark.check)
    other = write(path, {"text": b"two"})
    assert other.size_bytes == mark.size_bytes
    with pytest.raises(Damaged, match="is not the file that was committed"):
        Sections.open(path, mark)


def test_a_file_that_is_not_there_is_damage_and_one_that_may_not_be_opened_is_not(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Damaged, match="is not there"):
        Sections.open(path)

    def refuse(*_: object) -> int:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr("os.open", refuse)
    with pytest.raises(IoFailed, match="cannot be opened: Too many open files"):
        Sections.open(path)


@pytest.mark.parametrize(
    ("raised", "told", "kind"),
    [
        (ValueError("mmap length is greater than file size"), "was cut short just now", Damaged),
        (
            OSError(errno.ENOMEM, "Cannot allocate memory"),
            "cannot be mapped: Cannot allocate memory",
            IoFailed,
        ),
    ],
)
def test_what_keeps_a_file_from_being_mapped_is_told(
    path: Path, monkeypatch: pytest.MonkeyPatch, raised: Exception, told: str, kind: type[Exception]
) -> None:
    write(path, {})

    def refuse(*_: object, **__: object) -> None:
        raise raised

    monkeypatch.setattr("toolpost.index.disk.sections.mmap", refuse)
    with pytest.raises(kind, match=told):
        Sections.open(path)


def test_a_file_that_cannot_be_closed_is_told_of_as_any_other_failure(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(path, {})
    close = os.close

    def refuse(handle: int) -> None:
        close(handle)
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr("toolpost.index.disk.sections.os.close", refuse)
        with pytest.raises(IoFailed, match="Input/output error"):
            Sections.open(path)


def test_a_write_that_fails_leaves_what_was_there(path: Path) -> None:
    write(path, {"text": b"old"})

    def broken() -> Iterator[bytes]:
        yield b"new"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(path, {"text": broken()})
    assert [found.name for found in path.parent.iterdir()] == [path.name]
    assert bytes(Sections.open(path).array("text")) == b"old"


def test_only_its_owner_can_read_it(path: Path) -> None:
    write(path, {})
    assert path.stat().st_mode & 0o777 == 0o600


def test_views_outlive_a_file_that_is_closed_replaced_and_unlinked(path: Path) -> None:
    write(path, {"text": b"old", "other": b"12345678"})
    sections = Sections.open(path)
    view = sections.pages("text").view[0:2]
    sections.array("other", "I")
    write(path, {"text": b"new"})
    sections.close()
    path.unlink()
    assert bytes(view) == b"ol"


def test_a_closed_file_is_not_mapped_any_more(path: Path) -> None:
    write(path, {"text": b"old"})
    sections = Sections.open(path)
    assert bytes(sections.array("text")) == b"old"
    sections.close()
    assert sections._map.closed


def _flip(path: Path, at: int) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 0x10
    path.write_bytes(data)


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_what_is_no_file_is_damage(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "1.meta")
    with pytest.raises(Damaged, match=r"1\.meta is not a file\."):
        Sections.open(tmp_path / "1.meta")
