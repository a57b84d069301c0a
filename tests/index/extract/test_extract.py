"""Any bytes, under any name: an extract comes back."""

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolpost.index.extract import extract
from toolpost.index.model import Export, Extract

NAMES = [
    "a.py", "__init__.py", "a.pyi", "a.go", "a.rs", "A.java", "a.kt", "a.cs", "a.php", "a.rb", "a.swift", "a.c",
    "a.h", "a.cpp",
]  # fmt: skip
WORDS = st.sampled_from(
    [
        b"\n", b" ", b"    ", b"def f", b"class A", b"pub ", b"use a::", b"import ", b"from ", b".", b"(", b")", b"{",
        b"}", b"[", b"]", b"<", b">", b'"', b"'", b'"""', b"'''", b"\\", b"#", b"//", b"/*", b"*/", b"=", b":=", b":",
        b";", b",", b"*", b"__all__", b" + ", b" as ", b"if x:", b"else:", b"try:", b"<?php ", b"namespace ", b"@a",
        b"func ", b"public ", b"struct S", b"const ", b"\x00", b"\xff", b"\r", b"del ", b"type ", b"print x", b"=>",
        b"module ", b"end", b"#define A", b"#ifdef A", b"macro_rules! ", b"typedef ", b"template<", b"match x:",
    ]
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
@given(text=st.binary(max_size=300))
@settings(max_examples=30, deadline=None)
def test_random_bytes_never_raise(name: str, text: bytes) -> None:
    assert isinstance(extract(name, text), Extract)


@pytest.mark.parametrize("name", NAMES)
@given(words=st.lists(WORDS, max_size=60))
@settings(max_examples=60, deadline=None)
def test_random_code_never_raises(name: str, words: list[bytes]) -> None:
    assert isinstance(extract(name, b"".join(words)), Extract)


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_file_says_nothing(name: str) -> None:
    assert extract(name, b"") == Extract()


@pytest.mark.parametrize("name", [name for name in NAMES if not name.endswith(("py", "pyi"))])
def test_a_megabyte_on_one_line_is_not_read(name: str) -> None:
    found = extract(name, b"a(b)*c/d+" * 120_000)
    assert (found.exports, found.whole) == ((), False)


def test_a_language_nobody_reads_gives_nothing() -> None:
    assert extract("a.txt", b"def f(): pass") == Extract()
    assert extract("README", b"") == Extract()


def test_a_script_is_read_by_its_first_line() -> None:
    found = extract("bin/run", b"#!/usr/bin/env python3\ndef go(): pass\n")
    assert found == Extract((Export("go", "function", line=2),))


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    assert extract("a.py", b"\xef\xbb\xbfdef f(): pass\n").exports == (Export("f", "function", line=1),)


def test_no_parser_is_loaded_for_files_that_need_none() -> None:
    code = (
        "import sys; from toolpost.index.extract import extract;"
        "extract('a.txt', b''); extract('a.py', b'def f(): pass\\nX = 1\\n');"
        "sys.exit(any(name.startswith('tree_sitter') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=60, check=False).returncode == 0
