"""A table whose pieces are compressed, some neighbours together: five times smaller, and a little slower to read.

For what is read file by file when a tree is gone through, and seldom in between.
"""

import zlib

import msgspec

from toolpost.index.disk.damage import Damaged
from toolpost.index.disk.sections import Content, Sections
from toolpost.index.disk.tables import Table, table
from toolpost.index.limits import INDEX_PACK_BITS

_unpack = msgspec.msgpack.Decoder(list[bytes]).decode


class Packed:
    """Reads pieces by number; the neighbours that came with the last one are at hand."""

    def __init__(self, sections: Sections, name: str) -> None:
        self._table = Table(sections, name)
        self._last: tuple[int, list[bytes]] = (-1, [])

    def piece(self, number: int) -> bytes:
        pack, pieces = self._last  # taken at once: another thread may put another there
        if pack != number >> INDEX_PACK_BITS:
            pack = number >> INDEX_PACK_BITS
            pieces = _unpacked(self._table.piece(pack))
            self._last = (pack, pieces)
        return pieces[number & ((1 << INDEX_PACK_BITS) - 1)]


def _unpacked(pack: bytes) -> list[bytes]:
    try:
        return _unpack(zlib.decompress(pack))
    except (zlib.error, msgspec.MsgspecError):
        raise Damaged("A part of the index is packed in another way.") from None


def packed(name: str, pieces: list[bytes]) -> dict[str, Content]:
    """The sections a packed table is read from."""
    step = 1 << INDEX_PACK_BITS
    packs = (msgspec.msgpack.encode(pieces[at : at + step]) for at in range(0, len(pieces), step))
    return table(name, [zlib.compress(pack, zlib.Z_BEST_SPEED) for pack in packs])
