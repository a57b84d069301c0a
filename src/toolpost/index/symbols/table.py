"""Definitions of all files on disk: those of a file, and the files of a name."""

from array import array
from collections.abc import Iterable, Iterator
from functools import cached_property

import msgspec
from msgspec import Struct

from toolpost.index.disk.packed import Packed, packed
from toolpost.index.disk.sections import Content, Sections
from toolpost.index.disk.tables import Table, table
from toolpost.index.symbols.find import Symbol

_encode = msgspec.msgpack.Encoder().encode
_decoder = msgspec.msgpack.Decoder(list[Symbol])
_NO_SYMBOLS = _encode(())


class Found(Struct, frozen=True, array_like=True, gc=False):
    """The definitions of one file, as they are written."""

    piece: bytes = b""
    names: tuple[str, ...] = ()


NONE = Found()


def found(those: tuple[Symbol, ...] | None) -> Found:
    return Found(_encode(those), tuple(dict.fromkeys(one.name for one in those))) if those else NONE


def make(files: Iterable[Found]) -> dict[str, Content]:
    """Sections of the definitions of every file, in the order of their numbers."""
    of_file: list[bytes] = []
    places: dict[str, array[int]] = {}
    for number, told in enumerate(files):
        of_file.append(told.piece)
        for name in told.names:
            places.setdefault(name, array("I")).append(number)
    ordered = sorted((name.encode("utf-8", "surrogatepass"), name) for name in places)
    numbers, starts = array("I"), array("I", [0])
    for _, name in ordered:
        numbers.extend(places[name])
        starts.append(len(numbers))
    return {
        **packed("symbols", of_file),
        **table("names", [written for written, _ in ordered]),
        "files": memoryview(numbers),
        "starts": memoryview(starts),
    }


class Symbols:
    """What `make` wrote, read where it lies."""

    def __init__(self, sections: Sections) -> None:
        self._sections = sections

    def of(self, number: int) -> list[Symbol]:
        """The definitions of a file, in its order."""
        return _decoder.decode(self._of_file.piece(number) or _NO_SYMBOLS)

    def found(self, number: int) -> Found:
        """The same as it was given to `make`."""
        return found(tuple(self.of(number)))

    def files(self, name: str) -> list[int]:
        """Files that define a name."""
        sought = name.encode("utf-8", "surrogatepass")
        at = self._at_or_after(sought)
        if at == self._count or self._names.piece(at) != sought:
            return []
        starts = self._starts
        return self._files[starts[at] : starts[at + 1]].tolist()

    def beginning(self, prefix: str) -> Iterator[str]:
        """Defined names that begin so, in the order of their bytes."""
        sought = prefix.encode("utf-8", "surrogatepass")
        for at in range(self._at_or_after(sought), self._count):
            written = self._names.piece(at)
            if not written.startswith(sought):
                return
            yield written.decode("utf-8", "surrogatepass")

    def _at_or_after(self, sought: bytes) -> int:
        low, high = 0, self._count
        while low < high:
            middle = (low + high) // 2
            if self._names.piece(middle) < sought:
                low = middle + 1
            else:
                high = middle
        return low

    @property
    def _count(self) -> int:
        return len(self._starts) - 1

    @cached_property
    def _of_file(self) -> Packed:
        return Packed(self._sections, "symbols")

    @cached_property
    def _names(self) -> Table:
        return Table(self._sections, "names")

    @cached_property
    def _files(self) -> memoryview:
        return self._sections.array("files", "I")

    @cached_property
    def _starts(self) -> memoryview:
        return self._sections.array("starts", "I")
