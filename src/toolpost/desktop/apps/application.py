"""An application that is installed, whichever way it was found."""

import shlex
from enum import StrEnum

from msgspec import Struct

from toolpost.desktop.apps import exec_line


class Source(StrEnum):
    """Where an application was found; what is made for users comes before mere programs."""

    DESKTOP_ENTRY = "desktop-entry"
    BUNDLE = "bundle"
    START_MENU = "start-menu"
    APP_PATHS = "app-paths"
    SEARCH_PATH = "search-path"


class Application(Struct, frozen=True, kw_only=True):
    name: str
    id: str
    """Unique among those of one source: `org.gnome.Calculator.desktop`, `com.apple.Safari`, a program's name."""
    path: str
    """What a caller launches it by: its desktop entry, bundle, shortcut or program."""
    words: tuple[str, ...] = ()
    """The program and its arguments, with field codes such as %U; empty when it has no command of its own."""
    source: Source
    description: str = ""
    also: tuple[str, ...] = ()
    """Other names people know it by."""
    icon: str = ""
    folder: str = ""
    """Where it wants to run; empty: anywhere."""
    is_terminal: bool = False
    """It talks with its user in a terminal, and has no window of its own."""

    @property
    def program(self) -> str:
        return exec_line.plain(self.words[0]) if self.words else ""

    @property
    def exec(self) -> str:
        """Its command as people write one, without the files it could be given."""
        return shlex.join(self.argv())

    def argv(self, files: tuple[str, ...] = ()) -> tuple[str, ...]:
        asked = exec_line.Asked(name=self.name, icon=self.icon, entry=self.path, files=files)
        return exec_line.expanded(self.words, asked)
