"""JSON with comments and commas too many, as editors write their settings; a mistake is told."""

import re
from typing import Any

import msgspec

from toolpost.authorize.imports.imported import Unreadable

_TEXT = re.compile(r'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_COMMA = re.compile(r'("(?:[^"\\]|\\.)*+")|,(?=\s*+[}\]])', re.DOTALL)


def load(text: str) -> dict[str, Any]:
    """Raises Unreadable."""
    try:
        found = msgspec.json.decode(
            _COMMA.sub(lambda match: match[1] or "", _bare(text.removeprefix("\ufeff")))
        )
    except RecursionError:
        raise Unreadable("It is nested too deeply.") from None
    except msgspec.DecodeError as error:
        raise Unreadable(f"This is no JSON: {error}.") from None
    if not isinstance(found, dict):
        raise Unreadable("This is no JSON object.")
    return found


def _bare(text: str) -> str:
    """Without comments, read once from the beginning to the end."""
    parts: list[str] = []
    at = 0
    while at < len(text):
        string = _TEXT.match(text, at) if text[at] == '"' else None
        if string:
            parts.append(string[0])
            at = string.end()
        elif text.startswith(("//", "/*"), at):
            at = _after(text, at)
        else:
            parts.append(text[at])
            at += 1
    return "".join(parts)


def _after(text: str, at: int) -> int:
    mark = "\n" if text[at + 1] == "/" else "*/"
    end = text.find(mark, at + 2)
    if end < 0 and mark == "*/":
        raise Unreadable("This is no JSON: a comment is not closed.")
    return len(text) if end < 0 else end + (len(mark) if mark == "*/" else 0)
