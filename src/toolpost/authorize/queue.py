"""Questions that wait for an answer: the call is held until a person decides, or its deadline passes.

A question is in the memory of the process that asks. With a folder it is a file there too, so that another process
of the same user can answer it: with a file beside it, which only this very question can take. What a killed process
leaves behind belongs to nobody, is never shown, and is swept away.
"""

import asyncio
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from secrets import token_hex
from tempfile import NamedTemporaryFile
from threading import Lock
from typing import Any

import msgspec
from msgspec import Struct

from toolpost import codec, redact
from toolpost.authorize.ask import Answer, Question
from toolpost.clock import Clock
from toolpost.errors import InvalidArgument, IoFailed, NeedsApproval
from toolpost.limits import (
    APPROVAL_ASK_CHARS,
    APPROVAL_BYTES,
    APPROVAL_MAX_S,
    APPROVAL_POLL_S,
    APPROVAL_SHOWN_ATOMS,
    APPROVAL_SHOWN_CHARS,
    APPROVALS_WAITING,
)
from toolpost.result import Decision
from toolpost.sandbox import processes
from toolpost.store import private

FOLDER = "approvals"
_ASKED, _ANSWERED = ".question", ".answer"


class Pending(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A question as whoever answers it sees it. Secrets are taken out."""

    id: str
    tool: str
    args: str
    """JSON; cut where it is long."""
    asks: tuple[str, ...]
    """What of it needs an answer, each with the rule that wants it."""
    rule: str
    layer: str
    offers: tuple[str, ...] = ()
    """What a lasting yes would store; none: only this call can be allowed."""
    refusals: tuple[str, ...] = ()
    agent: str = ""
    asked: datetime
    until: datetime
    pid: int = 0
    began: int = 0
    """When the asking process began, as the kernel counts: its number alone may be another's by now."""


Listener = Callable[[Pending, Answer | None], None]
"""Gets a question when it is asked, with None, and again with its answer."""


class _Waiting(Struct):
    pending: Pending
    answer: asyncio.Future[Answer]
    loop: asyncio.AbstractEventLoop


class Approvals:
    """An asker. `answer` may be called from any thread."""

    def __init__(self, folder: Path | None, deadline_s: float, clock: Clock | None = None) -> None:
        self._shared = None if folder is None else Shared(folder, clock)
        self._deadline_s = min(deadline_s, APPROVAL_MAX_S)
        self._clock = clock or Clock()
        self._lock = Lock()
        self._waiting: dict[str, _Waiting] = {}
        self._listeners: list[Listener] = []

    def listen(self, listener: Listener) -> None:
        self._listeners.append(listener)

    def pending(self) -> tuple[Pending, ...]:
        with self._lock:
            return tuple(one.pending for one in self._waiting.values())

    def answer(self, named: str, answer: Answer) -> bool:
        """Whether that question was still open. Raises InvalidArgument for an answer that it does not take."""
        with self._lock:
            one = self._waiting.get(named)
        if one is None:
            return False
        check(one.pending, answer)
        one.loop.call_soon_threadsafe(_settle, one.answer, answer)
        return True

    async def ask(self, question: Question) -> Answer | None:
        """Raises NeedsApproval when nobody answered in time."""
        loop = asyncio.get_running_loop()
        one = _Waiting(self._described(question), loop.create_future(), loop)
        with self._lock:
            if len(self._waiting) >= APPROVALS_WAITING:
                raise _refusal(question, f"{APPROVALS_WAITING} other calls wait for one already")
            self._waiting[one.pending.id] = one
        try:
            answer = await self._answered(one)
        finally:
            with self._lock:
                del self._waiting[one.pending.id]
        if answer is None:
            raise _refusal(question, f"nobody answered within {self._deadline_s:g} s")
        self._tell(one.pending, answer)
        return answer

    async def _answered(self, one: _Waiting) -> Answer | None:
        if self._shared is None:
            self._tell(one.pending, None)
            return await _within(one.answer, self._deadline_s)
        with self._shared.posted(one.pending):
            self._tell(one.pending, None)
            return await self._watched(one, self._shared)

    async def _watched(self, one: _Waiting, shared: "Shared") -> Answer | None:
        end = one.loop.time() + self._deadline_s
        while (left := end - one.loop.time()) > 0:
            answer = await _within(one.answer, min(left, APPROVAL_POLL_S)) or shared.taken(one.pending)
            if answer is not None:
                return answer
        return None

    def _tell(self, pending: Pending, answer: Answer | None) -> None:
        for listener in self._listeners:
            listener(pending, answer)

    def _described(self, question: Question) -> Pending:
        now = self._clock.now()
        asked = [
            f"{one.atom} ({one.verdict.rule})"
            for one in question.judged
            if one.verdict is not None and one.verdict.decision is Decision.ASK
        ]
        more = len(asked) - APPROVAL_SHOWN_ATOMS
        return Pending(
            id=token_hex(8),
            tool=question.call.said_tool,
            args=shown_args(question.call.args),
            asks=tuple(
                redact.text(text)[:APPROVAL_ASK_CHARS]
                for text in (*asked[:APPROVAL_SHOWN_ATOMS], *([f"and {more} more"] if more > 0 else []))
            ),
            rule=question.verdict.rule,
            layer=question.verdict.layer,
            offers=question.offers,
            refusals=question.refusals,
            agent=question.call.caller.name,
            asked=now,
            until=now + timedelta(seconds=self._deadline_s),
            pid=os.getpid(),
            began=_began(os.getpid()),
        )


def shown_args(args: dict[str, Any]) -> str:
    """A call's arguments as a person can read them: no secrets, and no more than fits on a screen or two."""
    text = codec.encode(redact.value(args)).decode("utf-8")
    if len(text) <= APPROVAL_SHOWN_CHARS:
        return text
    return f"{text[:APPROVAL_SHOWN_CHARS]}… ({len(text)} characters)"


def check(pending: Pending, answer: Answer) -> None:
    """Raises InvalidArgument where a yes would have to be stored and nothing may be."""
    if answer.decision is Decision.ALLOW and answer.scope is not None and not pending.offers:
        raise InvalidArgument(
            "This call can only be allowed once: no rule may be stored for it.",
            parameter="answer",
            suggested=str(Answer.ALLOW_ONCE),
        )


async def _within(answer: asyncio.Future[Answer], seconds: float) -> Answer | None:
    done, _ = await asyncio.wait({answer}, timeout=seconds)
    return answer.result() if done else None


def _settle(future: asyncio.Future[Answer], answer: Answer) -> None:
    if not future.done():  # the first answer counts
        future.set_result(answer)


def _refusal(question: Question, why: str) -> NeedsApproval:
    verdict = question.verdict
    return NeedsApproval(
        f"{question.call.said_tool} needs the user's approval, and {why}.",
        rule=verdict.rule,
        layer=verdict.layer,
        atom=verdict.atom,
        who=verdict.who,
    )


def _began(pid: int) -> int:
    """0 where the kernel does not show it."""
    found = processes.look(pid)
    return found.began if found else 0


class _Reply(Struct, frozen=True):
    id: str
    answer: Answer


class Shared:
    """The folder in which processes of one user ask and answer each other."""

    def __init__(self, folder: Path, clock: Clock | None = None) -> None:
        self._folder = folder
        self._clock = clock or Clock()

    @contextmanager
    def posted(self, pending: Pending) -> Iterator[None]:
        """For as long as it waits: whichever way that ends, its files go."""
        self.pending()  # sweeps what killed processes left behind
        self.post(pending)
        try:
            yield
        finally:
            self.withdraw(pending.id)

    def pending(self) -> tuple[Pending, ...]:
        """What waits for an answer, the oldest first; whatever nobody waits for any more is removed."""
        if not self._is_private():
            return ()
        known = tuple(self._swept())
        return tuple(sorted(known, key=lambda one: one.asked))

    def answer(self, named: str, answer: Answer) -> bool:
        """Whether that question was still open, and nobody had answered it. Raises InvalidArgument, IoFailed."""
        one = next((one for one in self.pending() if one.id == named), None)
        if one is None:
            return False
        check(one, answer)
        try:
            return self._write(f"{one.id}{_ANSWERED}", msgspec.json.encode(_Reply(one.id, answer)))
        except OSError as error:
            raise IoFailed(f"The answer cannot be written to {self._folder}: {error.strerror}.") from None

    def taken(self, pending: Pending) -> Answer | None:
        data = self._read(f"{pending.id}{_ANSWERED}")
        if data is None:
            return None
        try:
            reply = msgspec.json.decode(data, type=_Reply)
            check(pending, reply.answer)
        except (msgspec.MsgspecError, InvalidArgument):
            return None
        return reply.answer if reply.id == pending.id else None

    def post(self, pending: Pending) -> None:
        try:
            private.make(self._folder)
            self._require_private()
            self._write(f"{pending.id}{_ASKED}", msgspec.json.encode(pending))
        except OSError as error:
            raise IoFailed(f"A question cannot be written to {self._folder}: {error.strerror}.") from None

    def withdraw(self, named: str) -> None:
        """The question first: nobody answers what is not asked."""
        for ending in (_ASKED, _ANSWERED):
            with suppress(OSError):
                (self._folder / f"{named}{ending}").unlink(missing_ok=True)

    def _write(self, name: str, data: bytes) -> bool:
        """Whole at once, and only if there is none: the first one counts."""
        with NamedTemporaryFile(dir=self._folder, prefix=".") as file:
            file.write(data)
            file.flush()
            try:
                os.link(file.name, self._folder / name)
            except FileExistsError:
                return False
        return True

    def _swept(self) -> Iterator[Pending]:
        names = {path.name for path in self._folder.iterdir()}
        for name in sorted(names):
            if name.endswith(_ASKED):
                one = self._decoded(name)
                if one is None or not self._is_awaited(one):
                    self.withdraw(name.removesuffix(_ASKED))
                    continue
                yield one
        for name in names:
            if name.endswith(_ANSWERED) and f"{name.removesuffix(_ANSWERED)}{_ASKED}" not in names:
                self.withdraw(name.removesuffix(_ANSWERED))

    def _decoded(self, name: str) -> Pending | None:
        data = self._read(name)
        if data is None:
            return None
        try:
            one = msgspec.json.decode(data, type=Pending)
        except msgspec.MsgspecError:
            return None
        return one if f"{one.id}{_ASKED}" == name else None

    def _is_awaited(self, one: Pending) -> bool:
        if one.until <= self._clock.now():
            return False
        if one.began:
            return _began(one.pid) == one.began
        try:
            os.kill(one.pid, 0)
        except OSError:
            return False
        return True

    def _read(self, name: str) -> bytes | None:
        """None: there is none, or none that was written by us."""
        try:
            handle = os.open(self._folder / name, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError:
            return None
        try:
            found = os.fstat(handle)
            if (
                not stat.S_ISREG(found.st_mode)
                or found.st_uid != os.getuid()
                or found.st_size > APPROVAL_BYTES
            ):
                return None
            return os.read(handle, APPROVAL_BYTES)
        finally:
            os.close(handle)

    def _is_private(self) -> bool:
        """False where there is no such folder."""
        if not self._folder.is_dir():
            return False
        self._require_private()
        return True

    def _require_private(self) -> None:
        found = self._folder.stat()
        if found.st_uid != os.getuid() or found.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise IoFailed(
                f"Others can reach {self._folder}, so no answer in it can be relied on. chmod 700 {self._folder}"
            )
