"""What a search came to, and where its output goes."""

import sys
import time

from msgspec import Struct, field

from toolpost.cli.trouble import Unheard


class Tally(Struct, kw_only=True):
    matches: int = 0
    lines: int = 0
    """That matched."""
    files: int = 0
    """In which something matched."""
    searched: int = 0
    """Files, those an index rules out among them."""
    bytes_searched: int = 0
    bytes_printed: int = 0
    began: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began


class Out:
    """A file's lines at once: whoever reads along at a terminal sees them as soon as they are found."""

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self._is_read_along = sys.stdout.isatty()
        self.is_silent = True
        """Nothing was printed yet."""

    def write(self, lines: list[str]) -> None:
        if not lines:
            return
        self.is_silent = False
        text = "\n".join([*lines, ""])
        self._tally.bytes_printed += len(text.encode("utf-8", "surrogateescape"))
        try:
            sys.stdout.write(text)
            if self._is_read_along:
                sys.stdout.flush()
        except OSError as error:
            raise Unheard(error) from None

    def end(self) -> None:
        try:
            sys.stdout.flush()
        except OSError as error:
            raise Unheard(error) from None
