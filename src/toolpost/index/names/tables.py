"""Tables of names and tags, made once for every generation; `lookup` reads them.

    names.key_text       every run of words of any name, sorted
    names.key_rows       where its text begins, its first spelling where it is a whole name, where its files
                         begin in names.parts, which have it as a part of a name, and how many files it finds
    names.key_heads      the text of every so many of them, names.key_head_rows where it begins
    names.spelling_text  every name as it is written, sorted by its key, then itself
    names.spelling_rows  where its text begins, where its files begin in names.files, which export it
    names.tag_text       every tag, sorted
    names.tag_rows       where its text begins, where its files begin in names.tagged, which have it

Rows are one more than texts: what begins with the last ends the one before. Files are numbers with their rank
in the two highest bits, sorted: a list is in the order of its answer.
"""

from array import array
from collections import defaultdict
from collections.abc import Iterable
from importlib import import_module
from itertools import accumulate, count
from typing import Any

from toolpost.index.limits import NAME_STRIDE, NAME_WORDS
from toolpost.index.model import Doc
from toolpost.index.names.claims import claims
from toolpost.index.names.texts import encoded
from toolpost.index.names.words import key_of, words

RANK_BITS = 30
"""Where a rank begins: the numbers of files are smaller."""


def make(files: Iterable[tuple[int, Doc]]) -> dict[str, bytes]:
    """`files` in ascending order of their numbers."""
    spellings = _numbered()
    entries = array("Q")
    tags: dict[str, array[int]] = defaultdict(lambda: array("I"))
    for number, doc in files:
        for name, claim in claims(doc.exports):
            entries.append(spellings[name] << 32 | claim << RANK_BITS | number)
        for tag in doc.tags:
            tags[tag].append(number)
    return {**_names(list(spellings), entries), **_tags(tags)}


def _numbered() -> defaultdict[str, int]:
    """Gives every text a number when it is first met."""
    return defaultdict(count().__next__)


def _names(names: list[str], entries: "array[int]") -> dict[str, bytes]:
    """Every run is numbered in C: long names have many, and half of the time went into them."""
    keys = _numbered()
    wholes, runs, counts = [], array("I"), array("B")
    for name in names:
        parts = words(name)
        wholes.append(key_of(name, parts))
        parts = parts[:NAME_WORDS] if len(parts) > 1 else []
        counts.append(len(parts))
        found: list[str] = []
        for begin in range(len(parts)):
            found += accumulate(parts[begin:])
        runs.extend(map(keys.__getitem__, found))
    whole_keys = array("I", map(keys.__getitem__, wholes))
    met = list(keys)
    ranked = sorted(range(len(met)), key=met.__getitem__)
    written = sorted(range(len(names)), key=list(zip(wholes, names, strict=True)).__getitem__)
    ordered = [met[key] for key in ranked]
    keyed, spelled = _joined(ordered), _joined([names[spelling] for spelling in written])
    heads, head_rows = _joined(ordered[::NAME_STRIDE])
    order = (array("I", ranked), array("I", written), whole_keys)
    return {
        "names.key_text": keyed[0],
        "names.key_heads": heads,
        "names.key_head_rows": head_rows,
        "names.spelling_text": spelled[0],
        **_numbers().lists((keyed[1], spelled[1]), order, entries, (runs, counts)),
    }


def _numbers() -> Any:
    """The module that needs numpy, which nobody who only asks should load."""
    return import_module("toolpost.index.names.numbers")


def _tags(tags: "dict[str, array[int]]") -> dict[str, bytes]:
    ordered = sorted(tags)
    text, begins = _joined(ordered)
    tagged, rows = array("I"), array("I")
    for tag, begin in zip([*ordered, None], memoryview(begins).cast("I"), strict=True):
        rows.extend((begin, len(tagged)))
        if tag is not None:
            tagged.extend(tags[tag])
    return {"names.tag_text": text, "names.tag_rows": rows.tobytes(), "names.tagged": tagged.tobytes()}


def _joined(texts: list[str]) -> tuple[bytes, bytes]:
    """All of them, and where each begins and the last ends. What is sorted as text is sorted as bytes, too."""
    whole = encoded("".join(texts))
    lengths = map(len, texts if whole.isascii() else map(encoded, texts))
    return whole, array("I", accumulate(lengths, initial=0)).tobytes()
