import struct

import pytest
from tests.index.disk.samples import DOCS, NS, doc

from toolpost.index.disk.records import (
    STAMP,
    decode_exports,
    decode_extract,
    decode_files,
    encode_blob_id,
    encode_exports,
    encode_extract,
    encode_file,
    encode_stamp,
    file_of,
    moment,
)
from toolpost.index.model import Export, Extract, File, Stamp


def test_a_file_is_told_as_the_contract_has_it() -> None:
    button = DOCS[4]
    assert file_of(button) == File(
        path="src/button.tsx",
        exports=["Button", "default"],
        tags=["react-component", "typescript"],
        size_bytes=1120,
        last_modified="2023-11-14T22:13:20.123Z",
    )
    assert decode_files(b"[" + encode_file(file_of(button)) + b"]") == [file_of(button)]


@pytest.mark.parametrize(
    ("modified_ns", "shown"),
    [
        (0, "1970-01-01T00:00:00Z"),
        (NS, "2023-11-14T22:13:20.123Z"),
        (-1_000_000_000, "1969-12-31T23:59:59Z"),
        (2**70 - 2**70 % 10**9, "9999-12-31T23:59:59Z"),
        (-(2**70 - 2**70 % 10**9), "0001-01-01T00:00:00Z"),
    ],
)
def test_every_time_a_file_can_have_is_shown(modified_ns: int, shown: str) -> None:
    assert moment(modified_ns) == shown


def test_a_name_that_is_not_utf_8_is_shown_with_what_is_not_replaced() -> None:
    assert b'"path":"\xef\xbf\xbd.txt"' in encode_file(file_of(doc("\udcff.txt")))


def test_what_a_file_says_comes_back_as_it_was() -> None:
    for known in DOCS:
        assert decode_extract(encode_extract(known.extract)) == known.extract
        assert decode_exports(encode_exports(known.exports)) == known.exports


def test_an_origin_that_is_not_utf_8_is_kept_with_what_is_not_replaced() -> None:
    exports = (Export("a", origin="\udcff.ts"),)
    assert decode_exports(encode_exports(exports)) == (Export("a", origin="\ufffd.ts"),)
    assert decode_extract(encode_extract(Extract(exports))).exports == (Export("a", origin="\ufffd.ts"),)


def test_times_beyond_64_bits_are_cut() -> None:
    stamp = Stamp(5, 2**63, -(2**64), 2**64 + 1)
    assert STAMP.unpack(encode_stamp(stamp)) == (5, 2**63 - 1, -(2**63), 1)


def test_a_stamp_is_kept_as_it_is() -> None:
    stamp = Stamp(5, -1, NS, 2**64 - 1)
    assert Stamp(*struct.unpack("=QqqQ", encode_stamp(stamp))) == stamp


def test_a_blob_id_has_twenty_bytes_or_none() -> None:
    assert encode_blob_id(b"x" * 20) == b"x" * 20
    assert encode_blob_id(b"") == bytes(20)
    with pytest.raises(ValueError, match="A blob id has 20 bytes, not 3"):
        encode_blob_id(b"abc")
