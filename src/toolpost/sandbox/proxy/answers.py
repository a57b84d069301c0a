"""What a client is told when there is no way: in words, since whoever reads them has to act on them."""

import asyncio

from toolpost.sandbox.proxy.dialing import Refused, Unreachable
from toolpost.sandbox.proxy.heads import Malformed


class Unknown(PermissionError):
    """It does not know the secret: some other process of the machine."""


FAILURES = (Malformed, Refused, Unreachable, Unknown, asyncio.LimitOverrunError)
TUNNEL = b"HTTP/1.1 200 Connection established\r\n\r\n"
_FORM = (
    "HTTP/1.1 {status} {phrase}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {size}\r\n"
    "{more}Connection: close\r\n\r\n{text}"
)
_CHALLENGE = 'Proxy-Authenticate: Basic realm="toolpost"\r\n'


def answer(wrong: Exception) -> bytes:
    """One of FAILURES."""
    if isinstance(wrong, Refused):
        # Programs show no more of a refused tunnel than this line.
        return _answer(
            403, str(wrong), f"toolpost: {wrong}\nAsk the user for that rule, or do without this host.\n"
        )
    if isinstance(wrong, Unknown):
        return _answer(
            407, "Proxy Authentication Required", "toolpost: this proxy serves one command.\n", _CHALLENGE
        )
    if isinstance(wrong, Unreachable):
        return _answer(502, "Bad Gateway", f"toolpost: {wrong}\n")
    if isinstance(wrong, asyncio.LimitOverrunError):
        return _answer(
            431, "Request Header Fields Too Large", "toolpost: the head of the request is too long.\n"
        )
    return _answer(400, "Bad Request", f"toolpost: {wrong}\n")


def _answer(status: int, phrase: str, text: str, more: str = "") -> bytes:
    return _FORM.format(status=status, phrase=phrase, size=len(text), more=more, text=text).encode("ascii")
