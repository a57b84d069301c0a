from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.tools.shell.desk import Desk, data, text

from toolpost.errors import InvalidArgument, SandboxUnavailable
from toolpost.limits import DRY_RUN_BYTES, DRY_RUN_FILES
from toolpost.sandbox.overlay import Change, ChangeKind
from toolpost.tools.shell.dry_run import ChangedFile, would_change
from toolpost.workspace.editing.patch import apply_file, parse
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.workspace import Workspace


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    (made.folder / "a.txt").write_text("one\ntwo\n")
    (made.folder / "old.txt").write_text("gone\n")
    yield made
    made.close()


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


async def dry(desk: Desk, command: str) -> Any:
    try:
        return await desk("os.exec", command=command, dry_run=True)
    except SandboxUnavailable as refused:
        pytest.skip(refused.detail)


async def test_the_tree_stays_and_the_diff_gives_what_would_be(desk: Desk) -> None:
    before = tree(desk.folder)
    answer = await dry(desk, "echo three >> a.txt; rm old.txt; echo new > n.txt; cat a.txt; exit 2")
    told = data(answer)
    assert (told["stdout"], told["exit_code"]) == ("one\ntwo\nthree\n", 2)
    assert tree(desk.folder) == before
    would = told["would_change"]
    assert (would["total"], would["truncated"]) == (3, False)
    assert would["files"] == [
        {"path": "a.txt", "change": "changed"},
        {"path": "n.txt", "change": "created"},
        {"path": "old.txt", "change": "deleted"},
    ]
    patches = {file.path: file for file in parse(would["patch"])}
    assert apply_file("one\ntwo\n", patches["a.txt"]) == "one\ntwo\nthree\n"
    assert apply_file(None, patches["n.txt"]) == "new\n"
    assert apply_file("gone\n", patches["old.txt"]) is None
    assert "Dry run: nothing was changed. The command would change 3 files:\nchanged a.txt\n" in text(answer)
    assert "+three" in text(answer)


async def test_a_command_that_changes_nothing_is_told_so(desk: Desk) -> None:
    assert text(await dry(desk, "true")).endswith("Dry run: the command would change nothing.")


async def test_a_secret_and_a_file_that_is_no_text_are_only_named(desk: Desk) -> None:
    (desk.folder / ".env").write_text("KEY=hidden\n")
    answer = await dry(desk, r"echo x >> .env; printf '\0\1' > bin; ln -s a.txt link")
    would = data(answer)["would_change"]
    assert [(file["path"], file["change"]) for file in would["files"]] == [
        (".env", "changed"),
        ("bin", "created"),
        ("link", "created"),
    ]
    assert "hidden" not in str(would) + text(answer)
    assert would["patch"] == ""
    assert "Not all of it is shown as a diff." in text(answer)


@pytest.mark.parametrize("word", [{"background": True}, {"yield_ms": 5}])
async def test_a_dry_run_has_no_background(desk: Desk, word: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgument, match="no background"):
        await desk.run("true", dry_run=True, **word)


def created(folder: Path, names: list[str], text: str) -> list[Change]:
    folder.mkdir()
    for name in names:
        (folder / name).write_text(text)
    return [Change("", name, ChangeKind.CREATED, str(folder / name)) for name in names]


def test_so_many_files_and_bytes_are_shown_at_most(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    root = LocalRoot(tmp_path / "root")
    workspace = Workspace({"one": root, "two": root})
    many = created(tmp_path / "many", [f"{number:03}" for number in range(DRY_RUN_FILES + 5)], "x\n")
    would = would_change(workspace, [Change(root.where, *_rest(change)) for change in many])
    assert (len(would.files), would.total, would.truncated) == (DRY_RUN_FILES, DRY_RUN_FILES + 5, True)
    assert would.files[0] == ChangedFile("two/000", ChangeKind.CREATED)
    large = created(tmp_path / "large", ["a", "b"], "line\n" * (DRY_RUN_BYTES // 8))
    would = would_change(workspace, [Change(root.where, *_rest(change)) for change in large])
    assert [file.path for file in would.files] == ["two/a", "two/b"]
    assert (would.patch.count("diff --git"), would.truncated) == (1, True)
    workspace.close()


def _rest(change: Change) -> tuple[str, ChangeKind, str]:
    return change.path, change.kind, change.now
