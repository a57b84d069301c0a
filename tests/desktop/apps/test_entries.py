import os
from pathlib import Path

import pytest
from tests.desktop.apps.folders import Machine

from toolpost.desktop.apps.application import Application, Source
from toolpost.desktop.apps.entries import Entries, folders
from toolpost.limits import APP_ENTRY_BYTES


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    made = Machine(tmp_path)
    made.program("files")
    return made


def _entries(machine: Machine) -> Entries:
    shared = tuple(f"{folder}/applications" for folder in (machine.data, machine.shared))
    return Entries(folders=shared, locales=("de",), search_path=(str(machine.bin),))


def _ids(machine: Machine) -> list[str]:
    return [one.id for one in _entries(machine).every()]


def test_an_entry_becomes_an_application(machine: Machine) -> None:
    path = machine.entry(
        "org.Files.desktop",
        "Name=Files",
        "Name[de]=Dateien",
        "GenericName=File manager",
        "Comment=Opens folders",
        "Keywords=folder;disk;",
        "Icon=folder",
        "Exec=files --new %U",
        "Path=/tmp",
        "Terminal=false",
    )
    expected = Application(
        name="Dateien",
        id="org.Files.desktop",
        path=path,
        words=(f"{machine.bin}/files", "--new", "%U"),
        source=Source.DESKTOP_ENTRY,
        description="Opens folders",
        also=("Files", "File manager", "folder", "disk"),
        icon="folder",
        folder="/tmp",
    )
    entries = _entries(machine)
    assert list(entries.every()) == [expected]
    assert entries.by_id("org.Files.desktop") == expected
    assert entries.by_file(path) == expected
    assert (expected.program, expected.exec) == (f"{machine.bin}/files", f"{machine.bin}/files --new")


@pytest.mark.parametrize(
    "lines",
    [
        ("Name=X", "Exec=files", "NoDisplay=true"),
        ("Name=X", "Exec=files", "Hidden=true"),
        ("Name=X", "Exec=files", "TryExec=/no/such/program"),
        ("Name=X", "Exec=files", "Type=Link"),
        ("Exec=files",),
        ("Name=X", "Exec=not-installed"),
        ("Name=X", 'Exec=files "open'),
        ("Name=X", "Exec=./files"),
    ],
)
def test_what_is_no_installed_application_is_not_found(machine: Machine, lines: tuple[str, ...]) -> None:
    path = machine.entry("x.desktop", *lines)
    entries = _entries(machine)
    assert (list(entries.every()), entries.by_id("x.desktop"), entries.by_file(path)) == ([], None, None)


def test_a_program_that_is_tried_for_may_go_by_its_name(machine: Machine) -> None:
    machine.entry("x.desktop", "Name=X", "Exec=files", "TryExec=files")
    assert _ids(machine) == ["x.desktop"]


def test_an_entry_without_a_command_is_known_and_has_none(machine: Machine) -> None:
    machine.entry("x.desktop", "Name=X", "DBusActivatable=true")
    (one,) = _entries(machine).every()
    assert (one.words, one.program, one.exec) == ((), "", "")


def test_the_users_own_entry_hides_the_one_of_the_machine(machine: Machine) -> None:
    shared = machine.entry("x.desktop", "Name=Shared", "Exec=files")
    own = machine.entry("x.desktop", "Name=Own", "Exec=files", own=True)
    entries = _entries(machine)
    assert [one.name for one in entries.every()] == ["Own"]
    assert (entries.by_file(own), entries.by_file(shared)) == (entries.by_id("x.desktop"), None)


def test_an_entry_taken_away_by_the_user_is_not_found_elsewhere(machine: Machine) -> None:
    machine.entry("x.desktop", "Name=Shared", "Exec=files")
    machine.entry("x.desktop", "Hidden=true", own=True)
    assert (_ids(machine), _entries(machine).by_id("x.desktop")) == ([], None)


def test_folders_become_part_of_an_id(machine: Machine) -> None:
    path = machine.entry("kde-5/office/calc.desktop", "Name=Calc", "Exec=files")
    entries = _entries(machine)
    assert _ids(machine) == ["kde-5-office-calc.desktop"]
    found = entries.by_id("kde-5-office-calc.desktop")
    assert found is not None
    assert (found.path, entries.by_file(path)) == (path, found)
    assert entries.by_id("kde-5-office-other.desktop") is None


@pytest.mark.parametrize("identity", ["../x.desktop", "..-x.desktop", "a\0.desktop", "x", "", "-.desktop"])
def test_an_id_leads_nowhere_else(machine: Machine, identity: str) -> None:
    machine.entry("deep/y.desktop", "Name=Y", "Exec=files")
    (machine.shared / "x.desktop").write_text("[Desktop Entry]\nType=Application\nName=X\nExec=files\n")
    assert _entries(machine).by_id(identity) is None


def test_a_file_elsewhere_is_no_application(machine: Machine, tmp_path: Path) -> None:
    machine.entry("deep/y.desktop", "Name=Y", "Exec=files")
    elsewhere = tmp_path / "evil.desktop"
    elsewhere.write_text("[Desktop Entry]\nType=Application\nName=E\nExec=files\n")
    entries = _entries(machine)
    assert entries.by_file(str(elsewhere)) is None
    assert entries.by_file(f"{machine.shared}/applications/../../evil.desktop") is None


def test_files_that_cannot_be_read_as_entries_are_passed_over(machine: Machine) -> None:
    folder = Path(machine.entry("good.desktop", "Name=Good", "Exec=files")).parent
    os.mkfifo(folder / "pipe.desktop")
    (folder / "folder.desktop").mkdir()
    (folder / "gone.desktop").symlink_to(folder / "nowhere")
    (folder / "large.desktop").write_bytes(b"#" * (APP_ENTRY_BYTES + 1))
    (folder / "bytes.desktop").write_bytes(b"[Desktop Entry]\xff\n\0")
    (folder / "other.txt").write_text("")
    assert _ids(machine) == ["good.desktop"]


def test_a_folder_in_a_circle_ends(machine: Machine) -> None:
    folder = Path(machine.entry("x.desktop", "Name=X", "Exec=files")).parent
    (folder / "round").symlink_to(folder)
    assert _ids(machine)[-1] == "x.desktop"
    assert len(_ids(machine)) == 5


def test_entries_stand_in_the_users_folder_then_in_those_of_the_machine() -> None:
    usual = folders({}, "/home/u")
    assert usual == (
        "/home/u/.local/share/applications",
        "/home/u/.local/share/flatpak/exports/share/applications",
        "/usr/local/share/applications",
        "/usr/share/applications",
        "/var/lib/flatpak/exports/share/applications",
        "/var/lib/snapd/desktop/applications",
    )
    named = folders({"XDG_DATA_HOME": "/d", "XDG_DATA_DIRS": "/a/:relative:/usr/share"}, "/home/u")
    assert named[:4] == (
        "/d/applications",
        "/home/u/.local/share/flatpak/exports/share/applications",
        "/a/applications",
        "/usr/share/applications",
    )
    assert folders({"XDG_DATA_HOME": "relative"}, "/h")[0] == "/h/.local/share/applications"
