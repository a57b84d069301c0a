from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some
from tests.index.ask.reference import answer
from tests.index.names.written import base_of, doc, path_bytes

from toolpost.errors import InvalidArgument, InvalidQueryType, LimitExceeded, MissingValue
from toolpost.index.ask.query import Found, Query, query, shown
from toolpost.index.model import Doc, Export, File
from toolpost.index.snapshot import Snapshot
from toolpost.workspace.walking.cursor import Cursor, pack

NAMES = [
    "Button",
    "button",
    "BUTTON",
    "ZapButton",
    "ButtonBase",
    "useButton",
    "but",
    "Card",
    "default",
    "*",
    "_",
    "Buttom",
]
SOURCES = ["", "", "", "./x"]
PATHS = [
    "a.ts",
    "a/b.ts",
    "a-b.ts",
    "a/index.ts",
    "b/Button.tsx",
    "b/c/d.ts",
    "é.ts",
    "z/\udcff.ts",
    "src/a.ts",
    "src/b.ts",
]
TAGS = ["typescript", "barrel", "test"]

exports = some.builds(
    Export,
    some.sampled_from(NAMES),
    local=some.sampled_from(["", "", "Button", "Card"]),
    source=some.sampled_from(SOURCES),
)
docs_of_paths = some.lists(
    some.builds(
        lambda path, found, tags: doc(path, *found, tags=tags),
        some.sampled_from(PATHS),
        some.lists(exports, max_size=4),
        some.sets(some.sampled_from(TAGS)),
    ),
    unique_by=lambda one: one.path,
    max_size=10,
)
asked = some.one_of(
    some.builds(
        Query,
        some.just("exports"),
        some.sampled_from([*NAMES, "buton", "Butt", "uttn", "zap_button", "xyz", "c", "BUTTONS"]),
    ),
    some.builds(Query, some.just("tag"), some.sampled_from([*TAGS, "tests"])),
    some.builds(Query, some.just("pathPrefix"), some.sampled_from(["a", "a/", "b/c", "src", "x", "é", "z/"])),
    some.just(Query("listAll")),
)


def snapshot_of(folder: Path, before: Sequence[Doc], now: Sequence[Doc]) -> Snapshot:
    """As it is after a tree of files became another."""
    base = base_of(folder, before)
    kept = [one for one in before if one in now]
    gone = frozenset(base.find(path_bytes(one)) for one in before if one not in kept)
    changed = sorted((one for one in now if one not in kept), key=path_bytes)
    return Snapshot(base, gone, tuple(changed))


def paged(snapshot: Snapshot, one: Query, limit: int) -> tuple[list[File], set[int]]:
    """Every page, and the totals they told."""
    files: list[File] = []
    totals = set()
    cursor: str | None = None
    for _ in range(100):
        found = query(snapshot, one, limit=limit, cursor=cursor)
        files += found.files
        totals.add(found.total_matches)
        cursor = found.next_cursor
        assert found.truncated == (cursor is not None)
        if cursor is None:
            return files, totals
        assert len(found.files) == limit
    raise AssertionError("there is always another page")


@given(
    before=docs_of_paths,
    now=docs_of_paths,
    keep=some.sets(some.integers(0, 9)),
    one=asked,
    limit=some.integers(1, 5),
)
def test_every_answer_is_that_of_looking_at_every_file(
    tmp_path_factory: pytest.TempPathFactory,
    before: list[Doc],
    now: list[Doc],
    keep: set[int],
    one: Query,
    limit: int,
) -> None:
    changed = {new.path: new for new in now}
    changed |= {old.path: old for at, old in enumerate(before) if at in keep}
    snapshot = snapshot_of(tmp_path_factory.mktemp("query"), before, list(changed.values()))
    expected = [shown(match) for match in answer(changed.values(), one.type, one.value or "")]
    assert snapshot.count == len(changed)
    assert paged(snapshot, one, limit) == (expected, {len(expected)})


@pytest.fixture
def library(tmp_path: Path) -> Snapshot:
    return Snapshot(
        base_of(
            tmp_path,
            [
                doc("lib/index.ts", Export("Button", source="./button"), tags=["barrel", "typescript"]),
                doc("lib/zap.ts", "ZapButtonComponent", tags=["angular-component", "typescript"]),
                doc("lib/props.ts", "ButtonProps", tags=["typescript"]),
                doc("src/Button.tsx", Export("default", "function", "Button"), tags=["react-component"]),
                doc("src/button.tsx", "Button", tags=["react-component"]),
                doc("src/low.ts", "button"),
            ],
        )
    )


def paths(found: Found) -> list[str]:
    return [file.path for file in found.files]


def test_a_name_finds_its_definition_before_barrels_and_words_in_others(library: Snapshot) -> None:
    found = query(library, Query("exports", "Button"))
    assert paths(found) == [
        "src/button.tsx",
        "src/Button.tsx",
        "lib/index.ts",
        "src/low.ts",
        "lib/props.ts",
        "lib/zap.ts",
    ]
    assert (found.total_matches, found.truncated, found.matched, found.note) == (6, False, "exact", "")


@pytest.mark.parametrize(
    ("value", "first", "matched"),
    [
        ("Button", "src/button.tsx", "exact"),
        ("BUTTON", "src/button.tsx", "spelling"),
        (" zap_button ", "lib/zap.ts", "prefix"),
        ("component", "lib/zap.ts", "part"),
        ("Compon", "lib/zap.ts", "partial"),
        ("Zapbuton", "lib/zap.ts", "fuzzy"),
        ("default", "src/Button.tsx", "exact"),
    ],
)
def test_an_answer_tells_how_it_was_matched(library: Snapshot, value: str, first: str, matched: str) -> None:
    found = query(library, Query("exports", value), limit=1)
    assert (paths(found), found.matched) == ([first], matched)
    assert bool(found.note) == (matched in {"partial", "fuzzy"})


def test_a_default_name_and_a_re_export_are_told_from_a_definition(tmp_path: Path) -> None:
    files = [doc("a.ts", Export("default", local="Card")), doc("b.ts", Export("Menu", source="./m"))]
    snapshot = Snapshot(base_of(tmp_path, files))
    assert query(snapshot, Query("exports", "Card")).matched == "default"
    assert query(snapshot, Query("exports", "Menu")).matched == "re-export"


def test_what_nobody_exports_is_not_found_and_said_so(library: Snapshot) -> None:
    for value in ("Carousel", "qq"):
        found = query(library, Query("exports", value))
        assert found == Found(
            files=[], total_matches=0, truncated=False, note=f"No export is called {value!r}."
        )


def test_more_partial_matches_than_are_gathered_are_said_to_be_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolpost.index.ask.loose.NAME_LOOSE", 3)
    snapshot = Snapshot(base_of(tmp_path, [doc(f"{at}.ts", f"Button{chr(97 + at)}x") for at in range(8)]))
    found = query(snapshot, Query("exports", "Butt"))
    assert 1 <= found.total_matches <= 3
    assert found.note.endswith("There are more: give more of the name.")


def test_a_name_with_one_list_too_long_to_gather_finds_nothing_partially(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolpost.index.ask.loose.NAME_LOOSE", 3)
    snapshot = Snapshot(base_of(tmp_path, [doc(f"{at}.ts", "Button") for at in range(8)]))
    assert query(snapshot, Query("exports", "Butt")).total_matches == 0


def test_an_unknown_tag_names_the_nearest(library: Snapshot) -> None:
    found = query(library, Query("tag", "react-componnet"))
    assert (found.files, found.total_matches) == ([], 0)
    assert (
        found.note
        == "No file has the tag 'react-componnet'. The nearest are: react-component, angular-component."
    )
    assert "Known are: angular-component, barrel" in query(library, Query("tag", "qqq")).note


def test_a_tree_without_tags_says_so(tmp_path: Path) -> None:
    assert query(Snapshot(base_of(tmp_path, [])), Query("tag", "x")).note == "No file has any tag."


@pytest.mark.parametrize(
    ("prefix", "count"),
    [
        ("src/", 3),
        ("./src/", 3),
        ("/src", 3),
        ("src", 3),
        (".//./lib/p", 1),
        (".", 6),
        ("./", 6),
        ("/", 6),
        ("sr", 3),
    ],
)
def test_a_path_prefix_is_a_plain_prefix_from_the_root(library: Snapshot, prefix: str, count: int) -> None:
    assert query(library, Query("pathPrefix", prefix)).total_matches == count


def test_a_prefix_of_no_path_tells_what_is_there(library: Snapshot) -> None:
    assert (
        query(library, Query("pathPrefix", "src/widgets/x")).note
        == "No path begins with 'src/widgets/x'; 'src' is there."
    )
    told = "No path begins with 'app/'. Paths are relative to the root, such as 'lib/index.ts'."
    assert query(library, Query("pathPrefix", "app/")).note == told
    changed = Snapshot(library.base, frozenset(range(6)), (doc("new.ts"),))
    assert query(changed, Query("pathPrefix", "app/")).note.endswith("such as 'new.ts'.")
    gone = Snapshot(library.base, frozenset(range(5)))
    assert query(gone, Query("pathPrefix", "app/")).note.endswith("such as 'src/low.ts'.")


def test_an_empty_tree_answers_everything_with_nothing(tmp_path: Path) -> None:
    snapshot = Snapshot(base_of(tmp_path, []))
    for one in (Query("listAll"), Query("pathPrefix", "src"), Query("exports", "Button")):
        assert (query(snapshot, one).files, query(snapshot, one).total_matches) == ([], 0)


def test_a_limit_is_fifty_unless_told_and_two_hundred_at_most(tmp_path: Path) -> None:
    snapshot = Snapshot(base_of(tmp_path, [doc(f"{number:03}.ts") for number in range(300)]))
    found = query(snapshot, Query("listAll"))
    assert (len(found.files), found.total_matches, found.truncated) == (50, 300, True)
    assert len(query(snapshot, Query("listAll"), limit=200).files) == 200
    with pytest.raises(LimitExceeded) as refused:
        query(snapshot, Query("listAll"), limit=201)
    assert (refused.value.parameter, refused.value.suggested) == ("limit", 200)
    with pytest.raises(InvalidArgument, match="at least one"):
        query(snapshot, Query("listAll"), limit=0)


def test_an_unknown_type_names_the_likely_one(library: Snapshot) -> None:
    with pytest.raises(InvalidQueryType) as refused:
        query(library, Query("path_prefix", "x"))
    assert (refused.value.parameter, refused.value.suggested) == ("query.type", "pathPrefix")
    with pytest.raises(InvalidQueryType) as refused:
        query(library, Query("", "x"))
    assert refused.value.suggested in {"exports", "tag", "pathPrefix", "listAll"}


@pytest.mark.parametrize("kind", ["exports", "tag", "pathPrefix"])
@pytest.mark.parametrize("value", [None, "", "  "])
def test_a_query_without_the_value_it_needs_is_refused(
    library: Snapshot, kind: str, value: str | None
) -> None:
    with pytest.raises(MissingValue) as refused:
        query(library, Query(kind, value))
    assert refused.value.parameter == "query.value"


def test_a_cursor_belongs_to_its_question_and_is_vetted(library: Snapshot) -> None:
    cursor = query(library, Query("exports", "Button"), limit=1).next_cursor
    with pytest.raises(InvalidArgument, match="another search"):
        query(library, Query("exports", "Card"), cursor=cursor)
    question = ("index.query", "exports", "Button")
    for path in (b"", b"x", b"3:\xff\xff\xffpath"):
        with pytest.raises(InvalidArgument, match="no cursor"):
            query(library, Query("exports", "Button"), cursor=pack(Cursor(path, 1, 1), question))
    beyond = pack(Cursor(b"-1:zz", 99, 7), question)
    assert query(library, Query("exports", "Button"), cursor=beyond).files == []


def test_a_page_goes_on_after_a_file_that_is_gone_by_then(library: Snapshot) -> None:
    first = query(library, Query("listAll"), limit=2)
    assert paths(first) == ["lib/index.ts", "lib/props.ts"]
    later = Snapshot(library.base, frozenset({1}), (doc("lib/aaa.ts"), doc("lib/pst.ts")))
    found = query(later, Query("listAll"), limit=2, cursor=first.next_cursor)
    assert paths(found) == ["lib/pst.ts", "lib/zap.ts"]
    assert found.total_matches == 7


def test_many_files_gone_are_counted_and_skipped(tmp_path: Path) -> None:
    snapshot = Snapshot(base_of(tmp_path, [doc(f"{at:04}.ts", "Button", tags=["t"]) for at in range(2000)]))
    gone = Snapshot(snapshot.base, frozenset(range(5, 1900)))
    for one in (Query("exports", "Button"), Query("tag", "t"), Query("listAll")):
        found = query(gone, one, limit=10)
        assert found.total_matches == 105
        assert paths(found) == [f"{at:04}.ts" for at in (*range(5), *range(1900, 1905))]
    few = Snapshot(snapshot.base, frozenset({3, 4}))
    assert query(few, Query("exports", "Button"), limit=10).total_matches == 1998


def test_the_names_of_changed_files_are_remembered_for_a_while(
    library: Snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolpost.index.ask.changed.CHANGED_KEPT", 2)
    changed = Snapshot(library.base, frozenset(), tuple(doc(f"z{at}.ts", f"Zebra{at}") for at in range(5)))
    for _ in range(2):
        assert query(changed, Query("exports", "Zebra")).total_matches == 5


def test_a_page_ends_before_changed_files_that_come_later(library: Snapshot) -> None:
    changed = Snapshot(library.base, frozenset(), (doc("lib/a.ts"), doc("zz.ts")))
    assert paths(query(changed, Query("listAll"), limit=2)) == ["lib/a.ts", "lib/index.ts"]


def test_a_spelling_only_changed_files_have_stands_in_its_place(library: Snapshot) -> None:
    changed = Snapshot(library.base, frozenset(), (doc("n.ts", "BUTTON"), doc("o.ts", "_button")))
    assert paths(query(changed, Query("exports", "Button")))[3:6] == ["n.ts", "o.ts", "src/low.ts"]
