"""Contract 001's tool-metrics.jsonl: a line a call, in a folder a component.

Metrics tell what happened; they decide nothing. So they are written by a listener, and a line that cannot
be written is logged and fails no call.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import msgspec

from toolpost import codec
from toolpost.events import CallFinished, Event
from toolpost.limits import NAME_BYTES
from toolpost.result import Result

FOLDER = "superconnect"
FILE = "tool-metrics.jsonl"
NO_COMPONENT = "_"


class Metrics:
    """Give it to `bench.listen`; `line_of` says a result in the contract's flat form."""

    def __init__(self, folder: Path, line_of: Callable[[Result], dict[str, Any]]) -> None:
        self._folder = folder / FOLDER
        self._line_of = line_of

    def __call__(self, event: Event) -> None:
        if isinstance(event, CallFinished):
            self.write(event.result)

    def write(self, result: Result) -> None:
        line = codec.encode(self._line_of(result)) + b"\n"
        handle = self._open(self._folder / folder_name(result.call.caller.component))
        try:
            os.write(handle, line)  # one write, so that lines of several processes never mix
        finally:
            os.close(handle)

    def _open(self, folder: Path) -> int:
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
        try:
            return os.open(folder / FILE, flags, 0o600)
        except FileNotFoundError:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            return os.open(folder / FILE, flags, 0o600)


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
        yield ("" if name == NO_COMPONENT else unquote(name)), file


def lines(file: Path) -> Iterator[dict[str, Any]]:
    """What can be read of a file; a line that a full disk tore is passed over."""
    with file.open("rb") as stream:
        for raw in stream:
            try:
                line = msgspec.json.decode(raw)
            except msgspec.DecodeError:
                continue
            if isinstance(line, dict):
                yield line
