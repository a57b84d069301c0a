"""Path patterns: what one means exactly, what an allow may rely on, and what a deny must not let through."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.errors import InvalidArgument
from toolpost.pathnames.pattern import (
    admits,
    compile_name,
    compile_pattern,
    contains,
    matches,
    matches_name,
    reaches,
)

ROOTS = ("/ws",)
HOME = "/home/u"


def meant(pattern: str, path: str, roots: tuple[str, ...] = ROOTS) -> bool:
    return matches(pattern, path, roots, HOME)


def reached(pattern: str, path: str, *, tree: bool = False, glob: bool = False) -> bool:
    return reaches(pattern, path, ROOTS, HOME, tree=tree, glob=glob)


def admitted(pattern: str, path: str, *, tree: bool = False, glob: bool = False) -> bool:
    return admits(pattern, path, ROOTS, HOME, tree=tree, glob=glob)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("src/**", "/ws/src"),
        ("src/**", "/ws/src/a/b.py"),
        ("./src/**", "/ws/src/a"),
        ("src/", "/ws/src/a"),
        ("docs/", "/ws/deep/docs/a"),
        ("./", "/ws/a"),
        ("**", "/ws"),
        ("**", "/ws/a/b"),
        ("**/x", "/ws/x"),
        ("**/x", "/ws/a/b/x"),
        ("a/**/c", "/ws/a/c"),
        ("a/**/c", "/ws/a/b/b/c"),
        ("a/**/**/c", "/ws/a/c"),
        ("a/*/c", "/ws/a/b/c"),
        (".env", "/ws/.env"),
        (".env", "/ws/a/b/.env"),
        ("*", "/ws/a/b"),
        ("*.py", "/ws/a/b.py"),
        ("a?c", "/ws/abc"),
        ("[a-c]x", "/ws/bx"),
        ("[!a]x", "/ws/bx"),
        ("[]x]y", "/ws/]y"),
        ("[a-]y", "/ws/-y"),
        ("*.{py,pyi}", "/ws/a.pyi"),
        ("{src,docs/{a,b}}/x", "/ws/docs/b/x"),
        (r"\*x", "/ws/*x"),
        (r"a\{b", "/ws/a{b"),
        ("/**", "/"),
        ("/**", "/etc/x"),
        ("/etc/**", "/etc"),
        ("/", "/"),
        ("~", "/home/u/x"),
        ("~/x", "/home/u/x"),
        ("~/.ssh/**", "/home/u/.ssh/id"),
        ("a(b)", "/ws/a(b)"),
        ("src/x", "src/x"),
    ],
)
def test_a_pattern_means_a_path(pattern: str, path: str) -> None:
    assert meant(pattern, path)
    assert reached(pattern, path)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("src/**", "/ws/src2"),
        ("src/**", "/ws/src.bak/a"),
        ("src/**", "/ws/lib/src/a"),
        ("src/**", "/other/src/a"),
        ("a/**/c", "/ws/ab/c"),
        ("a/*/c", "/ws/a/b/b/c"),
        ("a/*/c", "/ws/a/c"),
        ("**", "/ws2/a"),
        ("**", "/w"),
        ("/etc/**", "/etcetera"),
        ("~/x", "/home/u2/x"),
        ("a?c", "/ws/a/c"),
        ("[a-c]x", "/ws/dx"),
        ("[!a]x", "/ws/a/x/y"),
        ("[!aA]x", "/ws/ax"),
        (r"\*x", "/ws/yx"),
    ],
)
def test_a_pattern_does_not_mean_a_path(pattern: str, path: str) -> None:
    assert not meant(pattern, path)
    assert not admitted(pattern, path)


@pytest.mark.parametrize(
    "name", ["/ws/data-copy/x", "/ws/data.bak", "/ws/database", "/ws/data /x", "/wsdata/x"]
)
def test_siblings_that_share_a_prefix_are_others(name: str) -> None:
    """CVE-2025-54794: a folder whose name begins like the one that was allowed."""
    assert not admitted("data/**", name)
    assert not admitted("data/**", name, tree=True)


@pytest.mark.parametrize("spelling", [".GIT", ".g\u200bit", ".git.", ".git . ", ".Git\u200d", "\uff0egit"])
def test_a_look_alike_of_a_name_meets_its_rule(spelling: str) -> None:
    assert meant(".git/**", f"/ws/{spelling}/config")
    assert reached(".git/**", f"/ws/{spelling}/config")
    assert reached(".git/**", f"/ws/{spelling}", tree=True)


@pytest.mark.parametrize(
    "path", ["/ws/Docs/a", "/WS/docs/a", "/ws/docs\u200b/a", "/ws/docs./a", "/ws/docs /a"]
)
def test_an_allow_takes_names_by_the_letter(path: str) -> None:
    assert not admitted("docs/**", path)


def test_an_allow_takes_both_forms_of_an_accent() -> None:
    assert admitted("caf\u00e9/**", "/ws/cafe\u0301/x")


@pytest.mark.parametrize(
    ("pattern", "path"), [("**", "/ws/../etc/passwd"), ("**", "/ws/a\0b"), ("**", ""), ("/**", "/a/../b")]
)
def test_an_allow_does_not_take_a_path_that_may_be_another(pattern: str, path: str) -> None:
    assert not admitted(pattern, path)
    assert not meant(pattern, path)


def test_a_bare_name_is_allowed_in_the_workspace_and_denied_everywhere() -> None:
    assert admitted("notes.txt", "/ws/a/notes.txt")
    assert not admitted("notes.txt", "/etc/notes.txt")
    assert reached("notes.txt", "/etc/notes.txt")


def test_what_lies_below_a_denied_name_is_denied_too() -> None:
    assert reached("customers", "/ws/a/customers/eu.csv")
    assert reached("data/customers", "/ws/data/customers/eu.csv")
    assert not reached("data/*", "/ws/data/a/b")
    assert not admitted("customers", "/ws/customers/eu.csv")


def test_a_whole_tree_is_allowed_only_with_all_that_can_lie_in_it() -> None:
    assert admitted("docs/**", "/ws/docs", tree=True)
    assert admitted("docs/**", "/ws/docs/a", tree=True)
    assert admitted("*", "/ws/a", tree=True)
    assert admitted("docs/**/a/**", "/ws/docs/x/a/b", tree=True)
    assert not admitted("docs/*", "/ws/docs", tree=True)
    assert not admitted("docs/a", "/ws/docs/a", tree=True)
    assert not admitted("docs/**", "/ws", tree=True)


@pytest.mark.parametrize("path", ["/ws", "/", "/ws/customers", "/ws/customers/eu", "/ws/./customers"])
def test_a_whole_tree_is_denied_with_anything_in_it(path: str) -> None:
    assert reached("customers/**", path, tree=True)


@pytest.mark.parametrize("path", ["/ws/src", "/home", "/ws/customers2"])
def test_a_tree_beside_what_is_denied_is_free(path: str) -> None:
    assert not reached("customers/**", path, tree=True)


@pytest.mark.parametrize(
    "glob",
    [
        "/ws/cust*",
        "/ws/*",
        "/ws/*/eu.csv",
        "/ws/[c]ustomers/eu.csv",
        "/ws/c?stomers",
        "/ws/{src,customers}/x",
        "/ws/{src/a,customers/b}",
        "/ws/src/{../customers,x}/y",
        "/ws/src/{..,x}/customers/y",
        "/ws/src/.{.,x}/customers/y",
        "/ws/src/.*/customers/y",
        "/ws/src/.?/customers/y",
        "/ws/src/.[.]/customers/y",
        "/ws/src/@(..|x)/customers/y",
        "/ws/+(customers|x)/y",
        "/ws/**/eu.csv",
        "/**/eu.csv",
        "/*/customers/a",
        "/ws/CUST*/x",
        "/ws/" + "*/" * 40 + "x",
        "/ws/customers\0/x*",
        "/ws/cust{",
    ],
)
def test_a_glob_is_denied_when_it_can_reach_a_denied_path(glob: str) -> None:
    assert reached("customers/**", glob, glob=True)


@pytest.mark.parametrize(
    ("pattern", "glob"),
    [
        ("customers/**", "/ws/src/*"),
        ("customers/**", "/ws/c*s2/x"),
        ("customers/**", "/ws/src/{a.py,b.py}"),
        ("customers/**", "/ws/src/*.*"),
        ("*.pem", "/ws/src/*.py"),
        ("*.pem", "/ws/src/**/*.py"),
        ("*.pem", "/ws/src/{a,b}.py"),
        ("a/b.pem", "/ws/c/**/b.pem"),
    ],
)
def test_a_glob_that_cannot_reach_a_denied_path_is_free(pattern: str, glob: str) -> None:
    assert not reached(pattern, glob, glob=True)


def test_letters_that_merge_with_others_do_not_hide_a_name() -> None:
    assert reached("caf\u00e9/**", "/ws/cafe*/x", glob=True)
    assert reached("customers/**", "/ws/\u212austomers*", glob=True)


@pytest.mark.parametrize(
    ("glob", "allowed"),
    [
        ("/ws/docs/*.md", True),
        ("/ws/docs/a/*/b", True),
        ("/ws/docs/{a,b}.md", True),
        ("/ws/docs/plain.md", True),
        ("/ws/*/a.md", False),
        ("/ws/doc*", False),
        ("/ws/docs/{a,../b}", False),
        ("/ws/docs/.*/x", False),
        ("/ws/docs/*/../../x", False),
    ],
)
def test_a_glob_is_allowed_only_within_a_folder_that_is(glob: str, allowed: bool) -> None:
    assert admitted("docs/**", glob, glob=True) is allowed


def test_a_path_with_brackets_is_itself_unless_the_shell_reads_it() -> None:
    assert reached(r"app/\[id\]/**", "/ws/app/[id]/page.tsx")
    assert not reached("app/i/**", "/ws/app/[id]", tree=True)
    assert reached("app/i/**", "/ws/app/[id]", glob=True)


def test_roots_that_are_no_folders_have_paths_too() -> None:
    roots = ("github:owner/name",)
    assert matches("src/**", "github:owner/name/src/a", roots, "")
    assert not matches("src/**", "github:owner/name2/src/a", roots, "")
    assert matches("/**", "github:owner/name/src/a", roots, "")


def test_every_root_counts_and_no_root_or_home_is_nothing() -> None:
    assert meant("src/**", "/b/src/x", ("/a", "/b"))
    assert not matches("src/**", "/src/x", (), "")
    assert not matches("~/x", "/x", ("/ws",), "")
    assert reaches("x", "x", (), "")


@pytest.mark.parametrize(
    ("pattern", "says"),
    [
        ("", "empty"),
        ("  ", "empty"),
        (".", "names nothing"),
        ("a/../b", "`..`"),
        ("..", "`..`"),
        ("~bob/x", "another user's home"),
        ("[a", "no `]` closes"),
        ("[a/b]", "no `]` closes"),
        ("[z-a]", "backwards"),
        ("[[:alpha:]]", "`[:`"),
        (r"[\a]", "backslash"),
        ("{a", "not closed"),
        ("{a}", "one choice"),
        ("a\\", "backslash"),
        ("*. ", "dots or blanks"),
        ("a\0b", "control character"),
        ("a\ud800", "surrogate"),
        ("a" * 1001, "1,001 characters"),
        ("*/" * 33, "33 stars"),
        ("{a,b}" * 9, "9 groups"),
        ("{a,b}" * 8, "more than 64"),
    ],
)
def test_what_is_no_pattern_is_refused_with_the_reason(pattern: str, says: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        compile_pattern(pattern)
    assert says in refused.value.detail
    assert refused.value.parameter == "pattern"


@pytest.mark.parametrize(
    ("pattern", "name", "is_one"),
    [
        ("*", "wiki/read", True),
        ("*/drop_*", "db/drop_table", True),
        ("*/drop_*", "db/DROP_table", True),
        ("*/drop_*", "drop_table", False),
        ("fs.*", "fs.write", True),
        ("fs.*", "fs.write/x", False),
        ("{fs,git}.*", "git.log", True),
    ],
)
def test_names_of_tools_take_the_same_wildcards(pattern: str, name: str, is_one: bool) -> None:
    assert matches_name(pattern, name) is is_one


def test_names_of_tools_may_be_taken_by_the_letter() -> None:
    assert not matches_name("fs.Write", "fs.write", folded=False)
    with pytest.raises(InvalidArgument):
        compile_name("/x")


@pytest.mark.parametrize(
    ("wide", "narrow", "is_contained"),
    [
        ("**", "src/a", True),
        ("**", ".env", True),
        ("/**", "~/x", True),
        ("src/**", "src/*.py", True),
        ("src/**", "./src", True),
        ("src/**", "SRC/a", True),
        (".env", "a/.env", True),
        (".env", ".env/x/*", True),
        ("*.pem", "certs/*.pem", True),
        ("src/**", "{src/a,src/b}", True),
        ("src/**", "{src/a,b}", False),
        ("src/**", "src2/a", False),
        ("src/*.py", "src/**", False),
        ("src/a", "*", False),
        ("~/x/**", "/home/u/x/a", False),
    ],
)
def test_one_pattern_contains_another(wide: str, narrow: str, is_contained: bool) -> None:
    assert contains(wide, narrow) is is_contained


NAMES = st.text("aAb.-_ *?[]{}é\u200b", min_size=1, max_size=5)
PATHS = st.lists(NAMES, max_size=5).map(lambda names: "/ws/" + "/".join(names))
PATTERN_NAMES = st.one_of(
    st.sampled_from(["*", "**", "a*", "?", "[ab]", "*.b", "{a,b}"]), st.text("aAb.", min_size=1, max_size=3)
)
PATTERNS = st.builds(
    lambda start, names: start + "/".join(names),
    st.sampled_from(["", "/", "~/", "/ws/"]),
    st.lists(PATTERN_NAMES, min_size=1, max_size=4),
)
ANY = st.text(st.characters(codec=None), max_size=40)


def is_pattern(text: str) -> bool:
    try:
        compile_pattern(text)
    except InvalidArgument:
        return False
    return True


GOOD = PATTERNS.filter(is_pattern)


@given(ANY, ANY, st.booleans(), st.booleans())
def test_any_text_is_a_pattern_or_refused_and_any_path_is_answered(
    pattern: str, path: str, tree: bool, glob: bool
) -> None:
    if is_pattern(pattern):
        assert reached(pattern, path, tree=tree, glob=glob) in {True, False}
        assert admitted(pattern, path, tree=tree, glob=glob) in {True, False}
        assert meant(pattern, path) in {True, False}


@given(GOOD, PATHS, st.booleans(), st.booleans())
def test_what_is_meant_is_reached_in_every_way(pattern: str, path: str, tree: bool, glob: bool) -> None:
    if meant(pattern, path):
        assert reached(pattern, path, tree=tree, glob=glob)


@given(GOOD, PATHS, st.booleans(), st.booleans())
def test_what_is_admitted_is_meant_and_reached(pattern: str, path: str, tree: bool, glob: bool) -> None:
    if admitted(pattern, path, tree=tree, glob=glob):
        assert reached(pattern, path, tree=tree, glob=glob)
        assert glob or meant(pattern, path)


@given(GOOD, PATHS)
def test_two_more_stars_never_narrow(pattern: str, path: str) -> None:
    if meant(pattern, path) and is_pattern(f"{pattern}/**"):
        assert meant(f"{pattern}/**", path) or "/" not in pattern.rstrip("/")
    if meant(pattern, path) and not pattern.startswith(("/", "~")) and is_pattern(f"**/{pattern}"):
        assert meant(f"**/{pattern}", path)


@given(st.text("abc.-_ ", min_size=1, max_size=6), st.text("abc.-_", min_size=1, max_size=4))
def test_a_sibling_is_never_reached(name: str, more: str) -> None:
    if name.strip(" .") and more.strip(" .") and name.strip() == name:
        assert not reached(f"{name}/**", f"/ws/{name}{more}")
        assert not reached(f"{name}/**", f"/ws/{name}{more}", tree=True)


@given(GOOD, PATHS.filter(lambda path: not set(path) & set("*?[]{}\u200bé. ")), st.integers(0, 40))
def test_how_a_path_begins_reaches_what_the_whole_path_does(pattern: str, path: str, length: int) -> None:
    if meant(pattern, path):
        begin = path[: max(length, 4)]
        assert reached(pattern, f"{begin}*", tree=True, glob=True) or reached(pattern, begin, tree=True)


def test_no_pattern_and_no_path_takes_long() -> None:
    pattern = "*a" * 16 + "[xyz]?" * 60
    started = process_time()
    for path, glob in (
        ("/ws/" + "a" * 10_000, False),
        ("/ws/" + "a*" * 5_000, True),
        ("/ws" + "/a*" * 3_000, True),
    ):
        reached(pattern, path, glob=glob)
        reached(f"**/{pattern}/x", path, glob=glob)
    assert process_time() - started < 5
