import pytest
from tests.workspace.memory import MemoryRoot

from toolpost.limits import IGNORE_BYTES, IGNORE_RULES, IGNORE_WILD_BYTES, PATH_BYTES
from toolpost.workspace.root import Entry, Kind
from toolpost.workspace.walking.ignore import Ignore, Rules, read_rules
from toolpost.workspace.walking.walk import walk


def _left(files: dict[str, bytes]) -> list[str]:
    """The files a walk shows, without the ignore files."""
    root = MemoryRoot(files)
    return [entry.path for entry in walk(root) if not entry.is_dir and "ignore" not in entry.name]


def _says(rules: bytes, path: str, *, is_dir: bool = False) -> bool | None:
    encoded = path.encode("utf-8", "surrogateescape")
    return Rules(rules).decide(encoded, encoded.rpartition(b"/")[2], is_dir=is_dir)


@pytest.mark.parametrize(
    ("rules", "path", "said"),
    [
        (b"foo", "foo", True),
        (b"foo", "a/foo", True),
        (b"foo", "foo.c", None),
        (b"/foo", "foo", True),
        (b"/foo", "a/foo", None),
        (b"a/foo", "a/foo", True),
        (b"a/foo", "b/a/foo", None),
        (b"*.o", "deep/x.o", True),
        (b"*.o\n!keep.o", "keep.o", False),
        (b"!keep.o\n*.o", "keep.o", True),
        (b"*.o\n*.so\n!lib.so", "lib.so", False),
        (b"foo/", "foo", None),
        (b"doc/*.txt", "doc/a.txt", True),
        (b"doc/*.txt", "doc/a/b.txt", None),
        (b"**/foo", "a/b/foo", True),
        (b"foo/**", "foo/a/b", True),
        (b"a/**/b", "a/b", True),
        (b"a/**/b", "a/x/y/b", True),
        (b"a/x**/b", "a/x/y/b", True),  # git's own: what stands before a wildcard is cut off first
        (b"?/x**/b", "a/x/y/b", None),
        (b"# foo", "# foo", None),
        (b"\\# foo", "# foo", True),
        (b"\\!foo", "!foo", True),
        (b"foo   ", "foo", True),
        (b"foo\\ ", "foo ", True),
        (b"foo\\   ", "foo ", True),
        (b"foo\\\\  ", "foo\\", True),
        (b"foo\t", "foo", None),
        (b"foo\r\nbar", "foo", True),
        (b"\xef\xbb\xbffoo", "foo", True),
        (b"foo\0bar", "foo", True),
        (b"f?o", "fxo", True),
        (b"?", "é", None),  # to git a character is a byte
        (b"??", "é", True),
        (b"\xff", "\udcff", True),
        (b"[a-c]", "b", True),
        (b"[", "[", None),
        (b"foo\\", "foo", None),
        (b"{a,b}", "a", None),
        (b"{a,b}", "{a,b}", True),
        (b"*", "\n", True),
        (b"/", "a", None),
        (b"!", "a", None),
        (b"\n\n", "a", None),
    ],
)
def test_a_line_is_read_as_git_reads_it(rules: bytes, path: str, *, said: bool | None) -> None:
    assert _says(rules, path) is said


def test_a_rule_for_folders_speaks_of_folders_only() -> None:
    assert _says(b"foo/", "foo", is_dir=True) is True
    assert _says(b"foo/\n!foo", "foo", is_dir=False) is False
    assert _says(b"!foo\nfoo/", "foo", is_dir=False) is False
    assert _left({".gitignore": b"link/\n", "x": b""}) == ["x"]


def test_what_lies_in_an_ignored_folder_cannot_be_taken_back() -> None:
    assert _left({".gitignore": b"build/\n!build/keep\n", "build/keep": b"", "a": b""}) == ["a"]
    assert _left({".gitignore": b"build/*\n!build/keep\n", "build/keep": b"", "build/x": b""}) == [
        "build/keep"
    ]
    assert _left({".gitignore": b"build/\n", "build/.gitignore": b"!*\n", "build/a": b""}) == []


def test_the_deepest_file_that_speaks_decides() -> None:
    files = {
        ".gitignore": b"*.log\n/top\n",
        "a/.gitignore": b"!keep.log\n/top\n",
        "a/keep.log": b"",
        "a/other.log": b"",
        "a/b/keep.log": b"",
        "a/b/top": b"",
        "a/top": b"",
        "top": b"",
        "keep.log": b"",
    }
    assert _left(files) == ["a/b/keep.log", "a/b/top", "a/keep.log"]


def test_own_ignore_files_go_before_those_of_git_at_any_depth() -> None:
    files = {
        ".toolpostignore": b"!a.log\nsecret.txt\n",
        ".ignore": b"!b.log\nsecret.md\n",
        ".gitignore": b"*.log\n",
        "deep/.gitignore": b"*.log\n!secret.*\n",
        "deep/.ignore": b"a.log\nb.log\n",
        **dict.fromkeys(["a.log", "b.log", "c.log", "deep/a.log", "deep/b.log", "deep/c.log"], b""),
        **dict.fromkeys(["secret.txt", "secret.md", "deep/secret.md"], b""),
    }
    assert _left(files) == ["a.log", "b.log", "deep/a.log"]


def test_a_repository_excludes_by_its_own_file_too() -> None:
    files = {".git/info/exclude": b"/notes\n*.tmp\n", ".gitignore": b"!good.tmp\n", "notes": b""}
    assert _left({**files, "a.tmp": b"", "good.tmp": b"", "a/notes": b""}) == ["a/notes", "good.tmp"]


def test_a_repository_within_another_starts_anew() -> None:
    files = {
        ".git/info/exclude": b"*.tmp\n",
        ".gitignore": b"*.log\n/inner/dropped\n",
        ".ignore": b"*.bak\n",
        "inner/.git/info/exclude": b"*.own\n",
        **dict.fromkeys(["inner/a.log", "inner/a.tmp", "inner/a.bak", "inner/a.own", "inner/dropped"], b""),
        "linked/.git": b"gitdir: ../.git/modules/linked\n",
        "linked/a.log": b"",
    }
    assert _left(files) == ["inner/a.log", "inner/a.tmp", "inner/dropped", "linked/a.log"]


def test_an_ignore_file_that_is_a_link_or_closed_rules_nothing() -> None:
    linked = MemoryRoot({".gitignore": b"*\n", "a": b""}, kinds={".gitignore": Kind.LINK})
    assert [entry.path for entry in walk(linked)] == [".gitignore", "a"]
    closed = MemoryRoot({".gitignore": b"*\n", "a": b""}, closed=frozenset({".gitignore"}))
    assert [entry.path for entry in walk(closed)] == [".gitignore", "a"]


def test_an_ignore_file_without_end_is_read_as_far_as_it_may() -> None:
    filler = b"# filler\n" * (IGNORE_BYTES // 9)
    assert _left({".gitignore": b"early\n" + filler + b"late\n", "early": b"", "late": b""}) == ["late"]
    rules = b"".join(b"x%d\n" % number for number in range(IGNORE_RULES + 5))
    assert len(read_rules(rules)) == IGNORE_RULES


def test_wildcards_without_end_leave_room_for_plain_rules() -> None:
    wild = b"".join(b"*a?%06d\n" % number for number in range(IGNORE_RULES - 2))
    rules = read_rules(wild + b"name\n*.end\n")
    assert [rule.pattern for rule in rules[-2:]] == [b"name", b"*.end"]
    assert sum(len(rule.pattern) for rule in rules[:-2]) <= IGNORE_WILD_BYTES


def test_a_pattern_longer_than_any_path_is_left_out() -> None:
    assert _says(b"*" + b"?" * PATH_BYTES + b"\n!b", "b") is False
    assert _says(b"?" * PATH_BYTES, "b" * PATH_BYTES) is True


def test_many_wild_rules_keep_their_order() -> None:
    rules = b"".join(b"?%d*\n!?%d*x\n" % (number, number) for number in range(500))
    assert _says(rules, "a499") is True
    assert _says(rules, "a0") is True
    assert _says(rules, "a250x") is False


def test_rules_that_would_backtrack_do_not() -> None:
    assert _says(b"*a*a*a*a*a*a*a*a*a*a*a*b", "a" * 250) is None


def test_what_is_ignored_is_shown_on_request() -> None:
    root = MemoryRoot({".gitignore": b"*.o\n", "a.o": b"", ".git/config": b""})
    assert list(walk(root, ignored=True)) == [
        Entry(".gitignore", Kind.FILE, 4),
        Entry("a.o", Kind.FILE, 0),
    ]


def test_a_root_that_holds_only_tracked_files_has_no_ignore_files() -> None:
    root = MemoryRoot({".gitignore": b"*.o\n", "a.o": b""}, ignores=False)
    assert [entry.path for entry in walk(root)] == [".gitignore", "a.o"]
    assert root.opened == []


@pytest.mark.parametrize(
    ("rules", "folder", "names", "silent"),
    [
        (b"", "", "a b", True),
        (b"foo", "", "a foo", False),
        (b"foo", "x", "a foo", False),
        (b"a/foo", "a", "foo", False),
        (b"a/foo", "b", "foo", True),
        (b"/foo", "", "foo", False),
        (b"/foo", "a", "foo", True),
        (b"*.o", "", "a.c b.o", False),
        (b"*.o", "", "a.c b.od", True),
        (b"f?o", "", "a fxo b", False),
        (b"f?o", "", "a fxxo b", True),
        (b"doc/*.txt", "doc", "a b.txt", False),
        (b"doc/*.txt", "doc/a", "b.txt", True),
        (b"**/foo", "a/b", "foo", False),
        (b"foo/", "", "foo", False),
        (b"*", "", "", False),
    ],
)
def test_a_folder_no_rule_speaks_of_is_known_at_once(
    rules: bytes, folder: str, names: str, silent: bool
) -> None:
    root = MemoryRoot({".gitignore": rules})
    ruled = Ignore().within(root, "", root.scan(""))
    assert ruled.is_silent(folder, names.encode().split(b" ")) is silent
    assert Ignore().is_silent(folder, names.encode().split(b" "))
