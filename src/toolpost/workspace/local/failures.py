"""What the system said about a file, as an error the caller can act on."""

import os
from errno import (
    EACCES,
    EEXIST,
    EINVAL,
    EISDIR,
    ELOOP,
    ENAMETOOLONG,
    ENODEV,
    ENOENT,
    ENOTDIR,
    ENOTEMPTY,
    ENXIO,
    EPERM,
    EXDEV,
    errorcode,
)
from typing import Any

from toolpost.errors import (
    DirectoryNotFound,
    FileExists,
    FileNotFound,
    InvalidDirectory,
    InvalidPath,
    IoFailed,
    NotAFile,
    ToolError,
)
from toolpost.workspace.local.writing import Unconfirmed

_MISSING = frozenset({ENOENT, ENOTDIR})
_OUTSIDE = frozenset({EXDEV, ELOOP})
_NO_FILE = frozenset({ENXIO, ENODEV})
_NO_RIGHT = frozenset({EACCES, EPERM})
_GONE = (FileNotFound, "There is nothing at {path}, or its directory went away.")
_NAMED = (
    InvalidPath,
    "{path} cannot be {doing}: the name is not taken here, or a directory would hold itself.",
)
_REFUSALS: dict[int | None, tuple[type[ToolError], str]] = {
    ENOENT: _GONE,
    ENOTDIR: _GONE,
    EEXIST: (FileExists, "There already is something at {path}."),
    ENOTEMPTY: (NotAFile, "{path} is a directory and not empty."),
    EISDIR: (NotAFile, "{path} is a directory."),
    EINVAL: _NAMED,
    ENAMETOOLONG: _NAMED,
}


def of_file(path: str, failed: OSError) -> ToolError:
    """Why a file could not be opened."""
    if failed.errno in _MISSING:
        return FileNotFound(f"There is no file {path}.", parameter="path")
    if failed.errno in _NO_FILE:
        return NotAFile(f"{path} is a socket or a device, not a file.", parameter="path", kind="special")
    return _leaving(path, failed, InvalidPath) or _broken(f"{path} could not be opened", failed)


def of_folder(path: str, failed: OSError) -> ToolError:
    """Why a folder could not be listed."""
    if failed.errno == ENOTDIR:
        return DirectoryNotFound(f"{path} is not a directory.", parameter="path")
    if failed.errno == ENOENT:
        return DirectoryNotFound(f"There is no directory {path}.", parameter="path")
    return _leaving(path, failed, InvalidDirectory) or _broken(f"{path} could not be opened", failed)


def of_parent(path: str, failed: OSError) -> ToolError:
    """Why the folder something is to be changed in could not be opened."""
    if failed.errno == ENOENT:
        said = f"There is no directory {path}; make it first, or set create_dirs."
        return DirectoryNotFound(said, parameter="path")
    if failed.errno == ENOTDIR:
        return DirectoryNotFound(f"{path} is not a directory.", parameter="path")
    return _leaving(path, failed, InvalidPath) or _broken(f"{path} could not be opened", failed)


def of_change(path: str, failed: OSError, doing: str) -> ToolError:
    """Why something could not be written, moved or deleted; `doing` is the participle."""
    if isinstance(failed, Unconfirmed):
        said = f"{path} was {doing}, but the disk did not confirm it: a power loss may undo it"
        return _broken(said, failed, changed=True)
    if failed.errno not in _REFUSALS:
        return _broken(f"{path} could not be {doing}", failed, changed=False)
    error, said = _REFUSALS[failed.errno]
    return error(said.format(path=path, doing=doing), parameter="path")


def _leaving(path: str, failed: OSError, error: type[InvalidPath]) -> InvalidPath | None:
    if failed.errno in _OUTSIDE:
        said = f"{path} leads out of the root through a link, or through links without end."
        return error(said, parameter="path", rule="outside")
    if failed.errno in {EINVAL, ENAMETOOLONG}:
        return error(f"{path} is no path this system takes: {_said(failed)}.", parameter="path", rule="name")
    return None


def _broken(what: str, failed: OSError, **facts: bool) -> IoFailed:
    right = " toolpost has no permission." if failed.errno in _NO_RIGHT else ""
    untouched = " What was there before is untouched." if facts.get("changed") is False else ""
    context: dict[str, Any] = {"errno": errorcode.get(failed.errno or 0, ""), **facts}
    return IoFailed(f"{what}: {_said(failed)}.{right}{untouched}", parameter="path", **context)


def _said(failed: OSError) -> str:
    number = failed.errno or 0
    return f"{os.strerror(number)} ({errorcode.get(number, number)})"
