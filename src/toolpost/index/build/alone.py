"""A build has the processor for a while: what others start beside it, and what is looked for in vain, is put off."""

import gc
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

_THREADS = "OPENBLAS_NUM_THREADS"


@contextmanager
def uncollected() -> Iterator[None]:
    """Nothing looks for circles meanwhile: a build makes hundreds of thousands of objects and none; it took 4 %."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def load_numpy() -> None:
    """Without the threads it starts for linear algebra, of which an index has none: they spin for 50 ms.

    They are counted by a variable of the environment. It is left alone where another thread might be reading it.
    """
    if "numpy" in sys.modules:
        return
    told = os.environ.get(_THREADS)
    if told is not None or threading.active_count() > 1:
        import_module("numpy")
        return
    os.environ[_THREADS] = "1"
    try:
        import_module("numpy")
    finally:
        del os.environ[_THREADS]
