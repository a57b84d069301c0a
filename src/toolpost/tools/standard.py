"""Every standard tool, made for one workspace."""

from pathlib import Path

from toolpost.define import Tool
from toolpost.limits import UNDO_DAYS
from toolpost.tools import edits, files, outputs, plan, search
from toolpost.tools.git import kit as git
from toolpost.tools.outputs import Outputs
from toolpost.tools.plan import Plans
from toolpost.workspace.history.change import Changes
from toolpost.workspace.history.journal import FOLDER, Journal
from toolpost.workspace.history.seen import Seen
from toolpost.workspace.reading.cache import ReadCache
from toolpost.workspace.workspace import Workspace


def standard(
    workspace: Workspace, *, state: Path, undo_days: int = UNDO_DAYS, known: Outputs | None = None
) -> tuple[Tool, ...]:
    """`state` is the folder that keeps what was there before a change; `known` are the output types."""
    seen = Seen()
    return (
        *files.tools(workspace, ReadCache(), seen),
        *search.tools(workspace),
        *edits.tools(workspace, Changes(Journal(state / FOLDER, days=undo_days)), seen),
        *git.tools(workspace),
        *plan.tools(Plans()),
        *outputs.tools(known or Outputs()),
    )
