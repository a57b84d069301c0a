"""The macOS profile that Seatbelt's `sandbox-exec` takes. Written by the book and compared as text: never run by us.

Rules are read in order, and the last that matches decides. So: everything is denied, reading the system allowed,
then the roots, then what is taken out of them again.
"""

from collections.abc import Iterable, Iterator

from toolpost.errors import InvalidArgument
from toolpost.sandbox.model import Fence

PROGRAM = "/usr/bin/sandbox-exec"
_SYSTEM = (
    *("/usr", "/bin", "/sbin", "/System", "/Library", "/opt", "/Applications/Xcode.app", "/private/etc"),
    *("/private/var/db/dyld", "/private/var/select", "/nix"),
)
_DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/dtracehelper")
_START = """\
(version 1)
(deny default)
(allow process-exec process-fork)
(allow signal (target same-sandbox))
(allow process-info* (target same-sandbox))
(allow sysctl-read)
(allow file-read-metadata)
(allow file-read* (literal "/"))
(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))
(allow ipc-posix-sem)
"""


def arguments(
    fence: Fence, argv: tuple[str, ...], own: Iterable[str] = (), readable: Iterable[str] = ()
) -> tuple[str, ...]:
    return (PROGRAM, "-p", profile(fence, own=own, readable=readable), *argv)


def profile(fence: Fence, *, own: Iterable[str] = (), readable: Iterable[str] = ()) -> str:
    """`own`: private folders of the command; `readable`: toolchains. The network is none, or the proxy's socket."""
    return _START + "\n".join(_rules(fence, tuple(own), tuple(readable))) + "\n"


def _rules(fence: Fence, own: tuple[str, ...], readable: tuple[str, ...]) -> Iterator[str]:
    read = "allow file-read* process-exec"
    yield from (_rule(read, "subpath", path) for path in (*_SYSTEM, *readable, *fence.readable))
    yield from (_rule("allow file-read* file-write-data file-ioctl", "literal", path) for path in _DEVICES)
    yield from (_rule("allow file*", "subpath", path) for path in own)
    change = "allow file* process-exec" if fence.writes else read
    yield from (_rule(change, "subpath", path) for path in fence.roots)
    yield from (_rule("deny file-write*", "subpath", path) for path in fence.protected)
    for path in _ways(fence.protected, fence.roots):  # a folder on the way must not be moved and made anew
        yield _rule("deny file-write-unlink", "literal", path)
    yield from (_rule("deny file-read* file-write*", "subpath", path) for path in fence.masked)
    if fence.proxy:
        yield _rule("allow network-outbound", "literal", fence.proxy)


def _ways(paths: Iterable[str], roots: tuple[str, ...]) -> list[str]:
    found: dict[str, None] = {}
    for path in paths:
        for root in roots:
            place = path.rpartition("/")[0]
            while place.startswith(root.rstrip("/") + "/"):
                found[place] = None
                place = place.rpartition("/")[0]
    return sorted(found)


def _rule(what: str, form: str, path: str) -> str:
    return f"({what} ({form} {_quoted(path)}))"


def _quoted(path: str) -> str:
    """A quote in a path must not end the string, or a folder's name could write rules."""
    if any(ord(letter) < 32 for letter in path):
        raise InvalidArgument("A path with control characters cannot be fenced.", parameter="path", path=path)
    escaped = path.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
