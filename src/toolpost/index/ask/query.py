"""The index asked as contract 001 asks it: files by what they export, by tag, by path, or all.

The work is that of the answer, not of the tree: the millionth file costs what the first one does.
"""

from collections.abc import Callable

from msgspec import Struct

from toolpost.errors import InvalidArgument, InvalidQueryType, LimitExceeded, MissingValue
from toolpost.index.ask.exports import EXACT, PART, RESPELLED, exporting
from toolpost.index.ask.loose import FUZZY, PARTIAL, fuzzy, partial
from toolpost.index.ask.nearest import nearest
from toolpost.index.ask.order import FILE, Item, Matches, Place, page, place_of
from toolpost.index.ask.paths import beginning, everything
from toolpost.index.ask.tagged import tagged
from toolpost.index.disk.records import decode_files, encode_file, file_of
from toolpost.index.limits import QUERY_DEFAULT, QUERY_MAX
from toolpost.index.model import Doc, File
from toolpost.index.names.tables import RANK_BITS
from toolpost.index.snapshot import Snapshot
from toolpost.workspace.walking.cursor import Cursor, pack, unpack

EXPORTS, TAG, PATH_PREFIX, LIST_ALL = "exports", "tag", "pathPrefix", "listAll"
TYPES = (EXPORTS, TAG, PATH_PREFIX, LIST_ALL)


class Query(Struct, frozen=True):
    type: str
    value: str | None = None


class Found(Struct, frozen=True, kw_only=True):
    files: list[File]
    total_matches: int
    """Before the limit."""
    truncated: bool
    next_cursor: str | None = None
    """Sent back with the same query, it goes on from here."""
    matched: str = ""
    """How the first of these files matched: exact, default, re-export, spelling, prefix, part, partial, fuzzy."""
    note: str = ""
    """What to know of an answer that is not what was asked for."""


def query(
    snapshot: Snapshot, asked: Query, *, limit: int = QUERY_DEFAULT, cursor: str | None = None
) -> Found:
    """One page. Raises InvalidQueryType, MissingValue, LimitExceeded, and InvalidArgument for a strange cursor."""
    value = _checked(asked, limit)
    snapshot = snapshot.settled
    question = ("index.query", asked.type, value)
    after = _place(unpack(cursor, question)) if cursor else None
    matches = _ASK[asked.type](snapshot, value)
    items = page(snapshot, matches, after, limit + 1)
    shown = items[:limit]
    truncated = len(items) > limit
    return Found(
        files=_files(snapshot, shown),
        total_matches=matches.total,
        truncated=truncated,
        next_cursor=pack(_cursor(place_of(snapshot, shown[-1])), question) if truncated else None,
        matched=_way(shown[0]) if shown and asked.type == EXPORTS else "",
        note=matches.note,
    )


def _checked(asked: Query, limit: int) -> str:
    """The value, which may be empty only where none is needed."""
    if asked.type not in TYPES:
        raise InvalidQueryType(
            f"There is no query type {asked.type!r}: use {', '.join(TYPES)}.",
            parameter="query.type",
            suggested=(nearest(asked.type, TYPES) or [EXPORTS])[0],
        )
    value = "" if asked.type == LIST_ALL else (asked.value or "").strip()
    if not value and asked.type != LIST_ALL:
        raise MissingValue(f"A query of type {asked.type!r} needs a value.", parameter="query.value")
    if limit > QUERY_MAX:
        raise LimitExceeded(
            f"At most {QUERY_MAX} files come in one answer, not {limit}; a cursor brings the rest.",
            parameter="limit",
            suggested=QUERY_MAX,
        )
    if limit < 1:
        raise InvalidArgument("Ask for at least one file.", parameter="limit", suggested=QUERY_DEFAULT)
    return value


def _exports(snapshot: Snapshot, name: str) -> Matches:
    """Looser only where nothing stricter is found."""
    matches = exporting(snapshot, name)
    if not matches.total:
        matches = partial(snapshot, name)
    return matches if matches.total else fuzzy(snapshot, name)


_ASK: dict[str, Callable[[Snapshot, str], Matches]] = {
    EXPORTS: _exports,
    TAG: tagged,
    PATH_PREFIX: beginning,
    LIST_ALL: lambda snapshot, _: everything(snapshot),
}

_WAYS = {
    EXACT: ("exact", "default", "re-export"),
    RESPELLED: ("spelling", "spelling", "spelling"),
    PART: ("prefix", "prefix", "part", "part"),
    PARTIAL: ("partial", "partial", "partial"),
    FUZZY: ("fuzzy", "fuzzy", "fuzzy"),
}


def _way(item: Item) -> str:
    return _WAYS[item.stage][item.entry >> RANK_BITS]


def _files(snapshot: Snapshot, items: list[Item]) -> list[File]:
    found = iter(snapshot.base.files([item.entry & FILE for item in items if item.doc is None]))
    return [next(found) if item.doc is None else shown(item.doc) for item in items]


def shown(doc: Doc) -> File:
    """A changed file as the base would tell it."""
    file = file_of(doc)
    return file if file.path.isascii() else decode_files(b"[" + encode_file(file) + b"]")[0]


def _cursor(place: Place) -> Cursor:
    spelling = place.spelling.encode("utf-8", "surrogatepass")
    return Cursor(b"%d:%b%b" % (len(spelling), spelling, place.path), place.stage, place.rank)


def _place(cursor: Cursor) -> Place:
    length, _, rest = cursor.path.partition(b":")
    try:
        end = int(length)
        spelling = rest[:end].decode("utf-8", "surrogatepass")
    except ValueError:
        raise InvalidArgument("This is no cursor: leave it out to begin anew.", parameter="cursor") from None
    return Place(cursor.line, spelling, cursor.given, rest[end:])
