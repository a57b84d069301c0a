"""Patterns of net rules: `docs.python.org`, `*.readthedocs.io`, `https://pypi.org:443/simple`.

`*.x` means the hosts below x and not x itself. What an allow cannot be sure of it does not cover; a deny covers
what may be meant.
"""

from functools import lru_cache
from urllib.parse import unquote

from msgspec import Struct

from toolpost.authorize.hosts import Place, parse
from toolpost.errors import InvalidArgument
from toolpost.limits import PATTERNS_KEPT

_STAND_IN = "a"  # a label in place of `*`, to have the rest of a pattern read as any host is


class HostPattern(Struct, frozen=True):
    host: str
    """Normal; empty for any."""
    is_below: bool = False
    """`*.host`: what lies below it."""
    scheme: str = ""
    port: int | None = None
    path: str = ""
    """Without a final slash."""

    @property
    def is_any(self) -> bool:
        return self == HostPattern("")

    def names(self, host: str) -> bool:
        if self.is_below:
            return host.endswith(f".{self.host}")
        return not self.host or host == self.host


@lru_cache(PATTERNS_KEPT)
def compile_host(text: str) -> HostPattern:
    """Raises InvalidArgument for what is no pattern of a host."""
    scheme, _, rest = text.rpartition("://")
    is_any = rest == "*" or rest.startswith(("*/", "*:"))
    is_below = rest.startswith("*.")
    read = f"{_STAND_IN}{rest[1:]}" if is_any or is_below else rest
    place = parse(f"{scheme or 'any'}://{read}")
    if place is None or place.twins or any(mark in rest for mark in "?#@%"):
        raise InvalidArgument(
            f"{text!r} is no host. Write it as `docs.python.org`, `*.readthedocs.io`, `localhost:8080` or "
            "`https://pypi.org/simple`; `*` is every host.",
            parameter="pattern",
        )
    host = "" if is_any else place.host.removeprefix(f"{_STAND_IN}." if is_below else "")
    return HostPattern(host, is_below, scheme.lower(), place.port, _prefix(place.path))


def _prefix(path: str) -> str:
    prefix = path.removesuffix("/**").removesuffix("/*").rstrip("/")
    if "*" in prefix or prefix != _resolved(prefix):
        raise InvalidArgument(
            f"{path!r} is no beginning of a path. Leave `*`, `.` and `..` out: `/simple` also covers what lies below.",
            parameter="pattern",
        )
    return prefix


def allows_host(text: str, target: str) -> bool:
    """Whether the pattern surely means this URL or host, however it is read."""
    pattern, place = compile_host(text), parse(target)
    return (
        place is not None
        and all(map(pattern.names, place.hosts))
        and pattern.scheme in {"", place.scheme}
        and pattern.port in {None, place.real_port}
        and (not pattern.path or _is_surely_below(pattern.path, place.path))
    )


def catches_host(text: str, target: str, *, fixed: bool = True) -> bool:
    """Whether the pattern may mean it. Not `fixed`: the target is how it begins, and more comes when it runs."""
    pattern, place = compile_host(text), parse(target)
    if pattern.is_any or not target:
        return pattern.is_any
    if place is None:
        return pattern.host in target.lower()
    return (
        _may_be_named(pattern, place, fixed=fixed)
        and (pattern.scheme in {"", place.scheme} or not place.scheme)
        and (pattern.port in {None, place.real_port} or place.real_port is None or not fixed)
        and (not pattern.path or _may_be_below(pattern.path, place, fixed=fixed))
    )


def _may_be_named(pattern: HostPattern, place: Place, *, fixed: bool) -> bool:
    if any(map(pattern.names, place.hosts)):
        return True
    may_grow = not fixed and not place.is_whole
    return may_grow and (pattern.is_below or pattern.host.startswith(place.host))


def _is_surely_below(prefix: str, path: str) -> bool:
    """A path that some server may read otherwise than we do is not."""
    return path == _resolved(path) and _is_below(prefix, path)


def _may_be_below(prefix: str, place: Place, *, fixed: bool) -> bool:
    if not place.scheme and not place.path:
        return True  # a bare host: what is asked of it is not known
    path, prefix = _resolved(place.path).lower(), prefix.lower()
    return _is_below(prefix, path) or (not fixed and prefix.startswith(path.rstrip("/")))


def _is_below(prefix: str, path: str) -> bool:
    return path == prefix or path.startswith(f"{prefix}/")


def _resolved(path: str) -> str:
    """Decoded as often as it can be, without `.`, `..`, parameters and double slashes."""
    for _ in range(_DECODED):
        path = unquote(path, errors="replace")
    names: list[str] = []
    for name in path.replace("\\", "/").split("/"):
        bare = name.partition(";")[0]
        if bare == "..":
            del names[-1:]
        elif bare not in {"", "."}:
            names.append(bare)
    return "".join(f"/{name}" for name in names) + ("/" if names and path.endswith("/") else "")


_DECODED = 3  # servers behind servers decode twice; more than that nobody has been seen to do
