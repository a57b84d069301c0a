"""Hosts as rules know them: one spelling for every way to write the same one, and no host where readers differ.

`http://0251.0376.0251.0376/`, `[::ffff:a9fe:a9fe]` and `2852039166` are all 169.254.169.254. Nothing is looked up.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from ipaddress import AddressValueError, IPv4Address, IPv6Address, IPv6Network
from unicodedata import category, normalize
from urllib.parse import unquote

from msgspec import Struct

from toolpost.limits import HOST_CHARS, PATTERNS_KEPT

METADATA = frozenset(
    {
        *("169.254.169.254", "169.254.170.2", "169.254.170.23", "168.63.129.16", "100.100.100.200"),
        *("192.0.0.192", "169.254.0.23", "169.254.42.42"),
        *("fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254", "fd00:42::42"),
        *("metadata.google.internal", "metadata.goog", "metadata", "metadata.azure.internal"),
        *("instance-data", "instance-data.ec2.internal", "metadata.tencentyun.com", "rancher-metadata"),
    }
)
"""Where clouds tell a machine its own credentials."""
_PRIVATE_NAMES = ("localhost", "localdomain", "local", "internal", "home.arpa")
_LOCAL_NAMES = frozenset({"ip6-localhost", "ip6-loopback"})
_SPECIAL = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21}
"""Schemes after which any number of slashes is passed over, and the ports they mean."""
_PORTS = {**_SPECIAL, "ssh": 22, "git": 9418, "sftp": 22, "telnet": 23}
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]*|[0-9]+")
_DROPPED = re.compile("[\u00ad\u200b\u2060\ufeff\ufe00-\ufe0f\u034f\u180b-\u180d]")
"""Letters that names of hosts lose before they are looked up."""
_DIFFERS = str.maketrans({"ß": "ss", "ς": "\u03c3", "\u200c": "", "\u200d": ""})
"""Letters that one edition of IDNA keeps and the other replaces."""
_EMBEDDING = tuple(
    IPv6Network(text) for text in ("::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96")
)
_EMBEDDING_48 = IPv6Network("64:ff9b:1::/48")


class Place(Struct, frozen=True, kw_only=True):
    """Where a URL or a host leads."""

    host: str
    twins: tuple[str, ...] = ()
    """What other readers may take the same letters for."""
    scheme: str = ""
    port: int | None = None
    """The one that is written."""
    path: str = ""
    """As it is written, without query and fragment; empty when there is none."""
    is_whole: bool = False
    """Something follows the host, so that no letter can be added to it."""

    @property
    def real_port(self) -> int | None:
        return _PORTS.get(self.scheme) if self.port is None else self.port

    @property
    def hosts(self) -> tuple[str, ...]:
        return (self.host, *self.twins)


def normal_host(url_or_host: str) -> str | None:
    """The host in lower case and ASCII, without a final dot; None where no host can be made out for certain."""
    place = parse(url_or_host)
    return place.host if place else None


def is_metadata(url_or_host: str) -> bool:
    return any(host in METADATA for host in _hosts(url_or_host))


def is_private(url_or_host: str) -> bool:
    """An address that is not of the public internet, or a name that is reserved for such ones."""
    return any(_is_private(host) for host in _hosts(url_or_host))


def _hosts(url_or_host: str) -> tuple[str, ...]:
    place = parse(url_or_host)
    return place.hosts if place else ()


def _is_private(host: str) -> bool:
    address = _address(host)
    if address is not None:
        return not address.is_global or address.is_multicast
    return host in _LOCAL_NAMES or any(host == name or host.endswith(f".{name}") for name in _PRIVATE_NAMES)


def _address(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return IPv6Address(host) if ":" in host else IPv4Address(host)
    except AddressValueError:
        return None


@lru_cache(PATTERNS_KEPT)
def parse(text: str) -> Place | None:
    """A URL, a host, `host:port` or `user@host:path`."""
    if not text or len(text) > HOST_CHARS or _is_unusable(text):
        return None
    scheme, rest = _split_scheme(text)
    authority = re.split(r"[/?#]", rest, maxsplit=1)[0]
    after = rest[len(authority) :]
    path = re.split(r"[?#]", after, maxsplit=1)[0]
    host, port = _split_port(authority.rpartition("@")[2], strict=bool(scheme))
    readings = _readings(host) if authority.count("@") <= 1 and port != _BAD_PORT else ()
    if not readings:
        return None
    whole = bool(after) or len(host) < len(authority.rpartition("@")[2])
    return Place(
        host=readings[0], twins=tuple(readings[1:]), scheme=scheme, port=port, path=path, is_whole=whole
    )


def _is_unusable(text: str) -> bool:
    """Blanks, control characters and backslashes are where two readers of a URL part ways."""
    if text.isascii():
        return not text.isprintable() or " " in text or "\\" in text
    return any(letter in " \\" or category(letter) in _ODD for letter in text)


_ODD = frozenset({"Cc", "Cs", "Co", "Cn", "Zs", "Zl", "Zp"})


def _split_scheme(text: str) -> tuple[str, str]:
    found = _SCHEME.match(text)
    if text.startswith("//"):
        return "", text[2:]
    if found is None:
        return "", text
    scheme, rest = found[1].lower(), text[found.end() :]
    if scheme in _SPECIAL:
        return scheme, rest.lstrip("/")
    return (scheme, rest[2:]) if rest.startswith("//") else ("", text)


_BAD_PORT = -1


def _split_port(authority: str, *, strict: bool) -> tuple[str, int | None]:
    """After a scheme, what follows the colon has to be a port; else it may be a path, as scp writes it."""
    if authority.startswith("["):
        host, bracket, rest = authority.partition("]")
        host, after = host + bracket, rest.removeprefix(":")
        strict = True
        if rest and not rest.startswith(":"):
            return host, _BAD_PORT
    elif authority.count(":") > 1 and _v6(authority):
        return f"[{authority}]", None
    else:
        host, _, after = authority.partition(":")
    if not after:
        return host, None
    is_port = after.isascii() and after.isdigit() and len(after) <= 5 and int(after) < 65_536
    return host, int(after) if is_port else _BAD_PORT if strict else None


def _readings(host: str) -> tuple[str, ...]:
    """The host, and what else it may be taken for; nothing for what is no host."""
    if host.startswith("["):
        address = _v6(host[1:-1]) if host.endswith("]") else None
        return (_unwrapped(address),) if address else ()
    if "%" in host:
        host = unquote(host, errors="replace")
    if _is_unusable(host):
        return ()
    spellings = dict.fromkeys((host.casefold() if host.isascii() else host, host.translate(_DIFFERS)))
    named = [name for spelling in spellings for name in (_named(spelling),) if name]
    if len(named) < len(spellings):
        return ()
    return tuple(dict.fromkeys(reading for name in named for reading in _numbers(name)))


def _named(host: str) -> str:
    """Lower case, IDNA's letters, no final dot; empty for what cannot be a name."""
    if not host.isascii():
        host = normalize("NFKC", _DROPPED.sub("", normalize("NFKC", host).lower()))
    host = host.lower().replace("\u3002", ".").removesuffix(".")
    if _is_unusable(host):
        return ""
    labels = [_label(label) for label in host.split(".")]
    name = ".".join(labels)
    return name if all(labels) and len(name) <= 253 else ""


def _label(label: str) -> str:
    if not label.isascii():
        if any(category(letter) == "Cf" and letter not in "\u200c\u200d" for letter in label):
            return ""
        label = "xn--" + label.encode("punycode").decode("ascii")
    return label if _LABEL.fullmatch(label) else ""


def _numbers(name: str) -> tuple[str, ...]:
    """An address written in numbers: as the system's resolver reads it, then as others may; none if it is none."""
    parts = name.split(".")
    if not _NUMBER.fullmatch(parts[-1]):
        return (name,)
    if len(parts) > 4 or not all(map(_NUMBER.fullmatch, parts)):
        return ()
    ways = (_together(_value(part) for part in parts), _together(_plain_value(part) for part in parts))
    return tuple(dict.fromkeys(way for way in ways if way)) if ways[0] else ways[1:] if ways[1] else ()


def _value(part: str) -> int | None:
    """`0x` is hexadecimal, a leading `0` octal."""
    if part[:2] in {"0x", "0X"}:
        return int(part[2:] or "0", 16)
    if len(part) > 1 and part.startswith("0"):
        return int(part, 8) if not set(part) - set("01234567") else None
    return int(part)


def _plain_value(part: str) -> int | None:
    return int(part) if part.isdigit() else _value(part)


def _together(values: Iterable[int | None]) -> str:
    """One to four numbers, the last of which fills what is left of 32 bits."""
    *firsts, last = values
    room = 4 - len(firsts)
    if last is None or last >= 256**room:
        return ""
    number = 0
    for first in firsts:
        if first is None or first > 255:
            return ""
        number = number << 8 | first
    return str(IPv4Address(number << 8 * room | last))


def _v6(text: str) -> IPv6Address | None:
    try:
        return IPv6Address(text.partition("%")[0])
    except AddressValueError:
        return None


def _unwrapped(address: IPv6Address) -> str:
    """The IPv4 address inside, where there is one: mapped, translated or tunnelled."""
    number = int(address)
    if address.sixtofour:
        return str(address.sixtofour)
    if address.teredo:
        return str(address.teredo[1])
    is_isatap = (number >> 32) & 0xFDFFFFFF == 0x5EFE
    inside = any(address in network for network in _EMBEDDING) and number > 0xFFFF
    if inside or is_isatap or address in _EMBEDDING_48:
        return str(IPv4Address(number & 0xFFFFFFFF))
    return str(address)
