"""A search as JSON lines in ripgrep's own shape, for programs that read it."""

import time
from base64 import b64encode
from collections.abc import Iterable
from typing import Any

from toolpost import codec
from toolpost.cli.searching.around import Around, Kind, Shown
from toolpost.cli.searching.asked import Form
from toolpost.cli.searching.matches import Block, Finder
from toolpost.cli.searching.tally import Out, Tally


class JsonLines:
    def __init__(self, form: Form, finder: Finder, out: Out, *, invert: bool) -> None:
        self._form = form
        self._finder = finder
        self._out = out
        self._invert = invert

    def file(self, shown: str, data: bytes, found: Iterable[Block], most: int | None, tally: Tally) -> int:
        began, printed, matches = time.monotonic(), tally.bytes_printed, tally.matches
        path = _text(shown.encode("utf-8", "surrogateescape"))
        around = Around(data, self._form.before, self._form.after, most)
        told = [
            self._message(path, data, one, tally) for one in around.each(found) if one.kind is not Kind.BREAK
        ]
        if not told:
            return 0
        self._out.write([_line("begin", {"path": path}), *told])
        stats = {
            "elapsed": _elapsed(time.monotonic() - began),
            "searches": 1,
            "searches_with_match": 1,
            "bytes_searched": len(data),
            "bytes_printed": tally.bytes_printed - printed,
            "matched_lines": around.matched,
            "matches": tally.matches - matches,
        }
        at = data.find(b"\0")
        offset = at if at >= 0 else None
        self._out.write([_line("end", {"path": path, "binary_offset": offset, "stats": stats})])
        return around.matched

    def summary(self, tally: Tally) -> None:
        stats = {
            "elapsed": _elapsed(tally.seconds),
            "searches": tally.searched,
            "searches_with_match": tally.files,
            "bytes_searched": tally.bytes_searched,
            "bytes_printed": tally.bytes_printed,
            "matched_lines": tally.lines,
            "matches": tally.matches,
        }
        self._out.write([_line("summary", {"elapsed_total": _elapsed(tally.seconds), "stats": stats})])

    def _message(self, path: dict[str, str], data: bytes, one: Shown, tally: Tally) -> str:
        block = data[one.begin : one.end]
        submatches: list[dict[str, Any]] = []
        if one.kind is Kind.MATCH and not self._invert:
            submatches = [
                {"match": _text(block[begin:end]), "start": begin, "end": end}
                for begin, end in self._finder.within(block)
            ]
            tally.matches += len(submatches)
        told = {
            "path": path,
            "lines": _text(block),
            "line_number": one.number,
            "absolute_offset": one.begin,
            "submatches": submatches,
        }
        return _line("match" if one.kind is Kind.MATCH else "context", told)


def _line(kind: str, told: dict[str, Any]) -> str:
    return codec.encode({"type": kind, "data": told}).decode()


def _text(data: bytes) -> dict[str, str]:
    """As text, or in Base64 what is none."""
    try:
        return {"text": data.decode()}
    except UnicodeDecodeError:
        return {"bytes": b64encode(data).decode()}


def _elapsed(seconds: float) -> dict[str, Any]:
    whole = int(seconds)
    return {"secs": whole, "nanos": int((seconds - whole) * 1e9), "human": f"{seconds:.6f}s"}
