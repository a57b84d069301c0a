import pytest

from toolpost.workspace.editing.indent import Shift, shift_of


@pytest.mark.parametrize(
    ("indents", "text", "moved"),
    [
        ([("", "    "), ("    ", "        ")], "a\n    b\n\nc\n", "    a\n        b\n\n    c\n"),
        ([("    ", ""), ("        ", "    ")], "    a\n      b\n", "a\n  b\n"),
        ([("", "\t")], "a\n\tb", "\ta\n\t\tb"),
        ([("\t  ", "  ")], "\t  a\n\t  \tb", "  a\n  \tb"),
        ([("    ", "\t"), ("        ", "\t\t")], "    a\n          b\n", "\ta\n\t\t  b\n"),
        ([("\t", "  "), ("\t\t", "    ")], "\ta\n\t\t\tb\n", "  a\n      b\n"),
        ([("  ", "\t\t"), ("    ", "\t\t\t")], "  a\n      b\n", "\t\ta\n\t\t\t\tb\n"),
        ([("    ", "\t")], "    a\n            b\n", "\ta\n\t\t\tb\n"),
    ],
)
def test_a_text_is_moved_by_the_shift_of_another(
    indents: list[tuple[str, str]], text: str, moved: str
) -> None:
    shift = shift_of(indents)
    assert shift is not None
    assert shift.moved(text) == moved


@pytest.mark.parametrize(
    "indents",
    [
        [("", "  "), ("  ", "  ")],
        [("  ", ""), ("", "  ")],
        [("  ", "    "), ("    ", "        ")],  # twice as deep is no shift
        [("      ", "\t\t\t\t")],  # a tab of which width, and how many blanks more
        [("    ", "\t"), ("      ", "\t\t\t")],
    ],
)
def test_what_no_single_shift_explains_is_none(indents: list[tuple[str, str]]) -> None:
    assert shift_of(indents) is None


def test_a_line_with_no_room_for_the_shift_cannot_be_moved() -> None:
    assert Shift(cut="    ").moved("    a\n  b\n") is None
    assert Shift(tab=4, columns=-4, with_tabs=True).moved("a\n") is None
