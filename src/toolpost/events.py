"""What a bench tells whoever listens, while a call lives."""

from msgspec import Struct

from toolpost.call import Call
from toolpost.result import Result, Verdict


class CallStarted(Struct, frozen=True, tag=True):
    call: Call


class PermissionAsked(Struct, frozen=True, tag=True):
    call: Call
    verdict: Verdict


class CallFinished(Struct, frozen=True, tag=True):
    result: Result


Event = CallStarted | PermissionAsked | CallFinished
