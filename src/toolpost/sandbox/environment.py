"""The variables a command gets: a short list with values of our own, what configuration adds, and nothing else.

A server's environment holds tokens of everything it talks to; none of them is a command's business.
"""

import os
from collections.abc import Mapping

from msgspec import Struct

from toolpost.errors import InvalidArgument

TAG = "TOOLPOST_TAG"
"""The variable that carries a command's tag to all its processes."""
_PASSED_ON = ("LANG", "LC_ALL", "TZ", "USER", "LOGNAME", "SHELL", "COLUMNS", "LINES")
_OURS = {"PAGER": "cat", "GIT_PAGER": "cat", "GIT_EDITOR": "false", "TERM": "dumb", "LANG": "C.UTF-8"}
_USUAL_PATH = "/usr/local/bin:/usr/bin:/bin"


class Place(Struct, frozen=True, kw_only=True):
    """Where a command feels at home."""

    cwd: str
    home: str
    temp: str


def environment(
    given: Mapping[str, str],
    place: Place,
    *,
    tag: str,
    terminal: bool = False,
    source: Mapping[str, str] = os.environ,
) -> dict[str, str]:
    """`given` wins over everything but the tag. `source` is the server's own environment."""
    made = {
        **_OURS,
        **{name: source[name] for name in _PASSED_ON if source.get(name)},
        "PATH": search_path(source),
        "HOME": place.home,
        "TMPDIR": place.temp,
        "PWD": place.cwd,
    }
    if terminal:
        made["TERM"] = source.get("TERM", "xterm-256color")
    for name, value in given.items():
        _check(name, value)
    return {**made, **given, TAG: tag}


def search_path(source: Mapping[str, str]) -> str:
    """Only absolute entries: `.` or an empty one would let a file of the workspace pass for a program."""
    entries = dict.fromkeys(entry for entry in source.get("PATH", "").split(":") if entry.startswith("/"))
    return ":".join(entries) or _USUAL_PATH


def _check(name: str, value: str) -> None:
    if not name or "=" in name or "\0" in name + value:
        raise InvalidArgument(
            "The name or value of a variable cannot be passed to a program; a name holds no `=`, and neither a NUL.",
            parameter="env",
            name=name,
        )
