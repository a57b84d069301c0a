"""How far a build is, for whoever watches, and whether it is to go on."""

from collections.abc import Callable
from enum import StrEnum
from threading import Event

from msgspec import Struct

from toolpost.errors import Cancelled


class Stage(StrEnum):
    """In this order; the index is answered from once TRIGRAMS begin."""

    LIST = "list"
    READ = "read"
    RESOLVE = "resolve"
    WRITE = "write"
    TRIGRAMS = "trigrams"
    SYMBOLS = "symbols"


class Progress(Struct, frozen=True):
    stage: Stage
    done: int = 0
    total: int = 0
    """Files; of TRIGRAMS, bytes. 0 while it is not known."""


class Watch(Struct, frozen=True):
    """Told often, and asked as often."""

    tell: Callable[[Progress], None] | None = None
    stop: Event | None = None

    def at(self, stage: Stage, done: int = 0, total: int = 0) -> None:
        """Raises Cancelled."""
        if self.tell is not None:
            self.tell(Progress(stage, done, total))
        self.check()

    def check(self) -> None:
        if self.stop is not None and self.stop.is_set():
            raise Cancelled("The build of the index was stopped; what was there before is as it was.")
