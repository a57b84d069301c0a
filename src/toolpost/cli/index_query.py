"""What `toolpost index query` asks of an index, and how its answers look."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import UNSET, Struct

from toolpost.cli import indexing, show
from toolpost.cli.exits import Exit
from toolpost.cli.trouble import Trouble

if TYPE_CHECKING:
    from toolpost.index.ask.query import Query
    from toolpost.index.indexes import Indexes
    from toolpost.index.snapshot import Snapshot
    from toolpost.workspace.workspace import Place, Workspace

T = TypeVar("T")


class Asked(Struct, frozen=True, kw_only=True):
    kind: str
    value: str
    limit: int
    cursor: str | None
    as_json: bool


class Answer(Struct, frozen=True, kw_only=True):
    told: Any
    """As JSON."""
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    total: str
    """How much there is, in words."""
    notes: tuple[str, ...] = ()


class Trees(Struct, frozen=True):
    """The workspace and its indexes, to ask all of its roots."""

    workspace: "Workspace"
    indexes: "Indexes"

    def each(self, question: "Callable[[Place, Snapshot], T]") -> "Iterator[tuple[Place, T]]":
        """What a question finds in each root."""
        names = sorted(self.workspace.roots) if len(self.workspace.roots) > 1 else [""]
        for name in names:
            place = self.workspace.place(name)
            yield place, self.indexes.ask(place.root, partial(question, place))

    def shown(self, place: "Place", path: str) -> str:
        return self.workspace.shown(place, path)


def run(asked: Asked) -> int:
    if not asked.value and asked.kind != "listAll":
        raise Trouble(f"{asked.kind} needs a VALUE.", f"toolpost index query {asked.kind} VALUE")
    if asked.value and asked.kind == "listAll":
        raise Trouble("listAll takes no VALUE: it gives every file.", "toolpost index query listAll")
    if asked.limit < 1:
        raise Trouble(f"--limit {asked.limit} leaves nothing to show.", "Ask for at least one.")
    if asked.cursor and asked.kind not in _PAGED:
        raise Trouble(f"{asked.kind} comes in one answer: it takes no --cursor.", "Leave --cursor out.")
    with indexing.grounds() as (workspace, indexes):
        indexing.ready(workspace, indexes, symbols=asked.kind == "symbols")
        answer = _KINDS[asked.kind](Trees(workspace, indexes), asked)
    if asked.as_json:
        show.as_json(answer.told)
    elif answer.rows:
        show.table(answer.columns, answer.rows)
    if not asked.as_json:
        show.note(answer.total)
    for note in answer.notes:
        show.note(note)
    return Exit.OK if answer.rows else Exit.NOT_FOUND


def _files(trees: Trees, asked: Asked) -> Answer:
    from msgspec import to_builtins

    from toolpost.index.ask.query import Query
    from toolpost.tools.indexed import ask, told_names

    wanted = Query(asked.kind, asked.value or None)
    told, notes = ask(trees.workspace, trees.indexes, wanted, limit=asked.limit, cursor=asked.cursor)
    more = () if told.next_cursor is UNSET else (f"go on with --cursor {told.next_cursor}",)
    return Answer(
        told={**to_builtins(told), **_signs(trees, wanted, notes)},
        columns=("path", "exports", "tags"),
        rows=[(file.path, told_names(file), ", ".join(file.tags)) for file in told.files],
        total=f"{len(told.files):,} of {told.total_matches:,} files",
        notes=(*notes, *more) if not asked.as_json else notes,
    )


def _signs(trees: Trees, wanted: "Query", notes: tuple[str, ...]) -> dict[str, str]:
    """How the best of them matched, and what is to be known: only people see notes beside the JSON."""
    from toolpost.index.ask.query import EXPORTS, query

    signs = {"note": " ".join(notes)} if notes else {}
    if wanted.type != EXPORTS:
        return signs
    firsts = [found for _, found in trees.each(lambda _, snapshot: query(snapshot, wanted, limit=1))]
    ways = [found.matched for found in firsts if found.matched and bool(found.note) == bool(notes)]
    return {"matched": ways[0], **signs} if ways else signs


def _symbols(trees: Trees, asked: Asked) -> Answer:
    from toolpost.index.symbols.lookup import definitions

    answers = trees.each(lambda _, snapshot: definitions(snapshot, asked.value))
    found = [(trees.shown(place, one.path), one.symbol) for place, those in answers for one in those]
    kept = found[: asked.limit]
    told = [
        {
            "path": path,
            "name": symbol.name,
            "kind": symbol.kind,
            "line": symbol.line,
            "end_line": symbol.end_line,
            "signature": symbol.signature,
            "doc": symbol.doc,
            "parent": symbol.parent,
        }
        for path, symbol in kept
    ]
    return Answer(
        told={"definitions": told, "total_matches": len(found), "truncated": len(found) > len(kept)},
        columns=("where", "kind", "definition"),
        rows=[(f"{path}:{one.line}-{one.end_line}", one.kind, one.signature) for path, one in kept],
        total=f"{len(kept):,} of {len(found):,} definitions",
    )


def _references(trees: Trees, asked: Asked) -> Answer:
    from msgspec import to_builtins

    from toolpost.index.ask.references import Reference, References, references
    from toolpost.index.search.ground import Ground

    found: list[Reference] = []
    truncated = False

    def look(place: "Place", snapshot: "Snapshot") -> References:
        left = max(asked.limit - len(found), 1)
        return references(Ground(snapshot, place), asked.value, limit=left)

    for _, page in trees.each(look):
        truncated = truncated or page.rest is not None or len(found) + len(page.found) > asked.limit
        found += page.found[: asked.limit - len(found)]
    rows = [(f"{one.path}:{one.line}", one.within or "-", one.snippet.strip()) for one in found]
    more = "; there are more: raise --limit" if truncated else ""
    return Answer(
        told={"references": to_builtins(found), "truncated": truncated},
        columns=("where", "within", "line"),
        rows=rows,
        total=f"{len(found):,} references{more}",
    )


def _related(trees: Trees, asked: Asked) -> Answer:
    """Files on either end of an import."""
    from toolpost.index.ask.graph import Graph

    place = trees.workspace.place(asked.value)

    def look(snapshot: "Snapshot") -> list[str]:
        graph = Graph(snapshot)
        return graph.importers(place.path) if asked.kind == "importers" else graph.imports(place.path)

    found = trees.indexes.ask(place.root, look)
    paths = [trees.shown(place, path) for path in found]
    return _listed("files", "path", paths, asked.limit)


def _similar(trees: Trees, asked: Asked) -> Answer:
    from toolpost.index.ask.similar import similar

    names: dict[str, None] = {}
    for _, those in trees.each(lambda _, snapshot: similar(snapshot, asked.value, limit=asked.limit)):
        names |= dict.fromkeys(those)
    return _listed("names", "name", list(names), asked.limit)


def _listed(what: str, column: str, found: list[str], limit: int) -> Answer:
    kept = found[:limit]
    return Answer(
        told={what: kept, "total_matches": len(found), "truncated": len(found) > len(kept)},
        columns=(column,),
        rows=[(one,) for one in kept],
        total=f"{len(kept):,} of {len(found):,} {what}",
    )


_PAGED = frozenset({"exports", "tag", "pathPrefix", "listAll"})
_KINDS: dict[str, Callable[[Trees, Asked], Answer]] = {
    **dict.fromkeys(_PAGED, _files),
    "symbols": _symbols,
    "references": _references,
    "importers": _related,
    "imports": _related,
    "similar": _similar,
}
