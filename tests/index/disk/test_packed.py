from contextlib import closing
from pathlib import Path

import pytest

from toolpost.index.disk.damage import Damaged
from toolpost.index.disk.packed import Packed, packed
from toolpost.index.disk.sections import Sections, write
from toolpost.index.disk.tables import table

PIECES = [b"x" * number for number in range(100)]


def test_pieces_are_read_in_any_order(tmp_path: Path) -> None:
    write(tmp_path / "1.meta", packed("a", PIECES))
    read = Packed(Sections.open(tmp_path / "1.meta"), "a")
    for order in (range(100), range(99, -1, -1), [5, 50, 6, 99, 0]):
        assert [read.piece(number) for number in order] == [PIECES[number] for number in order]
    with pytest.raises(IndexError):
        read.piece(100)
    with pytest.raises(IndexError):
        read.piece(200)


def test_neighbours_that_are_alike_take_little_room(tmp_path: Path) -> None:
    mark = write(tmp_path / "1.meta", packed("a", [b"export function Button" * 5] * 1000))
    assert mark.size_bytes < 110 * 1000 / 5


def test_a_packed_table_may_be_empty(tmp_path: Path) -> None:
    write(tmp_path / "1.meta", packed("a", []))
    with pytest.raises(IndexError):
        Packed(Sections.open(tmp_path / "1.meta"), "a").piece(0)


def test_what_was_packed_in_another_way_is_damage(tmp_path: Path) -> None:
    mark = write(tmp_path / "a", table("x", [b"not packed"]))
    with closing(Sections.open(tmp_path / "a", mark)) as opened, pytest.raises(Damaged, match="another way"):
        Packed(opened, "x").piece(0)
