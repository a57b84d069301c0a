"""What a tool's answer is made of: text, an image, a diff, structured data, or a reference to more."""

from base64 import b64encode
from difflib import unified_diff
from typing import Any

from msgspec import Struct


class Text(Struct, frozen=True, gc=False, tag="text"):
    text: str


class Image(Struct, frozen=True, tag="image"):
    data: bytes
    media_type: str = "image/png"

    @property
    def base64(self) -> str:
        return b64encode(self.data).decode("ascii")


class Diff(Struct, frozen=True, tag="diff"):
    """Both whole texts, so that every contract can have its own form (C43)."""

    path: str
    old: str
    new: str
    patch: str = ""
    """A unified diff to show instead of the one computed from the two texts."""

    @property
    def unified(self) -> str:
        """The hunks, without the two file lines: contract 004 shows them so."""
        if self.patch:
            return self.patch
        lines = unified_diff(_lines(self.old), _lines(self.new), lineterm="", n=3)
        return "\n".join(list(lines)[2:])


def _lines(text: str) -> list[str]:
    r"""Split at `\n` alone: other separators are part of their line."""
    return text.removesuffix("\n").split("\n") if text else []


class Data(Struct, frozen=True, gc=False, tag="data"):
    """A JSON value: what becomes `structuredContent`, `output` or `data` on the wire."""

    value: Any


class Ref(Struct, frozen=True, tag="ref"):
    """Something too large to send: where it is, how big, and how it begins."""

    uri: str
    size_bytes: int
    media_type: str = "text/plain"
    sha256: str = ""
    head: str = ""


Content = Text | Image | Diff | Data | Ref
