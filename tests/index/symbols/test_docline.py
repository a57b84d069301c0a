import pytest

from toolpost.index.limits import DOC_CHARS, DOC_LINES
from toolpost.index.symbols.find import symbols


def doc(path: str, text: bytes) -> str:
    return (symbols(path, text) or ())[0].doc


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        ("a.ts", b"/**\n * Adds numbers.\n * @param a one\n */\nfunction f() {}\n", "Adds numbers."),
        ("a.ts", b"// Adds\n// numbers.\nfunction f() {}\n", "Adds"),
        ("a.ts", b"/** Adds. */\nexport function f() {}\n", "Adds."),
        ("a.ts", b"// Of something else.\n\nfunction f() {}\n", ""),
        ("a.ts", b"f = 1;\nfunction f() {}\n", ""),
        ("a.rs", b"/// Adds.\n#[inline]\nfn f() {}\n", "Adds."),
        ("a.go", b"//\n// f adds.\nfunc f() {}\n", "f adds."),
        ("a.rb", b"# Adds.\ndef f; end\n", "Adds."),
        ("a.py", b"# Adds.\ndef f(): pass\n", "Adds."),
        ("a.py", b'def f():\n    """Adds."""\n', "Adds."),
        ("a.py", b'def f():\n    """\n    Adds.\n    """\n', "Adds."),
        ("a.py", b"def f():\n    r'''Adds.'''\n", "Adds."),
        ("a.py", b"def f():\n    return 'no'\n", ""),
        ("a.py", b'def f():\n    """', ""),
    ],
)
def test_the_first_line_of_what_is_said(path: str, text: bytes, said: str) -> None:
    assert doc(path, text) == said


def test_a_long_line_is_cut() -> None:
    said = doc("a.py", b"# " + b"word " * 100 + b"\ndef f(): pass\n")
    assert len(said) == DOC_CHARS
    assert said.endswith("…")


def test_a_comment_is_looked_through_only_so_far() -> None:
    lines = b"".join(b"# line %d\n" % at for at in range(2 * DOC_LINES))
    assert doc("a.py", lines + b"def f(): pass\n") == f"line {DOC_LINES}"
