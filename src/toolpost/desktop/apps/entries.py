"""Desktop entries of Linux and other free systems, where the XDG standards say that they are.

Of several files with one id the first counts, also when it says that there is no such application.
"""

import os
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from msgspec import Struct

from toolpost.desktop.apps import content, entry_format, exec_line, programs
from toolpost.desktop.apps.application import Application, Source
from toolpost.desktop.apps.closed import NOWHERE, Closed
from toolpost.desktop.apps.entry_format import is_true, text, texts
from toolpost.desktop.apps.listed import files_ending
from toolpost.limits import APP_ENTRIES, APP_FOLDERS_DEEP

_ENDING = ".desktop"
_EXPORTS = ("/var/lib/flatpak/exports/share", "/var/lib/snapd/desktop")
"""Where Flatpak and Snap put entries, which a server's environment often leaves out."""


class Entries(Struct, frozen=True, kw_only=True):
    folders: tuple[str, ...]
    locales: tuple[str, ...] = ()
    search_path: tuple[str, ...] = ()

    def every(self) -> Iterator[Application]:
        seen: set[str] = set()
        for folder in self.folders:
            for path in islice(files_ending(folder, _ENDING, APP_FOLDERS_DEEP), APP_ENTRIES):
                identity = _id(folder, path)
                if identity not in seen:
                    seen.add(identity)
                    found = self._application(path, identity)
                    if found is not None:
                        yield found

    def by_id(self, identity: str) -> Application | None:
        """Without looking at any other."""
        if "/" in identity or not identity.endswith(_ENDING):
            return None
        for folder in self.folders:
            path = _file(folder, identity, APP_FOLDERS_DEEP)
            if path:
                return self._application(path, identity)
        return None

    def by_file(self, path: str) -> Application | None:
        """Only where it counts: no file elsewhere, and none that another hides."""
        for folder in self.folders:
            if path.startswith(f"{folder}/") and os.path.normpath(path) == path:
                found = self.by_id(_id(folder, path))
                return found if found is not None and found.path == path else None
        return None

    def _application(self, path: str, identity: str) -> Application | None:
        data = content.read(path)
        group = entry_format.parse((data or b"").decode(errors="replace")).get(entry_format.MAIN, {})
        if not self._is_installed(group):
            return None
        words = self._words(text(group, "Exec"))
        if words is None:
            return None
        return Application(
            name=text(group, "Name", self.locales),
            id=identity,
            path=path,
            words=words,
            source=Source.DESKTOP_ENTRY,
            description=text(group, "Comment", self.locales),
            also=self._also(group),
            icon=text(group, "Icon", self.locales),
            folder=text(group, "Path"),
            is_terminal=is_true(group, "Terminal"),
        )

    def _is_installed(self, group: entry_format.Group) -> bool:
        if group.get("Type") != "Application" or not group.get("Name"):
            return False
        if is_true(group, "Hidden") or is_true(group, "NoDisplay"):
            return False
        tried = text(group, "TryExec")
        return not tried or bool(programs.find(tried, self.search_path))

    def _words(self, line: str) -> tuple[str, ...] | None:
        """With the program's file in front. None: not by the format, or the program is not there."""
        if not line:
            return ()  # it is started through D-Bus only
        try:
            words = exec_line.words(line)
        except ValueError:
            return None
        program = programs.find(exec_line.plain(words[0]), self.search_path) if words else ""
        return (exec_line.literal(program), *words[1:]) if program else None

    def _also(self, group: entry_format.Group) -> tuple[str, ...]:
        names = (
            text(group, "Name"),
            text(group, "GenericName", self.locales),
            text(group, "GenericName"),
            *texts(group, "Keywords", self.locales),
        )
        return tuple(dict.fromkeys(name for name in names if name))


def folders(environ: Mapping[str, str], home: str, closed: Closed = NOWHERE) -> tuple[str, ...]:
    """The user's own first. Relative ones do not count, as the standard says."""
    own = environ.get("XDG_DATA_HOME", "")
    shared = environ.get("XDG_DATA_DIRS", "") or "/usr/local/share:/usr/share"
    data = (
        own if own.startswith("/") else f"{home}/.local/share",
        f"{home}/.local/share/flatpak/exports/share",
        *(entry for entry in shared.split(":") if entry.startswith("/")),
        *_EXPORTS,
    )
    listed = dict.fromkeys(f"{folder.rstrip('/')}/applications" for folder in data)
    return tuple(folder for folder in listed if not closed.holds(folder))


def _id(folder: str, path: str) -> str:
    return path[len(folder) + 1 :].replace("/", "-")


def _file(folder: str, identity: str, deep: int) -> str:
    """The file of an id, each `-` of which may stand for a folder."""
    whole = f"{folder}/{identity}"
    if os.path.lexists(whole):
        return whole
    parts = identity.split("-")
    for end in range(1, len(parts) if deep else 0):
        inner = f"{folder}/{'-'.join(parts[:end])}"
        if parts[end - 1] not in {"", ".", ".."} and Path(inner).is_dir():
            found = _file(inner, "-".join(parts[end:]), deep - 1)
            if found:
                return found
    return ""
