"""Changes one value in a settings file: whole or not at all."""

import os
from pathlib import Path
from tempfile import mkstemp
from typing import Any

from toolpost.config import toml_text
from toolpost.config.load import read_file, unknown_key
from toolpost.config.model import checked, key_named


def put(path: Path, key: str, given: tuple[str, ...]) -> Any:
    """Sets the key to what was written on the command line; gives the value as it was understood."""
    known = key_named(key)
    if known is None:
        raise unknown_key(key)
    many = known.kind == tuple[str, ...]
    words = tuple(str(Path(word).expanduser().absolute()) if known.is_path and word else word for word in given)
    value = checked(key, list(words) if many else words[-1], strict=False)
    read_file(path, "file")
    write(path, toml_text.put(_text(path), key, value))
    return value


def drop(path: Path, key: str) -> bool:
    """Takes the key out of the file; False when it was not in it."""
    if key_named(key) is None:
        raise unknown_key(key)
    text = toml_text.drop(_text(path), key)
    if text is None:
        return False
    write(path, text)
    return True


def _text(path: Path) -> str:
    return path.read_text("utf-8") if path.exists() else ""


def write(path: Path, text: str) -> None:
    """To a file beside it, onto the disk, then in its place: a crash leaves the old or the new."""
    target = path.resolve()
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = mkstemp(dir=target.parent, prefix=f".{target.name}.")
    beside = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            beside.chmod(target.stat().st_mode & 0o777)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
