import sys
from pathlib import Path

import pytest
from tests.cli.desk import Run

from toolpost.cli import doctor


def states(run: Run, *args: str) -> dict[str, str]:
    return {check["what"]: check["state"] for check in run("doctor", "--json", *args).json}


def test_a_sound_installation_passes(run: Run) -> None:
    shown = run("doctor", "--text")

    assert shown.code == 0
    assert shown.out.startswith("state  what")
    assert "dialects" in shown.out


def test_programs_and_script_that_are_missing_are_warnings(
    run: Run, monkeypatch: pytest.MonkeyPatch, work: Path
) -> None:
    monkeypatch.setenv("PATH", str(work))
    found = states(run)

    assert [found[name] for name in ("toolpost", "git", "node", "npm")] == ["warn"] * 4
    assert run("doctor").code == 0


def test_programs_that_are_there_are_named(run: Run, monkeypatch: pytest.MonkeyPatch, work: Path) -> None:
    for name in ("toolpost", "git", "node", "npm"):
        (work / name).write_text("#!/bin/sh\n")
        (work / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(work))

    assert [states(run)[name] for name in ("toolpost", "git", "node", "npm")] == ["ok"] * 4


def test_settings_that_cannot_be_read_fail(run: Run, user_folder: Path) -> None:
    user_folder.mkdir(parents=True)
    (user_folder / "config.toml").write_text("profile = \n")

    assert run("doctor").code == 1
    assert states(run)["settings"] == "fail"


def test_where_values_came_from_and_what_was_left_out_is_shown(run: Run, work: Path) -> None:
    (work / ".toolpost").mkdir()
    (work / ".toolpost" / "config.toml").write_text('profile = "open"\nlanguage = "pt"\n')
    found = states(run)

    assert (found["language"], found["settings"]) == ("ok", "warn")


def test_plugins_are_shown_loaded_untrusted_and_broken(run: Run, shop: str, work: Path) -> None:
    folder = work / ".toolpost" / "tools"
    folder.mkdir(parents=True)
    (folder / "carried.py").write_text("")
    told = run("doctor", "--json", "--tools", shop, "--tools", "nope.py")

    plugins = [(check["state"], check["found"]) for check in told.json if check["what"] == "plugin"]
    assert told.code == 1
    assert plugins == [
        ("warn", f"{folder}/carried.py untrusted: it is not trusted yet"),
        ("ok", f"{shop}: 5 tools"),
        ("fail", f"{work}/nope.py missing: No such file or directory"),
    ]


def test_a_record_is_checked_without_making_it(run: Run, work: Path) -> None:
    run("config", "set", "record", "deep/er/calls.jsonl")
    assert states(run)["record"] == "ok"
    assert not (work / "deep").exists()

    run("config", "set", "record", str(work))
    assert states(run)["record"] == "fail"
    assert run("doctor").code == 1


def test_an_old_python_fails(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "OLDEST_PYTHON", (sys.version_info[0] + 1, 0))

    assert states(run)["python"] == "fail"


def test_a_missing_script_was_answered_with_a_less_safe_way_to_start(
    run: Run, monkeypatch: pytest.MonkeyPatch, work: Path
) -> None:
    monkeypatch.setenv("PATH", str(work))
    told = {check["what"]: check["next_step"] for check in run("doctor", "--json").json}

    assert "python -m" not in told["toolpost"]
    assert str(Path(sys.executable).parent) in told["toolpost"]
