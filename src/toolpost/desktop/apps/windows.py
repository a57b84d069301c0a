"""Applications of Windows: the shortcuts of the Start Menu, and the programs registered under App Paths."""

import ntpath
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from toolpost.desktop.apps import content, shortcuts
from toolpost.desktop.apps.application import Application, Source
from toolpost.desktop.apps.exec_line import literal
from toolpost.limits import APP_ENTRIES

_MENU = "Microsoft/Windows/Start Menu/Programs"
APP_PATHS = r"SOFTWARE\Microsoft\Windows\CurrentVersion\App Paths"


def folders(environ: Mapping[str, str]) -> tuple[str, ...]:
    bases = (environ.get("APPDATA"), environ.get("PROGRAMDATA"))
    return tuple(f"{base}/{_MENU}" for base in bases if base)


def start_menu(folders: tuple[str, ...]) -> Iterator[Application]:
    for folder in folders:
        for path in sorted(str(path) for path in Path(folder).rglob("*.lnk"))[:APP_ENTRIES]:
            found = shortcuts.application(path, content.read(path) or b"")
            if found is not None:
                yield found


def registered(values: Mapping[str, str]) -> Iterator[Application]:
    r"""Of the keys below App Paths and the program each names: `chrome.exe` -> `"C:\...\chrome.exe"`."""
    for key, value in sorted(values.items()):
        path = value.strip().strip('"')
        if path.lower().endswith(".exe") and ntpath.isabs(path):
            name = key.removesuffix(".exe").removesuffix(".EXE")
            yield Application(name=name, id=key, path=path, words=(literal(path),), source=Source.APP_PATHS)


def app_paths(registry: Any) -> dict[str, str]:
    """`registry` is the module winreg. A user's own registration comes before the machine's."""
    found: dict[str, str] = {}
    for hive in (registry.HKEY_CURRENT_USER, registry.HKEY_LOCAL_MACHINE):
        try:
            with registry.OpenKey(hive, APP_PATHS) as folder:
                for index in range(registry.QueryInfoKey(folder)[0]):
                    key = registry.EnumKey(folder, index)
                    found.setdefault(key, os.path.expandvars(registry.QueryValue(folder, key) or ""))
        except OSError:
            continue
    return found
