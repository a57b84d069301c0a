import os
import subprocess
from pathlib import Path
from threading import Thread

import pytest
from tests.sandbox.ground import missing

from toolpost.errors import SandboxUnavailable
from toolpost.limits import SANDBOX_RULESETS_KEPT
from toolpost.sandbox import kernel, landlock, rulesets
from toolpost.sandbox.landlock import READ, WRITE, Confined, Grant, confined, grants, ruleset
from toolpost.sandbox.model import Fence, Level
from toolpost.sandbox.rulesets import Wanted, rules


def _paths(fence: Fence) -> list[tuple[str, bool]]:
    """What is granted in a fence, and whether files in it may be read."""
    found = grants(fence, (), ())
    return [
        (grant.path, grant.rights & READ == READ)
        for grant in found.grants
        if not grant.path.startswith(("/proc", "/dev"))
    ]


def test_a_folder_with_something_masked_is_opened_name_by_name(tmp_path: Path) -> None:
    top = str(tmp_path)
    for name in (".env", "src/a", "conf/secret", "conf/open"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    fence = Fence(roots=(top,), masked=(f"{top}/.env", f"{top}/conf/secret"))
    assert sorted(_paths(fence)) == sorted(
        [(top, False), (f"{top}/src", True), (f"{top}/conf", False), (f"{top}/conf/open", True)]
    )
    assert grants(fence, (), ()).folders == (top, f"{top}/conf")


def test_a_masked_root_gets_nothing() -> None:
    assert _paths(Fence(roots=("/gone",), masked=("/gone",))) == []


def test_a_carved_folder_that_vanished_opens_nothing_below_it() -> None:
    assert _paths(Fence(roots=("/gone",), masked=("/gone/x",))) == [("/gone", False)]


def test_too_many_files_beside_a_masked_one_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(landlock, "SANDBOX_GRANTS", 20)
    for number in range(30):
        (tmp_path / str(number)).write_text("")
    with pytest.raises(SandboxUnavailable, match="bubblewrap can"):
        grants(Fence(roots=(str(tmp_path),), masked=(f"{tmp_path}/3",)), (), ())


def _or_skip() -> None:
    if why := missing("ordinary", Level.LANDLOCK):
        pytest.skip(why)


def test_what_fails_in_the_thread_fails_the_call(tmp_path: Path) -> None:
    _or_skip()
    rules_ = ruleset((Grant("/usr", READ), Grant(str(tmp_path), WRITE)))
    try:
        with pytest.raises(FileNotFoundError):
            confined(lambda: subprocess.Popen(("/no/such/program",)), rules_, writes=True)
        with pytest.raises(OSError, match="Bad file descriptor"):
            confined(lambda: subprocess.Popen(("/bin/true",)), 9999, writes=True)
    finally:
        os.close(rules_)


def test_rules_for_what_cannot_be_opened_are_an_error_unless_it_is_gone() -> None:
    _or_skip()
    os.close(ruleset((Grant("/no/such/folder", READ),)))
    with pytest.raises(OSError, match="too long"):
        ruleset((Grant("/" + "x" * 5000, READ),))


def test_rules_are_kept_until_what_they_name_is_replaced(tmp_path: Path) -> None:
    _or_skip()
    root = tmp_path / "root"
    root.mkdir()
    wanted = Wanted(Fence(roots=(str(root),)), ("/usr",), ())
    before = len(rulesets._kept)
    for _ in range(3):
        os.close(rules(wanted).ruleset)
    assert len(rulesets._kept) == min(before + 1, SANDBOX_RULESETS_KEPT)
    root.rename(tmp_path / "moved")
    root.mkdir()
    os.close(rules(wanted).ruleset)
    root.rmdir()
    os.close(rules(wanted).ruleset)
    assert len([key for key in rulesets._kept if key[0] == wanted]) == 3


def test_kept_rules_have_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _or_skip()
    monkeypatch.setattr(rulesets, "SANDBOX_RULESETS_KEPT", 2)
    for number in range(4):
        os.close(rules(Wanted(Fence(roots=(f"/gone/{number}",)), (), ())).ruleset)
    assert len(rulesets._kept) == 2


def test_the_kernels_no_is_an_error() -> None:
    _or_skip()
    with pytest.raises(OSError, match="No message"):
        kernel.create_ruleset((0,) * 9)


def test_a_kernel_without_landlock_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> int:
        raise OSError(38, "no")

    monkeypatch.setattr(kernel, "landlock_abi", fails)
    landlock.abi.cache_clear()
    try:
        assert landlock.abi() == 0
    finally:
        monkeypatch.undo()
        landlock.abi.cache_clear()


def test_only_the_thread_that_starts_is_bound(tmp_path: Path) -> None:
    _or_skip()
    rules_ = ruleset((Grant("/usr", READ), Grant("/lib64", READ), Grant(str(tmp_path), WRITE)))
    (tmp_path / "outside").mkdir()
    task = Confined(lambda: subprocess.Popen(("/bin/true",), cwd=tmp_path), rules_, writes=True)
    stopped: list[OSError] = []

    def bound() -> None:
        task.run()
        try:
            Path("/etc/hosts").read_text()
        except OSError as failed:
            stopped.append(failed)

    thread = Thread(target=bound)
    thread.start()
    thread.join(60)
    os.close(rules_)
    assert task.result().wait(60) == 0
    assert [type(failed) for failed in stopped] == [PermissionError]
    assert Path("/etc/hosts").read_text()


def test_a_thread_that_broke_in_another_way_starts_nothing() -> None:
    _or_skip()
    rules_ = ruleset(())

    def breaks() -> subprocess.Popen[bytes]:
        raise ValueError

    task = Confined(breaks, rules_, writes=True)
    caught: list[BaseException] = []

    def bound() -> None:
        try:
            task.run()
        except ValueError as failed:
            caught.append(failed)

    thread = Thread(target=bound)
    thread.start()
    thread.join(60)
    os.close(rules_)
    with pytest.raises(SandboxUnavailable, match="broke"):
        task.result()
    assert len(caught) == 1
