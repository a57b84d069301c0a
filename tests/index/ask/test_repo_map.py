from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some
from tests.index.ask.test_query import docs_of_paths, snapshot_of
from tests.index.ask.trees import graph_of
from tests.index.names.written import base_of, doc

from toolpost.errors import InvalidArgument
from toolpost.index.ask import weights
from toolpost.index.ask.repo_map import repo_map, tokens_of
from toolpost.index.model import Doc, Export
from toolpost.index.snapshot import Snapshot


@pytest.fixture
def snapshot(tmp_path: Path) -> Snapshot:
    docs = [
        doc("README.md"),
        doc("docs/guide.md", tags=["docs"]),
        doc("src/app.ts", Export("run", "function")),
        doc("src/ui/Button.tsx", Export("default", "function", "Button"), Export("ButtonProps", "interface")),
        doc("src/ui/Card.tsx", Export("Card", "class")),
        doc("src/ui/Card.test.tsx", tags=["test"]),
        doc("src/ui/index.ts", Export("Button", source="./Button"), Export("Card", source="./Card")),
    ]
    imports = {
        "src/app.ts": ["src/ui/index.ts"],
        "src/ui/Card.tsx": ["src/ui/Button.tsx"],
        "src/ui/Card.test.tsx": ["src/ui/Card.tsx"],
        "src/ui/index.ts": ["src/ui/Button.tsx", "src/ui/Card.tsx"],
    }
    return Snapshot(graph_of(tmp_path, docs, imports))


def test_a_map_tells_folders_then_what_is_imported_most(snapshot: Snapshot) -> None:
    told = repo_map(snapshot, 1_000)
    assert told.text == (
        "7 files in 4 folders.\n"
        "src/ 5 files\n"
        "docs/ 1 files\n"
        "\n"
        "src/ui/\n"
        "  Button.tsx: function Button, interface ButtonProps\n"
        "  Card.tsx: class Card\n"
        "  index.ts: Button, Card\n"
        "  Card.test.tsx\n"
        "./\n"
        "  README.md\n"
        "src/\n"
        "  app.ts: function run\n"
        "docs/\n"
        "  guide.md"
    )
    assert (told.files, told.total_files, told.tokens) == (7, 7, tokens_of(told.text))


@pytest.mark.parametrize("focus", ["docs/guide.md", "./docs", "docs/"])
def test_what_is_looked_at_comes_first(snapshot: Snapshot, focus: str) -> None:
    assert "\n\ndocs/\n  guide.md\n" in repo_map(snapshot, 1_000, [focus]).text


def test_an_exported_name_may_be_looked_at(snapshot: Snapshot) -> None:
    plain, focused = repo_map(snapshot, 1_000).text, repo_map(snapshot, 1_000, ["run"]).text
    assert plain.index("index.ts") > plain.index("Button.tsx")
    assert focused.index("  app.ts") < plain.index("  app.ts")
    assert repo_map(snapshot, 1_000, ["nothing of the kind"]).text == plain


def test_a_small_map_holds_what_fits(snapshot: Snapshot) -> None:
    told = repo_map(snapshot, 20)
    assert told.text == "src/ 5 files\n\nsrc/ui/\n  Button.tsx: function Button, interface ButtonProps"
    assert told.tokens <= 20
    assert repo_map(snapshot, 1).text == ""


def test_files_with_many_names_tell_some(tmp_path: Path) -> None:
    many = doc("many.ts", *(Export(f"name{at}", "const") for at in range(30)))
    told = repo_map(Snapshot(base_of(tmp_path, [many])), 500).text
    assert told.endswith("const name11, 18 more")
    assert repo_map(Snapshot(base_of(tmp_path / "b", [many])), 25).text.endswith("const name3, 26 more")


def test_a_changed_tree_is_told_as_it_is(snapshot: Snapshot) -> None:
    gone = frozenset({0, 1, snapshot.base.find(b"src/ui/Card.tsx")})
    docs = (doc("new/a.ts", "A"), doc("src/ui/Card.tsx", Export("Deck", "class")), doc("top.ts"))
    told = repo_map(Snapshot(snapshot.base, gone, docs), 1_000)
    assert "Card.tsx: class Deck" in told.text
    assert "  a.ts: A" in told.text
    assert "new/ 1 files" in told.text
    assert "docs" not in told.text
    assert "README" not in told.text
    assert (told.files, told.total_files) == (7, 7)


def test_a_graph_too_large_is_gone_through_once(snapshot: Snapshot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "MAP_EDGES", 1)
    assert repo_map(snapshot, 1_000).text.index("Button.tsx") < repo_map(snapshot, 1_000).text.index("app.ts")


def test_a_map_without_room_for_any_more_is_full(tmp_path: Path) -> None:
    docs = [doc(f"{at:02}{'x' * 200}.ts") for at in range(40)]
    told = repo_map(Snapshot(base_of(tmp_path, [*docs, doc("zz.ts")])), 40)
    assert (told.text, told.files) == ("41 files in 1 folders.", 0)


@pytest.mark.parametrize("tokens", [0, -5, 10**9])
def test_a_size_that_makes_no_map_is_refused(snapshot: Snapshot, tokens: int) -> None:
    with pytest.raises(InvalidArgument) as refused:
        repo_map(snapshot, tokens)
    assert refused.value.parameter == "tokens"


@given(
    before=docs_of_paths,
    now=docs_of_paths,
    tokens=some.integers(1, 120),
    focus=some.lists(some.sampled_from(["a", "Button", "src", "zz", ""]), max_size=2),
)
def test_a_map_never_takes_more_than_it_may_and_is_always_the_same(
    tmp_path_factory: pytest.TempPathFactory, before: list[Doc], now: list[Doc], tokens: int, focus: list[str]
) -> None:
    snapshot = snapshot_of(tmp_path_factory.mktemp("map"), before, now)
    told = repo_map(snapshot, tokens, focus)
    assert tokens_of(told.text) == told.tokens <= tokens
    assert told.files <= told.total_files == len(now)
    assert repo_map(snapshot, tokens, focus) == told
