"""The searching tool of contract 003, over a small table of books that lives in memory.

What a caller sends reaches the database only as parameters; column names come from a fixed list.

The tour:   python examples/search_database.py
As a tool:  toolpost --tools examples/search_database.py call search_database \
                '{"query": "le", "filters": {"language": "en"}, "limit": 3}'
"""

import sqlite3
from functools import cache
from typing import Annotated, Any

from msgspec import Meta, Struct

from toolpost import Bench, suggest, tool
from toolpost.define import Example
from toolpost.errors import InvalidArgument, UnknownParameter

COLUMNS = ("title", "author", "year", "language")
BOOKS = (
    ("The Left Hand of Darkness", "Ursula K. Le Guin", 1969, "en"),
    ("The Dispossessed", "Ursula K. Le Guin", 1974, "en"),
    ("Solaris", "Stanisław Lem", 1961, "pl"),
    ("Ficciones", "Jorge Luis Borges", 1944, "es"),
    ("El Aleph", "Jorge Luis Borges", 1949, "es"),
    ("Grande Sertão: Veredas", "João Guimarães Rosa", 1956, "pt"),
    ("Kindred", "Octavia E. Butler", 1979, "en"),
    ("100% Wolf", "Jayne Lyons", 2008, "en"),
)
SEARCH = "SELECT title, author, year, language FROM books WHERE (title LIKE :text ESCAPE '\\' OR author LIKE :text ESCAPE '\\')"


class Search(Struct, frozen=True, forbid_unknown_fields=True):
    query: Annotated[str, Meta(description="Search query")]
    filters: Annotated[dict[str, Any], Meta(description="Search filters: a column and its value")] = {}
    limit: Annotated[int, Meta(description="Most rows to give", ge=1, le=100)] = 10


class Book(Struct, frozen=True):
    title: str
    author: str
    year: int
    language: str


class Found(Struct, frozen=True):
    results: list[Book]
    truncated: bool


@tool(
    effects=["read"],
    examples=[Example("English books", {"query": "le", "filters": {"language": "en"}, "limit": 3})],
)
async def search_database(search: Search) -> Found:
    """Search database with filters."""
    _refuse_unknown(search.filters)
    conditions = "".join(f" AND {column} = :{column}" for column in search.filters)
    text = "%" + search.query.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
    sql = f"{SEARCH}{conditions} ORDER BY title LIMIT {search.limit + 1:d}"
    books = [Book(*row) for row in _library().execute(sql, {"text": text, **search.filters})]
    return Found(books[: search.limit], truncated=len(books) > search.limit)


TOOLS = [search_database]


def _refuse_unknown(filters: dict[str, Any]) -> None:
    for name, value in filters.items():
        if name not in COLUMNS:
            near = suggest.nearest(name, COLUMNS, most=1)
            raise UnknownParameter(
                f"There is no column {name!r}; there are {', '.join(COLUMNS)}.",
                parameter=f"filters.{name}",
                **({"suggested": near[0]} if near else {}),
            )
        if not isinstance(value, str | int | float):
            raise InvalidArgument("A filter is one text or number.", parameter=f"filters.{name}")


@cache
def _library() -> sqlite3.Connection:
    library = sqlite3.connect(":memory:", check_same_thread=False)
    library.execute("CREATE TABLE books (title TEXT, author TEXT, year INTEGER, language TEXT)")
    library.executemany("INSERT INTO books VALUES (?, ?, ?, ?)", BOOKS)
    return library


if __name__ == "__main__":
    bench = Bench(TOOLS)
    print(bench.call_sync("search_database", query="borges").data)
    print(bench.call_sync("search_database", query="the", filters={"langauge": "en"}).problems)
