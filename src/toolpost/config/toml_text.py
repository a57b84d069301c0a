"""TOML as lines: where a key stands, and how to change one value and leave all else as it was."""

import re
import tomllib
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from toolpost.config.model import ConfigError

Path = tuple[str, ...]
_PART = r"(?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')"
_KEY = re.compile(rf"\s*({_PART}(?:\s*\.\s*{_PART})*)\s*=")


class Statement(Struct, frozen=True):
    """A header (no keys) or a `key = value`, from its first line up to the one after its last."""

    table: Path
    keys: Path
    start: int
    end: int

    @property
    def full(self) -> Path:
        return self.table + self.keys


def line_of(text: str, name: str) -> int:
    """The line a key stands on, counted from 1; 0 when it stands on none."""
    statement = _covering(list(_statements(text)), tuple(name.split(".")))
    return statement.start + 1 if statement else 0


def put(text: str, name: str, value: Any) -> str:
    """The text with the key set."""
    path = tuple(name.split("."))
    statements = list(_statements(text))
    lines = text.split("\n")
    found = _covering(statements, path)
    if found is None:
        return _proven(_inserted(lines, statements, path, value), name, value)
    inner = path[len(found.full) :]
    whole = _nested(_value(lines, found), inner, value)
    lines[found.start : found.end] = [_rewritten(lines, found, whole)]
    return _proven("\n".join(lines), name, value)


def drop(text: str, name: str) -> str | None:
    """The text without the key; None when it was not there."""
    path = tuple(name.split("."))
    found = _covering(list(_statements(text)), path)
    if found is None:
        return None
    lines = text.split("\n")
    inner = path[len(found.full) :]
    if not inner:
        del lines[found.start : found.end]
        return "\n".join(lines)
    kept = _value(lines, found)
    if inner[0] not in kept:
        return None
    lines[found.start : found.end] = [
        _rewritten(lines, found, {key: item for key, item in kept.items() if key != inner[0]})
    ]
    return "\n".join(lines)


def _statements(text: str) -> Iterator[Statement]:
    lines, at = text.split("\n"), 0
    table: Path = ()
    keys: Path = ()
    while at < len(lines):
        line = lines[at].strip()
        if not line or line.startswith("#"):
            at += 1
            continue
        if line.startswith("["):
            table, end, keys = _names(tomllib.loads(line)), at + 1, ()
        else:
            end, keys = _end(lines, at), _keys(lines[at])
        yield Statement(table, keys, at, end)
        at = end


def _end(lines: list[str], start: int) -> int:
    """A value may run over several lines: the fewest that can be read."""
    for end in range(start + 1, len(lines)):
        if _reads("\n".join(lines[start:end])):
            return end
    return len(lines)


def _reads(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


def _keys(line: str) -> Path:
    match = _KEY.match(line)
    return _names(tomllib.loads(f"{match[1]} = 0")) if match else ()


def _names(nested: Any) -> Path:
    names: list[str] = []
    while nested and isinstance(nested, dict | list):
        if isinstance(nested, list):
            nested = nested[0]
            continue
        name, nested = next(iter(nested.items()))
        names.append(name)
    return tuple(names)


def _covering(statements: list[Statement], path: Path) -> Statement | None:
    """The statement that sets the key, alone or in an inline table."""
    return next((one for one in statements if one.keys and path[: len(one.full)] == one.full), None)


def _value(lines: list[str], statement: Statement) -> Any:
    value: Any = tomllib.loads("\n".join(lines[statement.start : statement.end]))
    for name in statement.keys:
        value = value[name]
    return value


def _nested(value: Any, inner: Path, wanted: Any) -> Any:
    return {**value, inner[0]: wanted} if inner and isinstance(value, dict) else wanted


def _rewritten(lines: list[str], statement: Statement, value: Any) -> str:
    first = lines[statement.start]
    head = first[: first.index("=") + 1]
    comment = _comment(first) if statement.end == statement.start + 1 else ""
    return f"{head} {written(value)}{comment}"


def _comment(line: str) -> str:
    """The comment at the end of a line, with the space before it. A `#` inside a text is none."""
    for at, char in enumerate(line):
        if char == "#" and _reads(line[:at]):
            return line[len(line[:at].rstrip()) :].rstrip()
    return ""


def _inserted(lines: list[str], statements: list[Statement], path: Path, value: Any) -> str:
    """Beside its siblings; else in a table of its own at the end."""
    parent = path[:-1]
    beside = [one for one in statements if one.table == parent and (one.keys or parent)] or [
        one for one in statements if one.keys and parent and one.full[: len(parent)] == parent
    ]
    if beside:
        at, table = beside[-1].end, beside[-1].table
        lines.insert(at, f"{'.'.join(path[len(table) :])} = {written(value)}")
        return "\n".join(lines)
    if not parent:
        at = min((one.start for one in statements), default=len(lines) if lines != [""] else 0)
        return "\n".join([*lines[:at], f"{path[0]} = {written(value)}", *lines[at:]])
    text = "\n".join(lines).rstrip("\n")
    gap = "\n\n" if text else ""
    return f"{text}{gap}[{'.'.join(parent)}]\n{path[-1]} = {written(value)}\n"


def written(value: Any) -> str:
    """A value in TOML. JSON's texts, numbers and lists are TOML's too."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {written(item)}" for key, item in value.items()) + " }"
    return msgspec.json.encode(value).decode("utf-8")


def _proven(text: str, name: str, value: Any) -> str:
    """What was written is read back; a file laid out in a way we misread is not touched."""
    try:
        found: Any = tomllib.loads(text)
        for part in name.split("."):
            found = found[part]
    except (tomllib.TOMLDecodeError, KeyError, TypeError):
        found = None
    if found != (list(value) if isinstance(value, tuple) else value):
        raise ConfigError(f"{name} could not be set without harm to the file.", fix="Edit the file by hand.")
    return text if text.endswith("\n") else f"{text}\n"
