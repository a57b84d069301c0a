"""How patterns are written."""

from toolpost.pathnames.spelling import Anchor, Choice, is_plain, read_choices, read_names, tokens_of
from toolpost.pathnames.states import Letters, Mark


def test_a_pattern_is_anchored_where_it_begins() -> None:
    assert read_choices("{src/a,/b,~/c,d,e/}") == (
        Choice(Anchor.ROOT, ("src", "a")),
        Choice(Anchor.DISK, ("b",)),
        Choice(Anchor.HOME, ("c",)),
        Choice(Anchor.NAME, ("d",)),
        Choice(Anchor.NAME, ("e", "**")),
    )


def test_a_name_becomes_letters_and_what_stands_for_letters() -> None:
    assert tokens_of("A?[x-z]*b", folded=True) == (
        "a",
        Mark.ONE,
        Letters((("x", "z"),), folded=True),
        Mark.MANY,
        "b",
    )
    assert tokens_of("A.", folded=True) == ("a",)
    assert tokens_of("A.", folded=False) == ("A", ".")
    assert tokens_of("...", folded=True) == (".", ".", ".")


def test_a_name_is_plain_when_its_wildcards_are_escaped() -> None:
    assert is_plain(r"a\*")
    assert not is_plain("**")


def test_names_of_tools_are_divided_by_slashes() -> None:
    assert read_names("{a,b}/c") == (("a", "c"), ("b", "c"))
