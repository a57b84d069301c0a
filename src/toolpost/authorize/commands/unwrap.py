"""Where a wrapper's own words end and the command that it runs begins."""

import re

from msgspec import Struct

from toolpost.authorize.commands.options import flags, is_option, taken
from toolpost.authorize.commands.wrappers import Wrapper

_ASSIGN = re.compile(r"[A-Za-z_]\w*=.*", re.DOTALL)


class Inner(Struct, frozen=True):
    start: int
    """The index of the inner program; past the end when there is none."""
    others: range = range(0)
    """Where it may begin as well, if options that are not known take values."""
    scripts: tuple[int, ...] = ()
    """Words that are shell scripts."""
    glued: tuple[str, ...] = ()
    """Scripts that are glued to their option."""
    assigns: tuple[str, ...] = ()


def unwrap(texts: list[str], wrapper: Wrapper) -> Inner:
    return _Unwrapping(texts, wrapper).inner()


class _Unwrapping:
    def __init__(self, texts: list[str], wrapper: Wrapper) -> None:
        self._texts = texts
        self._wrapper = wrapper
        self._scripts = flags(wrapper.script)
        self._values = flags(wrapper.values) | self._scripts
        self._index = 1
        self._left = wrapper.operands
        self._unsure = 0
        self._found: list[int] = []
        self._glued: list[str] = []
        self._assigns: list[str] = []

    def inner(self) -> Inner:
        while self._index < len(self._texts) and self._takes(self._texts[self._index]):
            self._index += 1
        start = self._index + self._left
        others = range(start + 1, min(start + 1 + self._unsure, len(self._texts)))
        return Inner(start, others, tuple(self._found), tuple(self._glued), tuple(self._assigns))

    def _takes(self, text: str) -> bool:
        """Whether the word is the wrapper's own."""
        if text == "--":
            self._index += 1
            return False
        if is_option(text):
            self._option(text)
            return True
        if self._wrapper.assigns and _ASSIGN.fullmatch(text):
            self._assigns.append(text)
            return True
        if self._left:
            self._left -= 1
            return True
        return False

    def _option(self, text: str) -> None:
        found = taken(text, self._values)
        if found is None:
            self._unsure += "=" not in text and not self._is_flag(text)
            return
        name, glued, next_word = found
        if next_word:
            self._index += 1
        if name in self._scripts:
            self._found.extend([self._index] if next_word else [])
            self._glued.extend([] if next_word else [glued or ""])

    def _is_flag(self, text: str) -> bool:
        known = flags(self._wrapper.flags)
        return text in known or (text[1] != "-" and all(f"-{letter}" in known for letter in text[1:]))
