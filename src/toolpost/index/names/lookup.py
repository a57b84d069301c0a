"""Files by the names they export and by their tags: what `tables` wrote, read where it lies."""

from functools import cached_property
from weakref import WeakKeyDictionary

from msgspec import Struct

from toolpost.index.disk.mapped import Base
from toolpost.index.disk.sections import Sections
from toolpost.index.names.texts import Entries, Numbers, Texts
from toolpost.index.names.words import key


class Key(Struct, frozen=True):
    """A run of words that names have."""

    total: int
    """Files that export such a name, each once."""
    low: int
    """Its first spelling, and the one after its last: names it is the whole of."""
    high: int
    parts: Entries
    """Rank and file for names it is a part of: those that begin so, own before passed on; then those that have
    it further inside, likewise."""


class Spellings(Texts):
    """Names as they are written: those of one key together, sorted only among themselves."""

    def __init__(self, sections: Sections, keys: Texts) -> None:
        super().__init__(sections, "names.spelling", 2)
        self._keys = keys

    def find(self, wanted: str, low: int = 0, high: int | None = None) -> int:
        """Its number, or -1. Who knows the range of its key spares looking for that."""
        if high is None:
            number = self._keys.find(key(wanted))
            _, low, _, _, _, high, _, _ = self._keys.rows(number) if number >= 0 else [0] * 8
        return super().find(wanted, low, high)


class Names:
    """Opens nothing before it is asked for."""

    def __init__(self, sections: Sections) -> None:
        self._sections = sections

    @cached_property
    def keys(self) -> Texts:
        """Runs of words."""
        return Texts(self._sections, "names.key", 4)

    @cached_property
    def spellings(self) -> Spellings:
        return Spellings(self._sections, self.keys)

    @cached_property
    def tags(self) -> Texts:
        return Texts(self._sections, "names.tag", 2)

    def key(self, run: str) -> Key | None:
        number = self.keys.find(run)
        if number < 0:
            return None
        _, low, begin, total, _, high, end, _ = self.keys.rows(number)
        return Key(total, low, high, Entries(self._parts, begin, end))

    def exact(self, name: str) -> Entries | None:
        """Claim and file for exactly this name, ascending: who defines it, defaults to it, passes it on."""
        at = self.spellings.find(name)
        return None if at < 0 else self.exporting(at, at + 1)

    def spelled(self, low: int, high: int) -> tuple[int, int]:
        """Spellings of the keys from `low` to before `high`, as a range."""
        return self.keys.row(low, 1), self.keys.row(high, 1)

    def exporting(self, low: int, high: int) -> Entries:
        """Claim and file for the spellings from `low` to before `high`; ascending where that is one."""
        if high - low == 1:
            _, begin, _, end = self.spellings.rows(low)
            return Entries(self._files, begin, end)
        return Entries(self._files, self.spellings.row(low, 1), self.spellings.row(high, 1))

    def containing(self, low: int, high: int) -> Entries:
        """Rank and file for the keys from `low` to before `high` as parts of names."""
        return Entries(self._parts, self.keys.row(low, 2), self.keys.row(high, 2))

    def tagged(self, tag: int) -> Entries:
        return Entries(self._tagged, self.tags.row(tag, 1), self.tags.row(tag + 1, 1))

    @cached_property
    def _parts(self) -> Numbers:
        return Numbers(self._sections.pages("names.parts"))

    @cached_property
    def _files(self) -> Numbers:
        return Numbers(self._sections.pages("names.files"))

    @cached_property
    def _tagged(self) -> Numbers:
        return Numbers(self._sections.pages("names.tagged"))


_opened: WeakKeyDictionary[Base, Names] = WeakKeyDictionary()


def names_of(base: Base) -> Names:
    """One for every base, for as long as somebody has that."""
    found = _opened.get(base)
    return found if found is not None else _opened.setdefault(base, Names(base.sections))
