"""The permission question, put to whoever sits at the terminal, or left waiting for an answer. Enter means no."""

import asyncio
import signal
import sys

from toolpost import redact
from toolpost.authorize.ask import Always, Answer, Asker, Asking, Nobody, Question, Scope
from toolpost.authorize.decide import Judged
from toolpost.authorize.grants import Grant
from toolpost.authorize.kept import FILE as GRANTS
from toolpost.authorize.kept import KeptGrants
from toolpost.authorize.queue import FOLDER, Approvals, Pending, shown_args
from toolpost.cli import ground, show
from toolpost.cli.settings import own_folder
from toolpost.clock import Clock
from toolpost.limits import APPROVAL_SHOWN_ATOMS
from toolpost.result import Decision
from toolpost.visible import visible

_ONCE = {"y": Answer.ALLOW_ONCE, "n": Answer.REJECT_ONCE, "": Answer.REJECT_ONCE}
_LASTING = {"p": Answer.ALLOW_PROJECT, "a": Answer.ALLOW_ALWAYS}
_NEVER = {"d": Answer.REJECT_ALWAYS}
_CHOICES = "[y] allow once  {lasting}[d] never  [N] deny: "
_LASTING_CHOICES = "[p] allow in this project  [a] always allow  "
_OBEYED = str.maketrans({letter: f"<U+{ord(letter):04X}>" for letter in "\x1b\x9b\n\r\t"})
"""What begins a command to the terminal, and what hides where a line ends."""


def asker(*, yes: bool, wait_s: float | None = None) -> Asker:
    """`wait_s`: how long a question waits for another process to answer it, where there is no terminal."""
    if yes:
        return Always(Answer.ALLOW_ONCE)
    if sys.stdin.isatty() and sys.stderr.isatty():
        return Lasting(Asking(ask), KeptGrants(own_folder() / GRANTS))
    if wait_s is None:
        return Nobody()
    waiting = Approvals(ground.state() / FOLDER, wait_s)
    waiting.listen(_tell)
    return Lasting(waiting, KeptGrants(own_folder() / GRANTS))


class Lasting:
    """This process makes one call, so that a never for its session would be one for once: it is kept for good."""

    def __init__(self, inner: Asker, kept: KeptGrants, clock: Clock | None = None) -> None:
        self._inner = inner
        self._kept = kept
        self._clock = clock or Clock()

    async def ask(self, question: Question) -> Answer | None:
        answer = await self._inner.ask(question)
        if answer is Answer.REJECT_ALWAYS:
            for rule in question.refusals:
                self._kept.add(self._refusal(question, rule))
        return answer

    def _refusal(self, question: Question, rule: str) -> Grant:
        return Grant(
            id=self._clock.uuid()[:8],
            rule=rule,
            decision=Decision.DENY,
            scope=Scope.USER,
            tool=question.tool.name,
            agent=question.call.caller.name,
            made=self._clock.now(),
        )


def ask(question: Question) -> Answer | None:
    show.styled(*((seen(line), style) for line, style in _lines(question)))
    choices = {**_ONCE, **_NEVER, **(_LASTING if question.offers else {})}
    return _answer(choices, _CHOICES.format(lasting=_LASTING_CHOICES if question.offers else ""))


def seen(text: str) -> str:
    """The text with nothing hidden in it: what a terminal would obey, or not show, stands there by its number."""
    return visible(text.translate(_OBEYED))


def _tell(pending: Pending, answer: Answer | None) -> None:
    if answer is None:
        left = f"{(pending.until - pending.asked).total_seconds():g}"
        show.note(f"{pending.tool} waits {left} s for an answer")
        show.step(f"toolpost permissions answer {pending.id} once|session|project|always|deny|never")
    else:
        show.note(f"{pending.tool} was answered: {answer}")


def _lines(question: Question) -> list[tuple[str, str]]:
    """What is asked, line by line, each with its style."""
    tool, verdict = question.tool, question.verdict
    effects = ", ".join(sorted(tool.effects)) or "run"
    asked = [one for one in question.judged if _is_asked(one)]
    more = len(asked) - APPROVAL_SHOWN_ATOMS
    return [
        (f"{question.call.said_tool} wants to {effects} (rule {verdict.rule} of {verdict.layer})", "bold"),
        (f"  {shown_args(question.call.args)}", ""),
        *(
            (redact.text(f"  asks: {one.atom}  ({one.verdict.rule})"), "yellow")
            for one in asked[:APPROVAL_SHOWN_ATOMS]
            if one.verdict
        ),
        *([(f"  and {more} more", "yellow")] if more > 0 else []),
        *((f"  always would store: allow {rule}", "green") for rule in question.offers),
        *((f"  never would store: deny {rule}", "red") for rule in question.refusals),
    ]


def _is_asked(one: Judged) -> bool:
    return one.verdict is not None and one.verdict.decision is Decision.ASK


def _answer(choices: dict[str, Answer], prompt: str) -> Answer | None:
    """None when the terminal is closed. Ctrl-C cancels the call, so that it is still recorded."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return _read(choices, prompt)
    except KeyboardInterrupt:
        raise asyncio.CancelledError from None
    finally:
        signal.signal(signal.SIGINT, before)


def _read(choices: dict[str, Answer], prompt: str) -> Answer | None:
    while True:
        sys.stderr.write(prompt)
        sys.stderr.flush()
        line = sys.stdin.readline()
        if not line:
            return None
        answer = choices.get(line.strip().casefold()[:1])
        if answer is not None:
            return answer
