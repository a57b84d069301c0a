"""A tool that takes its time tells here how far it is.

`tell("linking", done=3, total=7)` reaches whoever listens to the call that runs here, and nobody elsewhere.
"""

from collections.abc import Callable
from contextvars import ContextVar

from msgspec import Struct


class Progress(Struct, frozen=True):
    text: str = ""
    done: float | None = None
    total: float | None = None


Tell = Callable[[Progress], None]


def _nobody(_progress: Progress) -> None:
    """Nobody listens."""


TELL: ContextVar[Tell] = ContextVar("toolpost_progress", default=_nobody)


def tell(text: str = "", done: float | None = None, total: float | None = None) -> None:
    TELL.get()(Progress(text, done, total))
