"""Which hosts a command may reach: `docs.python.org`, `*.readthedocs.io`, `http://localhost:8080/api`.

A pattern with `!` before it, as `net!(...)` rules have, also opens addresses that are not of the public internet.
What cannot be read for certain, a host or a pattern, is none.
"""

import re
from functools import lru_cache
from ipaddress import AddressValueError, IPv4Address, IPv6Address

from msgspec import Struct

PORTS = frozenset({80, 443, 8080, 8443})
"""What a pattern without a port means."""
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_PATTERN = re.compile(
    r"(?P<opens>!?)(?:(?P<scheme>[a-z]+)://)?(?P<host>\*|(?:\*\.)?[^*/:\[\]?#@\s]+|\[[0-9a-f:.]+\])"
    r"(?::(?P<port>[0-9]{1,5}))?(?P<path>/[^*?#\s]*)?(?:\*{1,2})?"
)
_LOCAL = ("localhost", "localdomain", "local", "internal", "home.arpa")
"""Names that mean something else on every network."""


class Asked(Struct, frozen=True, kw_only=True):
    host: str
    """Normal."""
    port: int
    scheme: str
    """`https` for a tunnel: what is said in it is not seen."""
    path: str = ""
    """Of a request that is not in a tunnel, without its query."""

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


class Pattern(Struct, frozen=True, kw_only=True):
    host: str
    """Normal; empty: any."""
    is_below: bool = False
    opens: bool = False
    scheme: str = ""
    port: int | None = None
    path: str = ""

    def covers(self, asked: Asked) -> bool:
        return (
            self._names(asked.host)
            and self.scheme in {"", asked.scheme}
            and (asked.port in PORTS if self.port is None else asked.port == self.port)
            and (not self.path or (asked.scheme == "http" and _is_below(self.path, asked.path)))
        )

    def _names(self, host: str) -> bool:
        if self.is_below:
            return host.endswith(f".{self.host}")
        return not self.host or host == self.host


class Hosts(Struct, frozen=True):
    patterns: tuple[Pattern, ...]

    def allow(self, asked: Asked) -> bool:
        return any(pattern.covers(asked) for pattern in self.patterns)

    def open(self, asked: Asked) -> bool:
        """Whether an address of this machine or its networks may be behind it: only where a rule names the host."""
        return any(pattern.opens and pattern.host and pattern.covers(asked) for pattern in self.patterns)


def hosts(texts: tuple[str, ...]) -> Hosts:
    return Hosts(tuple(pattern for pattern in map(_pattern, texts) if pattern is not None))


@lru_cache
def _pattern(text: str) -> Pattern | None:
    found = _PATTERN.fullmatch(_ascii(text).lower())
    if found is None:
        return None
    written = found["host"]
    is_below = written.startswith("*.")
    host = "" if written == "*" else normal_host(written.removeprefix("*."))
    port = int(found["port"]) if found["port"] else None
    path = _ascii(text).partition("://")[2] or _ascii(text)
    path = path[path.index("/") :].rstrip("*").rstrip("/") if found["path"] else ""
    if (not host and written != "*") or (path and not _is_plain(path)):
        return None
    return Pattern(
        host=host,
        is_below=is_below,
        opens=bool(found["opens"]),
        scheme=found["scheme"] or "",
        port=port,
        path=path,
    )


def _ascii(text: str) -> str:
    if text.isascii():
        return text
    try:
        return text.encode("idna").decode("ascii")
    except UnicodeError:
        return ""


def _is_below(prefix: str, path: str) -> bool:
    return _is_plain(path) and (path == prefix or path.startswith(f"{prefix}/"))


def _is_plain(path: str) -> bool:
    """Whether every server reads it alike: nothing encoded, no dots to go up by, no slash twice."""
    return not any(mark in path for mark in ("%", "\\", "//", ";")) and not {".", ".."} & set(path.split("/"))


def normal_host(text: str) -> str:
    """In lower case, without a final dot or brackets; empty for what is no name or address, or may be read as another."""
    if text.startswith("["):
        return _v6(text[1:-1]) if text.endswith("]") else ""
    name = text.lower().removesuffix(".")
    labels = name.split(".")
    if len(name) > 253 or not all(map(_LABEL.fullmatch, labels)):
        return ""
    return _v4(name) if _NUMBER.fullmatch(labels[-1]) else name


def is_address(host: str) -> bool:
    return ":" in host or bool(_v4(host))


def is_local_name(host: str) -> bool:
    """Of a normal host: whether only this machine or its network knows who that is."""
    if is_address(host):
        return False
    return "." not in host or any(host == name or host.endswith(f".{name}") for name in _LOCAL)


def _v4(text: str) -> str:
    try:
        return str(IPv4Address(text))
    except AddressValueError:
        return ""


def _v6(text: str) -> str:
    try:
        return "" if "%" in text else str(IPv6Address(text))
    except AddressValueError:
        return ""
