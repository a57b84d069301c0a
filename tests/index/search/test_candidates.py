"""Trigrams made and looked up: no place where a needle is goes unseen, also at the ends of blocks and segments."""

import random
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.index.disk.damage import Damaged
from toolpost.index.disk.sections import Sections, write
from toolpost.index.search.candidates import Candidates
from toolpost.index.search.needles import All, Either, Needle, Wanted
from toolpost.index.search.segments import BLOCK_BYTES, META, STRIDE_BYTES, count
from toolpost.index.search.trigrams import sections, tri_build

FILL = b"lorem ipsum dolor sit amet\n"


def _candidates(folder: Path, text: bytes) -> Candidates:
    path = folder / "tri"
    write(path, dict(sections(text)))
    return Candidates(Sections.open(path), len(text))


def _text(size: int, places: dict[int, bytes]) -> bytes:
    made = bytearray((FILL * (size // len(FILL) + 1))[:size])
    for at, needle in places.items():
        made[at : at + len(needle)] = needle
    return bytes(made)


def _covered(candidates: Candidates, wanted: Wanted, size: int) -> set[int]:
    return {
        block
        for low, high in candidates.regions(wanted, 0, size)
        for block in range(low // BLOCK_BYTES, -(-high // BLOCK_BYTES))
    }


@pytest.mark.parametrize(
    "at",
    [
        0,
        BLOCK_BYTES - 3,
        STRIDE_BYTES - 3,
        STRIDE_BYTES,
        STRIDE_BYTES + BLOCK_BYTES - 2,
        2 * STRIDE_BYTES + 7,
    ],
)
def test_a_needle_is_found_wherever_it_begins_and_hardly_elsewhere(tmp_path: Path, at: int) -> None:
    size = 2 * STRIDE_BYTES + 3 * BLOCK_BYTES
    candidates = _candidates(tmp_path, _text(size, {at: b"Needle42"}))
    found = _covered(candidates, Needle(b"needle42"), size)
    assert at // BLOCK_BYTES in found
    assert len(found) <= 3
    assert _covered(candidates, Needle(b"nothing here"), size) == set()


def test_regions_come_in_order_and_apart_and_only_where_asked(tmp_path: Path) -> None:
    size = STRIDE_BYTES + 8 * BLOCK_BYTES
    places = {10_000: b"qqq", 50_000: b"qqq", STRIDE_BYTES + 100: b"qqq", STRIDE_BYTES + 20_000: b"qqq"}
    candidates = _candidates(tmp_path, _text(size, places))
    regions = list(candidates.regions(Needle(b"qqq"), 0, size))
    assert regions == sorted(regions)
    assert all(one[1] <= two[0] for one, two in pairwise(regions))
    assert all(any(low <= at < high for low, high in regions) for at in places)
    inner = list(candidates.regions(Needle(b"qqq"), 20_000, 60_000))
    assert all(20_000 <= low < high <= 60_000 for low, high in inner)
    assert any(low <= 50_000 < high for low, high in inner)


def test_what_is_nearly_everywhere_is_one_region(tmp_path: Path) -> None:
    size = 20 * BLOCK_BYTES
    candidates = _candidates(tmp_path, _text(1500 * BLOCK_BYTES, {}))
    assert list(candidates.regions(Needle(b"lorem"), 0, size)) == [(0, size)]


def test_needles_of_one_line_must_be_near_and_of_many_lines_need_not(tmp_path: Path) -> None:
    far = {9_000: b"one1", 200_000: b"two2", 400_000: b"one1 two2"}
    size = 500_000
    candidates = _candidates(tmp_path, _text(size, far))
    both = All((Needle(b"one1"), Needle(b"two2")))
    found = _covered(candidates, both, size)
    assert 400_000 // BLOCK_BYTES in found
    assert 9_000 // BLOCK_BYTES not in found
    crossing = list(candidates.regions(both, 0, size, crosses=True))
    assert len(crossing) == 2
    either = _covered(candidates, Either((Needle(b"one1"), Needle(b"two2"))), size)
    assert {at // BLOCK_BYTES for at in far} <= either


def test_needles_far_apart_on_one_long_line_are_near(tmp_path: Path) -> None:
    text = _text(100_000, {}) + b"one1" + b"-" * 60_000 + b"two2\n" + _text(100_000, {})
    found = _covered(_candidates(tmp_path, text), All((Needle(b"one1"), Needle(b"two2"))), len(text))
    assert {100_000 // BLOCK_BYTES, 160_004 // BLOCK_BYTES} & found


def test_letters_that_fold_to_ascii_are_not_missed(tmp_path: Path) -> None:
    text = FILL * 2_000 + "cla\u017f\u017f".encode() + b"\n" + FILL * 2_000
    candidates = _candidates(tmp_path, text)
    found = _covered(candidates, Needle(b"class", folds=True), len(text))
    assert len(FILL) * 2_000 // BLOCK_BYTES in found
    assert _covered(candidates, Needle(b"class"), len(text)) == set()


def test_a_text_of_nothing_and_of_a_letter_has_no_trigrams(tmp_path: Path) -> None:
    assert list(_candidates(tmp_path, b"").regions(Needle(b"abc"), 0, 0)) == []
    assert list(_candidates(tmp_path, b"ab").regions(Needle(b"abc"), 0, 2)) == []
    assert (count(0), count(1), count(STRIDE_BYTES + 1)) == (0, 1, 2)


def test_trigrams_laid_out_in_another_way_are_not_read(tmp_path: Path) -> None:
    write(tmp_path / "tri", {META: b"another" * 2})
    with pytest.raises(Damaged):
        Candidates(Sections.open(tmp_path / "tri"), 0)


def test_trigrams_are_the_same_for_the_same_text_and_take_a_third_of_it() -> None:
    chance = random.Random(1)
    words = [bytes(chance.choices(b"abcdefghij_ABC", k=chance.randrange(2, 12))) for _ in range(2_000)]
    text = b" ".join(chance.choices(words, k=100_000))
    made = tri_build(text)
    assert made == tri_build(memoryview(bytearray(text)))
    assert len(made) < len(text)


@given(
    st.lists(st.sampled_from([b"foo", b"Bar", b"\n", b"ba", b"zap", "é".encode(), b" "]), min_size=1),
    st.data(),
)
def test_every_part_of_a_text_is_found_in_it(parts: list[bytes], data: st.DataObject) -> None:
    text = b"".join(parts) * 400
    begin = data.draw(st.integers(0, len(text) - 1))
    needle = text[begin : begin + data.draw(st.integers(3, 30))]
    with TemporaryDirectory() as made:
        found = (
            _covered(_candidates(Path(made), text), Needle(needle.lower()), len(text))
            if len(needle) > 2
            else None
        )
    assert found is None or begin // BLOCK_BYTES in found
