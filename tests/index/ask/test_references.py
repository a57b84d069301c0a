from pathlib import Path

import msgspec
import pytest
from tests.index.names.written import base_of, doc

from toolpost.errors import InvalidArgument
from toolpost.index.ask.references import Caller, Reference, callers, references
from toolpost.index.model import Doc
from toolpost.index.search.ground import Ground
from toolpost.index.snapshot import Snapshot
from toolpost.workspace.workspace import Workspace


def written(path: str, text: str, *exports: str) -> Doc:
    return msgspec.structs.replace(doc(path, *exports), text=text.encode())


DEFINES = written("a.py", "def load():\n    pass\n\n\ndef loads():\n    return load\n", "load", "loads")
CALLS = written(
    "b.py", "from a import load\n\nclass Box:\n    def open(self):\n        return load()\n", "Box"
)


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    (tmp_path / "tree").mkdir()
    place = Workspace.open(str(tmp_path / "tree")).place("")
    return Ground(Snapshot(base_of(tmp_path / "index", [DEFINES, CALLS])), place)


def test_a_name_is_found_as_a_whole_word_with_who_speaks_of_it(ground: Ground) -> None:
    found = references(ground, "load")
    assert found.rest is None
    assert found.found == [
        Reference(path="a.py", line=1, column=5, snippet="def load():", is_definition=True),
        Reference(
            path="a.py",
            line=6,
            column=12,
            snippet="    return load",
            is_definition=False,
            within="loads",
            kind="function",
        ),
        Reference(path="b.py", line=1, column=15, snippet="from a import load", is_definition=False),
        Reference(
            path="b.py",
            line=5,
            column=16,
            snippet="        return load()",
            is_definition=False,
            within="Box.open",
            kind="method",
        ),
    ]


def test_references_come_in_pages(ground: Ground) -> None:
    first = references(ground, "load", limit=1)
    assert first.rest is not None
    rest = references(ground, "load", cursor=first.rest)
    assert [one.line for one in (*first.found, *rest.found)] == [1, 6, 1, 5]


def test_callers_are_the_definitions_that_speak_of_it(ground: Ground) -> None:
    assert callers(ground, "load") == [
        Caller("a.py", "loads", "function", (6,)),
        Caller("b.py", "Box.open", "method", (5,)),
    ]


def test_changed_files_are_looked_at_as_they_are(ground: Ground) -> None:
    changed = written("b.py", "def load():\n    return 1\n", "load")
    later = msgspec.structs.replace(
        ground, snapshot=Snapshot(ground.snapshot.base, frozenset({1}), (changed,))
    )
    told = [(one.path, one.line, one.is_definition) for one in references(later, "load").found]
    assert told == [("a.py", 1, True), ("a.py", 6, False), ("b.py", 1, True)]


def test_a_file_without_a_grammar_is_told_without_who_speaks(tmp_path: Path, ground: Ground) -> None:
    notes = written("notes.txt", "load it\n")
    later = msgspec.structs.replace(
        ground, snapshot=Snapshot(ground.snapshot.base, frozenset({0, 1}), (notes,))
    )
    assert references(later, "load").found == [
        Reference(path="notes.txt", line=1, column=1, snippet="load it", is_definition=False)
    ]
    assert callers(later, "load") == []


def test_a_name_of_no_text_is_refused(ground: Ground) -> None:
    with pytest.raises(InvalidArgument) as refused:
        references(ground, "")
    assert refused.value.parameter == "name"
