"""What of a file is in memory already: read at once, or not at all."""

import os
from errno import EAGAIN
from io import BytesIO

from toolpost.limits import READY_BYTES


def in_memory(descriptor: int, size: int) -> BytesIO:
    """The whole of a small file. BlockingIOError where the disk would have to be waited for."""
    if size > READY_BYTES or not hasattr(os, "RWF_NOWAIT"):
        raise BlockingIOError(EAGAIN, os.strerror(EAGAIN))
    held = bytearray(size + 1)
    try:
        count = os.preadv(descriptor, [held], 0, os.RWF_NOWAIT)
    except OSError:  # EAGAIN, or a file system that cannot tell
        raise BlockingIOError(EAGAIN, os.strerror(EAGAIN)) from None
    if count != size:  # a part is not there, or it changes just now
        raise BlockingIOError(EAGAIN, os.strerror(EAGAIN))
    return BytesIO(memoryview(held)[:count])
