"""From a file to all that is known of it, but for what other files say of it.

What the guard hides is never opened. Of a file that is too large, or cannot be opened, only its stamp is known.
"""

import stat
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from errno import ELOOP, ENODEV, ENOENT, ENOTDIR, ENXIO
from hashlib import sha1

from msgspec.structs import replace

from toolpost.errors import Denied, FileNotFound, InvalidPath, IoFailed, NotAFile, ToolError
from toolpost.index.build.hidden import hidden
from toolpost.index.build.listing import Run, is_ours, is_utf8, stamp, stamp_of
from toolpost.index.extract import extract
from toolpost.index.model import Doc, Extract, Stamp
from toolpost.index.tags import tags_of
from toolpost.index.tags.rules import Rules
from toolpost.limits import BINARY_BYTES, RACY_NS, SEARCH_FILE_BYTES
from toolpost.workspace.guard import Guard
from toolpost.workspace.local import failures
from toolpost.workspace.local.bulk import Bulk, Folder
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.root import Entry, Root
from toolpost.workspace.walking.plain import plain

SAME = "same"
"""Instead of a reason: the content is what it was before."""
_GONE = frozenset({ENOENT, ENOTDIR, ELOOP, ENXIO, ENODEV})
"""It went while we looked, or is a link or a socket now."""
NOT_UTF8 = "not_utf8"
_PICTURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF8", b"wOF2", b"wOFF")
_FILM = b"ftyp"
_NO_EXCEPTIONS = Guard()
_NOTHING = Extract()


def doc_of(root: Root, entry: Entry, rules: Rules) -> Doc | None:
    """One file of any tree; None where there is none any more. A local one's stamp tells every later change."""
    folder, _, name = entry.path.rpartition("/")
    if isinstance(root, Bulk):
        return next(read_local(root, Run(folder, [name]), rules))
    if isinstance(root, LocalRoot):
        with closing(Bulk.of(root)) as bulk:
            return next(read_local(bulk, Run(folder, [name]), rules))
    return read_any(root, entry.path, stamp_of(entry), rules)


def read_local(root: Bulk, run: Run, rules: Rules) -> Iterator[Doc | None]:
    """One for each name of the run, in order: None for what is no file any more.

    One that has the blob id the run tells is the SAME as before: it is not looked through.
    """
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(root.within(run.folder))
        except ToolError as failed:  # it went, or a link stands in its place
            if is_ours(failed):
                raise
            yield from (None for _ in run.names)
            return
        secret = hidden(root.guard, run.folder, run.names)
        lately = time.time_ns() - RACY_NS
        start = f"{run.folder}/" if run.folder else ""
        for at, name in enumerate(run.names):
            path = f"{start}{name}"
            if name in secret:
                yield _unopened(folder, name, path, "secret", rules)
                continue
            try:
                found = folder.read(name, SEARCH_FILE_BYTES)
            except OSError as failed:
                yield None if _is_gone(failed) else _unopened(folder, name, path, "unreadable", rules)
                continue
            if found is None:
                yield None
                continue
            status, data = found
            told = stamp(status)
            if told.modified_ns > lately or told.changed_ns > lately:
                told = replace(told, inode=0)
            yield of_data(path, told, data, rules, run.blob_ids[at] if run.blob_ids else b"")


def of_data(path: str, told: Stamp, data: bytes | None, rules: Rules, known: bytes = b"") -> Doc:
    """`data` is None for a file that is too large."""
    if data is None:
        return unread(path, told, b"", "too_large", rules)
    blob_id = blob_id_of(data)
    if blob_id == known:
        return Doc(path, told, blob_id, None, SAME)
    if not is_utf8(path):
        return Doc(path, told, blob_id, None, NOT_UTF8)
    text = _text(data)
    if text is None:
        return unread(path, told, blob_id, "binary", rules)
    return of_text(path, told, blob_id, text, rules)


def _text(data: bytes) -> bytes | None:
    """What `plain` finds: most files are ASCII and stay as they are, and it would take three times as long.

    A picture by its first bytes costs nothing; to make sure that it is no UTF-16 took 0.15 ms for each.
    """
    has_nul = data.find(0, 0, BINARY_BYTES) >= 0
    if has_nul and (data.startswith(_PICTURES) or data[4:8] == _FILM):
        return None
    return data if not has_nul and data.isascii() else plain(data)


def of_text(path: str, told: Stamp, blob_id: bytes, text: bytes, rules: Rules) -> Doc:
    found = extract(path, text)
    return Doc(path, told, blob_id, text, "", found, found.exports, tags_of(path, text, found, rules))


def unread(path: str, told: Stamp, blob_id: bytes, why: str, rules: Rules) -> Doc:
    """A file without text: of what it is its name alone tells."""
    return Doc(path, told, blob_id, None, why, _NOTHING, (), tags_of(path, None, _NOTHING, rules))


def blob_id_of(data: bytes) -> bytes:
    """As git names content. One call and a copy take half as long as two calls, for files as small as most are."""
    return sha1(b"blob %d\0%b" % (len(data), data), usedforsecurity=False).digest()


def read_any(root: Root, path: str, told: Stamp, rules: Rules) -> Doc | None:
    """One file by `root.open`; None where there is none any more. Errors that tell of the whole tree are raised."""
    guard: Guard = getattr(root, "guard", _NO_EXCEPTIONS)
    if guard.hides(path):
        return unread(path, told, b"", "secret", rules)
    if told.size_bytes > SEARCH_FILE_BYTES:
        return of_data(path, told, None, rules)
    try:
        with root.open(path) as source:
            data = source.stream.read(SEARCH_FILE_BYTES + 1)
    except (FileNotFound, InvalidPath, NotAFile):
        return None
    except (Denied, IoFailed):
        return unread(path, told, b"", "unreadable", rules)
    return of_data(path, told, data if len(data) <= SEARCH_FILE_BYTES else None, rules)


def _is_gone(failed: OSError) -> bool:
    """Raises IoFailed where it is not the file that is at fault."""
    said = failures.of_file("A file", failed)
    if is_ours(said):
        raise said from None
    return failed.errno in _GONE


def _unopened(folder: Folder, name: str, path: str, why: str, rules: Rules) -> Doc | None:
    try:
        status = folder.status(name)
    except OSError:
        return None
    return unread(path, stamp(status), b"", why, rules) if stat.S_ISREG(status.st_mode) else None
