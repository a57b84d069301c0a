"""A file as it is stored: the record contract 001 shows, ready to be sent, and what only we read."""

import struct
from datetime import UTC, datetime, timedelta
from functools import lru_cache

import msgspec

from toolpost import codec
from toolpost.clock import rfc3339
from toolpost.index.model import Doc, Export, Extract, File, Stamp, names

STAMP = struct.Struct("=QqqQ")
BLOB_BYTES = 20
NO_BLOB = bytes(BLOB_BYTES)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST_SECOND, _LAST_SECOND = datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
_FIRST, _LAST = -(1 << 63), (1 << 63) - 1
_ALL = (1 << 64) - 1
_packer = msgspec.msgpack.Encoder()

decode_extract = msgspec.msgpack.Decoder(Extract).decode
decode_exports = msgspec.msgpack.Decoder(tuple[Export, ...]).decode
decode_files = msgspec.json.Decoder(list[File]).decode


def file_of(doc: Doc) -> File:
    """As contract 001 tells it."""
    return File(
        path=doc.path,
        exports=names(doc.exports),
        tags=list(doc.tags),
        size_bytes=doc.stamp.size_bytes,
        last_modified=moment(doc.stamp.modified_ns),
    )


def moment(modified_ns: int) -> str:
    """RFC 3339. A time no calendar has, as a broken clock leaves it, becomes the nearest one that is."""
    second, rest = divmod(modified_ns, 1_000_000_000)
    millis = rest // 1_000_000
    return f"{_second(second)}.{millis:03}Z" if millis else f"{_second(second)}Z"


@lru_cache(maxsize=1024)  # a checkout writes thousands of files in one second
def _second(second: int) -> str:
    try:
        when = _EPOCH + timedelta(seconds=second)
    except OverflowError:
        when = _LAST_SECOND if second > 0 else _FIRST_SECOND
    return rfc3339(when)[:-1]


def encode_file(file: File) -> bytes:
    """JSON, in which the bytes of a name that is not UTF-8 are replaced."""
    return codec.encode(file)


def encode_extract(found: Extract) -> bytes:
    return _pack(found)


def encode_exports(exports: tuple[Export, ...]) -> bytes:
    return _pack(exports)


def encode_stamp(stamp: Stamp) -> bytes:
    """Times 64 bits cannot hold are cut: such a file looks changed, and is read again."""
    try:
        return STAMP.pack(stamp.size_bytes, stamp.modified_ns, stamp.changed_ns, stamp.inode)
    except struct.error:
        modified, changed = _signed(stamp.modified_ns), _signed(stamp.changed_ns)
        return STAMP.pack(stamp.size_bytes, modified, changed, stamp.inode & _ALL)


def encode_blob_id(blob_id: bytes) -> bytes:
    if len(blob_id) not in {0, BLOB_BYTES}:
        raise ValueError(f"A blob id has {BLOB_BYTES} bytes, not {len(blob_id)}.")
    return blob_id or NO_BLOB


def _signed(number: int) -> int:
    return max(_FIRST, min(_LAST, number))


def _pack(value: Extract | tuple[Export, ...]) -> bytes:
    try:
        return _packer.encode(value)
    except UnicodeEncodeError:  # the path of an origin that is not UTF-8
        return _packer.encode(codec.mend_surrogates(msgspec.to_builtins(value)))
