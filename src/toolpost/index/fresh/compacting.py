"""Building what lies over a base into the next one, beside everything else, once it has grown large."""

from collections.abc import Callable
from threading import Lock, Thread

from toolpost.errors import ToolError
from toolpost.index.disk.damage import Damaged
from toolpost.index.disk.generations import Busy
from toolpost.index.limits import OVERLAY_BYTES, OVERLAY_FILES
from toolpost.index.snapshot import Snapshot

Compact = Callable[[Snapshot], object]
"""Commits a generation of the tree as it is, or newer than a snapshot is."""
_OFFERS = 16


class Compacting:
    """One at a time. One that fails is tried again when there is twice as much to do."""

    def __init__(self, compact: Compact | None) -> None:
        self._compact = compact
        self._lock = Lock()
        self._thread: Thread | None = None
        self._patience = 1
        self._offers = 0

    def offer(self, snapshot: Snapshot) -> None:
        self._offers += 1
        is_many = max(len(snapshot.docs), len(snapshot.gone)) > self._patience * OVERLAY_FILES
        # Texts are counted now and then: a thousand take 0.2 ms, a fifth of what one changed file may cost.
        if is_many or (
            self._offers % _OFFERS == 0 and _text_bytes(snapshot) > self._patience * OVERLAY_BYTES
        ):
            self.start(snapshot)

    def start(self, snapshot: Snapshot) -> None:
        with self._lock:
            compact = self._compact
            if compact is not None and (self._thread is None or not self._thread.is_alive()):
                self._thread = Thread(
                    target=self._run, args=(compact, snapshot), name="toolpost-compact", daemon=True
                )
                self._thread.start()

    def close(self) -> None:
        """Begins nothing any more, and waits for what is under way."""
        with self._lock:
            self._compact = None
        self.wait()

    def wait(self) -> None:
        thread = self._thread
        if thread:
            thread.join()

    def _run(self, compact: Compact, snapshot: Snapshot) -> None:
        try:
            compact(snapshot)
        except (ToolError, OSError, Damaged, Busy):  # what lies over the base answers as well, only slower
            self._patience *= 2
        else:
            self._patience = 1


def _text_bytes(snapshot: Snapshot) -> int:
    return sum(len(doc.text) for doc in snapshot.docs if doc.text)
