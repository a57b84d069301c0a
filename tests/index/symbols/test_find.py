import pytest

from toolpost.index.limits import SIGNATURE_CHARS
from toolpost.index.symbols.find import Outline, Symbol, grammar_of, outline, symbols


def names(path: str, text: bytes) -> list[str]:
    return [one.name for one in symbols(path, text) or ()]


def test_a_file_that_does_not_parse_gives_what_can_be_read() -> None:
    assert names("a.py", b"def f(:\n  pass\n\nclass A:\n  pass\n") == ["f", "A"]


@pytest.mark.parametrize("path", ["a.css", "README.md", "data.json", "Makefile", "a"])
def test_a_language_without_a_grammar_is_told_apart_from_a_file_without_definitions(path: str) -> None:
    assert symbols(path, b"x") is None
    assert symbols("a.py", b"pass\n") == ()


def test_a_shebang_tells_the_language_of_a_file_without_an_ending() -> None:
    assert grammar_of("run", b"#!/usr/bin/env python3\n") == "python"


def test_jsx_has_a_grammar_of_its_own() -> None:
    assert (grammar_of("a.tsx", b""), grammar_of("a.ts", b"")) == ("tsx", "typescript")


def test_a_long_signature_is_cut() -> None:
    (found,) = symbols("a.py", b"def f(" + b", ".join(b"a%d" % i for i in range(200)) + b"): pass\n") or ()
    assert len(found.signature) == SIGNATURE_CHARS
    assert found.signature.endswith("…")


def test_a_definition_ends_on_a_line_of_its_own() -> None:
    text = b"#define A 1\n#define B 2\nint f() {\n}\n"
    assert [(one.line, one.end_line) for one in symbols("a.c", text) or ()] == [(1, 1), (2, 2), (3, 4)]


def test_what_stands_within_is_named_from_the_outside_in() -> None:
    text = b"class A:\n    class B:\n        def f(self):\n            def g(): pass\n"
    assert [(one.parent, one.name) for one in symbols("a.py", text) or ()] == [
        ("", "A"),
        ("A", "B"),
        ("A.B", "f"),
        ("A.B.f", "g"),
    ]


def test_names_that_are_no_utf_8_are_shown_with_a_mark() -> None:
    assert symbols("a.py", b"def f():\n    '''\xff'''\n") == (
        Symbol("f", "function", 1, 2, "def f()", "\ufffd"),
    )


VUE = b"""<template>
  <b>{{ total }}</b>
</template>
<script setup lang="ts">
const total = 1;
function add(a: number) {}
</script>
<script>
export class Cart {}
</script>
"""


def test_a_components_scripts_are_told_on_the_lines_of_its_file() -> None:
    found = outline("Cart.vue", VUE)
    assert found is not None
    assert [(one.line, one.kind, one.name) for one in found.symbols] == [
        (5, "variable", "total"),
        (6, "function", "add"),
        (9, "class", "Cart"),
    ]
    assert found.whole


def test_a_component_without_a_script_defines_nothing() -> None:
    assert outline("Plain.svelte", b"<b>text</b>\n") == Outline((), whole=True)


def test_a_components_script_that_does_not_parse_is_told() -> None:
    found = outline("A.svelte", b"<script>\nfunction f( {\nlet b = 1;\n</script>\n")
    assert found is not None
    assert not found.whole
