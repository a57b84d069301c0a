from pathlib import Path

import pytest

from toolpost.index.disk import tables
from toolpost.index.disk.sections import Sections, write
from toolpost.index.disk.tables import Table, table

PIECES = [b"one", b"", b"three", b"x" * 10_000, b"end"]


@pytest.mark.parametrize("narrow_bytes", [1 << 32, 100])
def test_pieces_are_read_one_by_one_and_in_ranges(
    tmp_path: Path, narrow_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where they are more than 32 bits can count."""
    monkeypatch.setattr(tables, "_NARROW_BYTES", narrow_bytes)
    write(tmp_path / "1.meta", table("a", PIECES), page_bits=12)
    read = Table(Sections.open(tmp_path / "1.meta"), "a")
    for _ in ("first", "again"):
        assert [read.piece(number) for number in range(len(PIECES))] == PIECES
        assert read.pieces(1, 3) == b"three"
        assert read.pieces(0, len(PIECES)) == b"".join(PIECES)
        assert read.pieces(2, 2) == b""
    with pytest.raises(IndexError):
        read.piece(len(PIECES))


def test_a_table_may_be_empty(tmp_path: Path) -> None:
    write(tmp_path / "1.meta", table("a", []))
    assert Table(Sections.open(tmp_path / "1.meta"), "a").pieces(0, 0) == b""
