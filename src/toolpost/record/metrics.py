"""Contract 001's tool-metrics.jsonl: a line a call, in a folder a component.

Metrics tell what happened; they decide nothing. So they are written by a listener, and a line that cannot
be written is logged and fails no call.
"""

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from errno import EINVAL
from pathlib import Path
from stat import S_ISREG
from typing import Any
from urllib.parse import quote, unquote

import msgspec

from toolpost import codec
from toolpost.events import CallFinished, Event
from toolpost.limits import NAME_BYTES
from toolpost.result import Result

log = logging.getLogger("toolpost")

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
FOLDER = "superconnect"
FILE = "tool-metrics.jsonl"
NO_COMPONENT = "_"


class Metrics:
    """Give it to `bench.listen`; `line_of` says a result in the contract's flat form."""

    def __init__(self, folder: Path, line_of: Callable[[Result], dict[str, Any]]) -> None:
        self._folder = folder
        self._line_of = line_of
        self._is_silent = False

    def __call__(self, event: Event) -> None:
        if not isinstance(event, CallFinished):
            return
        try:
            self.write(event.result)
        except OSError as error:
            if not self._is_silent:
                log.warning("Metrics cannot be written to %s: %s.", self._folder, error.strerror)
            self._is_silent = True

    def write(self, result: Result) -> None:
        line = codec.encode(self._line_of(result)) + b"\n"
        with _folder(self._folder, folder_name(result.call.caller.component)) as place:
            handle = _file(place, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
            try:
                os.write(handle, line)  # one write, so that lines of several processes never mix
            finally:
                os.close(handle)


@contextmanager
def _folder(base: Path, component: str) -> Iterator[int]:
    """A component's folder, made where it is missing. Below the base no link is followed: it may be anybody's."""
    base.mkdir(mode=0o700, parents=True, exist_ok=True)
    with ExitStack() as opened:
        place = os.open(base, _DIRECTORY)
        opened.callback(os.close, place)
        for name in (FOLDER, component):
            with suppress(FileExistsError):
                os.mkdir(name, 0o700, dir_fd=place)
            place = os.open(name, _DIRECTORY | os.O_NOFOLLOW, dir_fd=place)
            opened.callback(os.close, place)
        yield place


def _file(place: int | None, flags: int, name: str | Path = FILE) -> int:
    """The metrics file, if it is one: no link, and no pipe that would be waited for."""
    handle = os.open(name, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o600, dir_fd=place)
    if not S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(EINVAL, "it is no regular file", str(name))
    return handle


def folder_name(component: str) -> str:
    """A component's name as a folder's: readable where it can be, and never a way out of its parent."""
    name = quote(component, safe=" ()+,@=") or NO_COMPONENT
    if name == NO_COMPONENT and component:
        name = "%5F"
    if name.startswith("."):
        name = f"%2E{name[1:]}"
    return name[:NAME_BYTES]


def components(folder: Path) -> Iterator[tuple[str, Path]]:
    """Each component that has metrics below a folder, and its file."""
    for file in sorted((folder / FOLDER).glob(f"*/{FILE}")):
        name = file.parent.name
        if not file.parent.is_symlink():
            yield ("" if name == NO_COMPONENT else unquote(name)), file


def lines(file: Path) -> Iterator[dict[str, Any]]:
    """What can be read of a file; a line that a full disk tore is passed over."""
    with os.fdopen(_file(None, os.O_RDONLY, file), "rb") as stream:
        for raw in stream:
            try:
                line = msgspec.json.decode(raw)
            except msgspec.DecodeError:
                continue
            if isinstance(line, dict):
                yield line
