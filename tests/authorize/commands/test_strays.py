"""Scripts in raw text, and continued lines."""

import pytest

from toolpost.authorize.commands.strays import joined, scripts


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a $(b) c", ["b"]),
        ("a `b` c", ["b"]),
        ("$(a $(b)) $(c)", ["a $(b)", "c"]),
        ("`a \\`b\\``", ["a `b`"]),
        ("\\$(a) \\`b\\`", []),
        ("$(a ')' b)", ["a ')' b"]),
        ("$((1 + $(a)))", ["1 + $(a)"]),
        ("<(a) >(b)", ["a", "b"]),
        ("$(a", ["a"]),
        ("`a", ["a"]),
        ("$(a 'b", ["a 'b"]),
        ("plain", []),
    ],
)
def test_scripts_in_raw_text_are_found(text: str, found: list[str]) -> None:
    assert scripts(text) == found


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("a\\\nb", "ab"),
        ('"a\\\nb"', '"ab"'),
        ("'a\\\nb'", "'a\\\nb'"),
        ("$'a\\\nb'", "$'a\\\nb'"),
        ("$'a\\'b' c\\\nd", "$'a\\'b' cd"),
        ("# a\\\nb", "# a\\\nb"),
        ("a#b\\\nc", "a#bc"),
        ('"a #b"\\\nc', '"a #b"c'),
        ("\\'a\\\nb", "\\'ab"),
        ("'a", "'a"),
        ("$'a", "$'a"),
    ],
)
def test_continued_lines_are_joined_as_the_shell_does(text: str, whole: str) -> None:
    assert joined(text) == whole
