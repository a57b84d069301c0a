"""code.symbols and code.outline: where a name is defined, and what a file defines."""

from typing import Annotated

from msgspec import Meta, Struct

from toolpost.call import Call
from toolpost.content import Text
from toolpost.define import Example, Output, Tool, from_function
from toolpost.errors import FileNotFound, NotText
from toolpost.index.ask.similar import similar
from toolpost.index.indexes import Indexes
from toolpost.index.limits import SYMBOL_FILES
from toolpost.index.snapshot import Snapshot
from toolpost.index.symbols.find import Symbol, outline
from toolpost.index.symbols.lookup import definitions, is_complete
from toolpost.limits import OUTLINE_BYTES, OUTLINE_SYMBOLS, SEARCH_DEFAULT, SEARCH_MAX
from toolpost.schema import schema_of
from toolpost.tools.find import scope_of
from toolpost.tools.nearest import no_file, nothing_there
from toolpost.tools.oneline import one_line
from toolpost.workspace.reading.outline import outline as line_outline
from toolpost.workspace.walking.plain import plain
from toolpost.workspace.workspace import Place, Workspace

_NOT_ALL = (
    f"Definitions are not indexed yet: the first {SYMBOL_FILES} files that hold the name were looked at."
)
_FILE_ALIASES = {"file_path": "path", "filePath": "path", "file": "path"}


class FindSymbols(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: Annotated[
        str,
        Meta(
            description="The name, such as Button; or Bench.call for a `call` within a `Bench`.", min_length=1
        ),
    ]
    kind: Annotated[
        str | None, Meta(description="Only of this kind, such as class, function, method or interface.")
    ] = None
    path: Annotated[
        str, Meta(description="Only below this folder, or in this file; all of the workspace if left out.")
    ] = ""
    limit: Annotated[int, Meta(description="Most definitions to give.", ge=1, le=SEARCH_MAX)] = SEARCH_DEFAULT


class Defined(Struct, frozen=True, kw_only=True):
    path: str
    line: int
    end_line: int
    kind: str
    name: str
    within: str
    signature: str
    doc: str


class Definitions(Struct, frozen=True, kw_only=True):
    definitions: list[Defined]
    total: int
    truncated: bool
    similar: list[str]
    """Exported names that are written alike; only where nothing is defined by the name asked for."""


class OutlineFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    path: Annotated[str, Meta(description="The file, relative to the workspace.")]


class Outlined(Struct, frozen=True, kw_only=True):
    path: str
    symbols: list[Defined]
    truncated: bool
    whole: bool
    """False where the file does not parse to its end, or not without errors: there may be more."""


def tools(workspace: Workspace, indexes: Indexes) -> tuple[Tool, ...]:
    return (_symbols_tool(workspace, indexes), _outline_tool(workspace))


def _symbols_tool(workspace: Workspace, indexes: Indexes) -> Tool:
    def find_symbols(asked: FindSymbols, call: Call) -> Output:
        return find(workspace, indexes, asked, call)

    return from_function(
        find_symbols,
        name="code.symbols",
        title="Find definitions",
        description=(
            "Find where a name is defined: file, lines, kind, signature and the first line of its documentation. "
            "It reads syntax, not text, so mentions are left out."
        ),
        output_schema=schema_of(Definitions),
        effects=("read",),
        tags=("code", "search"),
        examples=(
            Example("a component", {"name": "Button"}),
            Example("a method of a class", {"name": "Bench.call", "kind": "method"}),
        ),
        codes={"limit:maximum": "LIMIT_EXCEEDED"},
        aliases={"symbol": "name", "query": "name", "directory": "path", "dir": "path"},
        idempotent=True,
        source="toolpost",
    )


def find(workspace: Workspace, indexes: Indexes, asked: FindSymbols, call: Call) -> Output:
    scope = scope_of(workspace, asked.path, missing=nothing_there)
    answers = [_of_root(workspace, indexes, place, asked) for place in scope.places]
    found = [one for answer in answers for one in answer.found]
    shown = Definitions(
        definitions=found[: asked.limit],
        total=len(found),
        truncated=len(found) > asked.limit,
        similar=[] if found else list(dict.fromkeys(name for answer in answers for name in answer.similar)),
    )
    lines = [_found(one) for one in shown.definitions] or [_nothing(asked, shown)]
    notes = [] if all(answer.is_complete for answer in answers) else [_NOT_ALL]
    if shown.truncated:
        more = shown.total - asked.limit
        notes.append(f"{more} more: raise {call.said('limit')}, or name a {call.said('path')}.")
    return Output(content=(Text("\n".join([*lines, *notes])),), data=shown, notes=tuple(notes))


class _Answer(Struct, frozen=True):
    """Of one root."""

    found: list[Defined]
    similar: list[str]
    is_complete: bool


def _of_root(workspace: Workspace, indexes: Indexes, place: Place, asked: FindSymbols) -> _Answer:
    def look(snapshot: Snapshot) -> _Answer:
        found = [
            told(one.symbol, workspace.shown(place, one.path))
            for one in definitions(snapshot, asked.name)
            if _is_below(one.path, place.path) and asked.kind in {None, one.symbol.kind}
        ]
        near = [] if found else similar(snapshot, asked.name.rpartition(".")[2])
        return _Answer(found, near, is_complete(snapshot))

    return indexes.ask(place.root, look)


def _is_below(path: str, folder: str) -> bool:
    return not folder or path == folder or path.startswith(f"{folder}/")


def told(symbol: Symbol, path: str) -> Defined:
    return Defined(
        path=path,
        line=symbol.line,
        end_line=symbol.end_line,
        kind=symbol.kind,
        name=symbol.name,
        within=symbol.parent,
        signature=symbol.signature,
        doc=symbol.doc,
    )


def _found(one: Defined) -> str:
    return f"{one_line(one.path)}:{one.line}-{one.end_line}: {_said(one)}"


def _said(one: Defined) -> str:
    """Its kind, unless the signature begins with it, the signature, and what is said of it."""
    kind = "" if one.signature.partition(" ")[0] == one.kind else f"{one.kind} "
    doc = f"  # {one.doc}" if one.doc else ""
    return f"{kind}{one_line(one.signature)}{one_line(doc)}"


def _nothing(asked: FindSymbols, shown: Definitions) -> str:
    of_kind = f" as {one_line(asked.kind)}" if asked.kind else ""
    said = f"Nothing defines {one_line(asked.name)}{of_kind}"
    if shown.similar:
        return f"{said}. Alike are: {', '.join(map(one_line, shown.similar))}."
    return f"{said}; a search of the files' text finds mentions."


def _outline_tool(workspace: Workspace) -> Tool:
    def outline_file(asked: OutlineFile, _call: Call) -> Output:
        return outlined(workspace, asked)

    return from_function(
        outline_file,
        name="code.outline",
        title="Outline a file",
        description=(
            "List what a file defines, with lines, kinds and signatures, without its bodies: enough to choose "
            "the part to read."
        ),
        output_schema=schema_of(Outlined),
        effects=("read",),
        tags=("code", "files"),
        examples=(Example("a file", {"path": "src/main.py"}),),
        cost={"reads": 1, "concurrent_reads": 1},
        aliases=_FILE_ALIASES,
        idempotent=True,
        source="toolpost",
    )


def outlined(workspace: Workspace, asked: OutlineFile) -> Output:
    place = workspace.place(asked.path)
    found, whole = _file_symbols(workspace, place, asked.path)
    shown = Outlined(
        path=place.shown,
        symbols=found[:OUTLINE_SYMBOLS],
        truncated=len(found) > OUTLINE_SYMBOLS,
        whole=whole,
    )
    lines = [_entry(one) for one in shown.symbols] or ["It defines nothing that can be told by its syntax."]
    notes = [] if whole else [f"{place.shown} does not parse wholly; there may be more."]
    if shown.truncated:
        notes.append(f"Only the first {OUTLINE_SYMBOLS} are listed.")
    text = "\n".join([*lines, *map(one_line, notes)])
    return Output(content=(Text(text),), data=shown, notes=tuple(notes))


def _file_symbols(workspace: Workspace, place: Place, given: str) -> tuple[list[Defined], bool]:
    """As the file is now, and whether that is all. Of a language without a grammar, lines that look like definitions."""
    text, is_all = _text(workspace, place, given)
    found = outline(place.path, text)
    if found is not None:
        return [told(one, place.shown) for one in found.symbols], found.whole and is_all
    lines = line_outline(text.decode("utf-8", "replace"), place.path, most=OUTLINE_SYMBOLS + 1)
    return [_line(place.shown, one.line, one.text.strip()) for one in lines], is_all


def _text(workspace: Workspace, place: Place, given: str) -> tuple[bytes, bool]:
    """As much of it as is looked at, in whole lines, and whether that is all."""
    try:
        with place.root.open(place.path) as source:
            data = source.stream.read(OUTLINE_BYTES + 1)
    except FileNotFound:
        raise no_file(workspace, place, given) from None
    is_all = len(data) <= OUTLINE_BYTES
    text = plain(data if is_all else data[: data.rfind(b"\n") + 1])
    if text is None:
        raise NotText(f"{given} is no text, so it has no outline.", parameter="path")
    return text, is_all


def _line(path: str, line: int, text: str) -> Defined:
    return Defined(
        path=path, line=line, end_line=line, kind="line", name=text, within="", signature=text, doc=""
    )


def _entry(one: Defined) -> str:
    indent = "  " * (one.within.count(".") + 1 if one.within else 0)
    return f"{one.line}-{one.end_line}: {indent}{_said(one)}"
