"""When a remote asks to wait, and until when. GitHub says it in headers, and bans who does not listen."""

from datetime import UTC, datetime
from typing import Any

from msgspec import Struct

from toolpost.clock import rfc3339
from toolpost.errors import RateLimited
from toolpost.limits import REMOTE_PAUSE_MAX_S, REMOTE_PAUSE_S
from toolpost.workspace.github.dial import Reply

_REFUSALS = {403, 429}


class Pause(Struct, frozen=True):
    """Until when nothing may be asked, in seconds since 1970, and what the remote said is left."""

    until: float
    limit: int | None = None
    remaining: int | None = None

    def refuse(self, host: str, *, has_token: bool) -> RateLimited:
        reset = rfc3339(datetime.fromtimestamp(self.until, UTC))
        advice = (
            "Wait until then"
            if has_token
            else "Wait until then, or connect with a token, which raises the limit"
        )
        told: dict[str, Any] = {"limit": self.limit, "remaining": self.remaining}
        return RateLimited(
            f"{host} takes no more requests until {reset}. {advice}.",
            host=host,
            reset=reset,
            **{name: value for name, value in told.items() if value is not None},
        )


def pause(reply: Reply, now: float) -> Pause | None:
    """The wait an answer asks for, also a good one that was the last. A refusal always asks for one."""
    limit, remaining = _number(reply, "x-ratelimit-limit"), _number(reply, "x-ratelimit-remaining")
    until = _until(reply, remaining, now)
    if until <= now and not is_refusal(reply):
        return None
    if until <= now:  # as by a clock that is not GitHub's
        until = now + REMOTE_PAUSE_S
    return Pause(min(until, now + REMOTE_PAUSE_MAX_S), limit, remaining)


def is_refusal(reply: Reply) -> bool:
    """Whether it was refused for its rate: 403 also means that access is missing."""
    if reply.status not in _REFUSALS:
        return False
    return (
        reply.status == 429
        or "retry-after" in reply.headers
        or _number(reply, "x-ratelimit-remaining") == 0
        or b"rate limit" in reply.body.lower()
    )


def _until(reply: Reply, remaining: int | None, now: float) -> float:
    """Retry-After goes before the reset of a spent limit; where neither is said, a past time."""
    after, reset = _number(reply, "retry-after"), _number(reply, "x-ratelimit-reset")
    if after is not None and is_refusal(reply):
        return now + after
    return reset if remaining == 0 and reset is not None else now


def _number(reply: Reply, name: str) -> int | None:
    value = reply.headers.get(name, "")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 19 else None
