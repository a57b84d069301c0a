"""All applications there are on this machine: looked for by name, or known by their path or id."""

import sys
from collections.abc import Iterator, Mapping
from importlib import import_module

from toolpost.desktop.apps import bundles, entries, programs, ranking, windows
from toolpost.desktop.apps.application import Application, Source
from toolpost.desktop.apps.closed import NOWHERE, Closed
from toolpost.desktop.apps.entries import Entries
from toolpost.desktop.apps.entry_format import locales


class Installed:
    """Looked up anew each time: an application installed a moment ago is found."""

    def __init__(
        self,
        environ: Mapping[str, str],
        home: str,
        platform: str = sys.platform,
        *,
        closed: Closed = NOWHERE,
    ) -> None:
        self._environ = environ
        self._home = home
        self._platform = platform
        self._closed = closed
        self._search_path = programs.folders(environ, closed)
        self._entries = Entries(
            folders=() if platform in {"darwin", "win32"} else entries.folders(environ, home, closed),
            locales=locales(environ),
            search_path=self._search_path,
        )

    def find(self, name: str) -> list[Application]:
        """The likeliest first. A program that an application made for users starts is not told twice."""
        found = [one for one in ranking.rank(name, self.every()) if not self._is_closed(one)]
        started = {
            one.program for one in found if one.source is not Source.SEARCH_PATH and len(one.argv()) == 1
        }
        return [one for one in found if one.source is not Source.SEARCH_PATH or self._is_told(one, started)]

    def _is_told(self, one: Application, started: set[str]) -> bool:
        return one.path not in started and programs.is_program(one.path)

    def _is_closed(self, one: Application) -> bool:
        """An entry elsewhere may start what lies there, also as what an interpreter is given."""
        return any(self._closed.holds(place) for place in (one.path, *one.argv()) if place.startswith("/"))

    def every(self) -> Iterator[Application]:
        yield from self._for_users()
        yield from programs.every(self._search_path)

    def known(self, given: str) -> Application | None:
        """By its path or id, without a look at any other; what the path of a program alone says is taken as it is."""
        found = self._known(given)
        return None if found is None or self._is_closed(found) else found

    def _known(self, given: str) -> Application | None:
        found = self._entries.by_id(given) or self._entries.by_file(given)
        if found is not None or not given or self._platform == "win32":
            return found
        if "/" not in given:
            path = programs.find(given, self._search_path)
            return programs.program(path) if path else None
        is_listed = given.rpartition("/")[0] in self._search_path and programs.is_program(given)
        return programs.program(given) if is_listed else None

    def named(self, given: str) -> list[Application]:
        """Those that a path or id stands for, however they are listed: several may start one program."""
        known = self.known(given)
        if known is not None:
            return [known]
        users = (one for one in self._for_users() if given and given in {one.path, one.id, one.program})
        same = [one for one in users if not self._is_closed(one)]
        plain = [one for one in same if given != one.program or len(one.argv()) == 1]
        return plain[:1] or same

    def _for_users(self) -> Iterator[Application]:
        if self._platform == "darwin":
            yield from bundles.every(bundles.folders(self._home))
        elif self._platform == "win32":
            yield from windows.start_menu(windows.folders(self._environ))
            yield from windows.registered(windows.app_paths(import_module("winreg")))
        else:
            yield from self._entries.every()
