"""Every standard tool, made for one workspace."""

from pathlib import Path

from toolpost.define import Tool
from toolpost.desktop.ground import DesktopGround
from toolpost.index.indexes import Indexes
from toolpost.limits import UNDO_DAYS
from toolpost.tools import edits, files, indexed, outputs, plan, search
from toolpost.tools.desktop import tools as desktop_tools
from toolpost.tools.git import kit as git
from toolpost.tools.outputs import Outputs
from toolpost.tools.plan import Plans
from toolpost.tools.touching import touching
from toolpost.workspace.history.change import Changes
from toolpost.workspace.history.journal import FOLDER, Journal
from toolpost.workspace.history.seen import Seen
from toolpost.workspace.reading.cache import ReadCache
from toolpost.workspace.workspace import Workspace


def standard(
    workspace: Workspace,
    *,
    state: Path,
    indexes: Indexes | None = None,
    undo_days: int = UNDO_DAYS,
    known: Outputs | None = None,
    desktop: DesktopGround | None = None,
) -> tuple[Tool, ...]:
    """`state` is the folder that keeps what was there before a change; `known` are the output types.

    Without `indexes` searches go through the files, and there are no tools that ask an index.
    """
    seen = Seen()
    changes = Changes(Journal(state / FOLDER, days=undo_days), indexes.touched if indexes else None)
    made = (
        *files.tools(workspace, ReadCache(state=indexes.version if indexes else None), seen),
        *search.tools(workspace, indexes),
        *(indexed.tools(workspace, indexes) if indexes else ()),
        *edits.tools(workspace, changes, seen),
        *git.tools(workspace),
        *plan.tools(Plans()),
        *outputs.tools(known or Outputs()),
        *(desktop_tools(desktop) if desktop else ()),
    )
    return touching(made, workspace)
