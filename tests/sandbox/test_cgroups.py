import os
from pathlib import Path

import pytest

from toolpost.sandbox import cgroups

MOUNTS = [
    "30 24 0:26 / /sys/fs/cgroup rw - tmpfs tmpfs rw",
    "36 30 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory",
    "38 30 0:34 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids",
    "40 30 0:36 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw",
]


def test_our_own_group_of_the_pids_controller_is_found() -> None:
    found = [
        cgroups._candidates(MOUNTS, groups)
        for groups in (["8:pids:/a/b", "0::/"], ["3:cpu,pids:/c"], ["0::/x"])
    ]
    assert found == [
        [Path("/sys/fs/cgroup/pids/a/b")],
        [Path("/sys/fs/cgroup/pids/c")],
        [Path("/sys/fs/cgroup/pids/")],
    ]
    assert cgroups._candidates(MOUNTS[:2], ["0::/x"]) == []


def test_a_folder_without_the_controller_is_none(tmp_path: Path) -> None:
    left = tmp_path / "toolpost-0-9"
    left.mkdir()
    assert cgroups._works(tmp_path) is False
    assert cgroups._works(tmp_path / "gone") is False
    assert list(tmp_path.iterdir()) == []  # what a dead server left went too


def test_groups_of_living_servers_stay(tmp_path: Path) -> None:
    (tmp_path / f"toolpost-{os.getppid()}-9").mkdir()
    cgroups._works(tmp_path)
    assert len(list(tmp_path.iterdir())) == 1


def test_what_a_keeper_starts_is_born_in_its_group() -> None:
    if os.geteuid() != 0 or cgroups.parent() is None:
        pytest.skip("needs root and a control group of version 1 with pids")
    ours = Path("/proc/thread-self/cgroup").read_text()
    theirs = cgroups.keeper(77).submit(Path("/proc/thread-self/cgroup").read_text).result()
    assert f"toolpost-{os.getpid()}-77" in theirs
    assert f"toolpost-{os.getpid()}-77" not in ours


def test_without_a_group_there_is_none_to_make(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroups, "parent", lambda: None)
    with pytest.raises(FileNotFoundError):
        cgroups._made(5)


def test_a_keeper_without_a_limit_lives_where_we_do() -> None:
    ours = Path("/proc/thread-self/cgroup").read_text()
    assert cgroups.keeper().submit(Path("/proc/thread-self/cgroup").read_text).result() == ours


def test_a_group_that_is_in_use_stays(tmp_path: Path) -> None:
    (tmp_path / "group" / "inner").mkdir(parents=True)
    cgroups._dissolve(tmp_path / "group")
    assert (tmp_path / "group").exists()
