"""Which awk programs only choose and print: what else they do may run programs or write files."""

import re

from toolpost.authorize.commands.options import flags, parted

_VALUES = flags("-F -v")
_TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_COMPARED = re.compile(r"\|\||>=")
_DANGER = re.compile(r"[|>@`]|system|getline|close|fflush|\bprintf?\s*\(")


def is_choosing(texts: list[str]) -> bool:
    """Strings are taken out first: what a program pipes into is a string, and the bar before it stays."""
    operands: list[str] = []
    for _, option, value in parted(texts, _VALUES):
        if option and option not in _VALUES:
            return False
        if not option and value is not None:
            operands.append(value)
    program = _COMPARED.sub("", _TEXT.sub("", operands[0])) if operands else "@"
    return '"' not in program and _DANGER.search(program) is None
