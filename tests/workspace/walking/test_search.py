import codecs
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.workspace.memory import MemoryRoot

from toolpost.errors import Denied, NotAFile, RateLimited
from toolpost.limits import READ_MAX, SEARCH_FILE_BYTES, SEARCH_PER_FILE, SNIPPET_CHARS
from toolpost.workspace.guard import Guard
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.root import Kind, Source
from toolpost.workspace.walking.cursor import START, Cursor
from toolpost.workspace.walking.globs import Glob
from toolpost.workspace.walking.patterns import Pattern
from toolpost.workspace.walking.scope import Scope
from toolpost.workspace.walking.search import Answer, Hit, Mode, Question, search
from toolpost.workspace.workspace import Workspace


class Guarded(MemoryRoot):
    guard = Guard()


def _ask(query: str, **settings: Any) -> Question:
    names = {"regex", "case"} & set(settings)
    pattern = Pattern(query, **{name: settings.pop(name) for name in names})
    return Question(pattern=pattern, **settings)


def _search(root: MemoryRoot, question: Question, *, path: str = "", limit: int = 1_000) -> Answer:
    return search(Scope(Workspace({"root": root}), path), question, limit=limit)


def _places(answer: Answer) -> list[tuple[str, int]]:
    return [(hit.path, hit.line) for hit in answer.hits]


def _pages(root: MemoryRoot, question: Question, limit: int, **settings: Any) -> list[Answer]:
    """Every page of a search, to the end."""
    cursor: Cursor | None = START
    pages: list[Answer] = []
    while cursor is not None:
        scope = Scope(Workspace({"root": root}), "")
        pages.append(search(scope, question, limit=limit, cursor=cursor, **settings))
        cursor = pages[-1].rest
        assert len(pages) < 2_000
    return pages


def _every(root: MemoryRoot, question: Question, limit: int, **settings: Any) -> list[Hit]:
    return [hit for page in _pages(root, question, limit, **settings) for hit in page.hits]


TREE = MemoryRoot({
    "b.txt": "ein TODO\nzwei\nüber TODO\r\n".encode(),
    "a/deep.py": b"# TODO: first\n",
    "a-b.py": b"todo\n",
    "none.py": b"nothing\n",
})  # fmt: skip


def test_hits_come_by_path_and_line_with_columns_in_characters() -> None:
    assert _search(TREE, _ask("TODO")) == Answer(
        hits=[
            Hit(path="a/deep.py", line=1, column=3, snippet="# TODO: first"),
            Hit(path="b.txt", line=1, column=5, snippet="ein TODO"),
            Hit(path="b.txt", line=3, column=6, snippet="über TODO"),
        ],
        rest=None,
        files_searched=4,
        skipped={},
        more={},
    )


def test_case_can_be_left_aside() -> None:
    assert _places(_search(TREE, _ask("Todo", case=False))) == [
        ("a-b.py", 1),
        ("a/deep.py", 1),
        ("b.txt", 1),
        ("b.txt", 3),
    ]


def test_files_are_chosen_by_globs() -> None:
    assert _places(_search(TREE, _ask("TODO", include=Glob("*.py")))) == [("a/deep.py", 1)]
    assert _places(_search(TREE, _ask("TODO", exclude=Glob("a/")))) == [("b.txt", 1), ("b.txt", 3)]
    assert _places(_search(TREE, _ask("TODO", include=Glob("/*.py")), path="a")) == [("a/deep.py", 1)]


def test_lines_around_a_hit_are_shown() -> None:
    root = MemoryRoot({"a": b"1\n2\r\n3 hit\n4\n5", "b": b"hit\n"})
    hits = _search(root, _ask("hit", before=9, after=1)).hits
    assert [(hit.before, hit.after) for hit in hits] == [(("1", "2"), ("4",)), ((), ())]
    (hit,) = _search(root, _ask("3", before=1, after=9)).hits
    assert (hit.before, hit.after) == (("2",), ("4", "5"))


def test_a_line_ends_before_its_carriage_return() -> None:
    root = MemoryRoot({"dos": b"foo\r\nfoo \r\n\xef\xbb\xbf"})
    assert _places(_search(root, _ask("foo$", regex=True))) == [("dos", 1)]
    assert _places(_search(root, _ask("foo\\nfoo", regex=True))) == [("dos", 1)]


def test_a_long_line_is_cut_around_the_hit() -> None:
    root = MemoryRoot({"long": b"x" * 500 + b"HIT" + b"y" * 500, "begin": b"HIT" + b"z" * 900})
    begin, middle = _search(root, _ask("HIT")).hits
    assert [begin.column, middle.column] == [1, 501]
    assert len(middle.snippet) == SNIPPET_CHARS
    assert middle.snippet.strip("xy") == middle.snippet
    assert "xHITy" in middle.snippet
    assert begin.snippet.startswith("HITz")
    assert begin.snippet.endswith("z…")
    (around,) = _search(
        MemoryRoot({"a": b"v" * 900 + b"\nHIT\n" + b"w" * 900}), _ask("HIT", before=1, after=1)
    ).hits
    assert [len(around.before[0]), len(around.after[0])] == [SNIPPET_CHARS - 1] * 2


def test_utf_16_is_searched_and_a_mark_at_the_start_is_no_character() -> None:
    root = MemoryRoot({"wide": "erste\nzweite é\n".encode("utf-16"), "marked": b"\xef\xbb\xbffoo"})
    assert _search(root, _ask("é$", regex=True)).hits == [
        Hit(path="wide", line=2, column=8, snippet="zweite é")
    ]
    assert _search(root, _ask("^foo", regex=True)).hits == [
        Hit(path="marked", line=1, column=1, snippet="foo")
    ]


def test_a_text_that_reading_shows_was_not_found_in_a_file_that_is_not_utf_8() -> None:
    old = "un café\nle thé\n"
    root = MemoryRoot({
        "cp1252": b"caf\xe9 one\n",
        "long": b"x\n" * READ_MAX + b"un caf\xc3\xa9 \xff\n",
        "utf-16-be": codecs.BOM_UTF16_BE + old.encode("utf-16-be"),
        "utf-16-unmarked": old.encode("utf-16-le"),
        "utf-32": old.encode("utf-32"),
        "utf-8": old.encode(),
    })  # fmt: skip
    assert _search(root, _ask("café")).hits == [
        Hit(path="cp1252", line=1, column=1, snippet="café one"),
        Hit(path="long", line=READ_MAX + 1, column=4, snippet="un café \ufffd"),
        Hit(path="utf-16-be", line=1, column=4, snippet="un café"),
        Hit(path="utf-16-unmarked", line=1, column=4, snippet="un café"),
        Hit(path="utf-32", line=1, column=4, snippet="un café"),
        Hit(path="utf-8", line=1, column=4, snippet="un café"),
    ]
    (hit,) = _search(root, _ask("caf"), path="cp1252").hits
    assert hit.snippet == "café one"
    assert [hit.after for hit in _search(root, _ask("un", after=1)).hits[1:]] == [("le thé",)] * 4


def test_half_a_surrogate_pair_in_a_wide_file_is_shown_as_none() -> None:
    root = MemoryRoot({"wide": codecs.BOM_UTF16_LE + "a \ud800 b".encode("utf-16-le", "surrogatepass")})
    (hit,) = _search(root, _ask("b")).hits
    assert (hit.snippet, hit.column) == ("a \ufffd b", 5)


@pytest.mark.parametrize(
    "data", [b"%PDF-1.7\n\xe2\xe3 HIT", b"HIT \xff" + b"\1" * 99], ids=["PDF", "controls"]
)
def test_what_is_neither_utf_8_nor_any_other_text_is_binary(data: bytes) -> None:
    answer = _search(MemoryRoot({"file": data}), _ask("HIT"))
    assert (answer.hits, answer.skipped) == ([], {"binary": 1})


def test_what_is_passed_over_is_counted_by_reason() -> None:
    root = MemoryRoot(
        {
            "binary": b"HIT\0\0\1\2\3",
            "late-nul": b"HIT" + b"x" * 10_000 + b"\0",
            "large": b"HIT" + b" " * SEARCH_FILE_BYTES,
            "link": b"HIT",
            "closed": b"HIT",
            "bad\udcff": b"HIT",
            ".gitignore": b"*.log\ndist/\n",
            "a.log": b"HIT",
            "dist/b": b"HIT",
            "shut/c": b"HIT",
        },
        kinds={"link": Kind.LINK},
        closed=frozenset({"closed", "shut"}),
    )
    answer = _search(root, _ask("HIT"))
    assert _places(answer) == [("late-nul", 1)]
    assert answer.skipped == {
        "binary": 1, "ignored": 2, "not_utf8": 1, "special": 1, "too_large": 1, "unlisted": 1, "unreadable": 1,
    }  # fmt: skip
    assert answer.files_searched == 2
    assert _places(_search(root, _ask("HIT", ignored=True))) == [("a.log", 1), ("dist/b", 1), ("late-nul", 1)]


def test_a_file_that_grew_since_it_was_listed_is_still_too_large() -> None:
    root = MemoryRoot({"grown": b"HIT" + b" " * SEARCH_FILE_BYTES})
    assert _search(root, _ask("HIT"), path="grown").skipped == {"too_large": 1}


def test_a_secret_file_is_never_opened() -> None:
    root = Guarded({".env": b"TOKEN=1", "a/id_rsa": b"TOKEN", "b": b"TOKEN"})
    answer = _search(root, _ask("TOKEN", match_path=True))
    assert _places(answer) == [("b", 1)]
    assert answer.skipped == {"secret": 2}
    assert root.opened == ["b"]


def test_one_file_alone_says_why_it_cannot_be_searched(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("TOKEN=1")
    workspace = Workspace({"root": LocalRoot(tmp_path)})
    with pytest.raises(Denied):
        search(Scope(workspace, ".env"), _ask("TOKEN"), limit=1)
    root = MemoryRoot({"pipe": b""}, kinds={"pipe": Kind.OTHER})
    with pytest.raises(NotAFile):
        _search(root, _ask("TOKEN"), path="pipe")


def test_a_file_gives_so_many_hits_and_no_more_unless_it_is_searched_alone() -> None:
    count = SEARCH_PER_FILE + 25
    root = MemoryRoot({"a": b"hit\n" * count, "b": b"hit\n"})
    answer = _search(root, _ask("hit"))
    assert _places(answer) == [*(("a", line + 1) for line in range(SEARCH_PER_FILE)), ("b", 1)]
    assert answer.more == {"a": 25}
    assert len(_search(root, _ask("hit"), path="a").hits) == count
    for limit in (1, 7, SEARCH_PER_FILE, SEARCH_PER_FILE + 1):
        assert _every(root, _ask("hit"), limit) == answer.hits


def test_files_and_counts() -> None:
    root = MemoryRoot({"a": b"x\nhit\nhit\n", "b": b"hit", "c": b"none"})
    files = _search(root, _ask("hit", mode=Mode.FILES))
    assert [(hit.path, hit.line, hit.count) for hit in files.hits] == [("a", 2, 1), ("b", 1, 1)]
    counts = _search(root, _ask("hit", mode=Mode.COUNT))
    assert [(hit.path, hit.line, hit.count) for hit in counts.hits] == [("a", 2, 2), ("b", 1, 1)]
    assert _every(root, _ask("hit", mode=Mode.COUNT), 1) == counts.hits


def test_files_whose_path_matches_come_first_on_request() -> None:
    root = MemoryRoot({
        "a.py": b"import auth\n",
        "src/auth/login.tsx": b"export function LoginForm() {\n}\n",
        "src/auth/user.ts": b"x\nauth()\n",
        "auth/empty": b"",
    })  # fmt: skip
    question = _ask("auth", match_path=True)
    hits = _search(root, question).hits
    assert [(hit.path, hit.line, hit.snippet) for hit in hits] == [
        ("auth/empty", 1, ""),
        ("src/auth/login.tsx", 1, "export function LoginForm() {"),
        ("src/auth/user.ts", 2, "auth()"),
        ("a.py", 1, "import auth"),
    ]
    assert _places(_search(root, _ask("auth"))) == [("a.py", 1), ("src/auth/user.ts", 2)]
    for limit in (1, 2, 3):
        assert _every(root, question, limit) == hits
        assert _every(root, question, limit, patience_s=0) == hits


def test_pages_of_one_file_searched_by_path_too() -> None:
    root = MemoryRoot({"src/hit.py": b"hit\nhit\n"})
    question = _ask("^hit", regex=True, match_path=True)
    first = _search(root, question, path="src/hit.py", limit=1)
    assert first.rest is not None
    scope = Scope(Workspace({"root": root}), "src/hit.py")
    assert _places(search(scope, question, limit=1, cursor=first.rest)) == [("src/hit.py", 2)]


def test_time_that_is_up_at_a_folder_that_matches_by_its_end_loses_nothing() -> None:
    root = MemoryRoot({"x/auth/a": b"", "x/b": b"auth\n", "y/auth": b"1\n"})
    question = _ask("auth$", regex=True, match_path=True)
    assert _every(root, question, 9, patience_s=0) == _search(root, question).hits


FILES = st.dictionaries(
    st.sampled_from(["a", "a-b", "a.c", "a/b", "a/c/d", "b/x", "é"]).filter(bool),
    st.lists(st.sampled_from([b"hit", b"miss", b"a hit", b""]), max_size=5).map(b"\n".join),
    min_size=1,
).filter(lambda files: not ("a" in files and {"a/b", "a/c/d"} & set(files)))


@given(FILES, st.integers(1, 4), st.sampled_from(Mode), st.booleans(), st.sampled_from([0.0, 100.0]))
def test_pages_of_any_size_hold_every_hit_once_and_in_order(
    files: dict[str, bytes], limit: int, mode: Mode, match_path: bool, patience_s: float
) -> None:
    root = MemoryRoot(files)
    question = _ask("hit", mode=mode, match_path=match_path)
    assert _every(root, question, limit, patience_s=patience_s) == _search(root, question).hits


def test_a_page_goes_on_rightly_when_files_come_and_go() -> None:
    before = MemoryRoot({"a": b"hit\nhit\n", "c": b"hit\nhit\n", "d": b"hit\n"})
    page = _search(before, _ask("hit"), limit=3)
    assert _places(page) == [("a", 1), ("a", 2), ("c", 1)]
    after = MemoryRoot({"b": b"hit\n", "c": b"hit\nmiss\nhit\n", "cc": b"hit\n"})
    assert page.rest is not None
    rest = search(Scope(Workspace({"root": after}), ""), _ask("hit"), limit=9, cursor=page.rest)
    assert _places(rest) == [("c", 3), ("cc", 1)]
    gone = search(
        Scope(Workspace({"root": MemoryRoot({"d": b"hit"})}), ""), _ask("hit"), limit=9, cursor=page.rest
    )
    assert _places(gone) == [("d", 1)]
    short = search(
        Scope(Workspace({"root": MemoryRoot({"c": b""})}), ""), _ask("hit"), limit=9, cursor=page.rest
    )
    assert short.hits == []


def test_time_that_is_up_ends_a_page_and_loses_nothing() -> None:
    lines = b"".join(
        b"%d hit\n" % number if number % 5_000 == 0 else b"%d\n" % number for number in range(60_000)
    )
    root = MemoryRoot({"large": lines, "small": b"hit\n", "zzz": b""})
    pages = _pages(root, _ask("hit"), 100, patience_s=0)
    assert len(pages) > len(root.files) + 3
    assert [hit for page in pages for hit in page.hits] == _search(root, _ask("hit")).hits
    counts = _pages(root, _ask("hit", mode=Mode.COUNT), 100, patience_s=0)
    assert [(hit.path, hit.count) for page in counts for hit in page.hits] == [("small", 1)]
    assert counts[0].skipped == {"too_slow": 1}


def test_a_line_too_long_for_a_heavy_pattern_is_passed_over() -> None:
    root = MemoryRoot({"minified": b"a" * 2_000_000 + b"\nabc\n"})
    answer = _search(root, _ask("a.{0,900}c", regex=True))
    assert _places(answer) == [("minified", 2)]
    assert answer.skipped == {"long_line": 1}


class Down(MemoryRoot):
    """A remote that answers no more."""

    def open(self, path: str) -> Source:
        raise RateLimited("Wait.")


def test_a_remote_that_fails_ends_the_search_with_its_error() -> None:
    with pytest.raises(RateLimited):
        _search(Down({"a": b"hit", "b": b"hit"}), _ask("hit"))


def test_a_search_of_real_files(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.py").write_text("def main() -> None: ...\n")
    (tmp_path / "src/link.py").symlink_to("a.py")
    (tmp_path / "outside.py").symlink_to("/etc/passwd")
    answer = search(
        Scope(Workspace({"root": LocalRoot(tmp_path)}), ""), _ask(r"^def \w+", regex=True), limit=9
    )
    assert answer.hits == [Hit(path="src/a.py", line=1, column=1, snippet="def main() -> None: ...")]
    assert answer.skipped == {"special": 2}


def test_lines_that_do_not_match_can_be_asked_for() -> None:
    root = MemoryRoot({"a": b"hit\none\ntwo\nhit\nend", "b": b"hit\n"})
    assert _places(_search(root, _ask("hit", invert=True))) == [("a", 2), ("a", 3), ("a", 5)]
    counts = _search(root, _ask("hit", invert=True, mode=Mode.COUNT)).hits
    assert [(hit.path, hit.count) for hit in counts] == [("a", 3)]
    assert _every(root, _ask("hit", invert=True), 1) == _search(root, _ask("hit", invert=True)).hits


def test_a_column_counts_a_carriage_return_within_a_line() -> None:
    (hit,) = _search(MemoryRoot({"a": b"a\rb hit\r\n"}), _ask("hit")).hits
    assert (hit.column, hit.snippet) == (5, "a\rb hit")
