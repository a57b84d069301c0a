"""A denied flag is found under each of its names; row by row."""

import pytest

from toolpost.atom import Atom, Kind, Word
from toolpost.authorize.commands.matching import catches
from toolpost.authorize.commands.synonyms import ALIASES, MARKED, SYNONYMS

ROWS = [(name, flag, meaning) for name, row in SYNONYMS.items() for flag, meaning in row.items()]


def _caught(pattern: str, *words: str) -> bool:
    return catches(pattern, Atom(kind=Kind.EXEC, target="", words=tuple(map(Word, words))))


@pytest.mark.parametrize(("name", "flag", "meaning"), ROWS)
def test_a_flag_is_what_it_means(name: str, flag: str, meaning: tuple[str, ...]) -> None:
    words = name.split()
    assert _caught(f"{name} {flag} *", *words, "x", *meaning)
    for one in meaning:
        assert _caught(f"{name} {one} *", *words, flag, "x")


@pytest.mark.parametrize(("name", "other"), sorted(ALIASES.items()))
def test_another_name_of_a_program_has_the_same_flags(name: str, other: str) -> None:
    flag, meaning = next(iter(SYNONYMS[other].items()))
    assert _caught(f"{name} {meaning[0]} *", name, flag, "x")


@pytest.mark.parametrize(
    ("name", "mark", "flag"),
    [(name, mark, flag) for name, row in MARKED.items() for mark, flag in row.items()],
)
def test_an_operand_may_be_a_flag_by_how_it_begins(name: str, mark: str, flag: str) -> None:
    assert _caught(f"{name} {flag} *", *name.split(), "origin", f"{mark}main")
