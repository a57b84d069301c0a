"""Changing one name in an open folder: wholly, or not at all.

A file is written beside its place under a name nobody can guess, brought to the disk, and renamed into place;
a crash leaves the old file or the new one, and at most a temporary file that a later write sweeps away.
"""

import os
import re
import secrets
import stat
import time
from contextlib import ExitStack, suppress
from errno import EBADF, EINVAL, ENOTSUP

from toolpost.limits import TEMP_STALE_S
from toolpost.workspace.local.rename import rename_new

_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_TEMP = re.compile(r"\.toolpost-[0-9a-f]{32}\.tmp")
_CANNOT_SYNC = frozenset({EBADF, EINVAL, ENOTSUP})


class Unconfirmed(OSError):
    """The change is in place, but the disk did not confirm it: a power loss may take it back."""


def is_temporary(name: str) -> bool:
    return name.startswith(".toolpost-") and _TEMP.fullmatch(name) is not None


def replace(
    folder: int, name: str, data: bytes, old: os.stat_result | None, mode: int | None = None
) -> os.stat_result:
    """Put a file in place of an old one, keeping its owner and, unless one is given, its mode.

    Where there is no old one, a new file with the mode given or the umask's. Raises OSError.
    """
    temporary = f".toolpost-{secrets.token_hex(16)}.tmp"
    # A new file gets its mode from the umask, so it is born with it; an old one's mode may be narrower.
    descriptor = os.open(temporary, _CREATE, 0o600 if old or mode is not None else 0o666, dir_fd=folder)
    with ExitStack() as undo:
        undo.callback(close, descriptor)
        failed = undo.enter_context(ExitStack())
        failed.callback(_remove, temporary, folder)
        _fill(descriptor, data)
        if old is not None:
            _keep(descriptor, old)
        if mode is not None:
            os.fchmod(descriptor, mode & 0o777)
        os.fsync(descriptor)
        os.rename(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
        status = os.fstat(descriptor)  # after the rename, which changes ctime
        failed.pop_all()
    sync(folder)
    return status


def _remove(name: str, folder: int) -> None:
    with suppress(OSError):
        os.unlink(name, dir_fd=folder)


def close(descriptor: int) -> None:
    """What fsync confirmed is on the disk, so a close that fails has nothing to add."""
    with suppress(OSError):
        os.close(descriptor)


def _fill(descriptor: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]


def _keep(descriptor: int, old: os.stat_result) -> None:
    new = os.fstat(descriptor)
    if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        with suppress(PermissionError):  # only root gives files away
            os.fchown(descriptor, old.st_uid, old.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(old.st_mode) & 0o777)


def remove(folder: int, name: str) -> None:
    """A file, a link or an empty folder."""
    if stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
        os.rmdir(name, dir_fd=folder)
    else:
        os.unlink(name, dir_fd=folder)
    sync(folder)


def move(folder: int, name: str, new_folder: int, new_name: str) -> None:
    rename_new(folder, name, new_folder, new_name)
    sync(new_folder)
    sync(folder)


def make_folder(folder: int, name: str) -> bool:
    """Whether it was made: it may be there already. One that cannot be brought to the disk is taken back."""
    try:
        os.mkdir(name, dir_fd=folder)
    except FileExistsError:
        return False
    try:
        sync(folder)
    except Unconfirmed as failed:
        with suppress(OSError):
            os.rmdir(name, dir_fd=folder)
        raise OSError(*failed.args) from None
    return True


def sync(folder: int) -> None:
    """Bring a folder's names to the disk, where the file system can."""
    try:
        os.fsync(folder)
    except OSError as failed:
        if failed.errno not in _CANNOT_SYNC:
            raise Unconfirmed(*failed.args) from None


def sweep(folder: int) -> None:
    """Remove temporary files of writes that were killed; one that cannot be removed stays."""
    with suppress(OSError), os.scandir(folder) as found:
        for item in found:
            if is_temporary(item.name):
                _remove_stale(folder, item)


def _remove_stale(folder: int, item: os.DirEntry[str]) -> None:
    with suppress(OSError):
        status = item.stat(follow_symlinks=False)
        if stat.S_ISREG(status.st_mode) and time.time() - status.st_mtime > TEMP_STALE_S:
            os.unlink(item.name, dir_fd=folder)
