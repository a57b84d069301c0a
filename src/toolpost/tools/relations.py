"""code.references, code.imports and code.map: how the parts of a code base hang together."""

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from toolpost.call import Call
from toolpost.content import Text
from toolpost.define import Example, Output, Tool, from_function
from toolpost.errors import FileNotFound, InvalidArgument
from toolpost.index.ask.graph import Graph, links_of
from toolpost.index.ask.references import Reference, References, references
from toolpost.index.ask.repo_map import RepoMap, repo_map, tokens_of
from toolpost.index.indexes import Indexes
from toolpost.index.limits import MAP_TOKENS, MAP_TOKENS_MAX
from toolpost.index.search.ground import Ground
from toolpost.index.snapshot import Snapshot
from toolpost.limits import SEARCH_DEFAULT, SEARCH_MAX
from toolpost.schema import schema_of
from toolpost.tools.find import FOLDER_ALIASES, scope_of
from toolpost.tools.nearest import no_file, nothing_there
from toolpost.tools.oneline import one_line
from toolpost.workspace.walking.cursor import START, Cursor, pack, unpack
from toolpost.workspace.walking.scope import Scope
from toolpost.workspace.workspace import Place, Workspace


class FindReferences(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: Annotated[str, Meta(description="The name, found as a whole word.", min_length=1)]
    path: Annotated[str, Meta(description="Only below this folder, or in this file.")] = ""
    limit: Annotated[int, Meta(description="Most references to give.", ge=1, le=SEARCH_MAX)] = SEARCH_DEFAULT
    cursor: Annotated[str | None, Meta(description="next_cursor of the answer before, to go on.")] = None


class Mentions(Struct, frozen=True, kw_only=True):
    references: list[Reference]
    truncated: bool
    next_cursor: str | UnsetType = UNSET


class AskImports(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    path: Annotated[str, Meta(description="The file, relative to the workspace.")]
    direction: Annotated[
        Literal["importers", "imports"],
        Meta(description="importers: files that import it; imports: files it imports."),
    ] = "importers"


class Imports(Struct, frozen=True, kw_only=True):
    path: str
    direction: str
    files: list[str]


class AskMap(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    tokens: Annotated[
        int, Meta(description="Most tokens it may take, four characters each.", ge=64, le=MAP_TOKENS_MAX)
    ] = MAP_TOKENS
    focus: Annotated[
        list[str], Meta(description="Paths or names that matter for the task: what is near them comes first.")
    ] = []
    path: Annotated[
        str, Meta(description="One root, where the workspace has several; all of them if left out.")
    ] = ""


def tools(workspace: Workspace, indexes: Indexes) -> tuple[Tool, ...]:
    return (
        _references_tool(workspace, indexes),
        _imports_tool(workspace, indexes),
        _map_tool(workspace, indexes),
    )


def _references_tool(workspace: Workspace, indexes: Indexes) -> Tool:
    def find_references(asked: FindReferences, call: Call) -> Output:
        return refer(workspace, indexes, asked, call)

    return from_function(
        find_references,
        name="code.references",
        title="Find references",
        description=(
            "Find every line that speaks of a name as a whole word, which of them define it, and the function or "
            "class each stands in. It goes by the name alone: two things of one name are not told apart."
        ),
        output_schema=schema_of(Mentions),
        effects=("read",),
        tags=("code", "search"),
        examples=(Example("who uses it", {"name": "useTheme", "path": "src"}),),
        codes={"limit:maximum": "LIMIT_EXCEEDED"},
        aliases={"symbol": "name", "query": "name", **FOLDER_ALIASES},
        idempotent=True,
        source="toolpost",
    )


def refer(workspace: Workspace, indexes: Indexes, asked: FindReferences, call: Call) -> Output:
    scope = scope_of(workspace, asked.path, missing=nothing_there)
    mark = ("code.references", asked.name, asked.path)
    cursor = unpack(asked.cursor, mark) if asked.cursor else START
    found = _page(scope, indexes, asked, cursor)
    rest = pack(found.rest, mark) if found.rest else UNSET
    told = Mentions(references=found.found, truncated=rest is not UNSET, next_cursor=rest)
    lines = [_mention(one) for one in found.found] or [f"Nothing speaks of {one_line(asked.name)}."]
    notes = () if rest is UNSET else (f"Truncated: continue with {call.said('cursor')}={rest}",)
    return Output(content=(Text("\n".join([*lines, *notes])),), data=told, notes=notes)


def _page(scope: Scope, indexes: Indexes, asked: FindReferences, cursor: Cursor) -> References:
    """One root after another; a root before the one the cursor is in gives nothing any more."""
    found: list[Reference] = []
    for place in scope.places:
        left = asked.limit - len(found)
        page = indexes.ask(place.root, partial(_of_root, scope, place, asked.name, max(left, 1), cursor))
        if not left and page.found:
            return References(found, Cursor(page.found[0].path.encode("utf-8", "surrogateescape")))
        found += page.found
        if page.rest:
            return References(found, page.rest)
    return References(found, None)


def _of_root(
    scope: Scope, place: Place, name: str, limit: int, cursor: Cursor, snapshot: Snapshot
) -> References:
    ground = Ground(snapshot, place, searched=scope.shown, is_file=scope.file is not None)
    return references(ground, name, limit=limit, cursor=cursor)


def _mention(one: Reference) -> str:
    where = " [defined here]" if one.is_definition else f" [in {one_line(one.within)}]" if one.within else ""
    return f"{one_line(one.path)}:{one.line}: {one_line(one.snippet.strip())}{where}"


def _imports_tool(workspace: Workspace, indexes: Indexes) -> Tool:
    def file_imports(asked: AskImports, _call: Call) -> Output:
        return imported(workspace, indexes, asked)

    return from_function(
        file_imports,
        name="code.imports",
        title="Imports of a file",
        description="List the files that import a file, or those it imports, as far as they are in the workspace.",
        output_schema=schema_of(Imports),
        effects=("read",),
        tags=("code",),
        examples=(Example("who would be affected", {"path": "src/theme.ts", "direction": "importers"}),),
        aliases={"file_path": "path", "filePath": "path", "file": "path"},
        idempotent=True,
        source="toolpost",
    )


def imported(workspace: Workspace, indexes: Indexes, asked: AskImports) -> Output:
    place = workspace.place(asked.path)

    def look(snapshot: Snapshot) -> list[str]:
        graph = Graph(snapshot, links_of(snapshot))
        return graph.importers(place.path) if asked.direction == "importers" else graph.imports(place.path)

    try:
        found = indexes.ask(place.root, look)
    except FileNotFound:
        raise _not_indexed(workspace, place, asked.path) from None
    files = [workspace.shown(place, path) for path in found]
    told = Imports(path=place.shown, direction=asked.direction, files=files)
    nothing = (
        "Nothing imports it." if asked.direction == "importers" else "It imports nothing of the workspace."
    )
    return Output(content=(Text("\n".join(map(one_line, files)) or nothing),), data=told)


def _not_indexed(workspace: Workspace, place: Place, given: str) -> FileNotFound:
    try:
        entry = place.root.stat(place.path)
    except FileNotFound:
        return no_file(workspace, place, given)
    what = "is a directory: name a file" if entry.is_dir else "is not indexed: ignore files leave it out"
    return FileNotFound(f"{given or 'The root'} {what}.", parameter="path")


def _map_tool(workspace: Workspace, indexes: Indexes) -> Tool:
    def map_code(asked: AskMap, _call: Call) -> Output:
        made = mapped(workspace, indexes, asked)
        return Output(content=(Text(made.text),), data=made)

    return from_function(
        map_code,
        name="code.map",
        title="Map of the code",
        description=(
            "An overview of the code base within a budget of tokens: its folders, and the files that matter most "
            "with the names they export. Good to begin with."
        ),
        output_schema=schema_of(RepoMap),
        effects=("read",),
        tags=("code",),
        examples=(
            Example("an overview", {"tokens": 2000}),
            Example("around a task", {"focus": ["src/cart.ts"]}),
        ),
        codes={"tokens:maximum": "LIMIT_EXCEEDED"},
        idempotent=True,
        source="toolpost",
    )


def mapped(workspace: Workspace, indexes: Indexes, asked: AskMap) -> RepoMap:
    if workspace.names_roots(asked.path):
        return _of_all(workspace, indexes, asked)
    place = workspace.place(asked.path)
    if place.path:
        raise InvalidArgument(
            f"A map is of a whole root: leave the path out, and name {place.shown} as focus.",
            parameter="path",
        )
    return _of_one(workspace, indexes, place, asked.tokens, asked.focus)


def _of_all(workspace: Workspace, indexes: Indexes, asked: AskMap) -> RepoMap:
    """Every root under its name, each with the same share of the tokens."""
    names = sorted(workspace.roots, key=lambda name: f"{name}/".encode())
    share = asked.tokens // len(names) - max(map(tokens_of, names)) - 1
    if share < 1:
        raise InvalidArgument(
            f"{asked.tokens} tokens are too few for {len(names)} roots: allow more, or name one root.",
            parameter="tokens",
        )
    maps = [_of_one(workspace, indexes, workspace.place(name), share, asked.focus) for name in names]
    text = "\n".join(f"{name}:\n{made.text}" for name, made in zip(names, maps, strict=True))
    return RepoMap(
        text=text,
        tokens=tokens_of(text),
        files=sum(made.files for made in maps),
        total_files=sum(made.total_files for made in maps),
    )


def _of_one(
    workspace: Workspace, indexes: Indexes, place: Place, tokens: int, focus: Sequence[str]
) -> RepoMap:
    """In what is asked for, paths begin with the root's name where there are several."""
    start = workspace.shown(place, "") + "/" if len(workspace.roots) > 1 else ""
    near = [one.removeprefix(start) for one in focus]
    return indexes.ask(place.root, lambda snapshot: repo_map(snapshot, tokens, near))
