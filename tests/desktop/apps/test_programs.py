from pathlib import Path

from tests.desktop.apps.folders import Machine

from toolpost.desktop.apps import programs


def test_only_absolute_folders_are_searched() -> None:
    assert programs.folders({"PATH": "/a:.::b:/c/:/a"}) == ("/a", "/c")
    assert programs.folders({}) == ("/usr/local/bin", "/usr/bin", "/bin")


def test_a_program_is_found_by_name_or_path_when_it_can_run(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    path = machine.program("tool")
    (machine.bin / "data").write_text("")
    (machine.bin / "folder").mkdir()
    search = (str(tmp_path / "absent"), str(machine.bin))
    assert programs.find("tool", search) == programs.find(path, search) == path
    for name in ("data", "folder", "absent", "", "bin/tool", "a\0b", f"{machine.bin}/data"):
        assert programs.find(name, search) == ""


def test_of_several_programs_with_one_name_the_first_counts(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    first, second = machine.program("one/tool"), machine.program("two/tool")
    machine.program("two/a50%")
    machine.program("two/.hidden")
    search = tuple(str(machine.bin / name) for name in ("one", "two", "three"))
    found = list(programs.every(search))
    assert [one.path for one in found] == [first, f"{machine.bin}/two/a50%"]
    assert found[1].argv() == (f"{machine.bin}/two/a50%",)
    assert second != first
