"""Where settings live: the user's own folder, and the project's."""

from collections.abc import Mapping
from pathlib import Path

FILE = "config.toml"
PROJECT = ".toolpost"


def user_folder(environment: Mapping[str, str]) -> Path:
    """The XDG folder; a relative one is not allowed there, and is passed over."""
    given = Path(environment.get("XDG_CONFIG_HOME", ""))
    if given.is_absolute():
        return given / "toolpost"
    home = environment.get("HOME")
    return (Path(home) if home else Path.home()) / ".config" / "toolpost"


def project_folder(start: Path) -> Path | None:
    """The nearest `.toolpost` folder, from here upward."""
    for folder in (start, *start.parents):
        if (folder / PROJECT).is_dir():
            return folder / PROJECT
    return None
