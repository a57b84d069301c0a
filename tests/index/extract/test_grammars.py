from threading import Thread

import pytest

from toolpost.index.extract import grammars
from toolpost.index.extract.grammars import GRAMMARS, language, parse, parser
from toolpost.index.limits import PARSE_BYTES, PARSE_SMALL_BYTES


@pytest.mark.parametrize("name", GRAMMARS)
def test_every_grammar_parses_an_empty_text(name: str) -> None:
    parsed = parse(name, b"")
    assert (parsed.root.child_count, parsed.whole) == (0, True)


def test_a_parser_is_made_once_a_thread_and_a_language_once() -> None:
    others: list[object] = []
    thread = Thread(target=lambda: others.append(parser("go")))
    thread.start()
    thread.join(10)
    assert parser("go") is parser("go")
    assert language("go") is language("go")
    assert others != [parser("go")]


def test_a_text_with_an_error_is_not_whole() -> None:
    assert not parse("go", b"package a\nfunc (").whole


def test_a_text_read_in_pieces_gives_the_same_tree() -> None:
    text = b"package a\n" + b"func F() {}\n" * 400
    assert len(text) > PARSE_SMALL_BYTES
    parsed = parse("go", text)
    assert parsed.whole
    assert parsed.root.text == text
    assert parsed.root.child_count == len(parser("go").parse(text).root_node.children)


def test_of_a_text_too_large_only_its_first_lines_are_parsed() -> None:
    parsed = parse("go", b"var A = 1\n" * (PARSE_BYTES // 10 + 10))
    assert not parsed.whole
    assert parsed.root.end_byte == PARSE_BYTES // 10 * 10


def test_one_line_too_large_is_not_parsed() -> None:
    parsed = parse("c", b"int a;" * PARSE_BYTES)
    assert (parsed.root.child_count, parsed.whole) == (0, False)


@pytest.mark.parametrize("name", ["java", "c_sharp"])
def test_a_tangle_of_generics_is_not_parsed(name: str) -> None:
    parsed = parse(name, b"a<" * 50_000)
    assert (parsed.root.child_count, parsed.whole) == (0, False)


def test_many_comparisons_in_many_statements_are_no_tangle() -> None:
    assert parse("c", b"int a = b < c;\n" * 3_000).whole


def test_a_parser_that_takes_too_long_is_told_that_the_text_has_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(grammars, "PARSE_S", 0.0)
    parsed = parse("python", b"a?" * 20_000)
    assert not parsed.whole
    assert parsed.root.end_byte < 40_000


@pytest.mark.parametrize(
    ("comment", "shift"), [("# größer\n", 0), ("# größer\n", 1), ("# 日本語\n", 0), ("# \U0001f600\n", 2)]
)
def test_a_parse_that_is_stopped_within_a_character_ends(comment: str, shift: int) -> None:
    """It ended the process: a piece that ended within a character was the last one."""
    text = (" " * shift + "def f(): pass\n" + comment * 10_000).encode()
    assert grammars.parse("python", text).root.end_byte <= len(text)


def test_bytes_that_are_no_text_keep_every_place() -> None:
    root = grammars.parse("python", b"# \xff\xfe\x80\nx = '\xc3'\n" * 3).root
    assert [child.start_byte for child in root.children][:2] == [0, 6]
