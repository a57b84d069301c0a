from io import BytesIO
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as some
from tests.index.ask.test_query import docs_of_paths, snapshot_of
from tests.index.names.written import base_of, doc, path_bytes

from toolpost.index.ask import export
from toolpost.index.ask.export import exported, files, write_json
from toolpost.index.ask.query import shown
from toolpost.index.model import Doc, Export, Exported, Statistics, names
from toolpost.index.snapshot import Snapshot


@given(before=docs_of_paths, now=docs_of_paths, keep=some.sets(some.integers(0, 9)))
def test_what_is_exported_is_every_file_as_it_is_now(
    tmp_path_factory: pytest.TempPathFactory, before: list[Doc], now: list[Doc], keep: set[int]
) -> None:
    tree = {new.path: new for new in now} | {old.path: old for at, old in enumerate(before) if at in keep}
    snapshot = snapshot_of(tmp_path_factory.mktemp("export"), before, list(tree.values()))
    told = exported(snapshot)
    every = sorted(tree.values(), key=path_bytes)
    assert told.files == [shown(one) for one in every]
    tags = sorted({tag for one in every for tag in one.tags})
    assert told.statistics == Statistics(
        len(every),
        sum(len(names(one.exports)) for one in every),
        {tag: sum(tag in one.tags for one in every) for tag in tags},
    )
    stream = BytesIO()
    write_json(snapshot, stream)
    assert msgspec.json.decode(stream.getvalue(), type=Exported) == told
    assert list(files(snapshot)) == told.files


def test_an_export_has_the_schema_of_the_contract(tmp_path: Path) -> None:
    base = base_of(tmp_path, [doc("a.ts", Export("default", local="A"), tags=["typescript"])])
    stream = BytesIO()
    write_json(Snapshot(base, repo_hash="f" * 32), stream)
    assert msgspec.json.decode(stream.getvalue()) == {
        "repo_hash": "f" * 32,
        "generated_at": "2026-01-01T00:00:00Z",
        "files": [
            {
                "path": "a.ts",
                "exports": ["default", "A"],
                "tags": ["typescript"],
                "size_bytes": 4,
                "last_modified": "2023-11-14T22:13:20Z",
            }
        ],
        "statistics": {"total_files": 1, "total_exports": 2, "by_tag": {"typescript": 1}},
    }
    assert exported(Snapshot(base)).repo_hash == base.repo_hash


def test_a_large_tree_is_written_some_files_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "EXPORTED_AT_ONCE", 7)
    snapshot = Snapshot(base_of(tmp_path, [doc(f"{at:02}.ts") for at in range(30)]), frozenset({3}))
    stream = BytesIO()
    write_json(snapshot, stream)
    told = msgspec.json.decode(stream.getvalue(), type=Exported)
    assert [file.path for file in told.files] == [f"{at:02}.ts" for at in range(30) if at != 3]
