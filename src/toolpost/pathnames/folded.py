"""Names as the loosest file system reads them, so that a rule about `.git` meets every spelling of it.

`.GIT`, `.g\u200bit`, `.git::$INDEX_ALLOCATION`, `.git. .` and `GIT~1` are all `.git` somewhere.
"""

import re
from unicodedata import category, normalize

_IGNORED = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
"""Code points drawn as nothing that are neither format characters nor variation selectors."""
_SHORT = re.compile(r"(?P<stem>[^~.]{1,6})~[0-9]+(?P<end>\.[^.]{1,3})?")
_SHORT_HASHED = {"gi7eba~1": ".git"}  # what NTFS makes of `.git` when GIT~1 to GIT~4 are taken


def fold(name: str) -> str:
    """One name, case-folded, without what some file system ignores."""
    if not name.isascii():
        name = normalize("NFKC", normalize("NFKC", name).casefold())
        name = "".join(letter for letter in name if not _is_ignored(letter))
    return name.lower().rstrip(" .")


def without_stream(name: str) -> str:
    """A folded name without the `:stream` that NTFS reads after it."""
    return name.partition(":")[0].rstrip(" .")


def short_form(name: str) -> str:
    """What DOS would call a folded name, without its number: `.gitmodules` is `gitmod`, `.mcp.json` `mcp.jso`."""
    stem, dot, end = name.lstrip(".").rpartition(".")
    if not dot:
        stem, end = end, ""
    return f"{stem.replace('.', '').replace(' ', '')[:6]}{dot}{end[:3]}"


def long_form(name: str, known: dict[str, str]) -> str:
    """The name a short one such as `git~1` stands for, if it is among those known by their short forms."""
    if "~" not in name:
        return name
    short = _SHORT.fullmatch(name)
    if short is None:
        return _SHORT_HASHED.get(name, name)
    stem, end = short["stem"], short["end"] or ""
    if f"{stem}{end}" in known:
        return known[f"{stem}{end}"]
    return f"{known[stem]}{end}" if stem in known else _SHORT_HASHED.get(name, name)


def _is_ignored(letter: str) -> bool:
    return letter in _IGNORED or category(letter) == "Cf" or _is_selector(letter)


def _is_selector(letter: str) -> bool:
    return (
        "\ufe00" <= letter <= "\ufe0f"
        or "\u180b" <= letter <= "\u180f"
        or "\U000e0000" <= letter <= "\U000e0fff"
    )
