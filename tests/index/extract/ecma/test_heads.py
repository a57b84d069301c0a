"""Statements whose head tells all: no tree is asked for them, and it would say the same."""

import pytest

from toolpost.index.extract import ecma
from toolpost.index.extract.ecma.place import Hard
from toolpost.index.model import Export

PARAMETERS = {
    "a default of a parameter": b'export const f = function (\n  event,\n  name = "",\n) {\n  g(event);\n};\n',
    "a default in one line": b"export const f = async (a, b = [], c = {}) => {\n  return a;\n};\n",
    "text with a comma and an equals sign": b"export const f = {\n  a: `X=1`,\n\n  b: `Y=2,\n  Z=3`,\n};\n",
    "a comment with brackets": b"export const f = g(1, // (, a =\n  b = 2);\n",
    "a pattern with brackets": b"export const f = g(/[(]{2}/, b = 2);\n",
}
SEVERAL = {
    "one after a function": b"export const f = function (a, b = 1) {\n  return a;\n}, g = 2;\n",
    "one after a comment": b"export const f = h(1, b = 2), // two\n  g = 2;\n",
    "what may be two divisions": b"export const f = h(1, b = 2) /2, g = i/ 2;\n",
}


@pytest.mark.parametrize("text", PARAMETERS.values(), ids=PARAMETERS)
def test_a_comma_within_brackets_separates_no_declarators(text: bytes) -> None:
    found = ecma.by_search("a.js", text)
    assert found.exports == (Export("f", "const", line=1),)
    assert found == ecma.by_tree("a.js", text)


@pytest.mark.parametrize("text", SEVERAL.values(), ids=SEVERAL)
def test_what_declares_or_may_declare_several_names_is_left_to_the_tree(text: bytes) -> None:
    with pytest.raises(Hard):
        ecma.by_search("a.js", text)
    found = ecma.extract("a.js", text)
    assert [export.name for export in found.exports] == ["f", "g"]


def test_brackets_that_close_too_early_are_left_to_the_tree() -> None:
    with pytest.raises(Hard):
        ecma.by_search("a.js", b"export const f = g), b = (2;\n")


def test_a_name_is_told_as_it_is_meant_however_it_is_escaped() -> None:
    text = rb"""export const \u0061bc = 1;
export { x as \u{62}c };
const x = 1;
export function caf\u00e9() {}
export const \u{110000} = 1;
"""
    assert ecma.extract("a.ts", text).exports == (
        Export("abc", "const", line=1),
        Export("bc", "const", "x", line=2),
        Export("café", "function", line=4),
        Export(r"\u{110000}", "const", line=5),
    )
