"""Processes whose parent ended become ours instead of init's, so that none is lost. Linux only."""

import ctypes
import sys

_PR_SET_CHILD_SUBREAPER = 36


def adopt_orphans() -> bool:
    """Whether descendants without a parent come to this process from now on."""
    if sys.platform != "linux":
        return False
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    return bool(prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)
