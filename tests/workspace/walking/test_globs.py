import pytest

from toolpost.errors import InvalidArgument
from toolpost.limits import GLOB_CHARS, GLOB_STARS
from toolpost.workspace.walking.globs import Glob


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*.py", "a.py"),
        ("*.py", "deep/down/a.py"),
        ("*", ".hidden"),
        ("src/*.py", "src/a.py"),
        ("./src/*.py", "src/a.py"),
        ("/README.md", "README.md"),
        ("./README.md", "README.md"),
        ("**/*.py", "a.py"),
        ("**/*.py", "a/b/c.py"),
        ("src/**", "src/a/b"),
        ("src/**/test_*.py", "src/test_a.py"),
        ("src/**/test_*.py", "src/x/y/test_a.py"),
        ("a**b", "axxb"),
        ("docs/", "docs"),
        ("docs/", "docs/a/b.md"),
        ("docs/", "packages/one/docs/a.md"),
        ("/docs/", "docs/a.md"),
        ("*.{ts,tsx}", "a.tsx"),
        ("{src,tests}/**/*.{py,pyi}", "tests/x/a.pyi"),
        ("{a,{b,c}d}.md", "cd.md"),
        ("{**,src}/foo", "foo"),
        ("{**,src}/foo", "x/y/foo"),
        ("{a/,b/}**/c", "a/c"),
        ("a{,b}c", "ac"),
        ("[a-c]x", "bx"),
        ("[!a]x", "bx"),
        ("[^a]x", "bx"),
        ("[]a]x", "]x"),
        ("[a-]x", "-x"),
        ("[[:digit:]_]x", "7x"),
        ("?.md", "é.md"),
        ("[à-ü].md", "é.md"),
        (r"\*.md", "*.md"),
        (r"\{a,b}", "{a,b}"),
        (r"[\]]", "]"),
        ("a}b,c", "a}b,c"),
        ("?.bin", "\udcff.bin"),
        ("*.bin", "a\udcffb.bin"),
        ("two\nlines*", "two\nlines\n"),
    ],
)
def test_a_glob_matches_what_it_says(pattern: str, path: str) -> None:
    assert Glob(pattern).matches(path)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*.ts", "a.tsx"),
        ("*.py", "A.PY"),
        ("a", "A"),
        ("src/*.py", "src/x/a.py"),
        ("src/*.py", "x/src/a.py"),
        ("/README.md", "docs/README.md"),
        ("./README.md", "docs/README.md"),
        ("src/**", "src"),
        ("a**b", "a/b"),
        ("a?b", "a/b"),
        ("docs/", "docs.md"),
        ("/docs/", "x/docs/a.md"),
        ("[+-9]x", "/x"),
        ("a[!x]b", "a/b"),
        ("[z-a]b[a]", "ab"),
        (r"\*.md", "a.md"),
        (r"a\.b", "axb"),
        ("a.b", "axb"),
        ("{a/,b}**/c", "a/x/y/c"),
    ],
)
def test_a_glob_matches_nothing_else(pattern: str, path: str) -> None:
    assert not Glob(pattern).matches(path)


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("", "names nothing"),
        ("/", "names nothing"),
        ("./", "names nothing"),
        ("x" * (GLOB_CHARS + 1), "1,001 characters; at most 1,000"),
        ("{a,b}" * 18, "18 groups `{a,b}`; at most 8"),
        (r"\\{a,b}" * 18, "18 groups"),
        ("*a" * (GLOB_STARS + 1), "33 stars; at most 32"),
        ("../secret", "search in `path` instead"),
        ("a/../b", "search in `path` instead"),
        ("{../a,b}", "search in `path` instead"),
        ("a\0b", "NUL"),
        ("a\udcff", "surrogate"),
        ("{a,b", "write `\\{`"),
        ("{a\\", "write `\\{`"),
        ("[a", "write `\\[`"),
        ("[a\\", "write `\\["),
        ("[[:alpha", "write `\\["),
        ("[[:letters:]]", "there is no set [:letters:]"),
        ("[/]", "only `/`"),
        ("a\\", "ends with a backslash"),
    ],
)
def test_a_glob_that_cannot_be_is_refused_with_what_to_write(pattern: str, said: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        Glob(pattern, parameter="exclude")
    assert said in refused.value.detail
    assert refused.value.parameter == "exclude"


def test_names_that_only_contain_dots_and_braces_are_names() -> None:
    assert Glob("..foo").matches("..foo")
    assert Glob("a..b/*").matches("a..b/c")
    assert Glob(r"\*" * 40).matches("*" * 40)
    assert Glob("{a,b}" * 8).matches("abababab")


def test_choices_are_not_multiplied_out() -> None:
    many = "{" + ",".join("abcdefghij") + "}"
    assert Glob(many * 8).matches("jihgfedc")
    assert not Glob(many * 8).matches("jihgfedx")


def test_stars_do_not_backtrack() -> None:
    assert not Glob("*a" * GLOB_STARS + "b").matches("a" * 10_000)
