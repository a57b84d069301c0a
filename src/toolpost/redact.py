"""Secrets taken out of anything that is shown, sent back or written down.

Two signs make a secret: the name it goes by, and the shape of a known token. Both are data here.
"""

import re
from typing import Any

HIDDEN = "[redacted]"

_NAME = re.compile(
    r"(?i)^(?:.*[_\-.])?(?:pass(?:word|wd|phrase)?|pwd|secrets?|(?:access|auth|refresh|id|api|bearer|session)?"
    r"[_\-]?token|api[_\-]?key|apikey|private[_\-]?key|secret[_\-]?key|access[_\-]?key|client[_\-]?secret"
    r"|authorization|credentials?|cookie)$"
)
_SHAPES = re.compile(
    r"(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_\-]{16,}"
    r"|sk-(?:ant-|proj-)?[A-Za-z0-9_\-]{16,}|xox[abeprs]-[A-Za-z0-9\-]{10,}|AKIA[0-9A-Z]{16}"
    r"|ASIA[0-9A-Z]{16}|AIza[0-9A-Za-z_\-]{35}|(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}"
    r"|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_\-]{30,}|hf_[A-Za-z0-9]{30,}"
    r"|eyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]*"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z))",
    re.DOTALL,
)
_NAMED = re.compile(
    r"(?i)((?:password|passwd|secret|token|api[_\-]?key)\s*[=:]\s*|bearer\s+|://[^/\s:@]*:)"
    r"([^\s&@,;'\"]{4,})"
)
_SHORTEST = 10  # "token=abcd": nothing shorter can hold a secret we know


def is_secret_name(name: str) -> bool:
    return _NAME.match(name) is not None


def text(value: str) -> str:
    """Text with every known token shape hidden."""
    if len(value) < _SHORTEST:
        return value
    return _NAMED.sub(rf"\g<1>{HIDDEN}", _SHAPES.sub(HIDDEN, value))


def value(item: Any, name: str = "") -> Any:
    """A JSON value with secrets hidden, by the names in it and by the shapes in its texts."""
    if name and is_secret_name(name) and item is not None and not isinstance(item, bool):
        return HIDDEN
    if isinstance(item, str):
        return text(item)
    if isinstance(item, dict):
        return {text(str(key)): value(inner, str(key)) for key, inner in item.items()}
    if isinstance(item, list | tuple):
        return [value(inner) for inner in item]
    return item
