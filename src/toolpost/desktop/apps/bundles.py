"""Applications of macOS: folders that end in .app, each with a property list that says what it is."""

import plistlib
from collections.abc import Iterator
from typing import Any
from xml.parsers.expat import ExpatError

from toolpost.desktop.apps import content
from toolpost.desktop.apps.application import Application, Source
from toolpost.desktop.apps.exec_line import literal
from toolpost.desktop.apps.listed import files_ending

_ENDING = ".app"
_DEEP = 1  # /Applications/Utilities


def folders(home: str) -> tuple[str, ...]:
    return (f"{home}/Applications", "/Applications", "/System/Applications")


def every(folders: tuple[str, ...]) -> Iterator[Application]:
    for folder in folders:
        for path in files_ending(folder, _ENDING, _DEEP):
            found = read(path)
            if found is not None:
                yield found


def read(path: str) -> Application | None:
    data = content.read(f"{path}/Contents/Info.plist")
    return bundle(path, data) if data else None


def bundle(path: str, data: bytes) -> Application | None:
    """Of the text or binary form of its property list; None for one without a window, or without a program."""
    try:
        info = plistlib.loads(data)
    except (plistlib.InvalidFileException, ExpatError, ValueError, OverflowError, RecursionError, IndexError):
        return None
    if not isinstance(info, dict) or info.get("LSBackgroundOnly") in {True, "1", "YES"}:
        return None
    program = _text(info, "CFBundleExecutable")
    if not program or "/" in program:
        return None
    file_name = path.rpartition("/")[2].removesuffix(_ENDING)
    names = (_text(info, "CFBundleDisplayName"), _text(info, "CFBundleName"), file_name)
    return Application(
        name=next(name for name in (*names, path) if name),
        id=_text(info, "CFBundleIdentifier") or file_name,
        path=path,
        words=(literal(f"{path}/Contents/MacOS/{program}"),),
        source=Source.BUNDLE,
        description=_text(info, "CFBundleGetInfoString"),
        also=tuple(dict.fromkeys(name for name in names if name)),
    )


def _text(info: dict[str, Any], key: str) -> str:
    value = info.get(key)
    return value if isinstance(value, str) else ""
