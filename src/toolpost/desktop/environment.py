"""The variables a program of the desktop needs, and no other: a server's own hold tokens."""

from collections.abc import Mapping

from toolpost.desktop.apps import programs
from toolpost.desktop.apps.closed import NOWHERE, Closed

_NAMES = """
    HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR XAUTHORITY DISPLAY WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS
    DESKTOP_SESSION GDK_BACKEND GDK_SCALE GTK_THEME GTK_IM_MODULE QT_IM_MODULE QT_QPA_PLATFORM QT_QPA_PLATFORMTHEME
    QT_SCALE_FACTOR QT_STYLE_OVERRIDE XMODIFIERS XCURSOR_THEME XCURSOR_SIZE MOZ_ENABLE_WAYLAND PULSE_SERVER PULSE_COOKIE
    PIPEWIRE_REMOTE PIPEWIRE_RUNTIME_DIR
    XDG_RUNTIME_DIR XDG_SESSION_TYPE XDG_SESSION_ID XDG_SESSION_CLASS XDG_SESSION_DESKTOP XDG_CURRENT_DESKTOP
    XDG_SEAT XDG_VTNR XDG_MENU_PREFIX XDG_DATA_DIRS XDG_DATA_HOME XDG_CONFIG_DIRS XDG_CONFIG_HOME XDG_CACHE_HOME
    XDG_STATE_HOME
"""
_PASSED_ON = frozenset(_NAMES.split())


def environment(source: Mapping[str, str], home: str, closed: Closed = NOWHERE) -> dict[str, str]:
    """`source` is the server's own. PATH keeps only absolute folders, and none that is closed."""
    passed = {name: value for name, value in source.items() if name in _PASSED_ON or name.startswith("LC_")}
    return {"HOME": home, **passed, "PATH": ":".join(programs.folders(source, closed))}
