"""What the user or a rule opened for the call that runs here, although a guard holds it for others.

A guard that stands by the disk asks here: a person who approves a change to `.github/workflows` approved it for
one call, not for all that come after.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_OPENED: ContextVar[frozenset[tuple[str, str]]] = ContextVar("toolpost_opened", default=frozenset())


def is_open(kind: str, path: str) -> bool:
    """Whether this call may `read` or `write` a path, relative to its root, past the guard."""
    opened = _OPENED.get()
    return bool(opened) and (kind, path) in opened


@contextmanager
def opening(paths: frozenset[tuple[str, str]]) -> Iterator[None]:
    token = _OPENED.set(_OPENED.get() | paths)
    try:
        yield
    finally:
        _OPENED.reset(token)
