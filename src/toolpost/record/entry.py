"""A record: what was asked, what was decided, what came of it. Secrets are taken out here."""

from datetime import datetime
from functools import lru_cache
from typing import Any

from msgspec import Struct

from toolpost import redact
from toolpost.call import Call
from toolpost.limits import ID_CHARS, INLINE_LOG_BYTES
from toolpost.result import Result, Verdict


class Entry(Struct, frozen=True, gc=False):
    time: datetime
    request_id: str
    call_id: str
    dialect: str
    tool: str
    said_tool: str
    caller: str
    session: str
    component: str
    args: dict[str, Any]
    outcome: str
    codes: tuple[str, ...]
    instances: tuple[str, ...]
    location: str
    duration_ms: float
    verdict: Verdict | None
    usage: dict[str, int]
    notes: tuple[str, ...]


def entry_of(result: Result) -> Entry:
    call, provenance, problems = result.call, result.provenance, result.problems
    words, caller = call.words, call.caller
    return Entry(  # the first are not named: Python packs more than fifteen names into a dict, for 1.4 us
        provenance.timestamp,
        provenance.request_id,
        call.call_id and _short(call.call_id),
        words.dialect,
        _short(call.tool),
        _short(words.tool or call.tool),
        caller=caller.name,
        session=caller.session and _short(caller.session),
        component=caller.component and _short(caller.component),
        args=_args(call),
        outcome=result.outcome,
        codes=tuple([problem.code for problem in problems]) if problems else (),
        instances=tuple([problem.instance for problem in problems]) if problems else (),
        location=provenance.location,
        duration_ms=provenance.duration_ms,
        verdict=result.verdict,
        usage=result.usage,
        notes=result.notes,
    )


def _args(call: Call) -> dict[str, Any]:
    """The arguments in our words; as received where they never became ours."""
    given = call.args or call.input
    if not given or not isinstance(given, dict):
        return {}
    try:
        return redact.fields(given, INLINE_LOG_BYTES)
    except RecursionError:
        return {"unrecorded": "the arguments nest without end"}


def _short(text: str) -> str:
    """A name, without a secret in it; the same few come again and again."""
    return _known(text) if len(text) <= ID_CHARS else redact.text(text, INLINE_LOG_BYTES)


@lru_cache(maxsize=1024)
def _known(text: str) -> str:
    return redact.text(text)
