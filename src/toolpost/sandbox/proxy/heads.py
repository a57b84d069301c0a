"""The head of a request to a proxy, read strictly: where two readers could differ, there is no request.

CONNECT pypi.org:443 HTTP/1.1            a tunnel
GET http://example.org/a?b HTTP/1.1      a request that is passed on
"""

import re

from msgspec import Struct

from toolpost.sandbox.proxy.hosts import Asked, normal_host

URL_CHARS = 8_192
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[^\x00-\x08\x0a-\x1f\x7f]*")
_VERSION = re.compile(r"HTTP/1\.[01]")
_AUTHORITY = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::([0-9]{1,5}))?")
_URL = re.compile(r"(?i:http)://([^/?#]*)([^#\\\x00-\x20\x7f-\xff]*)")
_OF_THE_HOP = frozenset(
    {
        *("connection", "keep-alive", "proxy-connection", "proxy-authorization", "proxy-authenticate"),
        *("te", "trailer", "upgrade", "host", "http2-settings", "transfer-encoding", "content-length"),
    }
)
"""Headers that are not passed on as they are."""

Headers = tuple[tuple[str, str], ...]


class Malformed(ValueError):
    """The sentence says what is wrong with the request."""


class Request(Struct, frozen=True, kw_only=True):
    method: str
    asked: Asked
    target: str
    """What the server is asked for; empty for a tunnel."""
    headers: Headers
    length: int | None = 0
    """Bytes of the body; None: it comes in chunks."""

    @property
    def is_tunnel(self) -> bool:
        return self.method == "CONNECT"

    def head(self) -> bytes:
        """As the server gets it: one request, then the connection ends."""
        named = {
            word.strip().lower()
            for name, value in self.headers
            if name.lower() == "connection"
            for word in value.split(",")
        }
        kept = [
            f"{name}: {value}"
            for name, value in self.headers
            if name.lower() not in _OF_THE_HOP and name.lower() not in named
        ]
        host = str(self.asked).removesuffix(":80")
        lines = [f"{self.method} {self.target} HTTP/1.1", f"Host: {host}", *kept, *self._framing()]
        return "\r\n".join([*lines, "Connection: close", "", ""]).encode("latin-1")

    def _framing(self) -> list[str]:
        if self.length is None:
            return ["Transfer-Encoding: chunked"]
        was_told = any(name.lower() == "content-length" for name, _ in self.headers)
        return [f"Content-Length: {self.length}"] if was_told else []


def request(head: bytes) -> Request:
    """Raises Malformed. `head` ends with its empty line."""
    first, *rest = head.decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")
    words = first.split(" ")
    if len(words) != 3 or not _TOKEN.fullmatch(words[0]) or not _VERSION.fullmatch(words[2]):
        raise Malformed("The first line is no request of HTTP/1.1.")
    method, target, _ = words
    headers = tuple(map(_header, rest))
    if len(target) > URL_CHARS:
        raise Malformed(f"The URL is longer than {URL_CHARS:,} characters.")
    if method == "CONNECT":
        return Request(method=method, asked=_authority(target, "https", None), target="", headers=headers)
    found = _URL.fullmatch(target)
    if found is None:
        raise Malformed(
            "A proxy is asked with CONNECT host:port, or for a whole URL that begins with http://."
        )
    path = found[2] if found[2].startswith("/") else f"/{found[2]}"
    asked = _authority(found[1], "http", 80, path.partition("?")[0])
    return Request(method=method, asked=asked, target=path, headers=headers, length=_length(headers))


def _header(line: str) -> tuple[str, str]:
    name, colon, value = line.partition(":")
    if not colon or not _TOKEN.fullmatch(name) or not _VALUE.fullmatch(value):
        raise Malformed("A header is not of the form `Name: value`.")
    return name, value.strip(" \t")


def _authority(text: str, scheme: str, usual: int | None, path: str = "") -> Asked:
    found = _AUTHORITY.fullmatch(text)
    host = normal_host(found[1]) if found else ""
    port = int(found[2]) if found and found[2] else usual
    if not host or port is None or not 0 < port < 65_536:
        raise Malformed("The host is neither a plain name nor an address, or its port is missing.")
    return Asked(host=host, port=port, scheme=scheme, path=path)


def _length(headers: Headers) -> int | None:
    lengths = [value for name, value in headers if name.lower() == "content-length"]
    codings = [value.lower() for name, value in headers if name.lower() == "transfer-encoding"]
    if codings and not lengths and codings == ["chunked"]:
        return None
    is_plain = len(lengths) <= 1 and all(re.fullmatch("[0-9]{1,15}", length) for length in lengths)
    if codings or not is_plain:
        raise Malformed("Where the body of the request ends is not said, or said twice.")
    return int(lengths[0]) if lengths else 0


def header(headers: Headers, name: str) -> str:
    return next((value for own, value in headers if own.lower() == name), "")
