"""What stands in a template is text or code, and is told apart without a tree."""

import pytest

from toolpost.index.extract import ecma
from toolpost.index.extract.ecma.place import Hard, Lines
from toolpost.index.limits import PARSE_BYTES

TEXT = b"const f = (x) => `<b>${x.y} and ${`in${1}`}</b>` + z;\n"


def test_a_template_with_substitutions_is_text_between_them() -> None:
    places = Lines(TEXT)
    assert [places.code(TEXT.index(word)) for word in (b"<b>", b" and ", b"</b>", b"+ z")] == [
        False,
        False,
        False,
        True,
    ]


def test_what_is_substituted_is_left_to_the_tree() -> None:
    places = Lines(TEXT)
    with pytest.raises(Hard):
        places.code(TEXT.index(b"x.y") + 2)


def test_a_substitution_too_deep_to_follow_is_left_to_the_tree() -> None:
    text = b"const f = `${a(`${b(`${c(`${d}`)}`)}`)}</b>`;\n"
    with pytest.raises(Hard):
        Lines(text).code(text.index(b"</b>"))


def test_markup_in_a_template_makes_no_component() -> None:
    text = b"export const f = (x) => {\n  box.innerHTML = `<p class='a'>${x}</p>`;\n};\n"
    assert ecma.by_search("a.js", text).marks == ()


def test_a_pattern_that_looks_like_the_end_of_an_element_is_none() -> None:
    text = b"export const f = (x) => x.replace(/</g, '&lt;').replace(/>/g, '&gt;');\n"
    assert ecma.extract("a.js", text).marks == ()


def test_a_template_that_begins_before_an_escaped_tick_is_left_to_the_tree() -> None:
    text = b"export const a = [\n  `one \\`${b}\\` two ${\n    c ? `(${c}) ` : ''\n  }end`,\n];\nexport const d = <A />;\n"
    with pytest.raises(Hard):
        ecma.by_search("a.jsx", text)
    found = ecma.extract("a.jsx", text)
    assert ([export.name for export in found.exports], found.marks) == (["a", "d"], ("jsx",))


BUNDLED = (
    b"#!/usr/bin/env node\n" + b"(()=>{var a=')';" * (PARSE_BYTES // 16) + b'\nvar fs = require("fs");\n'
)


def test_a_bundle_too_large_to_be_parsed_tells_what_is_cheap() -> None:
    found = ecma.extract("a.cjs", BUNDLED + b"module.exports = run;\n")
    assert [(export.name, export.local) for export in found.exports] == [("default", "run")]
    assert (found.imports, found.marks, found.whole) == (("fs",), ("shebang",), False)


def test_a_bundled_module_tells_the_exports_that_begin_a_line() -> None:
    found = ecma.extract("a.mjs", BUNDLED[20:] + b"export { a as b };\nexport const c = <<<;\n")
    assert [export.name for export in found.exports] == ["b", "c"]
    assert (found.imports, found.marks, found.whole) == (("fs",), (), False)
