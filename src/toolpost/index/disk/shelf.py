"""The indexes of many trees, a folder for each: found by the tree's key, listed, removed, kept small."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from toolpost.errors import IoFailed
from toolpost.index.disk import about
from toolpost.index.disk.about import About
from toolpost.index.disk.damage import Damaged
from toolpost.index.disk.generations import Busy, Folder
from toolpost.version import __version__

_NAME = re.compile(r"[0-9a-f]{32}")
_DAY_S = 86_400


class Listed(Struct, frozen=True):
    """One tree's index, as a listing shows it."""

    name: str
    """Of its folder."""
    key: str
    """Empty where it is not known any more, as `where` then is."""
    where: str
    place: str
    files: int
    size_bytes: int
    """On the disk, with everything that lies there."""
    generation: int
    """0 where there is none, or none that can be read."""
    used_at: float
    """Seconds since 1970."""
    trouble: str = ""
    """Why nothing more is known of it, where the system refuses."""


class Shelf:
    """Several processes may share it. Nothing is made on the disk before an index is built."""

    def __init__(self, cache: Path) -> None:
        self.cache = cache

    def folder(self, key: str, where: str = "", place: str = "") -> Folder:
        """Where the index of one tree lies. Who writes also says `where` it is, and its `place` if it is local."""
        told = About(key, where, place, __version__) if where else None
        return Folder(self.cache / name_of(key), told)

    def all(self) -> list[Listed]:
        """The last used first."""
        return sorted(map(_listed, self._folders()), key=lambda listed: (-listed.used_at, listed.name))

    def remove(self, key: str) -> int:
        """Bytes freed: 0 where there was none. Raises Busy, IoFailed. Who reads it now keeps what is mapped."""
        return self.drop(name_of(key))

    def drop(self, name: str) -> int:
        """The same, by the folder's name, as for an index whose key is not known any more."""
        path = self.cache / name
        if not _NAME.fullmatch(name) or not path.is_dir():
            return 0
        with Folder(path).writing() as writing:
            return writing.clear()

    def gc(
        self,
        older_than_days: float | None = None,
        max_bytes: int | None = None,
        *,
        tell: Callable[[str], object] | None = None,
    ) -> int:
        """Bytes freed: superseded files, trees that are no more or unused for long, then the least lately used.

        What somebody is writing is left alone, and so is what the system refuses: `tell` is given a sentence.
        """
        refused: dict[str, str] = {}
        freed = sum(_freed(path.name, Folder(path).gc, refused) for path in self._folders())
        oldest = None if older_than_days is None else time.time() - older_than_days * _DAY_S
        kept: list[Listed] = []
        for listed in self.all():
            if listed.trouble or listed.name in refused:
                refused.setdefault(listed.name, listed.trouble)
            elif _is_dead(listed) or (oldest is not None and listed.used_at < oldest):
                freed += self._drop_idle(listed.name, refused)
            else:
                kept.append(listed)
        total = sum(listed.size_bytes for listed in kept)
        while max_bytes is not None and kept and total > max_bytes:
            last = kept.pop()
            freed += self._drop_idle(last.name, refused)
            total -= last.size_bytes
        if tell is not None:
            for sentence in refused.values():
                tell(sentence)
        return freed

    def _drop_idle(self, name: str, refused: dict[str, str]) -> int:
        return _freed(name, lambda: self.drop(name), refused)

    def _folders(self) -> Iterator[Path]:
        if self.cache.is_dir():
            found = sorted(self.cache.iterdir())
            yield from (path for path in found if _NAME.fullmatch(path.name) and path.is_dir())


def _freed(name: str, work: Callable[[], int], refused: dict[str, str]) -> int:
    """Bytes; 0 where somebody writes, and where the system refuses, which is noted under the name."""
    try:
        return work()
    except Busy:
        return 0
    except IoFailed as error:
        refused[name] = error.detail
        return 0


def name_of(key: str) -> str:
    """The name of the folder of the tree with that key."""
    return sha256(key.encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _listed(path: Path) -> Listed:
    told = about.read(path) or About("", "")
    now, trouble = None, ""
    try:
        now = Folder(path).current()
    except Damaged:
        pass
    except IoFailed as error:
        trouble = error.detail
    return Listed(
        name=path.name,
        key=told.key,
        where=told.where,
        place=told.place,
        files=now.count if now else 0,
        size_bytes=_size(path),
        generation=now.number if now else 0,
        used_at=about.used_at(path),
        trouble=trouble,
    )


def _size(folder: Path) -> int:
    total = 0
    with suppress(OSError):  # it is being removed, or not ours to look into
        for path in folder.iterdir():
            total += path.lstat().st_size
    return total


def _is_dead(listed: Listed) -> bool:
    """Nobody can ask for it any more, or say what it is."""
    return not listed.key or bool(listed.place and not Path(listed.place).is_dir())
