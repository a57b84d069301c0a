"""Where settings live, the user's own and the project's, and where we keep what we need to remember."""

from collections.abc import Mapping
from pathlib import Path

FILE = "config.toml"
PROJECT = ".toolpost"


def user_folder(environment: Mapping[str, str]) -> Path:
    return _xdg(environment, "XDG_CONFIG_HOME", ".config")


def state_folder(environment: Mapping[str, str]) -> Path:
    """What outlives a run and is no setting, such as what was there before a change."""
    return _xdg(environment, "XDG_STATE_HOME", ".local/state")


def cache_folder(environment: Mapping[str, str]) -> Path:
    """What can be made again, such as an index."""
    return _xdg(environment, "XDG_CACHE_HOME", ".cache")


def _xdg(environment: Mapping[str, str], variable: str, usual: str) -> Path:
    """The XDG folder; a relative one is not allowed there, and is passed over."""
    given = Path(environment.get(variable, ""))
    if given.is_absolute():
        return given / "toolpost"
    home = environment.get("HOME")
    return (Path(home) if home else Path.home()) / usual / "toolpost"


def project_folder(start: Path) -> Path | None:
    """The nearest `.toolpost` folder, from here upward."""
    for folder in (start, *start.parents):
        if (folder / PROJECT).is_dir():
            return folder / PROJECT
    return None
