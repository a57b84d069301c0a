"""fs.search: files and directories by their names."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from toolpost.call import Call
from toolpost.content import Text
from toolpost.define import Example, Output, Tool, from_function
from toolpost.errors import DirectoryNotFound, FileNotFound, InvalidArgument, MissingParameter
from toolpost.limits import LIST_DEFAULT, SEARCH_MAX
from toolpost.schema import schema_of
from toolpost.tools.nearest import no_directory
from toolpost.tools.oneline import one_line
from toolpost.workspace.root import Kind
from toolpost.workspace.walking.cursor import START, Cursor, pack, unpack
from toolpost.workspace.walking.globs import Glob
from toolpost.workspace.walking.patterns import Pattern
from toolpost.workspace.walking.scope import Item, Scope
from toolpost.workspace.workspace import Place, Workspace

FOLDER_ALIASES = {"dir": "path", "dir_path": "path", "dirPath": "path", "directory": "path"}
Missing = Callable[[Workspace, Place, str], DirectoryNotFound]
"""The error for a path where nothing is."""
_MARKS = {Kind.DIRECTORY: "/", Kind.LINK: " (link)", Kind.OTHER: " (not a file)"}


class FindFiles(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    glob: Annotated[
        str | None,
        Meta(
            description=(
                "Names to find, such as *.{ts,tsx}; with a `/`, paths relative to `path`, such as src/**/test_*.py. "
                "Give this or regex."
            )
        ),
    ] = None
    regex: Annotated[
        str | None,
        Meta(
            description=(
                "An RE2 regular expression found anywhere in the name, or in the path if it has a `/`. "
                "Give this or glob."
            )
        ),
    ] = None
    path: Annotated[str, Meta(description="Folder to search in; the workspace root if left out.")] = ""
    type: Annotated[
        Literal["file", "directory", "any"],
        Meta(description="Only files, only directories, or anything, links too."),
    ] = "any"
    ignore: Annotated[bool, Meta(description="Leave out what ignore files such as .gitignore name.")] = True
    limit: Annotated[int, Meta(description="Most entries to give.", ge=1, le=SEARCH_MAX)] = LIST_DEFAULT
    cursor: Annotated[str | None, Meta(description="next_cursor of the answer before, to go on.")] = None


class Named(Struct, frozen=True):
    path: str
    name: str
    type: Kind
    size_bytes: int | UnsetType = UNSET


class Found(Struct, frozen=True):
    directory: str
    matches: list[Named]
    truncated: bool
    next_cursor: str | UnsetType = UNSET


def find_tool(workspace: Workspace) -> Tool:
    def find_files(asked: FindFiles, call: Call) -> Output:
        return find(workspace, asked, call)

    return from_function(
        find_files,
        name="fs.search",
        title="Find files",
        description=(
            "Find files and directories by name, below a directory, by a glob or a regular expression; sorted by path. "
            "To find text inside files, use the tool that searches content."
        ),
        output_schema=schema_of(Found),
        effects=("read",),
        tags=("files", "search"),
        examples=(
            Example("TypeScript files anywhere", {"glob": "*.{ts,tsx}"}),
            Example("tests of one package", {"path": "src", "glob": "**/tests/test_*.py", "type": "file"}),
            Example("names with a number", {"regex": r"_\d+\.sql$"}),
        ),
        codes={"limit:maximum": "LIMIT_EXCEEDED"},
        aliases={**FOLDER_ALIASES, "pattern": "glob", "name": "glob"},
        idempotent=True,
        source="toolpost",
    )


def scope_of(workspace: Workspace, path: str, *, missing: Missing = no_directory) -> Scope:
    try:
        return Scope(workspace, path)
    except (FileNotFound, DirectoryNotFound):
        raise missing(workspace, workspace.place(path), path) from None


def find(workspace: Workspace, asked: FindFiles, call: Call) -> Output:
    is_named = _test(asked, call)
    scope = scope_of(workspace, asked.path)
    if scope.file is not None:
        raise no_directory(workspace, workspace.place(asked.path), asked.path)
    question = ("fs.search", asked.path, asked.glob, asked.regex, asked.type, asked.ignore)
    start = unpack(asked.cursor, question) if asked.cursor else START
    items = list(islice(_matching(scope, asked, start, is_named), asked.limit + 1))
    shown, is_cut = items[: asked.limit], len(items) > asked.limit
    next_cursor = pack(Cursor(shown[-1].key), question) if is_cut else UNSET
    found = Found(scope.shown or ".", [_named(item) for item in shown], is_cut, next_cursor)
    notes = (f"Truncated: continue with {call.said('cursor')}={next_cursor}",) if is_cut else ()
    lines = [f"{one_line(item.shown)}{_MARKS.get(item.entry.kind, '')}" for item in shown]
    text = "\n".join([*(lines or ["Nothing found."]), *notes])
    return Output(content=(Text(text),), data=found, notes=notes)


def _test(asked: FindFiles, call: Call) -> Callable[[Item], bool]:
    if asked.glob is not None and asked.regex is not None:
        raise InvalidArgument(
            f"Give {call.said('glob')} or {call.said('regex')}, not both: each says alone what is found.",
            parameter="regex",
        )
    if asked.glob is not None:
        glob = Glob(asked.glob)
        return lambda item: glob.matches(item.relative)
    if asked.regex is None:
        raise MissingParameter(
            f"Say what to find: {call.said('glob')}, such as *.py, or {call.said('regex')}.",
            parameter="glob",
            suggested="*",
        )
    pattern = Pattern(asked.regex, regex=True, parameter="regex")
    if "/" in asked.regex:
        return lambda item: pattern.is_in(item.relative)
    return lambda item: pattern.is_in(item.entry.name)


def _matching(
    scope: Scope, asked: FindFiles, start: Cursor, is_named: Callable[[Item], bool]
) -> Iterator[Item]:
    for item in scope.items(since=start.path, ignored=not asked.ignore):
        is_of_type = asked.type in {"any", item.entry.kind}
        if is_of_type and item.can_be_shown and is_named(item) and item.key > start.path:
            yield item


def _named(item: Item) -> Named:
    entry = item.entry
    size = entry.size_bytes if entry.kind is Kind.FILE else UNSET
    return Named(item.shown, item.shown.rpartition("/")[2], entry.kind, size)
