"""JSON as people write settings in it: with comments and commas too many."""

import re
from typing import Any

import msgspec

_COMMENT = re.compile(rb'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_COMMA = re.compile(rb'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])')


def load(text: bytes | None) -> dict[str, Any]:
    """The object a file of settings holds; an empty one where there is none that could be read."""
    if text is None:
        return {}
    found = _decoded(text)
    if found is None:
        bare = _COMMA.sub(_kept, _COMMENT.sub(_kept, text.removeprefix(b"\xef\xbb\xbf")))
        found = _decoded(bare)
    return found if isinstance(found, dict) else {}


def _decoded(text: bytes) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _kept(match: re.Match[bytes]) -> bytes:
    return match[1] or b""
