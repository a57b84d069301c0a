"""What a small file says; files that are none, or too large, say nothing."""

import os
import stat

from toolpost.limits import APP_ENTRY_BYTES


def read(path: str) -> bytes | None:
    try:
        descriptor = os.open(
            path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK
        )  # a FIFO must not keep us waiting
        try:
            return _content(descriptor)
        finally:
            os.close(descriptor)
    except (OSError, ValueError):
        return None


def _content(descriptor: int) -> bytes | None:
    facts = os.fstat(descriptor)
    if not stat.S_ISREG(facts.st_mode) or facts.st_size > APP_ENTRY_BYTES:
        return None
    return os.read(descriptor, APP_ENTRY_BYTES)
