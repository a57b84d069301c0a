import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.desk import Run
from tests.fakes.github import GitHubServer

from toolpost.cli import doctor, doctor_workspace
from toolpost.workspace.local import beneath


def states(run: Run, *args: str) -> dict[str, str]:
    return {check["what"]: check["state"] for check in run("doctor", "--json", *args).json}


def told(run: Run, what: str) -> list[tuple[str, str, str]]:
    """State, finding and next step of every check of that name."""
    checks = run("doctor", "--json").json
    return [(one["state"], one["found"], one["next_step"]) for one in checks if one["what"] == what]


def make_commit(folder: Path) -> None:
    person = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    for words in (("init", "-q", "-b", "main"), ("commit", "-q", "--allow-empty", "-m", "Begin")):
        subprocess.run(["git", *person, *words], cwd=folder, check=True, capture_output=True, timeout=60)


@pytest.fixture
def standard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLPOST_STANDARD_TOOLS", "on")


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

    assert [found[name] for name in ("toolpost", "node", "npm")] == ["warn"] * 3
    assert run("doctor").code == 0


def test_programs_that_are_there_are_named(run: Run, monkeypatch: pytest.MonkeyPatch, work: Path) -> None:
    for name in ("toolpost", "node", "npm"):
        (work / name).write_text("#!/bin/sh\n")
        (work / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(work))

    assert [states(run)[name] for name in ("toolpost", "node", "npm")] == ["ok"] * 3


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


def test_switched_off_standard_tools_need_no_roots(run: Run) -> None:
    assert told(run, "standard tools") == [("ok", "off", "toolpost config set standard_tools on")]
    assert told(run, "root") == []


@pytest.mark.usefixtures("standard")
def test_a_root_is_told_with_how_its_paths_are_held(run: Run, work: Path) -> None:
    way = beneath.strongest().name

    assert told(run, "root") == [("ok", f"work: {work} (folder, paths held by {way})", "")]


@pytest.mark.usefixtures("standard")
def test_one_broken_root_does_not_hide_the_others(
    run: Run, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (work / "a" / "same").mkdir(parents=True)
    (work / "b" / "same").mkdir(parents=True)
    monkeypatch.setenv("TOOLPOST_WORKSPACE_ROOTS", "a/same,nope,b/same,git:a")
    fix = "Correct workspace.roots, which comes from environment (TOOLPOST_WORKSPACE_ROOTS)."
    way = beneath.strongest().name

    assert told(run, "root") == [
        ("fail", f"nope: There is no directory {work}/nope.", fix),
        ("fail", "git:a: 'git:a' names no revision: write git:PATH@REVISION.", fix),
        ("ok", f"same: {work}/a/same (folder, paths held by {way})", ""),
        ("ok", f"same-2: {work}/b/same (folder, paths held by {way})", ""),
    ]
    assert run("doctor").code == 1


@pytest.mark.usefixtures("standard")
def test_a_revision_is_told_with_its_commit(run: Run, work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_commit(work)
    monkeypatch.setenv("TOOLPOST_WORKSPACE_ROOTS", "git:.@main")
    ((state, found, _),) = told(run, "root")

    assert state == "ok"
    assert re.fullmatch(rf"work: {work}@main \(git revision [0-9a-f]{{10}}, read only\)", found)


@pytest.mark.usefixtures("standard")
def test_a_repository_on_github_is_asked(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with GitHubServer() as server:
        server.repository("octo/shop", {"README.md": b"# Shop\n"})
        monkeypatch.setenv("TOOLPOST_WORKSPACE_GITHUB_URL", server.url)
        monkeypatch.setenv("TOOLPOST_WORKSPACE_ROOTS", "github:octo/shop")
        ((state, found, _),) = told(run, "root")
        monkeypatch.setenv("TOOLPOST_WORKSPACE_ROOTS", "github:octo/gone")
        ((broken, why, step),) = told(run, "root")

    assert (state, found.startswith("shop: octo/shop@HEAD (GitHub at ")) == ("ok", True)
    assert (broken, why.startswith("gone: octo/gone@HEAD cannot be read: "), bool(step)) == (
        "fail",
        True,
        True,
    )


@pytest.mark.usefixtures("standard")
def test_github_alone_is_not_connected_yet(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLPOST_WORKSPACE_ROOTS", "github:")

    assert told(run, "root") == [
        (
            "warn",
            "github: alone, which connects nothing yet",
            "toolpost config set workspace.roots github:OWNER/NAME@REF",
        )
    ]
    assert told(run, "metrics") == [("ok", "none while there is no root", "")]


@pytest.mark.usefixtures("standard")
def test_tokens_are_named_and_never_shown(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(doctor_workspace, "system_keyring", lambda: None)
    step = "For private repositories set GH_TOKEN, or: pip install 'toolpost[keyring]'"
    assert told(run, "tokens") == [("ok", "none in the environment; no keyring", step)]

    monkeypatch.setenv("GH_TOKEN", "token-of-ada")
    monkeypatch.setattr(doctor_workspace, "system_keyring", object)
    assert told(run, "tokens") == [("ok", "GH_TOKEN in the environment; then the system's keyring", "")]
    assert "token-of-ada" not in run("doctor").out


@pytest.mark.usefixtures("standard")
def test_metrics_are_told_with_where_they_go(run: Run, work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ((_, folder, step),) = told(run, "metrics")
    assert (Path(folder).parent.name, step) == ("workspaces", "toolpost report")

    monkeypatch.setenv("TOOLPOST_WORKSPACE_METRICS", "off")
    assert told(run, "metrics") == [("ok", "off", "toolpost config set workspace.metrics state")]

    monkeypatch.delenv("TOOLPOST_WORKSPACE_METRICS")
    (work / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(work / "file"))
    assert told(run, "metrics")[0][0] == "warn"


@pytest.mark.usefixtures("standard")
def test_what_can_be_undone_is_counted(run: Run, work: Path) -> None:
    assert told(run, "undo") == [("ok", "0 changes, 0 bytes, kept for 7 days", "")]
    assert not (work.parent / "home" / "state").exists()

    (work / "a.txt").write_text("12345")
    run("call", "fs.write", "path=a.txt", "content=x", "overwrite=true", "--yes")
    run("call", "fs.delete", "path=a.txt", "--yes")
    assert told(run, "undo") == [("ok", "2 changes, 6 bytes, kept for 7 days", "toolpost undo --list")]


def test_a_state_folder_that_cannot_be_written_fails(
    run: Run, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (work / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(work / "file"))

    assert told(run, "state") == [
        (
            "fail",
            f"{work}/file/toolpost cannot be written",
            "Make it writable, or name another folder in XDG_STATE_HOME: no file is changed without it.",
        )
    ]
    assert told(run, "undo") == []


def test_a_journal_that_cannot_be_read_is_a_warning(run: Run, work: Path) -> None:
    broken = work.parent / "home" / "state" / "toolpost" / "undo" / "changes"
    broken.mkdir(parents=True)
    (broken / "20990101T000000.000000-a.json").symlink_to("20990101T000000.000000-a.json")
    ((state, found, _),) = told(run, "undo")

    assert (state, found.startswith("What can be undone cannot be read: ")) == ("warn", True)


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ("#!/bin/sh\necho git version 2.33.9\n", "git version 2.33.9 at {git}"),
        ("#!/bin/sh\n", "{git} does not say its version"),
        ("no program at all", "{git} does not say its version"),
    ],
)
def test_a_git_that_is_too_old_or_broken_is_a_warning(
    run: Run, monkeypatch: pytest.MonkeyPatch, work: Path, script: str, found: str
) -> None:
    (work / "git").write_text(script)
    (work / "git").chmod(0o755)
    monkeypatch.setattr(doctor_workspace, "PATH", str(work))
    ((state, said, step),) = told(run, "git")

    assert (state, said, bool(step)) == ("warn", found.format(git=work / "git"), True)


def test_git_is_not_the_one_of_a_folder_on_the_path(
    run: Run, monkeypatch: pytest.MonkeyPatch, work: Path
) -> None:
    (work / "git").write_text(f"#!/bin/sh\ntouch {work}/ran\necho git version 2.99\n")
    (work / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{work}:{os.defpath}")
    ((_, said, _),) = told(run, "git")

    assert (f"{work}/git" in said, (work / "ran").exists()) == (False, False)


def test_a_git_that_is_not_there_is_a_warning(run: Run, monkeypatch: pytest.MonkeyPatch, work: Path) -> None:
    monkeypatch.setattr(doctor_workspace, "PATH", str(work))
    ((state, said, step),) = told(run, "git")

    assert (state, said, step.startswith("Install it")) == ("warn", f"not in {work}", True)


def test_git_is_asked_without_our_environment(run: Run, monkeypatch: pytest.MonkeyPatch, work: Path) -> None:
    (work / "git").write_text('#!/bin/sh\necho "git version 2.99 [$GH_TOKEN$GIT_DIR$HOME]"\n')
    (work / "git").chmod(0o755)
    monkeypatch.setattr(doctor_workspace, "PATH", str(work))
    monkeypatch.setenv("GH_TOKEN", "secret")
    monkeypatch.setenv("GIT_DIR", "/elsewhere")

    assert told(run, "git") == [("ok", f"git version 2.99 [/nonexistent] at {work}/git", "")]
