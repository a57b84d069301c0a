"""Ignore files nobody would write, in trees nobody would keep: every answer is git's."""

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st
from tests.workspace.differential.repository import begin, fill, ignored, listed
from tests.workspace.memory import MemoryRoot

from toolpost.workspace.walking.walk import walk

NAMES = [
    *("a", "b", "ab", "foo", "foo.c", "bar", "a b", "x ", "é", "[a]", "a*", "!b", "#c", "a\\b", "\n", "A"),
    *("foo~", ".x", "-", "]", "\udcff"),
]
PARTS = [
    *("a", "b", "ab", "foo", "x", "é", ".c", "-", "~", " ", "\t", "\r", "#", "!", "{a,b}"),
    *("*", "**", "***", "?", "/", "/", "/**/", "**/", "/**", "\\", "\\a", "\\ ", "\\/", "\\*", "\\?"),
    *(
        "[a-c]",
        "[!a]",
        "[^b]",
        "[]a]",
        "[a",
        "[+-9]",
        "[/]",
        "[[:]",
        "[a-]",
        "[\\]]",
        "[é]",
        "[z-a]",
        "[--0]",
    ),
    *("[[:alpha:]]", "[[:foo:]]", "[[:space:][:digit:]x]", "[a\\", "[]-a]", "[!]a-]"),
]


def _line(negation: str, parts: list[str], end: str) -> str:
    return f"{negation}{''.join(parts)}{end}"


LINES = st.builds(
    _line,
    st.sampled_from(["", "", "", "!", "/"]),
    st.lists(st.sampled_from(PARTS), min_size=1, max_size=5),
    st.sampled_from(["", "", "", "/", " ", "\\ "]),
)
IGNORE_FILES = st.builds(
    lambda mark, lines, end: mark + ("\n".join(lines) + end).encode(),
    st.sampled_from([b"", b"", b"\xef\xbb\xbf"]),
    st.lists(LINES, min_size=1, max_size=5),
    st.sampled_from(["", "\n", "\r\n"]),
)
PATHS = st.lists(st.sampled_from(NAMES), min_size=1, max_size=4).map("/".join)


def _tree(paths: list[str], ignores: dict[int, bytes]) -> dict[str, bytes]:
    """Files, without those that another one needs to be a folder; ignore files in some of their folders."""
    parents = {"/".join(path.split("/")[:depth]) for path in paths for depth in range(1, path.count("/") + 1)}
    files = dict.fromkeys((path for path in paths if path not in parents), b"")
    folders = ["", *sorted(parents)]
    for number, content in ignores.items():
        files[f"{folders[number % len(folders)]}/.gitignore".lstrip("/")] = content
    return files


@given(
    st.lists(PATHS, min_size=5, max_size=25),
    st.dictionaries(st.integers(0, 9), IGNORE_FILES, min_size=1, max_size=4),
    IGNORE_FILES,
)
def test_the_walk_leaves_out_what_git_does(
    paths: list[str], ignores: dict[int, bytes], exclude: bytes
) -> None:
    files = _tree(paths, ignores)
    with TemporaryDirectory() as made:
        folder = Path(made)
        begin(folder, exclude)
        fill(folder, files)
        root = MemoryRoot({**files, ".git/info/exclude": exclude})
        shown = list(walk(root))
        assert [entry.path for entry in shown if not entry.is_dir] == listed(folder)
        every = [entry.path for entry in walk(root, ignored=True)]
        assert set(every) - {entry.path for entry in shown} == ignored(folder, every)
