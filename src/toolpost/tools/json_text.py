"""JSON that came as text: models send lists and objects so, and like to talk around them (C53)."""

import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn

from toolpost import codec
from toolpost.errors import MalformedMessage
from toolpost.limits import KIB, TRIALS_BYTES


def parsed(given: Any) -> Any:
    """The list or object a text spells; anything else as it was."""
    if not isinstance(given, str) or not given.lstrip().startswith(("[", "{")):
        return given
    try:
        return codec.decode(given.strip())
    except MalformedMessage:
        return given


def trimmed(text: str) -> str | None:
    """The longest list or object within a text that talks around it; None when there is none.

    The longest, because a list such as [1] may be a footnote.
    """
    start, end = max(_spans(text), key=lambda span: span[1] - span[0], default=(0, 0))
    return text[start:end] or None


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Where JSON begins and ends. What may be read in vain is bounded, so that no text takes long."""
    begins, in_vain = _BEGINS.search(text), 0
    while begins and in_vain <= TRIALS_BYTES:
        at, end = begins.start(), begins.end()
        try:
            _, end = _DECODER.raw_decode(text, at)
            yield at, end
        except json.JSONDecodeError as error:
            in_vain += error.pos - at + _A_TRY
        except (ValueError, RecursionError):  # NaN, a number of too many digits, endless nesting
            in_vain += len(text) - at
        begins = _BEGINS.search(text, end)


_A_TRY = 2 * KIB  # what a failed try costs beside what it reads: the error counts every line before it
_BEGINS = re.compile(r"[\[{]")


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


_DECODER = json.JSONDecoder(parse_constant=_no_constant)
