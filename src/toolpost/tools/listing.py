"""fs.list and fs.dirs: what a folder holds, and the folders below one."""

from collections.abc import Iterator
from itertools import islice
from typing import Annotated, Literal
from urllib.parse import quote_from_bytes, unquote_to_bytes

from msgspec import UNSET, Meta, Struct, UnsetType

from toolpost.call import Call
from toolpost.content import Text
from toolpost.define import Output, Tool, from_function
from toolpost.errors import DirectoryNotFound, InvalidDirectory, ToolError
from toolpost.limits import LIST_DEFAULT, LIST_MAX, TREE_DEPTH
from toolpost.schema import schema_of
from toolpost.tools.nearest import no_directory
from toolpost.tools.oneline import one_line
from toolpost.workspace.root import Entry, Kind
from toolpost.workspace.walking.globs import Glob
from toolpost.workspace.walking.walk import first, folder, order
from toolpost.workspace.workspace import Place, Workspace

_ALIASES = {"dir": "path", "directory": "path", "dir_path": "path", "dirPath": "path"}
_Why = Annotated[
    str | None, Meta(description="Why the index does not answer this, where a policy asks for it.")
]
_Limit = Annotated[int, Meta(description="Most entries to give.", ge=1, le=LIST_MAX)]
_MARKS = {Kind.DIRECTORY: "/", Kind.LINK: " (link)", Kind.OTHER: " (not a file)"}


class ListFolder(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    path: Annotated[str, Meta(description="Folder to list; the workspace root if left out.")] = ""
    glob: Annotated[str | None, Meta(description="Only names like this, such as *.{ts,tsx}.")] = None
    type: Annotated[
        Literal["file", "directory"] | None, Meta(description="Only files, or only directories.")
    ] = None
    limit: _Limit = LIST_DEFAULT
    cursor: Annotated[str | None, Meta(description="next_cursor of the answer before, to go on.")] = None
    ignore: Annotated[bool, Meta(description="Leave out what ignore files such as .gitignore name.")] = True
    justification: _Why = None


class ListDirs(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    path: Annotated[str, Meta(description="Folder to start from; the workspace root if left out.")] = ""
    depth: Annotated[int, Meta(description="Levels to go down.", ge=1, le=TREE_DEPTH)] = 1
    limit: _Limit = LIST_DEFAULT
    justification: _Why = None


class Listed(Struct, frozen=True):
    name: str
    path: str
    type: Kind
    size_bytes: int | UnsetType = UNSET
    """Only of files."""


class Listing(Struct, frozen=True, kw_only=True):
    """One directory as data; contract 001's keys, and where it really is."""

    directory: str
    absolute: str
    files: list[Listed]
    total: int
    """Before the limit, and on all pages."""
    truncated: bool
    next_cursor: str | UnsetType = UNSET


class Below(Struct, frozen=True):
    path: str
    depth: int


class Dirs(Struct, frozen=True):
    dirs: list[Below]
    truncated: bool


def listing_tools(workspace: Workspace) -> tuple[Tool, ...]:
    def list_folder(asked: ListFolder, call: Call) -> Output:
        return listing(workspace, asked, call)

    def list_dirs(asked: ListDirs) -> Output:
        return directories(workspace, asked)

    return (
        from_function(
            list_folder,
            name="fs.list",
            title="List a directory",
            description=(
                "List the files and directories of one directory, sorted by name, not recursively. "
                "Links are shown and not followed."
            ),
            effects=("read",),
            tags=("files",),
            examples=({"name": "TypeScript files", "input": {"path": "src", "glob": "*.{ts,tsx}"}},),
            codes={"limit:maximum": "LIMIT_EXCEEDED"},
            cost={"lists": 1},
            aliases={**_ALIASES, "pattern": "glob"},
            output_schema=schema_of(Listing),
            idempotent=True,
            source="toolpost",
        ),
        from_function(
            list_dirs,
            name="fs.dirs",
            title="List directories",
            description=(
                f"List the directories below one, down to {TREE_DEPTH} levels, the nearest first, without files."
            ),
            effects=("read",),
            tags=("files",),
            examples=({"name": "two levels", "input": {"path": "src", "depth": 2}},),
            codes={"limit:maximum": "LIMIT_EXCEEDED"},
            cost={"lists": 1},
            aliases=_ALIASES,
            output_schema=schema_of(Dirs),
            idempotent=True,
            source="toolpost",
        ),
    )


def listing(workspace: Workspace, asked: ListFolder, call: Call) -> Output:
    place = None
    if not workspace.names_roots(asked.path):
        place = workspace.place(asked.path, error=InvalidDirectory)
    entries, total, left = _page(workspace, place, asked)
    truncated = left > len(entries)
    data = Listing(
        directory=(place.shown if place else "") or ".",
        absolute=_absolute(place),
        files=[
            _listed(entry, workspace.shown(place, entry.path) if place else entry.path) for entry in entries
        ],
        total=total,
        truncated=truncated,
        next_cursor=quote_from_bytes(_key(entries[-1]), safe="/") if truncated else UNSET,
    )
    notes = _notes(asked, data, call)
    names = "\n".join(f"{one_line(entry.name)}{_MARKS.get(entry.kind, '')}" for entry in entries)
    parts = tuple(Text(part) for part in (names, *notes) if part)
    return Output(content=parts, data=data, notes=tuple(notes))


def directories(workspace: Workspace, asked: ListDirs) -> Output:
    level = _first_level(workspace, asked)
    found = [Below(place.shown, 1) for place in level]
    for depth in range(2, asked.depth + 1):
        room = asked.limit + 1 - len(found)
        level = list(islice(_deeper(workspace, level, room), max(room, 0)))
        found += [Below(place.shown, depth) for place in level]
    is_cut = len(found) > asked.limit
    notes = (f"Truncated: the first {asked.limit} are shown; start further down for more.",) if is_cut else ()
    told = found[: asked.limit]
    text = "\n".join(f"{one_line(shown.path)}/" for shown in told) or "There are no directories in it."
    parts = tuple(Text(part) for part in (text, *notes))
    return Output(content=parts, data=Dirs(told, truncated=is_cut), notes=notes)


def _first_level(workspace: Workspace, asked: ListDirs) -> list[Place]:
    if workspace.names_roots(asked.path):
        return [Place(root, "", name) for name, root in sorted(workspace.roots.items())][: asked.limit + 1]
    place = workspace.place(asked.path, error=InvalidDirectory)
    try:
        return _inside(workspace, place, asked.limit + 1)
    except DirectoryNotFound:
        raise no_directory(workspace, place, asked.path) from None


def _deeper(workspace: Workspace, level: list[Place], room: int) -> Iterator[Place]:
    """One level further down; a folder that cannot be listed has nothing to show."""
    for place in level:
        try:
            yield from _inside(workspace, place, room)
        except ToolError:
            continue


def _inside(workspace: Workspace, place: Place, room: int) -> list[Place]:
    found = islice((entry for entry in folder(place.root, place.path) if entry.is_dir), room)
    return [Place(place.root, entry.path, workspace.shown(place, entry.path)) for entry in found]


class _Filter:
    """Which entries are on a page; it counts all that match, also those before the page."""

    def __init__(self, asked: ListFolder) -> None:
        self._glob = None if asked.glob is None else Glob(asked.glob)
        self._type = asked.type
        self._after = unquote_to_bytes(asked.cursor or "")
        self.total = 0

    def __call__(self, entry: Entry) -> bool:
        if self._type is not None and entry.kind != self._type:
            return False
        if self._glob is not None and not self._glob.matches(entry.name):
            return False
        self.total += 1
        return _key(entry) > self._after


def _page(workspace: Workspace, place: Place | None, asked: ListFolder) -> tuple[list[Entry], int, int]:
    """The entries, how many there are in all, and how many from here on."""
    passes = _Filter(asked)
    if place is None:
        left = sorted(filter(passes, workspace.root_entries()), key=order)
        return left[: asked.limit], passes.total, len(left)
    try:
        entries, count = first(place.root, place.path, asked.limit, passes, ignored=not asked.ignore)
    except DirectoryNotFound:
        raise no_directory(workspace, place, asked.path) from None
    return entries, passes.total, count


def _key(entry: Entry) -> bytes:
    """Where an entry stands among its siblings, as `order` has it: what a cursor holds."""
    name = entry.name.encode("utf-8", "surrogateescape")
    return name + b"/" if entry.is_dir else name


def _listed(entry: Entry, shown: str) -> Listed:
    return Listed(entry.name, shown, entry.kind, entry.size_bytes if entry.kind is Kind.FILE else UNSET)


def _absolute(place: Place | None) -> str:
    return "." if place is None else f"{place.root.location}/{place.path}".rstrip("/") or "/"


def _notes(asked: ListFolder, data: Listing, call: Call) -> list[str]:
    if data.truncated:
        shown = f"{len(data.files)} of {data.total} entries are shown"
        return [f"Truncated: {shown}; continue with {call.said('cursor')}={data.next_cursor}"]
    if data.files:
        return []
    if data.total:
        return ["Nothing follows the cursor."]
    is_filtered = asked.glob is not None or asked.type is not None
    return ["Nothing in this directory matches." if is_filtered else "The directory is empty."]
