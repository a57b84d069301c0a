"""Renaming that never replaces anything."""

import ctypes
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from errno import EINVAL, ENOSYS

_NO_REPLACE = 1
# Neither macOS nor an old musl has it.
_renameat2 = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)


def rename_new(folder: int, name: str, new_folder: int, new_name: str) -> None:
    """Rename within or between open folders; FileExistsError when the new name is taken."""
    if "\0" in name or "\0" in new_name:  # C would stop reading there, and rename another file
        raise OSError(EINVAL, os.strerror(EINVAL), name)
    failed = _in_one_step(folder, name, new_folder, new_name)
    if failed in {ENOSYS, EINVAL}:  # the kernel or the file system does not know how
        in_two_steps(folder, name, new_folder, new_name)
    elif failed:
        raise OSError(failed, os.strerror(failed), name)


def _in_one_step(folder: int, name: str, new_folder: int, new_name: str) -> int:
    """0, or the error number."""
    if _renameat2 is None:
        return ENOSYS
    done = _renameat2(folder, os.fsencode(name), new_folder, os.fsencode(new_name), _NO_REPLACE)
    return 0 if done == 0 else ctypes.get_errno()


def in_two_steps(folder: int, name: str, new_folder: int, new_name: str) -> None:
    """The new name is taken first, which fails if it exists; a crash between the steps loses nothing."""
    status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    if stat.S_ISDIR(status.st_mode):
        os.mkdir(new_name, dir_fd=new_folder)
        with _taking_back(lambda: os.rmdir(new_name, dir_fd=new_folder)):
            os.rename(name, new_name, src_dir_fd=folder, dst_dir_fd=new_folder)
    else:
        os.link(name, new_name, src_dir_fd=folder, dst_dir_fd=new_folder, follow_symlinks=False)
        with _taking_back(lambda: os.unlink(new_name, dir_fd=new_folder)):
            os.unlink(name, dir_fd=folder)


@contextmanager
def _taking_back(undo: Callable[[], None]) -> Iterator[None]:
    try:
        yield
    except OSError:
        with suppress(OSError):
            undo()
        raise
