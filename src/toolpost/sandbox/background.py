"""Every command of a server: how many at once, whose they are, and which can still be asked about.

A command that goes on without a waiting call, or whose output did not fit into an answer, has a random id.
Only the session that started it can use the id.
"""

import atexit
import time
from collections import OrderedDict
from functools import partial
from secrets import token_hex
from threading import RLock
from weakref import WeakSet

from toolpost.errors import LimitExceeded, NotFound
from toolpost.limits import EXEC_END_S, EXEC_ENDED_KEPT, EXEC_GRACE_S, EXEC_SESSION, EXEC_TOTAL
from toolpost.sandbox.run import Command, Stop


class Kept:
    """A command that can be asked about."""

    def __init__(self, session: str, command: Command) -> None:
        self.id = token_hex(8)
        self.session = session
        self.command = command
        self.cursor = 0
        """Where the last answer about it ended, in bytes of its output."""


class Commands:
    def __init__(
        self, *, per_session: int = EXEC_SESSION, total: int = EXEC_TOTAL, ended_kept: int = EXEC_ENDED_KEPT
    ) -> None:
        self._per_session = per_session
        self._total = total
        self._ended_kept = ended_kept
        self._lock = RLock()
        self._running: dict[Command, str] = {}
        self._kept: OrderedDict[str, Kept] = OrderedDict()
        self._is_closed = False
        _OPEN.add(self)

    def admit(self, session: str, command: Command) -> None:
        """Count it until it ends. LimitExceeded when there is no room."""
        with self._lock:
            if self._is_closed:
                raise LimitExceeded("The server is about to end: no command is started any more.")
            self._refuse_too_many(session)
            self._running[command] = session
        command.ended.add_done_callback(lambda _ended: self._leave(command))

    def keep(self, session: str, command: Command) -> Kept:
        """From now on it can be asked about by its id."""
        kept = Kept(session, command)
        with self._lock:
            self._kept[kept.id] = kept
            self._forget_oldest()
        return kept

    def find(self, session: str, name: str) -> Kept:
        with self._lock:
            kept = self._kept.get(name)
        if kept is None or kept.session != session:
            known = [other.id for other in self.of(session)]
            told = f"; there are {', '.join(known[-5:])}" if known else ": none is kept"
            raise NotFound(f"This session has no command {name[:32]!r}{told}.", parameter="id")
        return kept

    def of(self, session: str) -> list[Kept]:
        with self._lock:
            return [kept for kept in self._kept.values() if kept.session == session]

    def end_session(self, session: str) -> None:
        """End its commands and forget them."""
        with self._lock:
            commands = [command for command, whose in self._running.items() if whose == session]
            for kept in self.of(session):
                self._forget(kept)
        for command in commands:
            command.stop(Stop.CLOSED)
            command.ended.add_done_callback(partial(_close, command))

    def close(self) -> None:
        """End every command, and wait until they have ended."""
        with self._lock:
            self._is_closed = True
            commands = list(self._running)
        for command in commands:
            command.stop(Stop.CLOSED)
        limit = time.monotonic() + EXEC_GRACE_S + EXEC_END_S
        for command in commands:
            command.join(max(limit - time.monotonic(), 0))
        with self._lock:
            for kept in list(self._kept.values()):
                self._forget(kept)

    def _refuse_too_many(self, session: str) -> None:
        own = sum(1 for other in self._running.values() if other == session)
        for count, limit, whose in (
            (own, self._per_session, "of this session"),
            (len(self._running), self._total, "of all sessions"),
        ):
            if count >= limit:
                raise LimitExceeded(
                    f"{count} commands {whose} run already: wait for one, or end one with kill.",
                    used=count,
                    limit=limit,
                )

    def _leave(self, command: Command) -> None:
        with self._lock:
            self._running.pop(command, None)
            self._forget_oldest()

    def _forget_oldest(self) -> None:
        ended = [kept for kept in self._kept.values() if kept.command.ended.done()]
        for kept in ended[: max(len(ended) - self._ended_kept, 0)]:
            self._forget(kept)

    def _forget(self, kept: Kept) -> None:
        self._kept.pop(kept.id, None)
        if kept.command.ended.done():
            kept.command.output.close()


def _close(command: Command, _ended: object) -> None:
    command.output.close()


_OPEN: WeakSet[Commands] = WeakSet()


@atexit.register
def _close_all() -> None:
    for commands in list(_OPEN):
        commands.close()
