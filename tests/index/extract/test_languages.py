import pytest

from toolpost.index.extract.languages import language_of


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("src/a.ts", "typescript"),
        ("src/a.d.mts", "typescript"),
        ("a.jsx", "javascript"),
        ("pkg/a.pyi", "python"),
        ("A.CPP", "cpp"),
        ("a.cs", "csharp"),
        ("x/Dockerfile", "dockerfile"),
        ("x/Dockerfile.dev", "dockerfile"),
        ("Makefile", "makefile"),
        ("CMakeLists.txt", "cmake"),
        ("notes.txt", "text"),
        ("a.unknown", ""),
        ("noending", ""),
        (".hidden", ""),
        ("dir.py/file", ""),
        (".gitignore", "ignore"),
        ("style.scss", "scss"),
    ],
)
def test_a_name_or_an_ending_tells_the_language(path: str, language: str) -> None:
    assert language_of(path) == language


@pytest.mark.parametrize(
    ("line", "language"),
    [
        (b"#!/usr/bin/env python3\n", "python"),
        (b"#!/usr/bin/python3.11 -u\n", "python"),
        (b"#! /bin/sh -e\n", "shell"),
        (b"#!/usr/bin/env -S A=1 node --x\n", "javascript"),
        (b"#!/opt/strange\n", ""),
        (b"#!\n", ""),
        (b"plain\n", ""),
    ],
)
def test_a_file_without_an_ending_is_known_by_its_first_line(line: bytes, language: str) -> None:
    assert language_of("bin/tool", line) == language


def test_a_header_is_of_the_language_its_text_shows() -> None:
    assert language_of("a.h", b"int f(void);\n") == "c"
    assert language_of("a.h", b"namespace a {}\n") == "cpp"
    assert language_of("a.h", b"#include <vector>\n") == "cpp"
    assert language_of("a.c", b"namespace a {}\n") == "c"
