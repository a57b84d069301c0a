"""For tests of tools and of toolpost itself: a clock that stands still, an asker that follows a script."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from toolpost.authorize.ask import Answer, Question
from toolpost.clock import Clock


class FakeClock(Clock):
    """Time moves only when told to; ids count up."""

    def __init__(
        self, start: datetime = datetime(2025, 12, 11, 20, tzinfo=UTC), *, step_ms: float = 0
    ) -> None:
        self._now = start
        self._ns = 0
        self._step_ns = int(step_ms * 1_000_000)
        self._count = 0

    def now(self) -> datetime:
        return self._now

    def monotonic_ns(self) -> int:
        """Each look at the clock costs one step, so that durations can be known beforehand."""
        self._ns += self._step_ns
        return self._ns

    def advance(self, seconds: float) -> None:
        self._now += timedelta(seconds=seconds)
        self._ns += int(seconds * 1_000_000_000)

    def request_id(self) -> str:
        self._count += 1
        return f"req-{self._count}"

    def uuid(self) -> str:
        self._count += 1
        return f"00000000-0000-4000-8000-{self._count:012d}"


class ScriptedAsker:
    """Answers from a list, and keeps what it was asked."""

    def __init__(self, answers: Iterable[Answer]) -> None:
        self._answers = list(answers)
        self.asked: list[Question] = []

    async def ask(self, question: Question) -> Answer | None:
        self.asked.append(question)
        return self._answers.pop(0) if self._answers else None
