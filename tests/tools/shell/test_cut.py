from hypothesis import given
from hypothesis import strategies as st

from toolpost.sandbox.output import Log
from toolpost.tools.shell.cut import Cut, Want, cut, whole_characters

LINES = "".join(f"line {number}\n" for number in range(1, 101)).encode()


def log(data: bytes, want: Want) -> Log:
    made = Log(None, want.max_bytes)
    made.write(data)
    return made


def cut_of(data: bytes, **want: int) -> Cut:
    wanted = Want(**want)
    return cut(log(data, wanted), wanted)


def test_what_fits_is_whole() -> None:
    assert cut_of(LINES) == Cut(LINES)
    assert cut_of(b"") == Cut(b"")


def test_beginning_and_end_share_the_room_and_lines_stay_whole() -> None:
    got = cut_of(LINES, max_bytes=60)
    assert (got.head, got.tail) == (b"line 1\nline 2\nline 3\nline 4\n", b"line 98\nline 99\nline 100\n")
    assert got.left_out_bytes == len(LINES) - len(got.head) - len(got.tail)
    assert got.left_out_lines == 100 - got.head.count(b"\n") - got.tail.count(b"\n")


def test_the_first_lines_are_exactly_those() -> None:
    assert cut_of(LINES, head_lines=2).head == b"line 1\nline 2\n"
    assert cut_of(LINES, head_lines=2).tail == b""
    assert cut_of(LINES, head_lines=2).left_out_lines == 98
    assert cut_of(LINES, head_lines=100) == Cut(LINES)
    assert cut_of(LINES, head_lines=0) == Cut(b"", b"", len(LINES), 100)


def test_the_last_lines_are_exactly_those() -> None:
    assert cut_of(LINES, tail_lines=2).tail == b"line 99\nline 100\n"
    assert cut_of(LINES, tail_lines=2).head == b""
    assert cut_of(LINES.removesuffix(b"\n"), tail_lines=1).tail == b"line 100"
    assert cut_of(LINES, tail_lines=200) == Cut(LINES)
    assert cut_of(LINES, tail_lines=0).tail == b""


def test_first_and_last_lines_together_overlap_only_once() -> None:
    got = cut_of(LINES, head_lines=1, tail_lines=1)
    assert (got.head, got.tail) == (b"line 1\n", b"line 100\n")
    assert cut_of(b"a\nb\nc\n", head_lines=2, tail_lines=2) == Cut(b"a\nb\nc\n")
    assert cut_of(b"a\nb\nc\n", head_lines=1, tail_lines=2) == Cut(b"a\nb\nc\n")


def test_a_line_longer_than_the_room_is_cut_between_characters() -> None:
    got = cut_of("é".encode() * 100, max_bytes=11)
    assert (got.head.decode(), got.tail.decode()) == ("éé", "ééé")
    assert cut_of("é".encode() * 100, max_bytes=11, head_lines=3).head.decode() == "é" * 5


def test_the_text_says_what_is_missing_on_a_line_of_its_own() -> None:
    assert Cut(b"all").text("!") == "all"
    assert Cut(b"a\n", b"z\n", 5, 1).text("5 left out") == "a\n[5 left out]\nz\n"
    assert Cut(b"a", b"z", 5, 1).text("5 left out") == "a\n[5 left out]\nz"
    assert Cut(b"", b"z", 5, 1).text("5 left out") == "[5 left out]\nz"


def test_only_a_begun_character_is_held_back() -> None:
    for char in ("a", "é", "漢", "🦀"):
        data = char.encode()
        assert whole_characters(b"x" + data) == b"x" + data
        for begun in range(1, len(data)):
            assert whole_characters(b"x" + data[:begun]) == b"x"
    assert whole_characters(b"\x80\x80\x80\x80") == b"\x80\x80\x80\x80"
    assert whole_characters(b"") == b""


@given(
    st.binary(max_size=400).map(lambda data: data.replace(b"\x01", b"\n")),
    st.integers(1, 100),
    st.none() | st.integers(0, 9),
    st.none() | st.integers(0, 9),
)
def test_head_what_is_left_out_and_tail_make_up_the_whole(
    data: bytes, most: int, head_lines: int | None, tail_lines: int | None
) -> None:
    want = Want(max_bytes=most, head_lines=head_lines, tail_lines=tail_lines)
    got = cut(log(data, want), want)
    assert len(got.head) + len(got.tail) <= max(most, 0) or not got.left_out_bytes
    assert data.startswith(got.head)
    assert data.endswith(got.tail)
    assert len(got.head) + got.left_out_bytes + len(got.tail) == len(data)
    assert got.left_out_lines == (data.count(b"\n") - (got.head + got.tail).count(b"\n"))
