import sys
from pathlib import Path

import pytest
from tests.sandbox.ground import missing

from toolpost.sandbox import bubblewrap, hints, kernel, probe
from toolpost.sandbox.model import Level
from toolpost.sandbox.probe import Found

BOTH = (Level.LANDLOCK, Level.NAMESPACES)


def _or_skip(level: Level) -> None:
    if why := missing("ordinary", level):
        pytest.skip(why)


@pytest.mark.parametrize("level", BOTH)
def test_a_canary_that_is_stopped_makes_a_level(level: Level) -> None:
    _or_skip(level)
    assert probe.probe(level) == Found(level=level, works=True)


@pytest.mark.parametrize("level", [Level.OFF, Level.PROCESS])
def test_what_claims_nothing_always_works(level: Level) -> None:
    assert probe.probe(level) == Found(level=level, works=True)


@pytest.mark.parametrize("level", BOTH)
def test_a_level_that_held_is_remembered_until_something_changes(
    level: Level, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _or_skip(level)
    state = tmp_path / "state"
    probe.probe(level, str(state))
    (note,) = state.iterdir()
    monkeypatch.setattr(probe, "_CANARY", "raise SystemExit('not asked again')")
    assert probe.probe(level, str(state)).works
    monkeypatch.setattr(
        sys, "executable", f"{Path(sys.executable).parent}/../bin/{Path(sys.executable).name}"
    )
    assert not probe.probe(level, str(state)).works
    assert list(state.iterdir()) == [note]


@pytest.mark.parametrize("level", BOTH)
def test_a_canary_that_gets_out_unmakes_a_level(level: Level, monkeypatch: pytest.MonkeyPatch) -> None:
    _or_skip(level)
    monkeypatch.setattr(
        probe, "_CANARY", "print('inside done\\noutside done\\nsecret stopped\\nnetwork done')"
    )
    found = probe.probe(level)
    assert (found.works, found.reason) == (False, "its canary was not stopped (outside done, network done)")


def test_a_canary_that_lies_is_caught_by_what_lies_on_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    _or_skip(Level.LANDLOCK)
    monkeypatch.setattr(
        probe,
        "_CANARY",
        "print('\\n'.join(['inside done', 'outside stopped', 'secret stopped', 'network stopped']))",
    )
    assert not probe.probe(Level.LANDLOCK).works


def test_a_canary_that_hangs_unmakes_a_level(monkeypatch: pytest.MonkeyPatch) -> None:
    _or_skip(Level.LANDLOCK)
    monkeypatch.setattr(probe, "_CANARY", "import time; time.sleep(60)")
    monkeypatch.setattr(probe, "PROBE_S", 0.3)
    assert probe.probe(Level.LANDLOCK).reason == "the canary did not come back"


def test_a_state_folder_that_cannot_be_written_is_no_failure(tmp_path: Path) -> None:
    _or_skip(Level.LANDLOCK)
    (tmp_path / "file").write_text("")
    assert probe.probe(Level.LANDLOCK, str(tmp_path / "file" / "state")).works


def test_without_bubblewrap_the_fix_is_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "program", lambda: "")
    found = probe.probe(Level.NAMESPACES)
    assert (found.works, found.reason) == (False, "bubblewrap is not installed")
    assert "apt install bubblewrap" in found.fix


def test_a_set_up_that_fails_is_the_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if not sys.platform.startswith("linux"):
        pytest.skip("needs Linux")
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2; exit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(bubblewrap, "program", lambda: str(broken))
    assert probe.probe(Level.NAMESPACES).reason == "bwrap: setting up uid map: Permission denied"
    monkeypatch.setattr(bubblewrap, "program", lambda: "/no/such/bwrap")
    assert not hints.missing(Level.NAMESPACES)


def test_what_the_kernel_says_of_landlock_is_told_with_what_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    from errno import EIO, ENOSYS, EOPNOTSUPP

    said = []
    for number in (ENOSYS, EOPNOTSUPP, EIO):

        def fails(number: int = number) -> int:
            raise OSError(number, "broken")

        monkeypatch.setattr(kernel, "landlock_abi", fails)
        said.append((hints.missing(Level.LANDLOCK), hints.fix(Level.LANDLOCK, "")[:30]))
    assert said == [
        ("this kernel has no Landlock", "Linux 5.13 and later have it: "),
        ("Landlock is switched off", "Add landlock to the list of th"),
        ("Landlock answers broken", "See what `toolpost doctor` say"),
    ]


def test_the_setting_that_forbids_namespaces_decides_what_helps(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("0\n")
    (tmp_path / "b").write_text("1\n")
    settings = (
        (str(tmp_path / "gone"), "1", "no"),
        (str(tmp_path / "a"), "1", "no"),
        (str(tmp_path / "b"), "1", "this"),
    )
    assert hints.namespaces_fix(settings) == "this"
    assert "container" in hints.namespaces_fix(settings[:2])
    assert "profile bwrap /usr/bin/bwrap" in hints._APPARMOR


def test_elsewhere_there_is_nothing_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    found = probe.probe(Level.NAMESPACES)
    assert (found.works, found.reason) == (False, "L3 needs Linux")
    assert found.fix.startswith("Run commands on Linux")
