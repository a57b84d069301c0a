from pathlib import Path

import msgspec
import pytest
from tests.index.ask.trees import graph_of
from tests.index.names.written import base_of, doc

from toolpost.errors import FileNotFound
from toolpost.index.ask.graph import Graph
from toolpost.index.model import Doc, Export
from toolpost.index.snapshot import Snapshot


def texted(one: Doc, text: bytes) -> Doc:
    return msgspec.structs.replace(one, text=text)


@pytest.fixture
def snapshot(tmp_path: Path) -> Snapshot:
    docs = [
        texted(doc("app.ts"), b"import {Button} from './index'\nButton()\n"),
        doc("button.ts", "Button"),
        texted(
            doc("index.ts", Export("Button", source="./button"), Export("Card", source="./card")),
            b"export * from './button' // Button\n",
        ),
        texted(doc("other.ts"), b"import {Card} from './index'\n"),
        doc("card.ts", "Card"),
    ]
    imports = {"app.ts": ["index.ts"], "index.ts": ["button.ts", "card.ts"], "other.ts": ["index.ts"]}
    return Snapshot(graph_of(tmp_path, docs, imports))


def test_a_file_is_linked_both_ways(snapshot: Snapshot) -> None:
    graph = Graph(snapshot)
    assert graph.imports("index.ts") == ["button.ts", "card.ts"]
    assert graph.importers("index.ts") == ["app.ts", "other.ts"]
    assert graph.imports("card.ts") == []
    assert graph.importers("app.ts") == []


def test_a_name_is_imported_by_files_that_import_its_file_and_speak_of_it(snapshot: Snapshot) -> None:
    graph = Graph(snapshot)
    assert graph.importers_of("Button") == ["app.ts", "index.ts"]
    assert graph.importers_of("Card") == ["other.ts"]
    assert graph.importers_of("Nothing") == []


def test_a_file_that_is_not_there_is_refused(snapshot: Snapshot) -> None:
    graph = Graph(Snapshot(snapshot.base, frozenset({0})))
    for path in ("app.ts", "none.ts"):
        with pytest.raises(FileNotFound):
            graph.imports(path)
        with pytest.raises(FileNotFound):
            graph.importers(path)
    assert graph.importers("index.ts") == ["other.ts"]


def test_changed_files_are_resolved_anew(snapshot: Snapshot) -> None:
    changed = texted(doc("app.ts", imports=["./card", "./new", "./index", "react"]), b"Fresh, Button")
    new = doc("new.ts", "Fresh", "Button", imports=["./gone"])
    later = Snapshot(snapshot.base, frozenset({0, snapshot.base.find(b"button.ts")}), (changed, new))
    graph = Graph(later)
    assert graph.imports("app.ts") == ["card.ts", "index.ts", "new.ts"]
    assert graph.imports("index.ts") == ["card.ts"]
    assert graph.importers("card.ts") == ["app.ts", "index.ts"]
    assert graph.importers("new.ts") == ["app.ts"]
    assert graph.importers_of("Fresh") == ["app.ts"]
    assert graph.importers_of("Button") == ["app.ts"]


def test_another_way_to_resolve_may_be_given(snapshot: Snapshot) -> None:
    later = Snapshot(snapshot.base, frozenset(), (doc("z.ts"),))
    assert Graph(later, lambda _: ["card.ts", "nowhere.ts"]).importers("card.ts") == ["index.ts", "z.ts"]


def test_a_base_without_a_graph_links_nothing(tmp_path: Path) -> None:
    graph = Graph(Snapshot(base_of(tmp_path, [doc("a.ts")])))
    assert (graph.imports("a.ts"), graph.importers("a.ts")) == ([], [])
