from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from tests.desktop.apps.shortcut_bytes import shortcut

from toolpost.desktop.apps.application import Application, Source
from toolpost.desktop.apps.windows import APP_PATHS, app_paths, folders, registered, start_menu


class Registry(ModuleType):
    """A registry of two hives, in the words of winreg."""

    HKEY_CURRENT_USER = "user"
    HKEY_LOCAL_MACHINE = "machine"

    def __init__(self, **hives: dict[str, str]) -> None:
        super().__init__("winreg")
        self._hives = hives

    @contextmanager
    def OpenKey(self, hive: str, path: str) -> Iterator[dict[str, str]]:
        if hive not in self._hives or path != APP_PATHS:
            raise FileNotFoundError(path)
        yield self._hives[hive]

    def QueryInfoKey(self, key: dict[str, str]) -> tuple[int, int, int]:
        return (len(key), 0, 0)

    def EnumKey(self, key: dict[str, str], index: int) -> str:
        return list(key)[index]

    def QueryValue(self, key: dict[str, str], name: str) -> str:
        return key[name]


def test_the_start_menu_is_that_of_the_user_and_that_of_all() -> None:
    menu = "Microsoft/Windows/Start Menu/Programs"
    assert folders({"APPDATA": "C:/u", "PROGRAMDATA": "C:/p"}) == (f"C:/u/{menu}", f"C:/p/{menu}")
    assert folders({}) == ()


def test_shortcuts_are_found_at_any_depth(tmp_path: Path) -> None:
    (tmp_path / "Tools").mkdir()
    (tmp_path / "Tools" / "Paint.lnk").write_bytes(shortcut(r"C:\a\paint.exe"))
    (tmp_path / "Help.lnk").write_bytes(shortcut(r"C:\a\help.exe"))
    assert [one.name for one in start_menu((str(tmp_path),))] == ["Paint"]


def test_programs_are_registered_under_their_names() -> None:
    registry = Registry(
        user={"chrome.exe": '"C:\\u\\chrome.exe"'},
        machine={"chrome.exe": "C:\\m\\chrome.exe", "x.exe": "x.exe", "y.exe": "C:\\y.dll", "z.exe": ""},
    )
    assert list(registered(app_paths(registry))) == [
        Application(
            name="chrome",
            id="chrome.exe",
            path="C:\\u\\chrome.exe",
            words=("C:\\u\\chrome.exe",),
            source=Source.APP_PATHS,
        )
    ]


def test_a_hive_without_any_is_passed_over() -> None:
    assert app_paths(Registry(machine={"a.exe": "C:\\a.exe"})) == {"a.exe": "C:\\a.exe"}
