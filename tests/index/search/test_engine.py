"""An index answers as a scan of the same tree does: whatever is asked, page by page."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs
from tests.index.search.trees import Guarded, based, ground, snapshot
from tests.workspace.memory import MemoryRoot

from toolpost.errors import Denied
from toolpost.index.search.engine import answer, can_answer, covers
from toolpost.index.search.ground import Ground
from toolpost.index.search.segments import BLOCK_BYTES, SEGMENT_BYTES, STRIDE_BYTES
from toolpost.index.snapshot import Snapshot
from toolpost.limits import SEARCH_FILE_BYTES, SEARCH_PER_FILE
from toolpost.workspace.root import Source
from toolpost.workspace.walking.cursor import START, Cursor
from toolpost.workspace.walking.globs import Glob
from toolpost.workspace.walking.patterns import How, Pattern
from toolpost.workspace.walking.scope import Scope
from toolpost.workspace.walking.search import search
from toolpost.workspace.walking.within import Answer, Mode, Question
from toolpost.workspace.workspace import Place, Workspace

PATHS = ["a", "a-b", "a.c", "a/b", "a/c/d.py", "b/x.py", "b/.hidden", "é", "hit.txt", "z/.env", "z/hit/y"]
LINES = [
    *(b"hit", b"miss", b"a hit here", b"", b"HIT Hit", b"hit\r", b"hits", b"  hit = foo(bar)", b"foo hit"),
    *(
        "é hit é".encode(),
        "éhit".encode(),
        "hité".encode(),
        "Straße \u017ftop \u212a hit".encode(),
        b"x" * 300,
    ),
    *(
        b"foo bar baz foo",
        b"a1 b22 c333",
        "\u0664\u0662 hit".encode(),
        "a\u00a0hit".encode(),
        b"\0\1bin",
        b"\xff\xfe",
    ),
    b"y" * 5_000 + b" hit " + b"z" * 5_000,
]
TEXTS = st.builds(
    lambda lines, end: b"\n".join(lines) + end,
    st.lists(st.sampled_from(LINES), max_size=8),
    st.sampled_from([b"", b"\n", b"\n\n"]),
)
TREES = st.dictionaries(st.sampled_from(PATHS), TEXTS, max_size=8).filter(
    lambda files: not ("a" in files and {"a/b", "a/c/d.py"} & set(files))
)
QUERIES = [
    *(
        ("hit", False),
        ("foo", False),
        ("Hit", False),
        ("é", False),
        ("miss", False),
        ("x", False),
        ("zzz ", False),
    ),
    *(
        (r"\bhit\b", True),
        (r"\w+", True),
        (r"hit$", True),
        (r"^\s*hit", True),
        (r"foo.*hit", True),
        (r"\d+", True),
    ),
    *((r"h[iI]t\s", True), (r"(hit|foo)\(", True), (r"[^a-z\n]hit", True), ("x*", True), (r"\W", True)),
    *((r"hit\nmiss", True), ("(?i)stop", True), (r"\Ahit\z", True), (r"hit\b", True), (r"\S\s\S", True)),
    *((r"y+ hit", True), (r"\Bhit", True), (r"(?i)K hit", True), (r"[\w-]+ [^\W\d]", True), ("$", True)),
]
PATTERNS = st.builds(
    lambda query, case, how: Pattern(query[0], regex=query[1], case=case, how=how),
    st.sampled_from(QUERIES),
    st.booleans(),
    st.sampled_from([
        How(), How(), How(), How(word=True), How(line=True), How(multiline=True), How(smart=True)
    ]),
)  # fmt: skip
QUESTIONS = st.builds(
    Question,
    pattern=PATTERNS,
    include=st.sampled_from([None, None, Glob("*.py"), Glob("/a*"), Glob("**/[a-c]*")]),
    exclude=st.sampled_from([None, None, Glob("a/"), Glob("*.py"), Glob("z")]),
    mode=st.sampled_from(Mode),
    before=st.sampled_from([0, 0, 2]),
    after=st.sampled_from([0, 0, 1]),
    match_path=st.booleans(),
    per_file=st.sampled_from([SEARCH_PER_FILE, SEARCH_PER_FILE, 1, 3, None]),
)


def scan(root: MemoryRoot, question: Question, path: str, **settings: Any) -> Answer:
    return search(Scope(Workspace({"root": root}), path), question, **settings)


def same(one: Answer, other: Answer) -> None:
    assert structs.replace(one, files_searched=0) == structs.replace(other, files_searched=0)


@settings(max_examples=150, deadline=None)
@given(
    before=TREES,
    now=TREES,
    question=QUESTIONS,
    limit=st.sampled_from([1, 2, 5, 1_000]),
    path=st.sampled_from(["", "", "a", "b"]),
    trigrams=st.booleans(),
)
def test_every_page_is_the_one_a_scan_gives(
    before: dict[str, bytes], now: dict[str, bytes], question: Question, limit: int, path: str, trigrams: bool
) -> None:
    if not any(name.startswith(f"{path}/") or not path for name in now):
        path = ""
    root = Guarded(now)
    with based(before, trigrams=trigrams) as base:
        place = ground(root, snapshot(base, before, now), path)
        cursor: Cursor | None = START
        for _ in range(500):
            assert cursor is not None
            page = answer([place], question, limit=limit, cursor=cursor)
            same(page, scan(root, question, path, limit=limit, cursor=cursor))
            cursor = page.rest
            if cursor is None:
                return
    pytest.fail("it never ends")


class Hides:
    """A guard whose owner has thought again."""

    def hides(self, path: str) -> bool:
        return path == "creds"


class Rethought(MemoryRoot):
    guard: Hides | None = None


def asked(query: str, **more: Any) -> Question:
    names = {"regex", "case", "how"} & set(more)
    return Question(pattern=Pattern(query, **{name: more.pop(name) for name in names}), **more)


FILES = {
    "a/one.py": b"import os\nimport sys\n",
    "a/two.py": b"def main():\n    import os\n",
    "b.bin": b"import\0\0\1\2",
    "big.txt": b"x" * 70_000 + b"\nimport here\n" + b"y\n" * 40_000 + b"import there\nlast",
    "many": b"import\n" * (SEARCH_PER_FILE + 30),
    "z/.env": b"import\n",
}


@pytest.fixture(scope="module")
def plain() -> Iterator[Ground]:
    with based(FILES) as base:
        yield ground(Guarded(FILES), Snapshot(base))


@pytest.mark.parametrize(
    "query", [asked("import"), asked(r"import\s\w+", regex=True), asked("IMPORT", case=False)]
)
def test_large_files_and_files_with_many_hits_are_answered_as_a_scan_does(
    plain: Ground, query: Question
) -> None:
    root = Guarded(FILES)
    for mode in Mode:
        for limit in (1, 3, 60, 1_000):
            question = structs.replace(query, mode=mode)
            got = answer([plain], question, limit=limit)
            same(got, scan(root, question, "", limit=limit))
            assert got.files_searched == (4 if got.rest is None else got.files_searched)


@pytest.mark.parametrize("path", ["a/one.py", "many", "b.bin"])
def test_one_file_alone_gives_every_hit_and_says_why_it_gives_none(plain: Ground, path: str) -> None:
    root = Guarded(FILES)
    alone = ground(root, plain.snapshot, path)
    for match_path in (False, True):
        question = asked("import", match_path=match_path)
        first = answer([alone], question, limit=2)
        same(first, scan(root, question, path, limit=2))
        if first.rest is not None:
            same(
                answer([alone], question, limit=500, cursor=first.rest),
                scan(root, question, path, limit=500, cursor=first.rest),
            )


class Closed(Guarded):
    def open(self, path: str) -> Source:
        self.guard.refuse_read(path)
        return super().open(path)


def test_a_secret_file_alone_is_refused(plain: Ground) -> None:
    with pytest.raises(Denied):
        answer([ground(Closed(FILES), plain.snapshot, "z/.env")], asked("import"), limit=1)


def test_a_file_the_guard_hides_since_it_was_indexed_is_not_shown() -> None:
    files = {"creds": b"token\n", "notes": b"token\n"}
    with based(files) as base:
        root = Rethought(files)
        open_ground = ground(root, Snapshot(base))
        assert [hit.path for hit in answer([open_ground], asked("token"), limit=9).hits] == [
            "creds",
            "notes",
        ]
        root.guard = Hides()
        for query in (asked("token"), asked("tok.n", regex=True), asked("token", match_path=True)):
            got = answer([ground(root, Snapshot(base))], query, limit=9)
            assert [hit.path for hit in got.hits] == ["notes"]
            assert got.skipped == {"secret": 1}


def test_hidden_files_can_be_left_out() -> None:
    files = {".x/a": b"hit\n", "b/.c": b"hit\n", "b/d": b"hit\n"}
    with based(files) as base:
        whole = ground(MemoryRoot(files), Snapshot(base))
        assert [hit.path for hit in answer([whole], asked("hit"), limit=9).hits] == [".x/a", "b/.c", "b/d"]
        shown = structs.replace(whole, hidden=False)
        assert [hit.path for hit in answer([shown], asked("hit"), limit=9).hits] == ["b/d"]


def test_what_defines_a_name_can_be_put_first(plain: Ground) -> None:
    got = answer([plain], asked("import"), limit=3, rank=lambda hit: hit.path == "a/two.py")
    assert [(hit.path, hit.line) for hit in got.hits] == [("a/two.py", 2), ("a/one.py", 1), ("a/one.py", 2)]


def test_an_index_knows_what_it_cannot_answer(plain: Ground) -> None:
    assert can_answer(asked("x"))
    assert not can_answer(asked("x", ignored=True))
    assert not can_answer(asked("x", invert=True))
    assert covers(plain)
    assert covers(ground(Guarded(FILES), plain.snapshot, "a"))
    assert not covers(structs.replace(plain, place=Place(Guarded(FILES), "nowhere", "nowhere")))


def test_several_roots_are_one_answer_and_its_pages() -> None:
    trees = {"one": {"a": b"hit\n", "b/c": b"hit\nhit\n"}, "two": {"d": b"hit\n"}}
    with based(trees["one"]) as one, based(trees["two"]) as two:
        workspace = Workspace({name: MemoryRoot(files) for name, files in trees.items()})
        grounds = [
            Ground(Snapshot(base), workspace.place(name)) for name, base in (("one", one), ("two", two))
        ]
        for question in (asked("hit"), asked("h.t", regex=True), asked("hit", match_path=True)):
            cursor: Cursor | None = START
            while cursor is not None:
                page = answer(grounds, question, limit=1, cursor=cursor)
                same(page, search(Scope(workspace, ""), question, limit=1, cursor=cursor))
                cursor = page.rest


def test_time_that_is_up_ends_a_page_and_loses_nothing(plain: Ground) -> None:
    for question in (asked("import"), asked(r"imp\w+ \w", regex=True), asked(r"\w{5,}", regex=True)):
        whole = answer([plain], question, limit=1_000)
        hits, cursor = [], START
        for _ in range(100):
            page = answer([plain], question, limit=1_000, cursor=cursor, patience_s=0)
            hits += page.hits
            if page.rest is None:
                break
            cursor = page.rest
        assert hits == whole.hits


def test_a_line_too_long_for_a_heavy_pattern_is_passed_over_as_in_a_scan() -> None:
    files = {"minified": b"a" * 2_000_000 + b"\nabc\n", "small": b"a c\n"}
    question = asked("a.{0,900}c", regex=True)
    with based(files) as base:
        same(
            answer([ground(MemoryRoot(files), Snapshot(base))], question, limit=9),
            scan(MemoryRoot(files), question, "", limit=9),
        )


def test_a_literal_on_one_line_of_many_blocks_is_one_hit() -> None:
    files = {"map": b"needle" + b"," * 9_000 + b"needle" + b";" * 20_000 + b"needle\nneedle\n"}
    question = asked("needle")
    with based(files) as base:
        got = answer([ground(MemoryRoot(files), Snapshot(base))], question, limit=9)
        assert [(hit.line, hit.column) for hit in got.hits] == [(1, 1), (2, 1)]


@pytest.mark.parametrize("around", [0, 1])
def test_a_literal_right_behind_the_end_of_a_segment_is_found(around: int) -> None:
    last = b"needle here\n" + b"-" * (BLOCK_BYTES - 13) + b"\n"
    fill = (b"z" * 63 + b"\n") * ((SEGMENT_BYTES - BLOCK_BYTES) // 64)
    files = {"0": fill, "1": last, "2": b"a needle here\n"}
    with based(files) as base:
        assert base.starts[2] == SEGMENT_BYTES
        for mode in Mode:
            question = asked("needle here", mode=mode, before=around)
            got = answer([ground(MemoryRoot(files), Snapshot(base))], question, limit=9)
            assert [(hit.path, hit.column) for hit in got.hits] == [("1", 1), ("2", 3)]


@pytest.mark.parametrize("query", ["far.*away", "(?:far|foo).*aw[ax]y", "(?i)FAR.*AWAY"])
def test_needles_of_one_line_may_lie_in_different_segments(query: str) -> None:
    line = b"far" + b"." * (STRIDE_BYTES + 10_000) + b"away\n"
    fill = (b"z" * 60 + b"\n") * ((STRIDE_BYTES - 8_000) // 61)
    files = {f"{number}": part for number, part in enumerate((fill, line, b"far\naway\n", b"far and away\n"))}
    assert len(line) < SEARCH_FILE_BYTES + 1_000_000
    with based(files) as base:
        got = answer([ground(MemoryRoot(files), Snapshot(base))], asked(query, regex=True), limit=9)
        assert [(hit.path, hit.line) for hit in got.hits if hit.path != "1"] == [("3", 1)]
