from contextlib import closing
from pathlib import Path

import pytest
from tests.index.build.trees import write

from toolpost.index.build.build import build
from toolpost.index.disk.generations import Folder
from toolpost.index.disk.mapped import latest
from toolpost.index.places import number_of, place_of
from toolpost.workspace.local.root import LocalRoot

PATHS = [b"", b"a.py", b"a.pyc", b"b", b"b/c.py", b"c", b"d.py", b"d.py0", b"\xff"]


@pytest.mark.parametrize("kept", [1, 10_000])
def test_what_is_remembered_is_what_the_base_says(
    tmp_path: Path, kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolpost.index.places.NUMBERS_KEPT", kept)
    write(tmp_path / "tree", {"a.py": b"", "b/c.py": b"", "d.py": b""})
    folder = Folder(tmp_path / "index")
    with closing(LocalRoot(tmp_path / "tree")) as root:
        build(root, folder, workers=1)
    base = latest(folder)
    assert base is not None
    with closing(base):
        for _ in range(2):
            assert [number_of(base, path) for path in PATHS] == [-1, 0, -1, -1, 1, -1, 2, -1, -1]
            assert [place_of(base, path) for path in PATHS] == [0, 0, 1, 1, 1, 2, 2, 3, 3]
