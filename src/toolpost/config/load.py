"""Reads the settings: defaults < user file < project file < environment < flags.

Each value keeps where it came from. What a project's file may not say is left out, and noted.
"""

import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from operator import attrgetter
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from toolpost.config import toml_text
from toolpost.config.model import BUDGETS, KEYS, NAMES, Config, ConfigError, checked, key_named
from toolpost.config.places import FILE, project_folder, user_folder

PREFIX = "TOOLPOST_"


class Origin(Struct, frozen=True):
    layer: str
    where: str = ""
    """`file:line`, the variable or the option; empty for a default."""

    def __str__(self) -> str:
        return f"{self.layer} ({self.where})" if self.where else self.layer


class Setting(Struct, frozen=True):
    key: str
    value: Any
    origin: Origin


class Settings(Struct, frozen=True):
    """The config, and for each of its keys the value and its origin."""

    config: Config
    values: dict[str, Setting]
    files: tuple[tuple[str, Path | None], ...]
    notes: tuple[str, ...] = ()


def load(environment: Mapping[str, str], folder: Path, flags: Mapping[str, Any] | None = None) -> Settings:
    user = user_folder(environment) / FILE
    project = project_folder(folder)
    project_file = project / FILE if project else None
    values = {setting.key: setting for setting in _defaults()}
    notes: list[str] = []
    _overlay(values, read_file(user, "user file"))
    if project_file:
        notes += _tighten(values, read_file(project_file, "project file"))
    variables, strangers = _variables(environment, folder)
    _overlay(values, variables)
    _overlay(values, _flags(flags or {}, folder))
    files = (("user file", user), ("project file", project_file))
    return Settings(_config(values), values, files, (*notes, *strangers))


def read_file(path: Path, layer: str) -> list[Setting]:
    text, table = parsed(path)
    return [_from_file(path, text, layer, key, value) for key, value in _flat(table)]


def parsed(path: Path) -> tuple[str, dict[str, Any]]:
    """The file's text and what it says; nothing when it is not there."""
    try:
        text = path.read_bytes().decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return "", {}
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"The settings cannot be read: {error}.", where=str(path)) from None
    try:
        return text, tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"Not TOML: {error}.", where=str(path), fix="Mend the file by hand.") from None


def _from_file(path: Path, text: str, layer: str, key: str, value: Any) -> Setting:
    where = f"{path}:{toml_text.line_of(text, key)}"
    return _setting(key, value, Origin(layer, where), path.parent)


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def _setting(key: str, value: Any, origin: Origin, folder: Path) -> Setting:
    known = key_named(key)
    if known is None:
        raise unknown_key(key, origin.where)
    try:
        value = checked(key, value, strict=origin.layer.endswith("file"))
    except ConfigError as error:
        raise ConfigError(error.message, where=origin.where, fix=known.help) from None
    return Setting(key, _absolute(value, folder) if known.is_path else value, origin)


def unknown_key(key: str, where: str = "") -> ConfigError:
    near = get_close_matches(key, NAMES, n=1, cutoff=0.5)
    fix = f"Did you mean {near[0]}?" if near else f"Known are {', '.join(NAMES)}."
    return ConfigError(f"There is no setting {key!r}.", where=where, fix=fix)


def _absolute(value: Any, folder: Path) -> Any:
    """A path in a file is meant from that file's folder, any other from where we are."""
    if isinstance(value, tuple):
        return tuple(_absolute(item, folder) for item in value)
    return str(folder / Path(value).expanduser()) if value else value


def _defaults() -> Iterator[Setting]:
    fresh = Config()
    for key in KEYS:
        yield Setting(key, attrgetter(key)(fresh), Origin("default"))
    for budget in BUDGETS:
        for unit, amount in attrgetter(budget)(fresh).items():
            yield Setting(f"{budget}.{unit}", amount, Origin("default"))


def _overlay(values: dict[str, Setting], settings: Iterable[Setting]) -> None:
    values.update((setting.key, setting) for setting in settings)


def _tighten(values: dict[str, Setting], settings: Iterable[Setting]) -> Iterator[str]:
    """Takes what a project's file may say; yields a note for what it may not."""
    for setting in settings:
        key, current = key_named(setting.key), values.get(setting.key)
        if key and key.project_may(current.value if current else None, setting.value):
            values[setting.key] = setting
        else:
            yield (
                f"{setting.origin.where}: {setting.key} is left out: a project's file may only tighten, "
                f"and you have {toml_text.written(current.value) if current else 'none'} here."
            )


def _variables(environment: Mapping[str, str], folder: Path) -> tuple[list[Setting], list[str]]:
    known = {PREFIX + key.replace(".", "_").upper(): key for key in KEYS}
    found, notes = [], []
    for name in sorted(environment):
        if not name.startswith(PREFIX):
            continue
        key = known.get(name) or _budget_key(name)
        near = get_close_matches(name, known, n=1, cutoff=0.85)
        if key:
            value = _split(key, environment[name])
            found.append(_setting(key, value, Origin("environment", name), folder))
        elif near:
            notes.append(f"{name} is no setting; did you mean {near[0]}?")
    return found, notes


def _budget_key(name: str) -> str:
    """TOOLPOST_LIMITS_RUN_CALLS -> limits.run.calls."""
    for budget in BUDGETS:
        start = PREFIX + budget.replace(".", "_").upper() + "_"
        if name.startswith(start):
            return f"{budget}.{name.removeprefix(start).lower()}"
    return ""


def _split(key: str, value: str) -> Any:
    known = key_named(key)
    is_list = known is not None and known.kind == tuple[str, ...]
    if not is_list:
        return value
    separator = os.pathsep if known is not None and known.is_path else ","
    return [part for part in value.split(separator) if part]


def _flags(flags: Mapping[str, Any], folder: Path) -> Iterator[Setting]:
    for key, value in flags.items():
        if value is not None:
            yield _setting(key, value, Origin("flag", f"--{key}"), folder)


def _config(values: Mapping[str, Setting]) -> Config:
    nested: dict[str, Any] = {}
    for key, setting in values.items():
        place = nested
        *tables, name = key.split(".")
        for table in tables:
            place = place.setdefault(table, {})
        place[name] = setting.value
    return msgspec.convert(nested, Config)
