import plistlib
import sys
from pathlib import Path

import pytest
from tests.desktop.apps.folders import Machine
from tests.desktop.apps.shortcut_bytes import shortcut
from tests.desktop.apps.test_windows import Registry

from toolpost.desktop.apps.closed import Closed
from toolpost.desktop.apps.installed import Installed


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def _installed(machine: Machine, platform: str = "linux") -> Installed:
    return Installed(machine.environ, str(machine.home), platform)


def test_a_program_behind_an_entry_is_not_told_twice(machine: Machine) -> None:
    machine.program("paint")
    machine.program("paint-extra")
    machine.entry("org.Paint.desktop", "Name=Paint", "Exec=paint %F")
    (machine.bin / "paint.txt").write_text("no program")
    assert [one.id for one in _installed(machine).find("paint")] == ["org.Paint.desktop", "paint-extra"]


def test_an_application_is_known_by_its_id_its_entry_and_its_program(machine: Machine) -> None:
    tool = machine.program("tool")
    entry = machine.entry("org.Tool.desktop", "Name=Tool", "Exec=tool")
    installed = _installed(machine)
    assert [one.path for one in installed.named("org.Tool.desktop")] == [entry]
    assert [one.path for one in installed.named(entry)] == [entry]
    assert [one.path for one in installed.named(tool)] == [tool]
    assert [one.path for one in installed.named("tool")] == [tool]


def test_a_program_elsewhere_is_known_only_where_an_entry_starts_it(machine: Machine, tmp_path: Path) -> None:
    hidden = machine.program("../opt/app")
    program = str(tmp_path / "opt" / "app")
    assert _installed(machine).named(program) == []
    one = machine.entry("one.desktop", "Name=One", f"Exec={program} --one")
    assert [found.path for found in _installed(machine).named(program)] == [one]
    two = machine.entry("two.desktop", "Name=Two", f"Exec={program} --two")
    assert [found.path for found in _installed(machine).named(program)] == [one, two]
    plain = machine.entry("zero.desktop", "Name=Zero", f"Exec={program} %U")
    assert [found.path for found in _installed(machine).named(program)] == [plain]
    assert Path(hidden).samefile(program)


@pytest.mark.parametrize("given", ["", "absent", "/bin/../bin/sh", "./tool", "/etc/passwd"])
def test_nothing_else_is_known(machine: Machine, given: str) -> None:
    machine.program("tool")
    assert _installed(machine).named(given) == []


def test_on_macos_bundles_are_found(machine: Machine) -> None:
    contents = machine.home / "Applications" / "Own.app" / "Contents"
    contents.mkdir(parents=True)
    info = {"CFBundleExecutable": "own", "CFBundleIdentifier": "my.own"}
    (contents / "Info.plist").write_bytes(plistlib.dumps(info))
    installed = _installed(machine, "darwin")
    assert [one.id for one in installed.find("own")] == ["my.own"]
    assert [one.id for one in installed.named("my.own")] == ["my.own"]


def test_on_windows_shortcuts_and_registered_programs_are_found(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "winreg", Registry(machine={"draw.exe": "C:\\d\\draw.exe"}))
    menu = machine.home / "Microsoft/Windows/Start Menu/Programs"
    menu.mkdir(parents=True)
    (menu / "Draw More.lnk").write_bytes(shortcut(r"C:\d\more.exe"))
    installed = Installed({**machine.environ, "APPDATA": str(machine.home)}, str(machine.home), "win32")
    assert [one.id for one in installed.find("draw")] == ["draw.exe", "Draw More"]
    assert [one.id for one in installed.named("draw.exe")] == ["draw.exe"]


def test_nothing_that_lies_in_a_closed_folder_is_installed(machine: Machine, tmp_path: Path) -> None:
    root, there = tmp_path / "root", Machine(tmp_path / "root")
    planted, evil = there.program("paint"), there.program("paint-evil")
    own = there.entry("paint.desktop", "Name=Paint", f"Exec={machine.program('paint')}")
    machine.entry("run.desktop", "Name=Paint run", f"Exec=sh {evil}")
    (machine.bin / "paint-linked").symlink_to(evil)
    link = tmp_path / "link"
    link.symlink_to(there.bin)
    environ = machine.environ | {
        "PATH": f"{there.bin}:{link}:{machine.bin}:/bin",
        "XDG_DATA_DIRS": f"{there.shared}:{machine.shared}",
    }
    installed = Installed(environ, str(machine.home), "linux", closed=Closed((str(root),)))
    assert [one.path for one in installed.find("paint")] == [f"{machine.bin}/paint"]
    given = (
        planted,
        evil,
        own,
        "paint.desktop",
        "run.desktop",
        "paint-linked",
        "paint-evil",
        f"{link}/paint",
    )
    assert [installed.named(one) for one in given] == [[]] * len(given)
    assert [one.path for one in installed.named("paint")] == [f"{machine.bin}/paint"]
