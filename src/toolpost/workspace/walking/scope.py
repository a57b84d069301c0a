"""What a search goes through: a folder, one file, or all roots of the workspace, each entry as its caller sees it."""

from collections import Counter
from collections.abc import Iterator
from functools import partial

from msgspec import Struct

from toolpost.workspace.root import Entry, Kind, Root
from toolpost.workspace.walking.globs import Glob
from toolpost.workspace.walking.walk import Walk, order
from toolpost.workspace.workspace import Place, Workspace


class Item(Struct, frozen=True, gc=False):
    root: Root
    entry: Entry
    shown: str
    """The path as the caller sees it."""
    relative: str
    """The path within the folder searched, which globs are about."""

    @property
    def key(self) -> bytes:
        """Its place in the order of an answer."""
        shown = self.shown.encode("utf-8", "surrogateescape")
        return shown + b"/" if self.entry.is_dir else shown

    @property
    def can_be_shown(self) -> bool:
        """Whether its name is UTF-8; no answer could carry another one."""
        return self.shown.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in self.shown)


class Scope:
    def __init__(self, workspace: Workspace, path: str) -> None:
        """Raises what `Workspace.place` and `Root.stat` do."""
        if path in {"", ".", "./"} and len(workspace.roots) > 1:
            self.shown = ""
            self.file: Entry | None = None
            self.places = [workspace.place(name) for name in sorted(workspace.roots, key=_folder_key)]
        else:
            place = workspace.place(path)
            entry = place.root.stat(place.path)
            self.shown = place.shown
            self.file = None if entry.is_dir else entry
            self.places = [place]
        self._passes: list[list[Walk]] = []

    @property
    def passed(self) -> Counter[str]:
        """How many entries were left out unseen so far, by reason; more than one pass counts as one."""
        ignored = max((sum(walk.ignored for walk in walks) for walks in self._passes), default=0)
        unlisted = max((sum(walk.unlisted for walk in walks) for walks in self._passes), default=0)
        return Counter(ignored=ignored, unlisted=unlisted)

    def items(
        self, *, since: bytes = b"", exclude: Glob | None = None, ignored: bool = False
    ) -> Iterator[Item]:
        """In the order of `walk.order` over the paths as shown, from `since` on."""
        if self.file is not None:
            (place,) = self.places
            yield Item(place.root, self.file, place.shown, self.relative(place.shown))
            return
        walks: list[Walk] = []
        self._passes.append(walks)
        for place in self.places:
            begin = _within(since, place)
            if begin is not None:
                leaves = partial(self._is_excluded, place, exclude) if exclude else None
                walks.append(Walk(place.root, ignored=ignored, since=begin, leaves=leaves))
                yield from (self._item(place, entry) for entry in walks[-1].below(place.path))

    def relative(self, shown: str) -> str:
        """A path within the folder searched; a file searched alone lies in its own folder."""
        if self.file is not None:
            return shown.rpartition("/")[2]
        return shown[len(self.shown) :].lstrip("/")

    def _item(self, place: Place, entry: Entry) -> Item:
        shown = _join(place.shown, entry.path[len(place.path) :].lstrip("/"))
        return Item(place.root, entry, shown, self.relative(shown))

    def _is_excluded(self, place: Place, exclude: Glob, entry: Entry) -> bool:
        return exclude.matches(self._item(place, entry).relative)


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _folder_key(name: str) -> bytes:
    return order(Entry(name, Kind.DIRECTORY))


def _within(since: bytes, place: Place) -> bytes | None:
    """The place in a root's own order that `since` means; None when all of it comes before."""
    prefix = (
        _folder_key(place.shown.removesuffix(place.path).rstrip("/")) if place.shown != place.path else b""
    )
    if since.startswith(prefix):
        return since[len(prefix) :]
    return None if since > prefix else b""
