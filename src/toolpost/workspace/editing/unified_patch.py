r"""Unified diffs as data, git's extended headers included.

Line counts in hunk headers are believed only while they fit what follows: people and models miscount.
Whatever stands between the diffs of two files, such as a commit message, is passed over. A patch whose
own headers end with `\r\n` was sent that way, and is read with `\n`; else a `\r` belongs to the file.
"""

import re

from msgspec import Struct

from toolpost.errors import BadPatch
from toolpost.limits import PATCH_FILES, PATCH_HUNKS
from toolpost.workspace.editing.hunk import FilePatch, Hunk, Line
from toolpost.workspace.editing.lines import split
from toolpost.workspace.editing.patch_names import EXTENDED, file_patch

_HUNK = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@")
_EMPTY = ("\n", "\r\n")
_AFTER = ("@@", "diff --git ", "--- ", "Index: ", "===", "```", "-- ", "From ", *_EMPTY)
"""What may follow a hunk whose line counts do not say where it ends."""


def parse_unified(text: str, *, parameter: str = "patch") -> list[FilePatch]:
    """At least one file; a patch of bare hunks is one without a path. Raises BadPatch."""
    return _Reader(text, parameter).files()


class _Body(Struct, frozen=True):
    """The lines of a hunk, and the line of the patch after them."""

    lines: tuple[Line, ...]
    end: int


class _Reader:
    def __init__(self, text: str, parameter: str) -> None:
        self._lines = split(text.replace("\r\n", "\n") if _is_sent_so(text) else text)
        self._parameter = parameter
        self._at = 0
        self._hunks_read = 0

    def files(self) -> list[FilePatch]:
        found: list[FilePatch] = []
        while self._at < len(self._lines):
            if self._is("diff --git "):
                found.append(self._git_file())
            elif self._names_file(self._at):
                found.append(self._file(self._at))
            elif self._is("@@"):
                found.append(self._bare(found))
            else:
                self._at += 1
            if len(found) > PATCH_FILES:
                raise self._bad(f"changes more than {PATCH_FILES} files: send it in parts")
        if not found:
            raise self._bad("has no hunk: it needs `--- a/path`, `+++ b/path` and hunks that begin with `@@`")
        return found

    def _git_file(self) -> FilePatch:
        begin = self._at
        self._at += 1
        while self._is(*EXTENDED):
            self._at += 1
        return self._file(begin)

    def _file(self, begin: int) -> FilePatch:
        """One file, whose first line is already known; its names and hunks, where it has them, come next."""
        hunks: tuple[Hunk, ...] = ()
        end = self._at
        if self._names_file(end):
            end = self._at = end + 2
            hunks = self._hunks()
            if not hunks:
                raise self._bad("has a file without hunks: after `+++` comes `@@ -1,3 +1,3 @@`")
        try:
            return file_patch(self._lines[begin:end], hunks)
        except ValueError as wrong:
            raise self._bad(str(wrong), begin) from None

    def _bare(self, found: list[FilePatch]) -> FilePatch:
        if found:
            raise self._bad("has a hunk that belongs to no file")
        return FilePatch("", hunks=self._hunks())

    def _hunks(self) -> tuple[Hunk, ...]:
        hunks = []
        while self._is("@@"):
            hunks.append(self._hunk())
            self._hunks_read += 1
            if self._hunks_read > PATCH_HUNKS:
                raise self._bad(f"has more than {PATCH_HUNKS} hunks: send it in parts")
            self._pass_empty()
        return tuple(hunks)

    def _pass_empty(self) -> None:
        """Empty lines between hunks are nobody's; before a file's header they do no harm either."""
        while self._at < len(self._lines) and self._lines[self._at] in _EMPTY:
            self._at += 1

    def _hunk(self) -> Hunk:
        header = _HUNK.match(self._lines[self._at])
        self._at += 1
        body = None
        if header:
            body = self._counted(int(header[2] or 1), int(header[3] or 1))
        if body is None:
            body = self._uncounted()
        if not body.lines:
            raise self._bad("has a hunk without lines")
        self._at = body.end
        return Hunk(body.lines, start=int(header[1]) if header else None)

    def _counted(self, old: int, new: int) -> _Body | None:
        """The body if it is as long as its header says, and nothing that looks like more of it follows."""
        lines: list[Line] = []
        at = self._at
        while (old > 0 or new > 0 or self._is_mark(at)) and self._is_body(at):
            if not self._take(at, lines):
                return None
            old -= lines[-1].sign != "+" and not self._is_mark(at)
            new -= lines[-1].sign != "-" and not self._is_mark(at)
            at += 1
        goes_on = self._is_body(at) and self._lines[at] not in (*_EMPTY, "-- \n") and not self._names_file(at)
        return None if old or new or goes_on else _Body(tuple(lines), at)

    def _uncounted(self) -> _Body:
        """The body as far as it looks like one; what follows must look like something else we know."""
        lines: list[Line] = []
        at = self._at
        while self._is_body(at) and not self._names_file(at):
            if not self._take(at, lines):
                raise self._bad("has a `\\` line that follows no other", at)
            at += 1
        end = at
        while lines and self._lines[at - 1] in _EMPTY:
            lines.pop()
            at -= 1
        if end < len(self._lines) and not self._lines[end].startswith(_AFTER):
            raise self._bad("has a line that begins with none of ` `, `-`, `+` and `@@`", end)
        return _Body(tuple(lines), at)

    def _take(self, at: int, lines: list[Line]) -> bool:
        """One line of a patch onto the lines of its hunk. An empty one is an empty line that was kept."""
        line = self._lines[at]
        if line.startswith("\\"):
            if not lines:
                return False
            lines[-1] = Line(lines[-1].sign, lines[-1].text.removesuffix("\n"))
        elif line in _EMPTY:
            lines.append(Line(" ", line))
        else:
            text = line[1:] if line.endswith("\n") else f"{line[1:]}\n"
            lines.append(Line("+" if line[0] == "+" else "-" if line[0] == "-" else " ", text))
        return True

    def _is(self, *begins: str) -> bool:
        return self._at < len(self._lines) and self._lines[self._at].startswith(begins)

    def _is_body(self, at: int) -> bool:
        return at < len(self._lines) and self._lines[at].startswith((" ", "+", "-", "\\", *_EMPTY))

    def _is_mark(self, at: int) -> bool:
        return at < len(self._lines) and self._lines[at].startswith("\\")

    def _names_file(self, at: int) -> bool:
        pair = self._lines[at : at + 2]
        return len(pair) == 2 and pair[0].startswith("--- ") and pair[1].startswith("+++ ")

    def _bad(self, what: str, at: int | None = None) -> BadPatch:
        line = (self._at if at is None else at) + 1
        return BadPatch(f"The patch {what} (line {line} of the patch).", parameter=self._parameter, line=line)


def _is_sent_so(text: str) -> bool:
    r"""Whether the headers above and of the first hunk end with `\r\n`: below them, a line may be a file's."""
    for line in split(text):
        if line.startswith(("@@", "--- ", "+++ ", "diff --git ")) and line.endswith("\r\n"):
            return True
        if line.startswith("@@"):
            return False
    return False
