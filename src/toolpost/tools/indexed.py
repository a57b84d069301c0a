"""index.query: files by what they export, by tag or by path, answered from the index (contract 001)."""

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from toolpost.call import Call
from toolpost.content import Text
from toolpost.define import Example, Output, Tool, from_function
from toolpost.index.ask.paths import clean
from toolpost.index.ask.query import LIST_ALL, PATH_PREFIX, Found, Query, query
from toolpost.index.indexes import Indexes
from toolpost.index.limits import QUERY_DEFAULT, QUERY_MAX, QUERY_NAMES_SHOWN
from toolpost.index.model import File
from toolpost.schema import schema_of
from toolpost.tools import relations, symbols
from toolpost.tools.oneline import one_line
from toolpost.workspace.walking.cursor import Cursor, pack, unpack
from toolpost.workspace.workspace import Place, Workspace

_AT = "/"
"""Between the name of a root and a cursor within it: neither has one."""


class Wanted(Struct, frozen=True, forbid_unknown_fields=True):
    type: Annotated[
        Literal["exports", "tag", "pathPrefix", "listAll"],
        Meta(
            description="By exported name, by tag such as react-component, by the path's beginning, or all."
        ),
    ]
    value: (
        Annotated[str, Meta(description="The name, tag or prefix; all but listAll need it.", min_length=1)]
        | UnsetType
    ) = UNSET


_NAMING = {"enum": ["exports", "tag", "pathPrefix"], "description": "Any that needs a value."}
_NEEDS_VALUE = {
    "if": {"properties": {"type": _NAMING}, "required": ["type"]},
    "then": {"required": ["value"]},
}


class QueryIndex(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    query: Annotated[Wanted, Meta(description="What to look for.", extra_json_schema=_NEEDS_VALUE)]
    limit: Annotated[int, Meta(description="Most files to give.", ge=1, le=QUERY_MAX)] = QUERY_DEFAULT
    cursor: Annotated[str | None, Meta(description="next_cursor of the answer before, to go on.")] = None


class Files(Struct, frozen=True, kw_only=True):
    files: list[File]
    total_matches: int
    truncated: bool
    next_cursor: str | UnsetType = UNSET


def tools(workspace: Workspace, indexes: Indexes) -> tuple[Tool, ...]:
    """Every tool that asks the index."""
    return (
        query_tool(workspace, indexes),
        *symbols.tools(workspace, indexes),
        *relations.tools(workspace, indexes),
    )


def query_tool(workspace: Workspace, indexes: Indexes) -> Tool:
    def query_index(asked: QueryIndex, call: Call) -> Output:
        return answer(workspace, indexes, asked, call)

    return from_function(
        query_index,
        name="index.query",
        title="Query the index",
        description=(
            "Find files without reading any: by a name they export, by a tag such as react-component, test or "
            "python, by the beginning of their path, or all of them. Names are found by their parts, too: Button "
            "finds ZapButtonComponent; the file that defines a name comes before those that pass it on."
        ),
        output_schema=schema_of(Files),
        effects=("read",),
        tags=("files", "search"),
        examples=(
            Example("who exports Button", {"query": {"type": "exports", "value": "Button"}, "limit": 10}),
            Example("all React components", {"query": {"type": "tag", "value": "react-component"}}),
            Example("below a folder", {"query": {"type": "pathPrefix", "value": "src/components/"}}),
        ),
        codes={
            "query.type:enum": "INVALID_QUERY_TYPE",
            "query.value:required": "MISSING_VALUE",
            "query.value:minLength": "MISSING_VALUE",
            "limit:maximum": "LIMIT_EXCEEDED",
        },
        idempotent=True,
        source="toolpost",
    )


def answer(workspace: Workspace, indexes: Indexes, asked: QueryIndex, call: Call) -> Output:
    value = None if asked.query.value is UNSET else asked.query.value
    wanted = Query(asked.query.type, value)
    told, notes = ask(workspace, indexes, wanted, limit=asked.limit, cursor=asked.cursor)
    text = "\n".join([*_lines(told, call), *notes])
    return Output(content=(Text(text),), data=told, notes=notes)


def ask(
    workspace: Workspace, indexes: Indexes, wanted: Query, *, limit: int, cursor: str | None
) -> tuple[Files, tuple[str, ...]]:
    """Every root's files, one root after another in the order of their names; and what to know of them."""
    if len(workspace.roots) > 1:
        return _Roots(workspace, indexes, wanted).page(limit, cursor)
    root = workspace.place("").root
    found = indexes.ask(root, lambda snapshot: query(snapshot, wanted, limit=limit, cursor=cursor))
    told = Files(
        files=found.files,
        total_matches=found.total_matches,
        truncated=found.truncated,
        next_cursor=found.next_cursor or UNSET,
    )
    return told, (found.note,) if found.note else ()


class _Asked(Struct, frozen=True):
    """One root, and the question as it is asked of it."""

    name: str
    place: Place
    query: Query


class _Roots:
    """Several roots asked as one."""

    def __init__(self, workspace: Workspace, indexes: Indexes, wanted: Query) -> None:
        self._workspace = workspace
        self._indexes = indexes
        self._wanted = wanted
        self._mark = ("index.query", "roots", wanted.type, wanted.value)

    def page(self, limit: int, cursor: str | None) -> tuple[Files, tuple[str, ...]]:
        asked = list(self._asked())
        firsts = [self._query(one, 1, None) for one in asked]
        is_strict = any(found.files and not found.note for found in firsts)  # then nobody's looser ones count
        kept = [
            (one, found)
            for one, found in zip(asked, firsts, strict=True)
            if found.files and not (is_strict and found.note)
        ]
        files, rest = self._files([one for one, _ in kept], limit, cursor)
        told = Files(
            files=files,
            total_matches=sum(found.total_matches for _, found in kept),
            truncated=rest is not None,
            next_cursor=UNSET if rest is None else pack(Cursor(rest.encode()), self._mark),
        )
        return told, () if is_strict else self._notes(asked, firsts)

    def _asked(self) -> Iterator[_Asked]:
        """A path begins with a root's name; the rest of it is asked of that root."""
        wanted, value = self._wanted, clean(self._wanted.value or "")
        for name in sorted(self._workspace.roots, key=lambda name: f"{name}/".encode()):
            place = self._workspace.place(name)
            if wanted.type != PATH_PREFIX or not value:
                yield _Asked(name, place, wanted)
            elif f"{name}/".startswith(value):
                yield _Asked(name, place, Query(LIST_ALL))
            elif value.startswith(f"{name}/"):
                yield _Asked(name, place, Query(PATH_PREFIX, value.removeprefix(f"{name}/")))

    def _query(self, one: _Asked, limit: int, cursor: str | None) -> Found:
        return self._indexes.ask(
            one.place.root, lambda snapshot: query(snapshot, one.query, limit=limit, cursor=cursor)
        )

    def _files(self, asked: list[_Asked], limit: int, cursor: str | None) -> tuple[list[File], str | None]:
        """One page, and where to go on: the name of a root, and a cursor within it."""
        since, _, within = self._reached(cursor).partition(_AT)
        files: list[File] = []
        for one in asked:
            if one.name.encode() + b"/" < since.encode() + b"/" and since:
                continue
            if len(files) == limit:
                return files, f"{one.name}{_AT}"
            inner = within if one.name == since and within else None
            found = self._query(one, limit - len(files), inner)
            files += (_shown(self._workspace, one.place, file) for file in found.files)
            if found.next_cursor:
                return files, f"{one.name}{_AT}{found.next_cursor}"
        return files, None

    def _reached(self, cursor: str | None) -> str:
        return unpack(cursor, self._mark).path.decode("utf-8", "replace") if cursor else ""

    def _notes(self, asked: list[_Asked], firsts: list[Found]) -> tuple[str, ...]:
        if not asked:
            names = ", ".join(self._workspace.roots)
            return (
                f"No path begins with {self._wanted.value!r}: each begins with the name of a root: {names}.",
            )
        is_any = any(found.files for found in firsts)
        pairs = zip(asked, firsts, strict=True)
        return tuple(
            f"In {one.name}: {found.note}"
            for one, found in pairs
            if found.note and (found.files or not is_any)
        )


def _shown(workspace: Workspace, place: Place, file: File) -> File:
    return structs.replace(file, path=workspace.shown(place, file.path))


def _lines(told: Files, call: Call) -> list[str]:
    """A file a line: its path, what it exports, its tags."""
    lines = [_line(file) for file in told.files]
    if told.next_cursor is not UNSET:
        lines.append(
            f"{len(told.files)} of {told.total_matches} files; continue with "
            f"{call.said('cursor')}={told.next_cursor}"
        )
    return lines or ["No file matches."]


def _line(file: File) -> str:
    exports = f": {told_names(file)}" if file.exports else ""
    return f"{one_line(file.path)}{one_line(exports)} [{', '.join(file.tags)}]"


def told_names(file: File) -> str:
    """What it exports, for people: the first names, and how many more there are."""
    more = len(file.exports) - QUERY_NAMES_SHOWN
    names = ", ".join(file.exports[:QUERY_NAMES_SHOWN])
    return f"{names} and {more} more" if more > 0 else names
