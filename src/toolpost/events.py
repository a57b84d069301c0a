"""What a bench tells whoever listens, while a call lives."""

from msgspec import Struct

from toolpost.call import Call
from toolpost.progress import Progress
from toolpost.result import Result, Verdict


class CallStarted(Struct, frozen=True, tag=True):
    call: Call


class PermissionAsked(Struct, frozen=True, tag=True):
    call: Call
    verdict: Verdict


class PermissionGiven(Struct, frozen=True, tag=True):
    """A person answered; `answer` is one of the words of `authorize.ask.Answer`."""

    call: Call
    verdict: Verdict
    answer: str


class CallFinished(Struct, frozen=True, tag=True):
    result: Result


class CallProgressed(Struct, frozen=True, tag=True):
    """A tool that takes its time told how far it is."""

    call: Call
    progress: Progress


Event = CallStarted | PermissionAsked | PermissionGiven | CallProgressed | CallFinished
