"""`toolpost permissions pending` and `answer`: calls of other processes that wait for somebody."""

from typing import Any

from toolpost.authorize.ask import Answer
from toolpost.authorize.queue import FOLDER, Pending, Shared
from toolpost.cli import asking, exits, ground, show
from toolpost.cli.exits import Exit
from toolpost.cli.trouble import Trouble
from toolpost.clock import Clock, rfc3339
from toolpost.errors import ToolError

_WORDS = {
    "once": Answer.ALLOW_ONCE,
    "session": Answer.ALLOW_SESSION,
    "project": Answer.ALLOW_PROJECT,
    "always": Answer.ALLOW_ALWAYS,
    "deny": Answer.REJECT_ONCE,
    "never": Answer.REJECT_ALWAYS,
}


def _shared() -> Shared:
    return Shared(ground.state() / FOLDER)


def pending(*, as_json: bool) -> int:
    try:
        waiting = _shared().pending()
    except ToolError as error:
        raise Trouble(error.detail, error.fix) from None
    if as_json:
        show.as_json([_facts(one) for one in waiting])
    elif waiting:
        for one in waiting:
            _print(one)
    else:
        show.note("No call waits for an answer.")
    return Exit.OK


def _facts(one: Pending) -> dict[str, Any]:
    return {
        "id": one.id,
        "tool": one.tool,
        "args": one.args,
        "asks": list(one.asks),
        "rule": one.rule,
        "layer": one.layer,
        "offers": list(one.offers),
        "refusals": list(one.refusals),
        "agent": one.agent,
        "asked": rfc3339(one.asked),
        "until": rfc3339(one.until),
        "pid": one.pid,
    }


def _print(one: Pending) -> None:
    left = max((one.until - Clock().now()).total_seconds(), 0)
    lines = [
        f"{one.id}  {one.tool}  (of {one.agent}, process {one.pid}; {left:.0f} s left)",
        f"  {one.args}",
        *(f"  asks: {text}" for text in one.asks),
        *(f"  always would store: allow {rule}" for rule in one.offers),
        *(f"  never would store: deny {rule}" for rule in one.refusals),
    ]
    for line in lines:
        show.out(asking.seen(line))


def answer(named: str, word: str) -> int:
    try:
        was_open = _shared().answer(named, _WORDS[word])
    except ToolError as error:
        raise Trouble(error.detail, error.fix, exits.of_error(error.code, error.slug)) from None
    if not was_open:
        said = f"No call waits under {named!r}: it was answered, or its time is over."
        raise Trouble(said, "toolpost permissions pending", Exit.NOT_FOUND)
    show.out(f"answered {named}: {word}")
    return Exit.OK
