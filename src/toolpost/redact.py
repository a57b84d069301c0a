"""Secrets taken out of anything that is shown, sent back or written down.

Two signs make a secret: the name it goes by, and the shape of a known token. Both are data here.
"""

import re
import sys
from functools import lru_cache
from typing import Any

HIDDEN = "[redacted]"
NO_LIMIT = sys.maxsize
_MARGIN = 256  # a secret that straddles the cut is still recognised

_NAME = re.compile(
    r"(?i)^(?:.*[_\-.])?(?:pass(?:word|wd|phrase)?|pwd|secrets?|(?:access|auth|refresh|id|api|bearer|session)?"
    r"[_\-]?token|api[_\-]?key|apikey|private[_\-]?key|secret[_\-]?key|access[_\-]?key|client[_\-]?secret"
    r"|authorization|credentials?|cookie)$"
)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SHAPES = re.compile(
    r"gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_\-]{16,}"
    r"|(?<![A-Za-z0-9])sk-(?=[A-Za-z0-9_\-]{0,60}\d)[A-Za-z0-9_\-]{16,}|(?<![A-Za-z0-9])xox[abeprs]-[A-Za-z0-9\-]{10,}"
    r"|A[KS]IA[0-9A-Z]{16}|AIza[0-9A-Za-z_\-]{35}|(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,}"
    r"|(?<![A-Za-z0-9])(?:npm_|pypi-|hf_)[A-Za-z0-9_\-]{30,}"
    # a token of any length where a word begins, of usual length elsewhere: more would take quadratic time
    r"|(?:(?<![A-Za-z0-9_\-])eyJ[A-Za-z0-9_\-]{8,}+|eyJ[A-Za-z0-9_\-]{8,128})\.[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]*"
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
    re.DOTALL,
)
_BESIDE = (  # what stands before a secret, and the secret
    re.compile(
        r"(?i)((?:password|passwd|secret|token|api[_\-]?key)[\"']?\s*[=:]\s*[\"']?)([^\s&@,;'\"]{4,})"
    ),
    re.compile(r"(?i)(\b(?:bearer|basic)\s+)(?=\S{0,60}[\d=])([A-Za-z0-9._~+/=\-]{8,})"),
    re.compile(r"(://[^/\s:@]*:)([^/\s@]+)(?=@)"),
)
_NAME_CHARS = 64  # of a name, its end: there the word stands that tells
_SHORTEST = 8  # "://a:b@c": nothing shorter can hold a secret we know


def is_secret_name(name: str) -> bool:
    """Also where it is written as githubToken, or is the last word of a longer name."""
    return _is_secret(name[-_NAME_CHARS:])


@lru_cache(maxsize=1024)
def _is_secret(end: str) -> bool:
    return _NAME.match(end) is not None or _NAME.match(_HUMP.sub("_", end)) is not None


def text(value: str, most: int = NO_LIMIT) -> str:
    """Text with every known token shape hidden, cut to `most` characters when it is longer."""
    if len(value) < _SHORTEST:
        return value
    if len(value) > most:
        return f"{text(value[: most + _MARGIN])[:most]}… ({len(value)} characters)"
    value = _SHAPES.sub(HIDDEN, value)
    for beside in _BESIDE:
        value = beside.sub(rf"\g<1>{HIDDEN}", value)
    return value


def value(item: Any, name: str = "", most: int = NO_LIMIT) -> Any:
    """A JSON value with secrets hidden, by the names in it and by the shapes in its texts."""
    if name and is_secret_name(name) and item is not None and not isinstance(item, bool):
        return HIDDEN
    if isinstance(item, str):
        return text(item, most)
    if isinstance(item, dict):
        return fields(item, most)
    if isinstance(item, _LISTS):
        return [value(inner, "", most) for inner in item]
    return item


_LISTS = (list, tuple)


def fields(item: dict[Any, Any], most: int = NO_LIMIT) -> dict[str, Any]:
    """A JSON object with secrets hidden."""
    shown: dict[str, Any] = {}
    longest = min(_NAME_CHARS, most)
    for key, inner in item.items():
        name = str(key)
        is_harmless = type(inner) in _ATOMS or (isinstance(inner, str) and len(inner) < _SHORTEST)
        if is_harmless and len(name) <= longest and _is_tame(name):
            shown[name] = inner
        else:
            shown[text(name, most)] = value(inner, name, most)
    return shown


_ATOMS = {int, float, bool, type(None)}


@lru_cache(maxsize=1024)
def _is_tame(name: str) -> bool:
    """Whether a name is shown as it is, and hides nothing."""
    return text(name) == name and not _is_secret(name)
