"""What could not be searched, told on stderr: the first of it line by line, the rest as a count."""

import errno
import os

from toolpost.cli import show
from toolpost.errors import IoFailed
from toolpost.index.limits import SEARCH_TOLD


class Missed:
    def __init__(self) -> None:
        self.is_unreadable = False
        """Something could not be opened, whose text may match."""
        self.is_passed = False
        """A line was not looked at, that may match."""
        self._told: set[str] = set()
        self._untold = 0
        self._unnamed = 0

    def unreadable(self, shown: str, error: IoFailed) -> None:
        self.is_unreadable = True
        name = str(error.context.get("errno", ""))
        number = getattr(errno, name, 0)
        self._tell(f"error: {shown}: {f'{os.strerror(number)} ({name})' if number else error.detail}")

    def long_lines(self, shown: str, lines: int, size_bytes: int) -> None:
        self.is_passed = True
        many = (
            f"{lines:,} lines of {size_bytes:,} bytes were"
            if lines > 1
            else f"1 line of {size_bytes:,} bytes was"
        )
        self._tell(
            f"note: {shown}: {many} passed over: this pattern could take too long on {'them' if lines > 1 else 'it'}"
        )

    def unnamed(self) -> None:
        """A file whose name is not UTF-8, so that no output could show it."""
        self._unnamed += 1

    def end(self) -> None:
        if self._untold:
            show.note(f"{self._untold:,} more could not be searched.")
        if self._unnamed:
            count = self._unnamed
            what = (
                "1 file was left out: its name is"
                if count == 1
                else f"{count:,} files were left out: their names are"
            )
            show.note(f"{what} not UTF-8.")

    def _tell(self, line: str) -> None:
        if line in self._told:
            return
        if len(self._told) < SEARCH_TOLD:
            self._told.add(line)
            show.err(show.one_line(line))
        else:
            self._untold += 1
