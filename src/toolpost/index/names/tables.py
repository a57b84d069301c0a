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
from collections.abc import Iterable
from importlib import import_module
from itertools import accumulate
from typing import Any

from toolpost.index.model import Doc
from toolpost.index.names.claims import claims
from toolpost.index.names.texts import encoded
from toolpost.index.names.words import WHOLE, WITHIN, runs
from toolpost.limits import NAME_STRIDE

RANK_BITS = 30
"""Where a rank begins: the numbers of files are smaller."""


def make(files: Iterable[tuple[int, Doc]]) -> dict[str, bytes]:
    """`files` in ascending order of their numbers."""
    spellings: dict[str, int] = {}
    entries = array("Q")
    tags: dict[str, array[int]] = {}
    for number, doc in files:
        for name, claim in claims(doc.exports):
            spelling = spellings.setdefault(name, len(spellings))
            entries.append(spelling << 32 | claim << RANK_BITS | number)
        for tag in doc.tags:
            tags.setdefault(tag, array("I")).append(number)
    return {**_names(spellings, entries), **_tags(tags)}


def _names(spellings: dict[str, int], entries: "array[int]") -> dict[str, bytes]:
    keys: dict[str, int] = {}
    wholes, parts = array("I"), array("Q")
    for name, spelling in spellings.items():
        for run, how in runs(name).items():
            key = keys.setdefault(run, len(keys))
            if how == WHOLE:
                wholes.append(key)
            else:
                parts.append(key << 32 | spelling << 1 | (how == WITHIN))
    ordered = sorted(keys)
    places = array("I", bytes(4 * len(keys)))
    for place, run in enumerate(ordered):
        places[keys[run]] = place
    key_of = array("I", (places[key] for key in wholes))
    names = list(spellings)
    written = sorted(range(len(names)), key=lambda spelling: (key_of[spelling], names[spelling]))
    keyed, spelled = _joined(ordered), _joined([names[spelling] for spelling in written])
    heads, head_rows = _joined(ordered[::NAME_STRIDE])
    order = (places, array("I", written), key_of)
    return {
        "names.key_text": keyed[0],
        "names.key_heads": heads,
        "names.key_head_rows": head_rows,
        "names.spelling_text": spelled[0],
        **_numbers().lists((keyed[1], spelled[1]), order, entries, parts),
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
    every = [encoded(text) for text in texts]
    return b"".join(every), array("I", accumulate(map(len, every), initial=0)).tobytes()
