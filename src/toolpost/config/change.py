"""Changes one value in a settings file: whole or not at all."""

from pathlib import Path
from typing import Any

from toolpost.atomic import replace_file
from toolpost.config import toml_text
from toolpost.config.load import parsed, unknown_key
from toolpost.config.model import ConfigError, checked, key_named


def put(path: Path, key: str, given: tuple[str, ...]) -> Any:
    """Sets the key to what was written on the command line; gives the value as it was understood."""
    known = key_named(key)
    if known is None:
        raise unknown_key(key)
    many = known.kind == tuple[str, ...]
    words = tuple(
        str(Path(word).expanduser().absolute()) if known.is_path and word else word for word in given
    )
    value = checked(key, list(words) if many else words[-1], strict=False)
    _replace(path, toml_text.put(parsed(path)[0], key, value))
    return value


def drop(path: Path, key: str) -> bool:
    """Takes the key out of the file; False when it was not in it."""
    text = toml_text.drop(parsed(path)[0], key)
    if text is not None:
        _replace(path, text)
    elif key_named(key) is None:
        raise unknown_key(key)
    return text is not None


def _replace(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace_file(path, text.encode("utf-8"))
    except OSError as error:
        raise ConfigError(f"The settings cannot be written: {error.strerror}.", where=str(path)) from None
