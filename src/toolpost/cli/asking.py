"""The permission question, put to whoever sits at the terminal."""

import asyncio
import signal
import sys

from toolpost import codec, redact
from toolpost.authorize.ask import Always, Answer, Asker, Asking, Nobody
from toolpost.call import Call
from toolpost.cli import show
from toolpost.define import Tool
from toolpost.result import Verdict

ANSWERS = {
    "y": Answer.ALLOW_ONCE,
    "n": Answer.REJECT_ONCE,
}  # this process makes one call; always is no longer
_CHOICES = "[y] allow once  [n] deny: "
_SHOWN_CHARS = 4_000  # what nobody can read, nobody can agree to


def asker(*, yes: bool) -> Asker:
    if yes:
        return Always(Answer.ALLOW_ONCE)
    return Asking(ask) if sys.stdin.isatty() and sys.stderr.isatty() else Nobody()


def ask(tool: Tool, call: Call, verdict: Verdict) -> Answer | None:
    effects = ", ".join(sorted(tool.effects)) or "run"
    args = codec.encode(redact.value(call.args)).decode("utf-8")
    shown = args if len(args) <= _SHOWN_CHARS else f"{args[:_SHOWN_CHARS]}… ({len(args)} characters)"
    lines = [
        f"{call.said_tool} wants to {effects} (rule {verdict.rule} of {verdict.layer})",
        f"  {shown}",
    ]
    sys.stderr.write("\n".join(show.clean(line) for line in lines) + "\n")
    return _answer()


def _answer() -> Answer | None:
    """None when the terminal is closed. Ctrl-C cancels the call, so that it is still recorded."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return _read()
    except KeyboardInterrupt:
        raise asyncio.CancelledError from None
    finally:
        signal.signal(signal.SIGINT, before)


def _read() -> Answer | None:
    while True:
        sys.stderr.write(_CHOICES)
        sys.stderr.flush()
        line = sys.stdin.readline()
        if not line:
            return None
        answer = ANSWERS.get(line.strip().casefold()[:1])
        if answer is not None:
            return answer
