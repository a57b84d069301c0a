"""Which sed scripts only print, delete and replace: what else they do may write files or run programs."""

import re

from toolpost.authorize.commands.options import flags, parted

_TEXT = r"(?:[^{0}\\\n]|\\.)*"
_ADDRESS = r"(?:[0-9]+|\$|/(?:[^/\\\n]|\\.)*/I?)"
_ADDRESSES = rf"(?:{_ADDRESS}(?:,\s*(?:[+~]?[0-9]+|{_ADDRESS}))?\s*!?\s*)?"
_REPLACES = "|".join(
    f"s{mark}{_TEXT.format(mark)}{mark}{_TEXT.format(mark)}{mark}[gpiIm0-9]*|y{mark}{_TEXT.format(mark)}{mark}{_TEXT.format(mark)}{mark}"
    for mark in ("/", r"\|", "#", ",", ":", "@", "!", "%", "~", "_", "=")
)
_COMMAND = rf"{_ADDRESSES}(?:\{{|(?:[pdqQnNgGhHxPDlz=][0-9]*|{_REPLACES})(?:[\s;]|(?=}})|\Z))"
_SIMPLE = re.compile(rf"[\s;}}]*(?:{_COMMAND}[\s;}}]*)*")
_SCRIPTS = flags("-e --expression")


def is_simple(texts: list[str]) -> bool:
    found = [
        value for _, option, value in parted(texts, _SCRIPTS | {"-l", "--line-length"}) if option in _SCRIPTS
    ]
    if not found:
        found = [value for _, option, value in parted(texts, _SCRIPTS) if not option][:1]
    return all(script is not None and _SIMPLE.fullmatch(script) is not None for script in found)
