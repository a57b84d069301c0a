"""Bodies of functions are not parsed, and nobody can tell."""

from toolpost.index.extract import extract
from toolpost.index.extract.grammars import parse
from toolpost.index.extract.syntax.fold import fold
from toolpost.index.extract.syntax.rust import RUST
from toolpost.index.limits import PARSE_SMALL_BYTES

FILL = b"    let a = 1;\n" * (PARSE_SMALL_BYTES // 14)
RUSTY = b"""use a::b;
pub async fn one() {
%b}

impl A {
    pub fn hidden() {}
}

pub fn two(
    a: A,
) -> B {
    a
}

pub struct S {
    a: A,
}
#[cfg(test)]
mod tests {
    #[test]
    fn it() {}
}
"""


def test_a_folded_text_has_every_line_where_it_was_and_no_bodies() -> None:
    assert RUST.head is not None
    text = RUSTY % FILL
    folded = fold(RUST.head, text)
    assert (
        folded.split()
        == (
            b"use a::b; pub async fn one() { } impl A { } pub fn two( a: A, ) -> B { } pub struct S { a: A, }"
            b" #[cfg(test)] mod tests { }"
        ).split()
    )
    assert folded.count(b"\n") == text.count(b"\n")


def test_what_is_short_is_parsed_as_it_is() -> None:
    assert RUST.head is not None
    assert fold(RUST.head, RUSTY % b"") == RUSTY % b""


def test_exports_lie_on_the_lines_they_are_written_on() -> None:
    found = extract("a.rs", RUSTY % FILL)
    lines = FILL.count(b"\n")
    assert [(export.name, export.kind, export.line - lines) for export in found.exports] == [
        ("one", "function", 2 - lines),
        ("two", "function", 9),
        ("S", "struct", 15),
    ]
    assert (found.marks, found.imports, found.whole) == (("inline-tests",), ("a::b",), True)


def test_a_body_that_seems_to_end_in_a_string_is_parsed_with_all_else() -> None:
    text = b'fn a() {\n%b    let b = r#"\n}\npub fn no() {\n}\n"#;\n}\npub fn c() {}\n' % FILL
    found = extract("a.rs", text)
    assert ([export.name for export in found.exports], found.whole) == (["c"], True)


def test_a_body_without_an_end_is_found_broken() -> None:
    text = b"pub fn a() {\n%b" % FILL
    assert parse("rust", text).whole is False
    assert extract("a.rs", text).whole is False


def test_go_is_folded_as_its_formatter_lays_it_out() -> None:
    body = b"\ta := `}`\n" * (PARSE_SMALL_BYTES // 8)
    text = (
        b"package p\n\nfunc A(\n\ta int,\n) int {\n%b\treturn 1\n}\n\nfunc (t T) M() {\n}\n\nvar B = 1\n"
        % body
    )
    found = extract("a.go", text)
    assert [(export.name, export.line) for export in found.exports] == [
        ("A", 3),
        ("B", 12 + body.count(b"\n")),
    ]
