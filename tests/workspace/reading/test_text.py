import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.errors import InvalidArgument, NotText
from toolpost.workspace.reading import text
from toolpost.workspace.reading.text import Coding, Decoded, cut, cut_bytes, decode, encode, sniff

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", Decoded("")),
        (b"a\nb", Decoded("a\nb")),
        (b"a\nb\n", Decoded("a\nb\n", ends_with_newline=True)),
        (b"a\r\nb\r\n", Decoded("a\r\nb\r\n", line_ending="\r\n", ends_with_newline=True)),
        (b"a\rb\r", Decoded("a\rb\r", line_ending="\r", ends_with_newline=True)),
        (b"a\r\nb\n", Decoded("a\r\nb\n", line_ending="mixed", ends_with_newline=True)),
        (b"a\rb\n", Decoded("a\rb\n", line_ending="mixed", ends_with_newline=True)),
        ("né€".encode(), Decoded("né€")),
        ("\ufeffhi".encode(), Decoded("hi", bom=True)),
        ("\ufeffhi\n".encode("utf-16-le"), Decoded("hi\n", "utf-16-le", bom=True, ends_with_newline=True)),
        ("\ufeffhi".encode("utf-16-be"), Decoded("hi", "utf-16-be", bom=True)),
        ("\ufeffhi".encode("utf-32-le"), Decoded("hi", "utf-32-le", bom=True)),
        ("\ufeffhi".encode("utf-32-be"), Decoded("hi", "utf-32-be", bom=True)),
        ("plain text\r\n".encode("utf-16-le"), Decoded("plain text\r\n", "utf-16-le", False, "\r\n", True)),
        ("plain text".encode("utf-16-be"), Decoded("plain text", "utf-16-be")),
        ("price: 5 €".encode("cp1252"), Decoded("price: 5 €", "cp1252")),
        (b"caf\xe9 \x81", Decoded("café \x81", "latin-1")),
        (b"\x1b[31mred\x1b[0m\x07\n", Decoded("\x1b[31mred\x1b[0m\x07\n", ends_with_newline=True)),
    ],
)
def test_a_text_is_read_in_its_own_encoding_and_written_back_alike(data: bytes, expected: Decoded) -> None:
    decoded = decode(data)
    assert decoded == expected
    assert encode(decoded, decoded.text) == data


@given(st.binary(max_size=400))
def test_whatever_is_text_comes_back_as_the_same_bytes(data: bytes) -> None:
    try:
        decoded = decode(data)
    except NotText:
        return
    assert encode(decoded, decoded.text) == data


@given(st.text(st.characters(exclude_categories=["Cc"]), max_size=200))
def test_every_text_without_control_characters_is_text(written: str) -> None:
    lone = any("\ud800" <= char <= "\udfff" for char in written)
    if not lone and not written.startswith("\ufeff"):
        assert decode(written.encode()).text == written


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le"])
def test_half_of_a_surrogate_pair_in_a_wide_file_is_kept(encoding: str) -> None:
    data = "\ufeffa\ud800b\udc00c".encode(encoding, "surrogatepass")
    decoded = decode(data)
    assert decoded.text == "a\ud800b\udc00c"
    assert encode(decoded, decoded.text) == data
    assert text.showable(decoded.text) == "a\ufffdb\ufffdc"


def test_surrogates_written_as_utf8_are_no_utf8_but_lose_nothing() -> None:
    assert decode(b"\xed\xa0\x80").encoding == "cp1252"


@pytest.mark.parametrize(
    ("data", "name", "mime"),
    [
        (PNG, "", "image/png"),
        (b"\x00" * 100, "", "application/octet-stream"),
        (b"a\x00b", "x.bin", "application/octet-stream"),
        (b"\x00", "", "application/octet-stream"),
        (b"\x01\x02\x03\x04", "", "application/octet-stream"),
        (bytes(range(256)), "", "application/octet-stream"),
        (b"\x1f\x8b\x08\x08pack", "a.gz", "application/gzip"),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "", "application/pdf"),
        ("\x01\x02\x03".encode("utf-16-le") * 10, "", "application/octet-stream"),
    ],
)
def test_what_is_not_text_is_said_with_its_kind_and_size(data: bytes, name: str, mime: str) -> None:
    with pytest.raises(NotText) as caught:
        decode(data, name)
    what = f"{name} is" if name else "This is"
    assert caught.value.detail == f"{what} not text but {mime}, {len(data)} bytes."
    assert caught.value.context == {"mime": mime, "size_bytes": len(data)}


def test_a_head_that_ends_within_a_character_is_still_text() -> None:
    data = ("é" * 50).encode()
    assert sniff(data[:51], size_bytes=100) == Coding("utf-8")
    assert sniff(data[:51], size_bytes=51) == Coding("cp1252")
    wide = ("\ufeff" + "é" * 50).encode("utf-16-le")
    assert sniff(wide[:51], size_bytes=102) == Coding("utf-16-le", bom=True)


def test_a_character_the_encoding_has_not_is_named_with_its_line() -> None:
    like = decode("prix: 5 €".encode("cp1252"))
    with pytest.raises(InvalidArgument) as caught:
        encode(like, "one\ntwo 一\n")
    assert caught.value.detail == (
        "The file is cp1252, which has no U+4E00 (line 2 of the new text): use characters it has."
    )
    assert caught.value.context == {"encoding": "cp1252", "character": "U+4E00", "line": 2}
    assert caught.value.parameter == "content"


def test_a_lone_surrogate_is_refused_where_utf8_has_no_form_for_it() -> None:
    with pytest.raises(InvalidArgument, match=r"utf-8, which has no U\+D800 \(line 1"):
        encode(Decoded(""), "\ud800")


def test_a_change_takes_the_line_ending_of_its_file() -> None:
    windows = decode(b"a\r\n")
    assert text.with_endings(windows, "x\ny\r\nz") == "x\r\ny\r\nz"
    assert encode(windows, "x\ny\n") == b"x\r\ny\r\n"
    assert encode(decode(b"a\rb"), "x\ny") == b"x\ry"
    assert encode(decode(b"a\n"), "x\r\ny\n") == b"x\r\ny\n"
    assert encode(decode(b"a\r\nb\n"), "x\ny\r\n") == b"x\ny\r\n"


@pytest.mark.parametrize(
    ("whole", "parts"),
    [
        ("", []),
        ("a", ["a"]),
        ("a\nb\n", ["a\n", "b\n"]),
        ("a\r\n\r\nb", ["a\r\n", "\r\n", "b"]),
        ("a\rb", ["a\r", "b"]),
        ("a\u2028b\fc\n", ["a\u2028b\fc\n"]),
    ],
)
def test_lines_end_at_line_feeds_and_at_nothing_else(whole: str, parts: list[str]) -> None:
    assert text.lines(whole) == parts


def test_a_digest_names_its_algorithm() -> None:
    assert text.digest(b"") == "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@given(st.text(max_size=60), st.integers(min_value=-1, max_value=100))
def test_a_cut_is_the_longest_beginning_that_fits(whole: str, size: int) -> None:
    kept = cut(whole, size)
    assert whole.startswith(kept)
    assert len(kept.encode()) <= max(size, 0)
    rest = whole[len(kept) :]
    assert not rest or len((kept + rest[0]).encode()) > size
    assert cut_bytes(whole.encode(), size) == kept.encode()


def test_a_lone_surrogate_can_be_cut_around() -> None:
    assert cut("ab\ud800c", 5) == "ab\ud800"
    assert cut("ab\ud800c", 4) == "ab"
