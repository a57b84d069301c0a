"""The patch language of Codex as data: `*** Begin Patch`, files to add, delete, update and move.

Hunks have no line numbers: their lines, and the `@@` lines above them, say where they belong.
"""

import re
from collections.abc import Iterator

from toolpost.errors import BadPatch
from toolpost.limits import PATCH_ANCHORS, PATCH_FILES, PATCH_HUNKS
from toolpost.workspace.editing.hunk import FilePatch, Hunk, Line, PatchKind

BEGIN = "*** Begin Patch"
_END = "*** End Patch"
_ADD = "*** Add File: "
_DELETE = "*** Delete File: "
_UPDATE = "*** Update File: "
_MOVE = "*** Move to: "
_LAST = "*** End of File"
_HERE = re.compile(r"\A<<-?\s*(['\"]?)(\w+)\1\n(.*)\n\2\s*\Z", re.DOTALL)
"""Models send what they would have typed into a shell: the patch as a here-document."""


def parse_codex(text: str, *, parameter: str = "patch") -> list[FilePatch]:
    """At least one file. Raises BadPatch."""
    plain = text.replace("\r\n", "\n").strip("\n ")
    here = _HERE.match(plain)
    return _Reader((here[3] if here else plain).strip("\n ").split("\n"), parameter).files()


class _Reader:
    def __init__(self, lines: list[str], parameter: str) -> None:
        self._lines = lines
        self._parameter = parameter
        self._at = 1
        self._hunks_read = 0
        self._closing = _closing(lines)

    def files(self) -> list[FilePatch]:
        if self._lines[0].rstrip() != BEGIN:
            raise self._bad(f"must begin with `{BEGIN}`", 0)
        if self._lines[-1].rstrip() != _END:
            raise self._bad(f"must end with `{_END}`: it seems to be cut off", len(self._lines) - 1)
        self._lines.pop()
        found = list(self._files())
        if not found:
            raise self._bad("changes nothing")
        return found

    def _files(self) -> Iterator[FilePatch]:
        count = 0
        while self._at < len(self._lines):
            if not self._line.strip():
                self._at += 1
                continue
            count += 1
            if count > PATCH_FILES:
                raise self._bad(f"changes more than {PATCH_FILES} files: send it in parts")
            yield self._file()

    @property
    def _line(self) -> str:
        """The line being read; an end that belongs to no part when there are no more."""
        return self._lines[self._at] if self._at < len(self._lines) else _END

    def _file(self) -> FilePatch:
        if (path := self._value(_ADD)) is not None:
            lines = tuple(self._added())
            return FilePatch(path, PatchKind.ADD, hunks=(Hunk(lines),) if lines else ())
        if (path := self._value(_DELETE)) is not None:
            return FilePatch(path, PatchKind.DELETE)
        if (path := self._value(_UPDATE)) is not None:
            return self._updated(path)
        raise self._bad("has a line that begins no file: use Add File, Delete File or Update File")

    def _value(self, begins: str) -> str | None:
        if not self._line.startswith(begins):
            return None
        value = self._line[len(begins) :].strip()
        if not value:
            raise self._bad("names no file")
        self._at += 1
        return value

    def _added(self) -> Iterator[Line]:
        while self._line.startswith("+"):
            yield Line("+", f"{self._line[1:]}\n")
            self._at += 1

    def _updated(self, path: str) -> FilePatch:
        target = self._value(_MOVE)
        hunks = tuple(self._hunks())
        if not hunks and target is None:
            raise self._bad(f"updates {path} without any lines")
        return FilePatch(path, PatchKind.UPDATE if target is None else PatchKind.MOVE, target, hunks)

    def _hunks(self) -> Iterator[Hunk]:
        while self._line.startswith(("@@", " ", "+", "-")) or self._is_kept_empty():
            self._hunks_read += 1
            if self._hunks_read > PATCH_HUNKS:
                raise self._bad(f"has more than {PATCH_HUNKS} hunks: send it in parts")
            yield self._hunk()

    def _is_kept_empty(self) -> bool:
        """Whether this is an empty line that stands for one of the file."""
        return self._line == "" and not self._closing[self._at]

    def _hunk(self) -> Hunk:
        anchors = tuple(self._anchors())
        lines = tuple(self._body())
        at_end = self._line.rstrip() == _LAST
        self._at += at_end
        if not lines:
            raise self._bad("has a hunk without lines")
        if len(anchors) > PATCH_ANCHORS:
            raise self._bad(f"has more than {PATCH_ANCHORS} `@@` lines above one hunk")
        return Hunk(lines, anchors=anchors, at_end=at_end)

    def _anchors(self) -> Iterator[str]:
        while self._line.startswith("@@"):
            anchor = self._line[2:].strip()
            if anchor:
                yield anchor
            self._at += 1

    def _body(self) -> Iterator[Line]:
        while True:
            line = self._line
            if line.startswith("+"):
                yield Line("+", f"{line[1:]}\n")
            elif line.startswith("-"):
                yield Line("-", f"{line[1:]}\n")
            elif line.startswith(" ") or self._is_kept_empty():
                yield Line(" ", f"{line[1:]}\n")
            else:
                return
            self._at += 1

    def _bad(self, what: str, at: int | None = None) -> BadPatch:
        line = (self._at if at is None else at) + 1
        return BadPatch(f"The patch {what} (line {line} of the patch).", parameter=self._parameter, line=line)


def _closing(lines: list[str]) -> list[bool]:
    """For each line, whether nothing but empty lines stands between it and the next part of the patch."""
    closing = [True] * len(lines)
    for at in range(len(lines) - 2, -1, -1):
        after = lines[at + 1]
        is_part = after.startswith("*** ") and after.rstrip() != _LAST
        closing[at] = is_part or (after == "" and closing[at + 1])
    return closing
