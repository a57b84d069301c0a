"""The indexes a command works with: where they are kept, for which trees, and how a build shows how far it is."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from toolpost.cli import exits, ground, show
from toolpost.cli.exits import Exit
from toolpost.cli.settings import settled
from toolpost.cli.trouble import Trouble
from toolpost.config.load import Settings
from toolpost.config.model import key_named
from toolpost.config.places import cache_folder
from toolpost.errors import ToolError
from toolpost.index.build.progress import Progress
from toolpost.index.disk.damage import Damaged
from toolpost.index.disk.generations import Busy
from toolpost.index.disk.shelf import Shelf
from toolpost.index.indexes import Indexes
from toolpost.workspace.root import Root
from toolpost.workspace.workspace import Workspace

if TYPE_CHECKING:
    from toolpost.index.build.build import Built

STAGES = {
    "list": "Listing files",
    "read": "Reading files",
    "resolve": "Resolving exports",
    "write": "Writing the index",
    "trigrams": "Preparing searches",
    "symbols": "Finding definitions",
}
Tell = Callable[[Progress], None]


def shelf(given: Settings) -> Shelf:
    named = given.config.index.folder
    return Shelf(Path(named) if named else cache_folder(os.environ) / "index")


def indexes(given: Settings, *, is_watching: bool = False) -> Indexes:
    return Indexes(shelf(given), tags=given.config.index.tags, is_watching=is_watching)


@contextmanager
def grounds(*, is_watching: bool = False) -> Iterator[tuple[Workspace, Indexes]]:
    """The workspace of the settings and its indexes; what is wrong with either ends the command with a word.

    `is_watching` is for a command that stays.
    """
    given = settled()
    workspace = ground.workspace(given)
    kept = indexes(given, is_watching=is_watching)
    try:
        with telling():
            if not workspace.roots:
                raise Trouble(
                    "A workspace without a root has no index.", "toolpost config set workspace.roots FOLDER"
                )
            yield workspace, kept
    finally:
        kept.close()
        workspace.close()


@contextmanager
def telling() -> Iterator[None]:
    """What stops a question about an index, as a trouble with its next step."""
    try:
        yield
    except ToolError as error:
        raise Trouble(error.detail, _step(error), exits.of_error(error.code, error.slug)) from None
    except Busy as error:
        raise Trouble(str(error), "Wait for it to end, then try again.", Exit.FAILED) from None
    except Damaged as error:
        raise Trouble(str(error), "toolpost index build --full", Exit.FAILED) from None
    except OSError as error:
        raise Trouble(
            f"The index cannot be kept: {error.strerror or error}.",
            "Free some space, or: toolpost config set index.folder FOLDER",
            Exit.FAILED,
        ) from None


def _step(error: ToolError) -> str:
    """What is wrong with a setting is put right there."""
    setting = error.parameter or ""
    if not setting.startswith("index."):
        return error.fix
    if key_named(setting) is None:
        return "Change it in the file that `toolpost config where` names."
    return f"toolpost config set {setting} VALUE, or: toolpost config unset {setting}"


@contextmanager
def progress() -> Iterator[Tell | None]:
    """A bar on a terminal, nothing elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Bars(*columns, console=show.console(to_stderr=True), transient=True) as bars:
        tasks = {stage: bars.add_task(said, total=None, visible=False) for stage, said in STAGES.items()}

        def tell(made: Progress) -> None:
            task = tasks.get(str(made.stage))
            if task is not None:
                bars.update(task, completed=made.done, total=made.total or None, visible=True)

        yield tell


def built(
    kept: Indexes, root: Root, *, workers: int | None = None, is_full: bool = False, symbols: bool = True
) -> "Built":
    with progress() as tell:
        return kept.build(root, progress=tell, workers=workers, is_full=is_full, symbols=symbols)


def ready(workspace: Workspace, kept: Indexes, *, symbols: bool = False) -> None:
    """Every root has an index, if need be with definitions: who waits for one sees how far it is."""
    for root in workspace.roots.values():
        live = kept.known(root)
        if live is None or (symbols and live.snapshot().base.symbols is None):
            built(kept, root, symbols=symbols)


def one_root(workspace: Workspace) -> Root:
    """Where an answer can be about one tree only."""
    if len(workspace.roots) != 1:
        raise Trouble(
            f"The workspace has {len(workspace.roots)} roots; this is about one.",
            "Name one: TOOLPOST_WORKSPACE_ROOTS=FOLDER toolpost …",
        )
    (root,) = workspace.roots.values()
    return root


def remove(kept: Shelf, tree: str) -> int:
    """The index of one tree, by where it is, its key, or its folder's name."""
    wanted = {tree, str(Path(tree).absolute())}
    for listed in kept.all():
        if wanted & {listed.where, listed.key, listed.name, listed.place}:
            return kept.drop(listed.name)
    raise Trouble(f"There is no index of {tree}.", "toolpost index status --all lists them.", Exit.NOT_FOUND)
