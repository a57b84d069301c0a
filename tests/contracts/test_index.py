"""Contract 001's index, as `toolpost index export` writes it."""

import io
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.contracts.ground import build

from toolpost import codec
from toolpost.index.ask.export import write_json
from toolpost.index.disk.shelf import Shelf
from toolpost.index.indexes import Indexes
from toolpost.workspace.workspace import Workspace

FILES = {
    "src/Button.tsx": "export function Button() {\n  return <button />;\n}\n",
    "src/index.ts": 'export * from "./Button";\n',
    "tests/test_cart.py": "def test_a_cart_is_empty():\n    assert True\n",
}


def exported(folder: Path, cache: Path) -> Any:
    stream = io.BytesIO()
    workspace = Workspace.open(str(folder))
    with closing(workspace), closing(Indexes(Shelf(cache), is_watching=False)) as indexes:
        (root,) = workspace.roots.values()
        write_json(indexes.live(root).snapshot(), stream)
    return codec.decode(stream.getvalue())


def test_the_export_has_exactly_the_contracts_schema(tmp_path: Path) -> None:
    build(tmp_path / "work", FILES)
    told = exported(tmp_path / "work", tmp_path / "cache")
    assert told.pop("repo_hash").isalnum()
    assert told.pop("generated_at").endswith("Z")
    day = "2025-12-30T09:15:00Z"
    assert told == {
        "files": [
            {
                "path": "src/Button.tsx",
                "exports": ["Button"],
                "tags": ["react", "react-component", "typescript"],
                "size_bytes": 50,
                "last_modified": day,
            },
            {
                "path": "src/index.ts",
                "exports": ["Button"],
                "tags": ["barrel", "entrypoint", "typescript"],
                "size_bytes": 26,
                "last_modified": day,
            },
            {
                "path": "tests/test_cart.py",
                "exports": ["test_a_cart_is_empty"],
                "tags": ["python", "test"],
                "size_bytes": 44,
                "last_modified": day,
            },
        ],
        "statistics": {
            "total_files": 3,
            "total_exports": 3,
            "by_tag": {
                "barrel": 1,
                "entrypoint": 1,
                "python": 1,
                "react": 1,
                "react-component": 1,
                "test": 1,
                "typescript": 2,
            },
        },
    }


def test_the_hash_is_of_the_content_alone(tmp_path: Path) -> None:
    build(tmp_path / "one", FILES)
    build(tmp_path / "other", dict(reversed(FILES.items())))
    (tmp_path / "other" / "src" / "index.ts").touch()
    one, other = (exported(tmp_path / name, tmp_path / "cache") for name in ("one", "other"))
    assert one["repo_hash"] == other["repo_hash"]
    (tmp_path / "other" / "src" / "index.ts").write_text("export {};\n")
    assert exported(tmp_path / "other", tmp_path / "cache")["repo_hash"] != one["repo_hash"]
