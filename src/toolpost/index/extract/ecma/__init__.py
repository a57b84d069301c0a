"""JavaScript and TypeScript: exports, imports and marks, by search where the text is plain, else by its tree."""

from importlib import import_module
from typing import TYPE_CHECKING

from toolpost.index.extract.ecma import commonjs, heads
from toolpost.index.extract.ecma.ambient import is_ambient, may_export_all
from toolpost.index.extract.ecma.balance import is_even
from toolpost.index.extract.ecma.found import Found
from toolpost.index.extract.ecma.imports import imports
from toolpost.index.extract.ecma.marks import marks
from toolpost.index.extract.ecma.place import Everywhere, Hard, Lines, Places
from toolpost.index.limits import PARSE_BYTES
from toolpost.index.model import Extract

if TYPE_CHECKING:
    from toolpost.index.extract.ecma.tree import Tree

_NO_ELEMENTS = (".ts", ".mts", ".cts")
_NO_COMMONJS = (".mjs", ".mts")


def extract(path: str, text: bytes) -> Extract:
    """What the text of a module says; it never raises.

    `whole` is False where a syntax tree was asked and has errors, or the text is too large for one. Where no
    tree was needed, True promises that the exports were read from statements as they should be, that no conflict
    marker stands in the text, that as many brackets close as open and the last comment ends; not that every
    statement is valid.
    """
    try:
        return by_search(path, text)
    except Hard:
        return by_tree(path, text) if len(text) <= PARSE_BYTES else by_lines(path, text)


def by_search(path: str, text: bytes) -> Extract:
    """Raises Hard where a search alone is not sure."""
    if not is_even(text):
        raise Hard
    places = Lines(text)
    found = Found(text)
    common = heads.exports(places, found)
    if not found.lists and is_ambient(path) and may_export_all(text):
        raise Hard
    return _told(path, places, found, common=common, whole=True)


def by_tree(path: str, text: bytes) -> Extract:
    tree: Tree = import_module(f"{__name__}.tree").Tree(path, text)
    found = Found(text)
    tree.exports(found)
    if not tree.whole:
        salvaged = Found(text)
        heads.salvage(tree, salvaged)
        found.join(salvaged)
    return _told(path, tree, found, common=b"exports" in text, whole=tree.whole)


def by_lines(path: str, text: bytes) -> Extract:
    """Of a text no parser would read to its end, such as a program bundled into one file: what is cheap to tell.

    Parsing its beginning took longer than all else of a repository together, and told little of the rest.
    """
    places, found = Everywhere(text), Found(text)
    heads.salvage(places, found)
    return _told(path, places, found, common=b"exports" in text, whole=False)


def _told(path: str, places: Places, found: Found, *, common: bool, whole: bool) -> Extract:
    if common and not found.exports and not path.endswith(_NO_COMMONJS):
        commonjs.exports(places, found)
    told = found.unique()
    named = imports(places, found)
    return Extract(told, named, marks(places, found, elements=not path.endswith(_NO_ELEMENTS)), whole)
