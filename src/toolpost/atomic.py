"""A file replaced whole: a crash at any point leaves the old one or the new one."""

import os
from pathlib import Path
from tempfile import mkstemp


def replace_file(path: Path, data: bytes, *, mode: int = 0o600) -> None:
    """Write beside it, onto the disk, then into its place. `mode` is for a file that is new."""
    target = path.resolve()
    handle, name = mkstemp(dir=target.parent, prefix=f".{target.name}.")
    beside = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.chmod(target.stat().st_mode & 0o777 if target.exists() else mode)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
