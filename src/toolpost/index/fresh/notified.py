"""Word of changes where there is no inotify: macOS and Windows, by way of watchfiles.

It comes a moment late, so files that are about to be shown are looked at all the same.
"""

import importlib
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from threading import Event, Lock, Thread

from toolpost.index.fresh.happened import Happened
from toolpost.index.fresh.watcher import NoRoom
from toolpost.index.limits import NOTICE_MS, NOTICE_WAIT_MS

Listen = Callable[[str, Event], Iterator[set[tuple[int, str]]]]
"""Sets of kinds and whole paths, as they come, until an event is set. Raises OSError."""


class Notified:
    """One listener for a whole tree; what it hears waits until it is drained."""

    is_prompt = False

    def __init__(self, where: str, listen: Listen | None = None) -> None:
        """Raises OSError where nothing can be heard, as without watchfiles."""
        self._where = os.path.realpath(where)
        self._listen = listen or _watchfiles()
        self._lock = Lock()
        self._stop = Event()
        self._heard = Happened()
        self._thread = Thread(target=self._run, name="toolpost-notified", daemon=True)
        self._thread.start()

    def add(self, top: int, folders: Iterable[bytes]) -> None:
        """All are listened to already."""

    def enter(self, descriptor: int, folder: bytes) -> None: ...

    def leave(self, folders: Iterable[bytes]) -> None: ...

    def drain(self) -> Happened | None:
        """Raises NoRoom once nothing is heard any more."""
        if not self._thread.is_alive() and not self._stop.is_set():
            raise NoRoom("The listener ended.")
        with self._lock:
            heard, self._heard = self._heard, Happened()
        return heard or None

    def close(self) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            for changes in self._listen(self._where, self._stop):
                self._note(changes)
        except OSError:  # the tree went, or may not be listened to: whoever drains next is told
            return

    def _note(self, changes: set[tuple[int, str]]) -> None:
        paths = {os.fsencode(os.path.relpath(path, self._where)) for _, path in changes}
        folders = {path for path in paths if (Path(self._where) / os.fsdecode(path)).is_dir()}
        with self._lock:
            # One that is gone may have been a folder: it is listed again, and found to be nothing.
            self._heard.merge(Happened(paths, folders | {path for path in paths if self._is_gone(path)}))

    def _is_gone(self, path: bytes) -> bool:
        return not os.path.lexists(Path(self._where) / os.fsdecode(path))


def _watchfiles() -> Listen:
    try:
        watch = importlib.import_module("watchfiles").watch
    except ImportError as missing:
        raise OSError(f"watchfiles is not installed: {missing}") from None

    def listen(where: str, stop: Event) -> Iterator[set[tuple[int, str]]]:
        yield from watch(
            where, watch_filter=None, debounce=NOTICE_MS, stop_event=stop, rust_timeout=NOTICE_WAIT_MS
        )

    return listen
