from pathlib import Path

import pytest

from toolpost.cli import ground, settings
from toolpost.cli.trouble import Trouble
from toolpost.workspace.guard import Guard
from toolpost.workspace.local.root import LocalRoot


def test_without_roots_the_workspace_is_the_folder_we_are_in(work: Path) -> None:
    workspace = ground.workspace(settings.settled())

    assert [(name, root.where) for name, root in workspace.roots.items()] == [("work", str(work))]
    workspace.close()


def test_the_guard_is_what_the_settings_say(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ground.guard(settings.settled()) == Guard()

    monkeypatch.setenv("TOOLPOST_WORKSPACE_SECRETS", "allow")
    monkeypatch.setenv("TOOLPOST_WORKSPACE_READABLE", "a.pem,b.pem")
    monkeypatch.setenv("TOOLPOST_WORKSPACE_WRITABLE", ".envrc")
    settled = settings.settled()
    opened = Guard(secrets="allow", readable=("a.pem", "b.pem"), writable=(".envrc",))
    assert ground.guard(settled) == opened
    workspace = ground.workspace(settled)
    (root,) = workspace.roots.values()
    assert isinstance(root, LocalRoot)
    assert root.guard == opened
    workspace.close()


def test_a_folder_that_is_gone_is_answered_with_what_to_set(work: Path) -> None:
    settled = settings.settled()
    work.rmdir()
    with pytest.raises(Trouble, match="no longer exists"):
        ground.workspace(settled)

    assert ground.mend(settled.values["workspace.roots"].origin) == (
        "Work in another folder, or: toolpost config set workspace.roots FOLDER"
    )


def test_metrics_lie_in_the_state_folder_in_the_workspace_or_nowhere(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def folder(wanted: str) -> Path | None:
        monkeypatch.setenv("TOOLPOST_WORKSPACE_METRICS", wanted)
        settled = settings.settled()
        workspace = ground.workspace(settled)
        try:
            return ground.metrics_folder(settled, workspace)
        finally:
            workspace.close()

    kept = folder("state")
    assert kept is not None
    assert kept.parent == ground.state() / "workspaces"
    assert (folder("contract"), folder("off")) == (work, None)
    monkeypatch.setenv("TOOLPOST_WORKSPACE_ROOTS", "github:")
    assert folder("state") is None


def test_what_cannot_be_written_keeps_its_metrics_in_the_state_folder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TOOLPOST_WORKSPACE_ROOTS", "github:octo/shop")
    monkeypatch.setenv("TOOLPOST_WORKSPACE_METRICS", "contract")
    settled = settings.settled()
    folder = ground.metrics_folder(settled, ground.workspace(settled))

    assert folder is not None
    assert folder.parent == ground.state() / "workspaces"
