"""A caller's path made clean: relative, POSIX, staying inside its root by its own letters.

Only the text is judged here. Whether it leads outside through a link is for `beneath`, when it is opened.
"""

import re
from typing import NoReturn

from toolpost.errors import InvalidPath
from toolpost.limits import NAME_BYTES, PATH_BYTES

_WINDOWS = re.compile(r"[A-Za-z]:(?:[\\/]|\Z)|\\\\")
"""A drive or a UNC path. `a:b` and `C:x` are names here, and so is `..\\x`."""


def clean(path: str, *, error: type[InvalidPath] = InvalidPath) -> str:
    """The same path without `.`, `..`, doubled or trailing slashes; "" is the root itself.

    `..` is taken back by its letters: `a/../b` is `b`, also where `a` is a link.
    """
    _check_text(path, error)
    if path.startswith("/"):
        _refuse(
            error, "absolute", "The path is absolute; give one relative to the root, such as src/main.py."
        )
    if _WINDOWS.match(path):
        _refuse(error, "windows", "The path names a Windows drive or share; give one relative to the root.")
    return "/".join(_segments(path, error))


def _check_text(path: str, error: type[InvalidPath]) -> None:
    if "\0" in path:
        _refuse(error, "nul", "The path contains a NUL character; leave it out.")
    try:
        size = len(path.encode())
    except UnicodeEncodeError:
        _refuse(error, "utf-8", "The path is not valid UTF-8: it holds half of a surrogate pair.")
    if size > PATH_BYTES:
        _refuse(error, "too_long", f"The path has {size:,} bytes; at most {PATH_BYTES:,} are taken.")


def _segments(path: str, error: type[InvalidPath]) -> list[str]:
    kept: list[str] = []
    for name in path.split("/"):
        if name == "..":
            if not kept:
                _refuse(error, "outside", "The path leaves the root by `..`; give one that stays inside.")
            kept.pop()
        elif name not in {"", "."}:
            if len(name) * 4 > NAME_BYTES and len(name.encode()) > NAME_BYTES:
                _refuse(error, "name_too_long", f"A name in the path is longer than {NAME_BYTES} bytes.")
            kept.append(name)
    return kept


def _refuse(error: type[InvalidPath], rule: str, sentence: str) -> NoReturn:
    raise error(sentence, parameter="path", rule=rule)
