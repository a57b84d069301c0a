"""What a caller may have meant by a path that is not there: paths like it that are."""

from collections.abc import Iterable, Iterator
from itertools import islice, pairwise
from typing import TypeVar

from toolpost.errors import DirectoryNotFound, FileNotFound, NotFound, ToolError
from toolpost.limits import NAMES_READ, NEAREST_ENTRIES, NEAREST_TOLD
from toolpost.suggest import nearest
from toolpost.workspace.guard import Guard
from toolpost.workspace.root import Entry, Kind, Root
from toolpost.workspace.walking.walk import Walk, folder, walk
from toolpost.workspace.workspace import Place, Workspace

_FILES = frozenset({Kind.FILE, Kind.LINK})
_FOLDERS = frozenset({Kind.DIRECTORY})
_E = TypeVar("_E", bound=NotFound)


def no_file(workspace: Workspace, place: Place, given: str, parameter: str = "path") -> FileNotFound:
    """The error for a file that is not there; `given` is the path in the caller's own words."""
    near = _near(workspace, place, _FILES)
    if _is_link(place):
        return _told(FileNotFound, f"Not a file but a link that leads to nothing: {given}", parameter, near)
    return _told(FileNotFound, f"File not found: {given}", parameter, near)


def no_directory(workspace: Workspace, place: Place, given: str) -> DirectoryNotFound:
    """The same for a directory; the path may be a file's, which is said."""
    if _is_file(place):
        above = workspace.shown(place, place.path.rpartition("/")[0])
        return _told(DirectoryNotFound, f"Not a directory but a file: {given}", "path", [above or "."])
    near = _near(workspace, place, _FOLDERS)
    if _is_link(place):
        said = f"Not a directory but a link that leads to nothing: {given}"
        return _told(DirectoryNotFound, said, "path", near)
    return _told(DirectoryNotFound, f"Directory not found: {given}", "path", near)


def nothing_there(workspace: Workspace, place: Place, given: str) -> DirectoryNotFound:
    """The same where a directory or a file would do."""
    what = (
        "A link that leads to nothing"
        if _is_link(place)
        else "There is no directory and no file of this path"
    )
    return _told(DirectoryNotFound, f"{what}: {given}", "path", _near(workspace, place, _FILES | _FOLDERS))


def _told(error: type[_E], sentence: str, parameter: str, near: list[str]) -> _E:
    if not near:
        return error(sentence, parameter=parameter)
    return error(sentence, parameter=parameter, suggested=near[0], nearest=near)


def _is_file(place: Place) -> bool:
    try:
        return place.root.stat(place.path).kind is Kind.FILE
    except ToolError:
        return False


def _is_link(place: Place) -> bool:
    """Whether what cannot be opened is there: a link inside the root, to a name that is not."""
    above, _, name = place.path.rpartition("/")
    try:
        entries = islice(place.root.scan(above), NAMES_READ)
        return any(entry.name == name and entry.kind is Kind.LINK for entry in entries)
    except ToolError:
        return False


def _near(workspace: Workspace, place: Place, kinds: frozenset[Kind]) -> list[str]:
    """Existing paths, likeliest first; each way of looking is taken only where those before found nothing."""
    root, path = place.root, place.path
    for look in (_with_slashes, _alike, _roughly_alike):
        try:
            likely = dict.fromkeys(look(root, path, kinds))
            found = [other for other in likely if other != path and not _hides(root, other)]
        except ToolError:  # what cannot be looked at now suggests nothing
            continue
        if found:
            return [workspace.shown(place, other) for other in found[:NEAREST_TOLD]]
    return []


def _hides(root: Root, path: str) -> bool:
    guard = getattr(root, "guard", None)
    return isinstance(guard, Guard) and guard.hides(path)


def _with_slashes(root: Root, path: str, kinds: frozenset[Kind]) -> list[str]:
    r"""`src\app.py` where `src/app.py` was meant."""
    meant = path.replace("\\", "/").strip("/")
    return [meant] if meant != path and root.stat(meant).kind in kinds else []


def _alike(root: Root, path: str, kinds: frozenset[Kind]) -> list[str]:
    """Names like it in the same folder, then the same name elsewhere, those first whose paths end alike."""
    name = _last(path)
    same = [other for other in _walked(root, kinds) if _last(other) == name]
    return [*_beside(root, path, kinds), *sorted(same, key=lambda other: (-_shared(path, other), other))]


def _roughly_alike(root: Root, path: str, kinds: frozenset[Kind]) -> list[str]:
    return nearest(path, _walked(root, kinds))


def _beside(root: Root, path: str, kinds: frozenset[Kind]) -> list[str]:
    """Other case, a letter wrong or missing, another extension."""
    above, _, name = path.rpartition("/")
    try:
        if not _is_shown(root, above):
            return []
        names = [entry.name for entry in _of(kinds, islice(folder(root, above), NAMES_READ))]
    except ToolError:  # the folder is not there either
        return []
    return [f"{above}/{like}" if above else like for like in nearest(name, names)]


def _is_shown(root: Root, path: str) -> bool:
    """Whether no ignore file leaves the folder out, or one above it."""
    level = Walk(root)
    names = path.split("/") if path else []
    above = ["/".join(names[:depth]) for depth in range(len(names) + 1)]
    return all(
        level.keeps(Entry(inner, Kind.DIRECTORY), level.rules_in(outer)) for outer, inner in pairwise(above)
    )


def _walked(root: Root, kinds: frozenset[Kind]) -> list[str]:
    return [entry.path for entry in _of(kinds, islice(walk(root), NEAREST_ENTRIES))]


def _of(kinds: frozenset[Kind], entries: Iterable[Entry]) -> Iterator[Entry]:
    return (entry for entry in entries if entry.kind in kinds)


def _last(path: str) -> str:
    return path.rpartition("/")[2].casefold()


def _shared(one: str, other: str) -> int:
    """How many names two paths have in common at their ends."""
    count = 0
    for left, right in zip(reversed(one.split("/")), reversed(other.split("/")), strict=False):
        if left != right:
            break
        count += 1
    return count
