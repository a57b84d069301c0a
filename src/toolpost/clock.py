"""Time and identity, in one replaceable place: tests put a fake clock here and nothing else changes."""

import os
import time
from datetime import UTC, datetime
from uuid import UUID


class Clock:
    """The machine's clock. `testing.FakeClock` is the other one."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic_ns(self) -> int:
        return time.perf_counter_ns()

    def request_id(self) -> str:
        """An id of the form contract 002 prints: `req-` and digits."""
        return f"req-{int.from_bytes(os.urandom(8)) >> 1}"

    def uuid(self) -> str:
        return str(UUID(bytes=os.urandom(16), version=4))


def rfc3339(moment: datetime) -> str:
    """UTC with a Z, milliseconds only when there are some (C23)."""
    utc = moment if moment.tzinfo is UTC else moment.astimezone(UTC)
    written = utc.isoformat(timespec="milliseconds" if utc.microsecond >= 1000 else "seconds")
    return f"{written[:-6]}Z"
