"""Files a person names: read whole, with every fault said; JSON also written, whole or not at all."""

import json
import sys
from pathlib import Path
from typing import Any

from toolpost.cli import show
from toolpost.cli.exits import Exit
from toolpost.cli.trouble import Trouble


def read(name: str) -> Any:
    """The value in a file, or on stdin for `-`."""
    text = _text(name)
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_refused)
    except ValueError as error:
        raise Trouble(f"{name} is not JSON: {error}", "Mend the file.") from None
    except RecursionError:
        raise Trouble(f"{name} nests too deep to be read.", "Mend the file.") from None


def _text(name: str) -> str:
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).expanduser().read_bytes()
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Trouble(f"{name} is not UTF-8.", "Save it as UTF-8.") from None
    except FileNotFoundError:
        raise Trouble(f"There is no file {name}.", "Check the path.", Exit.NOT_FOUND) from None
    except OSError as error:
        raise Trouble(f"{name} cannot be read: {error.strerror}.", "Check the path.") from None


def bounded(file: Path, most: int, meant: str) -> bytes:
    """A file's bytes, if it is no larger than what can be meant by it."""
    try:
        with file.expanduser().open("rb") as source:
            data = source.read(most + 1)
    except FileNotFoundError:
        raise Trouble(f"There is no file {file}.", "Check the path.", Exit.NOT_FOUND) from None
    except OSError as error:
        raise Trouble(f"{file} cannot be read: {error.strerror}.", "Check the path.") from None
    if len(data) > most:
        raise Trouble(f"{file} is larger than {most:,} bytes.", f"Name {meant}.")
    return data


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A key that stands twice would lose one of its values without a word."""
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        message = f"the key {twice!r} stands twice in one object"
        raise ValueError(message)
    return made


def _refused(word: str) -> None:
    message = f"{word} is no JSON number"
    raise ValueError(message)


def dumped(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def write(name: str, value: Any) -> None:
    from toolpost.atomic import replace_file

    if name == "-":
        show.out(dumped(value))
        return
    try:
        replace_file(Path(name).expanduser(), f"{dumped(value)}\n".encode(), mode=0o644)
    except OSError as error:
        raise Trouble(f"{name} cannot be written: {error.strerror}.", "Check the path.") from None
