"""A path's own letters: what is a name, and what leaves, is absolute or is no path."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.errors import InvalidDirectory, InvalidPath
from toolpost.limits import NAME_BYTES, PATH_BYTES
from toolpost.workspace.paths import clean


@pytest.mark.parametrize(
    ("path", "cleaned"),
    [
        ("", ""),
        (".", ""),
        ("./", ""),
        ("src", "src"),
        ("src/", "src"),
        ("./src/main.py", "src/main.py"),
        ("src//main.py", "src/main.py"),
        ("src/./main.py", "src/main.py"),
        ("src/../README.md", "README.md"),
        ("a/b/../../c", "c"),
        ("a/..", ""),
    ],
)
def test_a_path_is_made_plain(path: str, cleaned: str) -> None:
    assert clean(path) == cleaned


@pytest.mark.parametrize(
    "name",
    [
        *(
            "..foo",
            "foo..",
            "a..b",
            "...",
            "aux.c",
            "con",
            "nul",
            "a:b",
            "C:x",
            "a b",
            " a ",
            "-rf",
            "~",
            "$HOME",
        ),
        *(
            "ñandú ☃",
            "\u202etxt",
            "new\nline",
            "tab\t",
            "back\\slash",
            "..\\up",
            "a\\..\\b",
            "%2e%2e",
            "*",
            "?",
        ),
        "e\u0301",
        "a" * NAME_BYTES,
        "é" * (NAME_BYTES // 2),
        "😀" * (NAME_BYTES // 4),
    ],
)
def test_an_odd_name_is_a_name(name: str) -> None:
    assert clean(f"src/{name}") == f"src/{name}"


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        ("..", "outside"),
        ("../x", "outside"),
        ("a/../../x", "outside"),
        ("./../x", "outside"),
        ("a/../b/../../root/x", "outside"),
        ("/etc/passwd", "absolute"),
        ("/", "absolute"),
        ("//server/share", "absolute"),
        ("C:\\Users", "windows"),
        ("c:/Users", "windows"),
        ("C:", "windows"),
        ("\\\\server\\share", "windows"),
        ("\\\\?\\C:\\x", "windows"),
        ("a\0b", "nul"),
        ("\0", "nul"),
        ("a\ud800", "utf-8"),
        ("\udcff", "utf-8"),
        ("a/" * (PATH_BYTES // 2) + "b", "too_long"),
        ("a" * (NAME_BYTES + 1), "name_too_long"),
        ("é" * (NAME_BYTES // 2 + 1), "name_too_long"),
    ],
)
def test_what_is_no_path_inside_is_refused_and_the_rule_is_named(path: str, rule: str) -> None:
    with pytest.raises(InvalidPath) as refused:
        clean(path)
    assert (refused.value.parameter, refused.value.context) == ("path", {"rule": rule})


def test_a_refusal_is_of_the_kind_that_was_asked_for() -> None:
    with pytest.raises(InvalidDirectory):
        clean("..", error=InvalidDirectory)


@given(st.text(alphabet=st.sampled_from("ab./\\: \0é\ud800~-"), max_size=40) | st.text(max_size=60))
def test_a_clean_path_stays_clean_and_inside(path: str) -> None:
    try:
        cleaned = clean(path)
    except InvalidPath:
        return
    assert clean(cleaned) == cleaned
    assert os.path.normpath(f"/root/{cleaned}") == f"/root/{cleaned}".rstrip("/")
    assert not {"", ".", ".."} & set(cleaned.split("/")) or cleaned == ""
