"""What a command would change, as a diff that can be applied."""

from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from stat import S_ISREG

from msgspec import Struct

from toolpost.errors import InvalidArgument, NotText, ToolError
from toolpost.limits import DRY_RUN_BYTES, DRY_RUN_FILES, WRITE_MAX
from toolpost.sandbox.overlay import Change, ChangeKind
from toolpost.tools.shell.asked import RunCommand
from toolpost.workspace.editing.diff import unified
from toolpost.workspace.reading.text import decode
from toolpost.workspace.root import Root
from toolpost.workspace.workspace import Workspace


class ChangedFile(Struct, frozen=True):
    path: str
    change: ChangeKind


class WouldChange(Struct, frozen=True, kw_only=True):
    files: list[ChangedFile]
    patch: str
    """As `git apply` and fs.patch take it; a file that is not text, too large or secret is only named."""
    total: int
    truncated: bool


def refuse_background(asked: RunCommand) -> None:
    if asked.background or asked.yield_ms is not None:
        raise InvalidArgument(
            "A dry run has no background: its answer is what the command would have changed in the end.",
            parameter="background" if asked.background else "yield_ms",
        )


def would_change(workspace: Workspace, changes: Iterable[Change]) -> WouldChange:
    """Read while the overlay is still there."""
    roots = {root.where: (name, root) for name, root in workspace.roots.items()}
    found = list(changes)
    parts: list[str] = []
    room = DRY_RUN_BYTES
    for change in islice(found, DRY_RUN_FILES):
        name, root = roots[change.root]
        part = _diff(root, _shown(workspace, name, change.path), change)
        if len(part) > room:
            break
        room -= len(part)
        parts.append(part)
    return WouldChange(
        files=[
            ChangedFile(_shown(workspace, roots[change.root][0], change.path), change.kind)
            for change in found[:DRY_RUN_FILES]
        ],
        patch="".join(parts),
        total=len(found),
        truncated=len(parts) < len(found),
    )


def _shown(workspace: Workspace, name: str, path: str) -> str:
    return path if len(workspace.roots) == 1 else f"{name}/{path}"


def _diff(root: Root, shown: str, change: Change) -> str:
    """Empty for what no diff can say, and for what must not be read."""
    try:
        before = None if change.kind is ChangeKind.CREATED else _before(root, change.path, shown)
        after = None if change.kind is ChangeKind.DELETED else _after(change.now, shown)
    except (ToolError, OSError):
        return ""
    return unified(shown, before, after)


def _before(root: Root, path: str, shown: str) -> str:
    """Through the root, whose guard keeps secrets."""
    with root.open(path) as source:
        return decode(source.stream.read(WRITE_MAX), shown).text


def _after(now: str, shown: str) -> str:
    path = Path(now)
    status = path.lstat()
    if not S_ISREG(status.st_mode) or status.st_size > WRITE_MAX:
        raise NotText(f"{shown} is no text that could be shown.")
    return decode(path.read_bytes(), shown).text
