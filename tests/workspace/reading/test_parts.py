import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.errors import NotText
from toolpost.limits import BLOCK_BYTES, LINE_CHARS, MIB, READ_LINES, SNIFF_BYTES
from toolpost.workspace.reading.parts import (
    CutLine,
    Facts,
    Lines,
    Read,
    facts_by_head,
    facts_of,
    read_bytes,
    read_head,
    read_lines,
    stream_of,
)
from toolpost.workspace.reading.text import Coding, digest

SAMPLES = [
    "one\ntwo\nthree\n",
    "one\r\ntwo\r\n\r\nthree\r\n",
    "one\rtwo\rthree\r",
    "one\ntwo\nthree",
    "\n\n\n",
    "é€\n😀😀\n一二三\nplain\n",
    "ਊ一ਊ\nb\n一ਊ一",  # characters that hold the bytes of a line feed, and across two of them
]
ENCODINGS = ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"]


def _bytes_walked(data: bytes, max_bytes: int) -> str:
    facts = facts_of(data)
    parts, at = [], 0
    while True:
        part = read_bytes(stream_of(data), facts, from_byte=at, max_bytes=max_bytes)
        assert len(part.content.encode()) <= max_bytes
        parts.append(part.content)
        if part.next_byte is None:
            assert not part.truncated
            return "".join(parts)
        assert part.truncated
        at = part.next_byte


def _lines_walked(data: bytes, count: int | None, max_bytes: int = MIB) -> str:
    facts = facts_of(data)
    parts, start = [], 1
    while True:
        end = None if count is None else start + count - 1
        part = read_lines(stream_of(data), facts, Lines(start=start, end=end, max_bytes=max_bytes))
        parts.append(part.content)
        if part.next_start_line is None:
            assert part.total_lines == facts.total_lines
            return "".join(parts)
        start = part.next_start_line


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("text", SAMPLES)
def test_parts_put_together_are_the_file(text: str, encoding: str) -> None:
    data = f"\ufeff{text}".encode(encoding)
    assert facts_of(data).coding == Coding(encoding, bom=True)
    for size in (4, 5, 6, 7, 100):
        assert _bytes_walked(data, size) == text
    for count in (1, 2, 100, None):
        assert _lines_walked(data, count) == text
    assert _lines_walked(data, None, max_bytes=24) == text


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"]) | st.sampled_from("\n\r"), max_size=80))
def test_parts_put_together_are_any_file(text: str) -> None:
    data = text.encode()
    if text.startswith("\ufeff"):
        return
    assert _bytes_walked(data, 5) == text
    assert _lines_walked(data, 2) == text


def test_a_whole_file_is_read_at_once() -> None:
    data = b"one\r\ntwo"
    facts = facts_of(data)
    assert facts == Facts(
        size_bytes=8, coding=Coding(), line_ending="\r\n", total_lines=2, digest=digest(data)
    )
    assert read_bytes(stream_of(data), facts) == Read(
        content="one\r\ntwo", truncated=False, total_lines=2, from_byte=0
    )


@pytest.mark.parametrize(
    ("data", "total"), [(b"", 0), (b"a", 1), (b"a\n", 1), (b"a\nb", 2), (b"\n", 1), (b"a\rb\r", 2)]
)
def test_lines_are_counted_as_editors_count_them(data: bytes, total: int) -> None:
    assert facts_of(data).total_lines == total


def test_a_range_of_lines_says_where_it_ends_and_what_follows() -> None:
    data = b"1\n2\n3\n4\n5\n"
    facts = facts_of(data)
    assert read_lines(stream_of(data), facts, Lines(start=2, end=3)) == Read(
        content="2\n3\n", truncated=False, start_line=2, end_line=3, total_lines=5, next_start_line=4
    )
    assert read_lines(stream_of(data), facts, Lines(start=4, end=99)) == Read(
        content="4\n5\n", truncated=False, start_line=4, end_line=5, total_lines=5
    )


def test_a_range_past_the_end_is_empty_and_tells_how_many_lines_there_are() -> None:
    for data, total in ((b"1\n2\n", 2), (b"1\n2", 2), (b"", 0)):
        assert read_lines(stream_of(data), facts_of(data), Lines(start=7, end=9)) == Read(
            content="", truncated=False, start_line=7, total_lines=total
        )


def test_numbers_stand_six_wide_before_a_tab() -> None:
    data = b"a\nb"
    read = read_lines(stream_of(data), facts_of(data), Lines(numbered=True))
    assert read.content == "     1\ta\n     2\tb"


def test_without_an_end_as_many_lines_come_as_one_answer_takes() -> None:
    data = b"x\n" * (READ_LINES + 1)
    read = read_lines(stream_of(data), facts_of(data), Lines())
    assert read == Read(
        content="x\n" * READ_LINES,
        truncated=True,
        start_line=1,
        end_line=READ_LINES,
        total_lines=READ_LINES + 1,
        next_start_line=READ_LINES + 1,
    )


def test_lines_stop_where_there_is_no_more_room() -> None:
    data = b"12345\n12345\n12345\n"
    read = read_lines(stream_of(data), facts_of(data), Lines(end=3, max_bytes=13))
    assert read == Read(
        content="12345\n12345\n", truncated=True, start_line=1, end_line=2, total_lines=3, next_start_line=3
    )


def test_a_first_line_that_has_no_room_is_cut_where_the_answer_is_full() -> None:
    data = "ééééé\nnext\n".encode()
    read = read_lines(stream_of(data), facts_of(data), Lines(end=2, max_bytes=5))
    assert (read.content, read.truncated, read.cut_lines) == ("éé\n", True, (CutLine(1, 4),))
    assert read.next_start_line == 2
    rest = read_bytes(stream_of(data), facts_of(data), from_byte=4)
    assert rest.content == "ééé\nnext\n"


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_long_line_is_cut_and_the_rest_of_it_can_be_read(encoding: str) -> None:
    long = "é😀" * LINE_CHARS
    data = f"\ufefffirst\n{long}\r\nlast\n".encode(encoding)
    facts = facts_of(data)
    read = read_lines(stream_of(data), facts, Lines(start=2, end=3))
    (cut,) = read.cut_lines
    assert read.content == f"{long[:LINE_CHARS]}\nlast\n"
    assert (read.truncated, cut.line, read.end_line) == (True, 2, 3)
    rest = read_bytes(stream_of(data), facts, from_byte=cut.from_byte, max_bytes=MIB)
    assert rest.content == f"{long[LINE_CHARS:]}\r\nlast\n"


def test_a_line_of_thirty_megabytes_is_cut() -> None:
    data = b"x" * (30 * MIB) + b"\ny\n"
    facts = facts_by_head(stream_of(data), len(data))
    assert facts == Facts(size_bytes=len(data), coding=Coding(), line_ending="\n")
    read = read_lines(stream_of(data), facts, Lines(numbered=True))
    assert read == Read(
        content=f"     1\t{'x' * LINE_CHARS}\n     2\ty\n",
        truncated=True,
        start_line=1,
        end_line=2,
        total_lines=2,
        cut_lines=(CutLine(1, LINE_CHARS),),
    )


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le"])
def test_a_line_far_down_a_large_file_is_found(encoding: str) -> None:
    count = 3 * BLOCK_BYTES // 10
    data = ("\ufeff" + "".join(f"line {number}\n" for number in range(1, count + 1))).encode(encoding)
    facts = facts_by_head(stream_of(data), len(data), hashed=True)
    assert facts.digest == digest(data)
    for start in (1, 2, 77_777, count - 1):
        read = read_lines(stream_of(data), facts, Lines(start=start, end=start + 1))
        assert read.content == f"line {start}\nline {start + 1}\n"
    past = read_lines(stream_of(data), facts, Lines(start=count + 1))
    assert (past.content, past.total_lines) == ("", count)


def test_a_large_file_without_a_final_newline_counts_its_last_line() -> None:
    data = b"x" * BLOCK_BYTES + b"\nlast"
    facts = facts_by_head(stream_of(data), len(data))
    assert read_lines(stream_of(data), facts, Lines(start=9)).total_lines == 2


def test_a_place_within_a_character_is_moved_to_where_it_begins() -> None:
    data = "a€😀b".encode()
    facts = facts_of(data)
    starts = [read_bytes(stream_of(data), facts, from_byte=at).from_byte for at in range(10)]
    assert starts == [0, 1, 1, 1, 4, 4, 4, 4, 8, 9]
    wide = "\ufeffa😀b".encode("utf-16-le")
    facts = facts_of(wide)
    starts = [read_bytes(stream_of(wide), facts, from_byte=at).from_byte for at in range(11)]
    assert starts == [0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 10]


def test_from_past_the_end_nothing_is_left() -> None:
    assert read_bytes(stream_of(b"abc"), facts_of(b"abc"), from_byte=99) == Read(
        content="", truncated=False, total_lines=1, from_byte=3
    )


def test_less_room_than_a_character_gives_nothing_and_says_where_it_is() -> None:
    data = "€€".encode()
    read = read_bytes(stream_of(data), facts_of(data), max_bytes=2)
    assert (read.content, read.truncated, read.next_byte) == ("", True, 0)


def test_bytes_that_are_no_characters_are_shown_counted_and_passed_over_exactly() -> None:
    good = b"good line\n" * (SNIFF_BYTES // 10 + 1)
    data = good + b"bad \xff\x80\x80 end\n"
    facts = facts_by_head(stream_of(data), len(data))
    parts: list[Read] = []
    at: int | None = len(good)
    while at is not None:
        part = read_bytes(stream_of(data), facts, from_byte=at, max_bytes=6)
        parts.append(part)
        at = part.next_byte
    assert "".join(part.content for part in parts) == "bad \ufffd\ufffd\ufffd end\n"
    assert sum(part.unreadable for part in parts) == 3
    number = good.count(b"\n") + 1
    line = read_lines(stream_of(data), facts, Lines(start=number))
    assert (line.content, line.unreadable) == ("bad \ufffd\ufffd\ufffd end\n", 3)


def test_a_large_file_that_begins_as_no_text_is_none() -> None:
    with pytest.raises(NotText) as caught:
        facts_by_head(stream_of(b"\x00" * (2 * SNIFF_BYTES)), 2 * SNIFF_BYTES, "zeros")
    assert caught.value.context == {"mime": "application/octet-stream", "size_bytes": 2 * SNIFF_BYTES}


def test_a_file_that_shrank_meanwhile_ends_where_it_ends() -> None:
    facts = Facts(size_bytes=100, coding=Coding(), line_ending="\n")
    assert read_bytes(BytesIO(b"ab\n"), facts) == Read(content="ab\n", truncated=False, from_byte=0)


def test_the_head_is_the_beginning() -> None:
    assert read_head(stream_of(b"abcdef"), facts_of(b"abcdef"), 3) == "abc"


MEASURED = """
import resource, sys
from toolpost.workspace.reading.parts import Lines, facts_by_head, read_bytes, read_lines

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

with open(sys.argv[1], "rb") as stream:
    size = stream.seek(0, 2)
    before = peak()
    facts = facts_by_head(stream, size, "big.txt")
    head = read_bytes(stream, facts)
    lines = read_lines(stream, facts, Lines(start=5, end=7))
    tail = read_lines(stream, facts, Lines(start=8_000))
    past = read_lines(stream, facts, Lines(start=10_000_000))
    middle = read_bytes(stream, facts, from_byte=size // 2)
    assert lines.content == "line 5\\nline 6\\nline 7\\n", lines
    assert len(head.content) == 102_400 and head.next_byte == 102_400
    assert tail.cut_lines[0].line == 9_000 and len(tail.content) < 200_000
    assert past.total_lines == tail.total_lines == 9_000, past
    assert middle.content == "\\0" * 102_400
    print(peak() - before)
"""


def test_a_sparse_gibibyte_is_read_in_part_within_sixteen_mebibytes(tmp_path: Path) -> None:
    big = tmp_path / "big.txt"
    with big.open("wb") as stream:
        stream.write(b"".join(b"line %d\n" % number for number in range(1, 9_000)))
        stream.truncate(1024 * MIB)
    ran = subprocess.run(
        [sys.executable, "-c", MEASURED, str(big)], capture_output=True, text=True, timeout=120, check=False
    )
    assert ran.stderr == ""
    assert int(ran.stdout) * 1024 < 16 * MIB
