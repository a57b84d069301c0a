"""What new files may not be, by the process's own setting."""

import re
from pathlib import Path

_SAID = re.compile(r"^Umask:\s*([0-7]+)$", re.MULTILINE)
_STRICT = 0o077


def umask(status: Path = Path("/proc/self/status")) -> int:
    """Read, for `os.umask` must set it to tell it, and other threads make files meanwhile.

    Where the system does not say, as macOS, the strict one: what is too narrow does no harm.
    """
    try:
        said = _SAID.search(status.read_text("utf-8", "replace"))
    except OSError:
        return _STRICT
    return int(said[1], 8) if said else _STRICT


def executable(mode: int | None) -> int:
    """A mode with the right to execute for whoever may read; None is that of a new file."""
    if mode is None:
        return 0o777 & ~umask()
    return mode | (mode & 0o444) >> 2
