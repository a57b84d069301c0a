"""Very many hits come stretch by stretch, and are those a scan gives."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs
from tests.index.search.test_engine import QUESTIONS, TREES, Hides, Rethought, asked, same, scan
from tests.index.search.trees import Guarded, based, ground, snapshot
from tests.workspace.memory import MemoryRoot

from toolpost.index.limits import HITS_FOR_MANY, HITS_WANTED, STRETCH_BYTES
from toolpost.index.search import hits as found_hits
from toolpost.index.search import many
from toolpost.index.search.engine import answer
from toolpost.index.snapshot import Snapshot
from toolpost.limits import SEARCH_PER_FILE
from toolpost.workspace.walking.cursor import START, Cursor
from toolpost.workspace.walking.patterns import Pattern
from toolpost.workspace.walking.within import Mode, Question

LITERALS = [Pattern(text) for text in ("hit", "é", "x", "foo", "o", " ", "t h", "y", "hit\r")]
LARGE = 1_000_000


@contextmanager
def _soon(stretch_bytes: int = 64) -> Iterator[None]:
    """Every hit after the first is one of very many, and a stretch is short."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(found_hits, "HITS_WANTED", 0)
        patch.setattr(found_hits, "HITS_FOR_MANY", 1)
        patch.setattr(found_hits, "HITS_FOR_MANY_AGAIN", 1)
        patch.setattr(many, "STRETCH_BYTES", stretch_bytes)
        yield


@settings(max_examples=150, deadline=None)
@given(
    before=TREES,
    now=TREES,
    question=QUESTIONS,
    pattern=st.sampled_from(LITERALS),
    limit=st.sampled_from([1, 2, 5, LARGE]),
    stretch_bytes=st.sampled_from([32, 1_000, STRETCH_BYTES]),
)
def test_every_page_is_the_one_a_scan_gives(
    before: dict[str, bytes],
    now: dict[str, bytes],
    question: Question,
    pattern: Pattern,
    limit: int,
    stretch_bytes: int,
) -> None:
    question = structs.replace(question, pattern=pattern, mode=Mode.CONTENT, before=0, after=0)
    root = Guarded(now)
    with _soon(stretch_bytes), based(before) as base:
        place = ground(root, snapshot(base, before, now))
        cursor: Cursor | None = START
        for _ in range(500):
            assert cursor is not None
            page = answer([place], question, limit=limit, cursor=cursor)
            same(page, scan(root, question, "", limit=limit, cursor=cursor))
            cursor = page.rest
            if cursor is None:
                return
    pytest.fail("it never ends")


def _dense(files: int = 60) -> dict[str, bytes]:
    line = b"import a; import b\n"
    odd = b"import \xc3\xa9 import\r\n" + b"-" * 300 + b" import\n\nnone\n"
    return {
        f"{number // 7}/{number}": line * (1 + number * 2) + odd + b"gap\n" * (number % 5 * 2_000)
        for number in range(files)
    }


FILES = _dense()


@pytest.mark.parametrize("query", ["import", "im", "import b", "-", "é import"])
@pytest.mark.parametrize("per_file", [SEARCH_PER_FILE, None, 3])
def test_all_hits_of_many_files_are_those_of_a_scan(query: str, per_file: int | None) -> None:
    question = asked(query, per_file=per_file)
    with based(FILES) as base:
        place = ground(MemoryRoot(FILES), Snapshot(base))
        for limit in (LARGE, HITS_WANTED):
            same(answer([place], question, limit=limit), scan(MemoryRoot(FILES), question, "", limit=limit))


def test_hits_far_from_each_other_are_those_of_a_scan() -> None:
    files = {"a": (b"import\n" + b"-" * 4_000 + b"\n") * (HITS_FOR_MANY + 1)}
    files |= {"b": files["a"], "c": b"import \xc3\xa9\n" + files["a"]}
    question = asked("import", per_file=None)
    with based(files) as base:
        place = ground(MemoryRoot(files), Snapshot(base))
        same(answer([place], question, limit=LARGE), scan(MemoryRoot(files), question, "", limit=LARGE))


def test_files_that_changed_come_between_runs_of_those_that_did_not() -> None:
    now = {
        **{path: data for path, data in FILES.items() if path != "3/24"},
        "2/17": b"import new\n",
        "4/3x": b"import more\nimport more\n",
        "9": b"import last\n",
    }
    question = asked("import", per_file=None)
    with based(FILES) as base:
        place = ground(MemoryRoot(now), snapshot(base, FILES, now))
        same(answer([place], question, limit=LARGE), scan(MemoryRoot(now), question, "", limit=LARGE))


def test_a_file_the_guard_hides_is_left_out_of_a_run_and_counted_once() -> None:
    files = dict.fromkeys(("a", "b", "creds", "d", "e"), b"token\n" * 3)
    root = Rethought(files)
    root.guard = Hides()
    with _soon(), based(files) as base:
        for _ in range(2):
            got = answer([ground(root, Snapshot(base))], asked("token"), limit=LARGE)
            assert sorted({hit.path for hit in got.hits}) == ["a", "b", "d", "e"]
            assert got.skipped == {"secret": 1}


def test_nothing_is_given_where_the_guard_hides_all_that_is_left() -> None:
    files = {"a": b"token\n" * 3, "creds": b"token\n" * 3}
    root = Rethought(files)
    root.guard = Hides()
    with _soon(), based(files) as base:
        got = answer([ground(root, Snapshot(base))], asked("token"), limit=LARGE)
        assert [hit.path for hit in got.hits] == ["a"] * 3


def test_time_that_is_up_ends_a_page_after_a_run_and_loses_nothing() -> None:
    files = {f"{number:02}": b"token\n" * 20 for number in range(30)}
    with _soon(), based(files) as base:
        place = ground(MemoryRoot(files), Snapshot(base))
        whole = answer([place], asked("token"), limit=LARGE)
        hits, cursor = [], START
        for _ in range(100):
            page = answer([place], asked("token"), limit=LARGE, cursor=cursor, patience_s=0)
            hits += page.hits
            if page.rest is None:
                break
            cursor = page.rest
        assert hits == whole.hits


def test_where_lines_begin_is_kept_only_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    question = asked("import", per_file=None)
    with based(FILES) as base:
        place = ground(MemoryRoot(FILES), Snapshot(base))
        whole = answer([place], question, limit=LARGE)
        assert answer([place], question, limit=LARGE) == whole
    monkeypatch.setattr(many, "LINE_BEGINS_KEPT", 0)
    with based(FILES) as base:
        assert answer([ground(MemoryRoot(FILES), Snapshot(base))], question, limit=LARGE) == whole


def test_a_small_question_does_not_import_numpy() -> None:
    said = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, toolpost.index.search.engine; print('numpy' in sys.modules)",
        ],
        check=True,
        capture_output=True,
        timeout=60,
    )
    assert said.stdout.strip() == b"False"
