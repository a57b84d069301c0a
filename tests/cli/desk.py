"""A command line to test at: a home of its own, a folder of its own, and what a run left behind."""

import io
import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

SHOP = '''
from typing import Annotated
from msgspec import Meta
from toolpost import tool
from toolpost.define import Example, from_schema

@tool(tags=["weather"], examples=[Example("Lisbon", {"city": "Lisbon"}, "Three days in Lisbon")])
def forecast(city: Annotated[str, Meta(description="The city, in English")], days: int = 1) -> str:
    """Say what the weather will be in a city."""
    return f"{days} days of sun in {city}"

@tool(effects=["write"], cost={"notes": 1})
def write_note(text: str) -> dict[str, int]:
    """Keep a note for later."""
    return {"size": len(text)}

@tool
def break_down() -> str:
    """Always break, for tests."""
    raise RuntimeError("out of order")

@tool(scopes=["orders:read"])
def list_orders() -> list[int]:
    """List the numbers of all orders."""
    return [1, 2]

count_things = from_schema(
    "count_things", "Count whatever is given.",
    {"type": "object", "properties": {
        "things": {"type": "array", "items": {"type": "integer"}},
        "filter": {"type": "object", "properties": {"least": {"type": "integer"}}},
        "label": {"type": ["string", "null"]},
        "kind": {"enum": [1, 2]},
        "loose": {"anyOf": [True]},
        "dotted.name": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
    }}, lambda args: args, effects=["read"])
'''


class Ran(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Ran]


class Screen(io.StringIO):
    """A terminal to print on."""

    def isatty(self) -> bool:
        return True


class Keyboard(io.TextIOWrapper):
    """A terminal to type at, with everything typed already."""

    def __init__(self, typed: str) -> None:
        super().__init__(io.BytesIO(typed.encode()))

    def isatty(self) -> bool:
        return True


def process(*args: str, stdin: bytes = b"", folder: Path, **environment: str) -> Ran:
    """A real run: the program as users start it."""
    done = subprocess.run(
        [sys.executable, "-m", "toolpost", *args],
        input=stdin,
        capture_output=True,
        cwd=folder,
        env={**os.environ, **environment},
        timeout=60,
        check=False,
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def at_terminal(*args: str, typed: bytes = b"", folder: Path, **environment: str) -> Ran:
    """A real run at a real terminal, all three streams on it; `typed` waits in its line buffer."""
    master, slave = pty.openpty()
    started = subprocess.Popen(
        [sys.executable, "-m", "toolpost", *args],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        cwd=folder,
        env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "200", **environment},
        start_new_session=True,
    )
    os.close(slave)
    os.write(master, typed)
    shown = b"".join(iter(lambda: _read(master), b""))
    os.close(master)
    return Ran(started.wait(timeout=60), shown.decode(), "")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # Linux says so when the last writer has closed it
        return b""
