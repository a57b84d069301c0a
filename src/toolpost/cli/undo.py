"""`toolpost undo`: what tools changed in files, put back."""

import os
import sys
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from toolpost.cli import exits, options, show
from toolpost.cli.exits import Exit
from toolpost.cli.settings import settled
from toolpost.cli.trouble import Trouble
from toolpost.errors import ToolError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolpost.workspace.history.change import Changes
    from toolpost.workspace.history.journal import Entry, Step
    from toolpost.workspace.local.root import LocalRoot

EXAMPLES = options.examples(
    "toolpost undo",
    "toolpost undo --list --all",
    "toolpost undo req-4611686018427387904",
)


@click.command("undo", epilog=EXAMPLES)
@click.argument("request_id", required=False, metavar="[REQUEST_ID]")
@click.option("--list", "listing", is_flag=True, help="List the changes that can be undone, newest first.")
@click.option(
    "--all", "everywhere", is_flag=True, help="Changes in every folder, not only those of this workspace."
)
@click.option("--force", is_flag=True, help="Put back what was there even over later changes.")
@click.option("--yes", is_flag=True, help="Do not ask before undoing the newest change.")
@options.with_json
def command(
    request_id: str | None, *, listing: bool, everywhere: bool, force: bool, yes: bool, as_json: bool
) -> int:
    """Undo a change that a tool made to files: by its REQUEST_ID or the beginning of it, else the newest.

    The newest is that of this workspace which was not undone yet, so that the next undo goes one further back.
    A file that changed since is left alone, unless --force is given. An undo can itself be undone, by its id.
    """
    changes = _changes()
    try:
        if listing:
            _list(changes, everywhere=everywhere, as_json=as_json)
            return Exit.OK
        entry = changes.journal.find(request_id) if request_id else _newest(changes, everywhere=everywhere)
        if not request_id and not yes:
            _agree(entry)
        _undo(changes, entry, force=force, as_json=as_json)
    except ToolError as error:
        raise Trouble(error.detail, error.fix, exits.of_error(error.code, error.slug)) from None
    return Exit.OK


def _changes() -> "Changes":
    from toolpost.config.places import state_folder
    from toolpost.workspace.history.change import Changes
    from toolpost.workspace.history.journal import FOLDER, Journal

    days = settled().config.workspace.undo_days
    return Changes(Journal(state_folder(os.environ) / FOLDER, days=days))


def _entries(changes: "Changes", *, everywhere: bool) -> "Iterator[Entry]":
    """Newest first: those of the folders of this workspace, or all."""
    keys = frozenset[str]() if everywhere else _keys()
    return (entry for entry in changes.journal.entries() if everywhere or entry.root_key in keys)


def _keys() -> frozenset[str]:
    """Of the local roots of the settings, or of the folder we are in; one that is gone has nothing to undo."""
    from toolpost.cli import ground
    from toolpost.workspace.opening import GIT, GITHUB

    settings = settled()
    keys = set()
    for spec in settings.config.workspace.roots or ground.HERE:
        if not spec.startswith((*GITHUB, GIT)):
            with suppress(ToolError):
                (root,) = ground.opener(settings).open([spec]).values()
                keys.add(root.key)
                root.close()
    return frozenset(keys)


def _list(changes: "Changes", *, everywhere: bool, as_json: bool) -> None:
    from toolpost.limits import UNDO_LISTED

    entries = list(islice(_entries(changes, everywhere=everywhere), UNDO_LISTED))
    if as_json:
        show.as_json([_told(entry) for entry in entries])
    elif entries:
        rows = [(entry.request_id, _when(entry), entry.tool, entry.where, _files(entry)) for entry in entries]
        show.table(("request id", "when", "tool", "folder", "files"), rows)
    else:
        show.note(_nothing(everywhere=everywhere))


def _newest(changes: "Changes", *, everywhere: bool) -> "Entry":
    from toolpost.workspace.history.journal import in_effect

    entry = next(in_effect(_entries(changes, everywhere=everywhere)), None)
    if entry is None:
        raise Trouble(_nothing(everywhere=everywhere), "toolpost undo --list --all", Exit.NOT_FOUND)
    return entry


def _nothing(*, everywhere: bool) -> str:
    return "There is nothing to undo." if everywhere else "There is nothing to undo in this workspace."


def _agree(entry: "Entry") -> None:
    """Whoever sits at the terminal says yes; where nobody does, --yes has to be there."""
    said = f"The newest change: {entry.request_id}, {_when(entry)}, {entry.tool} in {entry.where}: {_files(entry)}"
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise Trouble(said, f"toolpost undo {entry.request_id}, or toolpost undo --yes")
    show.err(show.one_line(said))
    sys.stderr.write("Undo it? [y] yes  [n] no: ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().casefold()[:1] != "y":
        raise Trouble("Nothing was undone.", "toolpost undo --list", Exit.DENIED)


def _undo(changes: "Changes", entry: "Entry", *, force: bool, as_json: bool) -> None:
    from toolpost.tools.moves import put_back
    from toolpost.workspace.history.change import Request

    root = _root(entry)
    try:
        request = Request(changes.journal.new_id(), tool="toolpost undo")
        undone = changes.undo(request, entry, root, force=force)
    finally:
        root.close()
    files = put_back(undone, str) if undone else []
    if as_json:
        told = [{"path": file.path, "what": file.what} for file in files]
        again = {"request_id": undone.request_id} if undone else {}
        show.as_json({"undone": entry.request_id, "where": entry.where, "files": told, **again})
    elif undone:
        show.out(show.one_line(f"Undid {entry.request_id} in {entry.where}:"))
        for file in files:
            show.out(show.one_line(f"{file.path}: {file.what}"))
        show.step(f"toolpost undo {undone.request_id} takes that back")
    else:
        show.note(f"Nothing to undo: the files in {entry.where} are as they were before {entry.request_id}.")


def _root(entry: "Entry") -> "LocalRoot":
    """The folder the change was made in, by the rules its owner works by."""
    from toolpost.workspace.guard import Guard
    from toolpost.workspace.local.root import LocalRoot

    guard = Guard(secrets="allow", writable=settled().config.workspace.writable)
    root = LocalRoot(Path(entry.where), guard=guard)
    if root.key != entry.root_key:
        root.close()
        raise Trouble(f"{entry.where} is not the folder the change was made in.", "", Exit.NOT_FOUND)
    return root


def _told(entry: "Entry") -> dict[str, Any]:
    from toolpost.clock import rfc3339

    return {
        "request_id": entry.request_id,
        "time": rfc3339(entry.time),
        "tool": entry.tool,
        "session": entry.session,
        "where": entry.where,
        "files": [{"path": step.path, "act": step.act} for step in entry.steps],
        **({"undoes": entry.undoes} if entry.undoes else {}),
    }


def _when(entry: "Entry") -> str:
    return f"{entry.time.astimezone():%Y-%m-%d %H:%M:%S}"


def _files(entry: "Entry") -> str:
    first = ", ".join(_act(step) for step in entry.steps[:3])
    more = len(entry.steps) - 3
    return f"{first} and {more} more" if more > 0 else first


def _act(step: "Step") -> str:
    return f"{step.act} {step.path}" + (f" to {step.moved_to}" if step.moved_to else "")
