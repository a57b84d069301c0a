"""What comes on stdin, searched like a file that is named; `-` stands for it."""

import sys

from toolpost.cli.searching.files import as_it_is
from toolpost.errors import LimitExceeded
from toolpost.limits import SEARCH_FILE_BYTES
from toolpost.workspace.walking.patterns import Pattern

NAME = "-"


class Piped:
    """A target and its only file."""

    is_file = True
    size = 1

    def shown(self, _relative: str) -> str:
        return "<stdin>"

    def every(self) -> list[str]:
        return [""]

    def holding(self, _pattern: Pattern) -> list[str]:
        return [""]

    def text(self, _relative: str) -> bytes:
        data = sys.stdin.buffer.read(SEARCH_FILE_BYTES + 1)
        if len(data) > SEARCH_FILE_BYTES:
            said = f"More than {SEARCH_FILE_BYTES:,} bytes came on stdin: put them into a file and name it."
            raise LimitExceeded(said, parameter="path")
        return as_it_is(data)
