"""Files that are not as they were, read again: folder by folder, and no further than a search needs.

What their texts say is found out by who asks for it, if anybody does.
"""

import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from errno import ELOOP, ENODEV, ENOENT, ENOTDIR, ENXIO

from msgspec.structs import replace

from toolpost.index.build.hidden import hidden
from toolpost.index.build.listing import Run, is_ours, is_utf8, stamp
from toolpost.index.build.read import NOT_UTF8, blob_id_of
from toolpost.index.fresh.happened import parent
from toolpost.index.fresh.ladder import Ladder
from toolpost.index.model import Doc, Stamp
from toolpost.limits import BINARY_BYTES, RACY_NS, SEARCH_FILE_BYTES
from toolpost.workspace.guard import Guard
from toolpost.workspace.local import failures
from toolpost.workspace.local.bulk import Folder
from toolpost.workspace.walking.plain import plain

Read = Callable[[Guard, Folder, Run], Iterable[Doc | None]]
"""For each name of a run, all in an open folder, what it holds; None for what is no file."""
_GONE = frozenset({ENOENT, ENOTDIR, ELOOP, ENXIO, ENODEV})
"""It went while we looked, or is a link or a socket now."""


def read_again(
    top: int, guard: Guard, paths: Iterable[bytes], read: Read
) -> Iterator[tuple[bytes, Doc | None]]:
    """What each holds now. Raises IoFailed where this process can open no more files."""
    groups: dict[bytes, list[bytes]] = {}
    for path in paths:
        groups.setdefault(parent(path), []).append(path)
    with Ladder(top) as ladder:
        for folder, held in sorted(groups.items()):
            try:
                descriptor = ladder.at(folder)
            except OSError as failed:
                _refuse_ours(failed)
                yield from ((path, None) for path in held)
                continue
            start = len(folder) + 1 if folder else 0
            run = Run(os.fsdecode(folder), [os.fsdecode(path[start:]) for path in held])
            yield from zip(held, read(guard, Folder(descriptor), run), strict=True)


def read_run(guard: Guard, folder: Folder, run: Run) -> Iterator[Doc | None]:
    """What the guard hides is never opened."""
    secret = hidden(guard, run.folder, run.names)
    lately = time.time_ns() - RACY_NS
    for at, name in enumerate(run.names):
        path = run.path(at)
        if name in secret:
            yield _unopened(folder, name, path, "secret")
            continue
        try:
            found = folder.read(name, SEARCH_FILE_BYTES)
        except OSError as failed:
            _refuse_ours(failed)
            yield None if failed.errno in _GONE else _unopened(folder, name, path, "unreadable")
            continue
        yield found and _of_data(path, _sure(stamp(found[0]), lately), found[1])


def _refuse_ours(failed: OSError) -> None:
    """Raises IoFailed where it is not the file that is at fault."""
    said = failures.of_file("A file", failed)
    if is_ours(said):
        raise said from None


def _sure(told: Stamp, lately: int) -> Stamp:
    """One that proves nothing where the file may change again under the same times."""
    return replace(told, inode=0) if max(told.modified_ns, told.changed_ns) > lately else told


def _unopened(folder: Folder, name: str, path: str, why: str) -> Doc | None:
    try:
        status = folder.status(name)
    except OSError:
        return None
    return Doc(path, stamp(status), b"", None, why) if stat.S_ISREG(status.st_mode) else None


def _of_data(path: str, told: Stamp, data: bytes | None) -> Doc:
    """`data` is None for a file that is too large."""
    if data is None:
        return Doc(path, told, b"", None, "too_large")
    blob_id = blob_id_of(data)
    if not is_utf8(path):
        return Doc(path, told, blob_id, None, NOT_UTF8)
    # Most files are ASCII and stay as they are; `plain` would find the same in three times the time.
    text = data if data.isascii() and data.find(0, 0, BINARY_BYTES) < 0 else plain(data)
    return Doc(path, told, blob_id, text, "binary" if text is None else "")
