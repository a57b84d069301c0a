import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.sandbox.bare import tagged, wait_until

from toolpost.sandbox import processes
from toolpost.sandbox.environment import TAG
from toolpost.sandbox.family import TAGS, Family

Child = subprocess.Popen[bytes]


class Started:
    """A command with a tag, in a session of its own."""

    def __init__(self, script: str, *, limits: str = "") -> None:
        self.tag = TAGS.issue()
        self.process: Child = subprocess.Popen(
            ["bash", "-c", f"{limits} {script}"],
            env={"PATH": os.environ["PATH"], TAG: self.tag},
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        self.family = Family(self.process, self.tag)

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().decode().strip()

    def close(self) -> None:
        self.family.kill_root()
        self.family.sweep()
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture
def starts() -> Iterator[list[Started]]:
    made: list[Started] = []
    yield made
    for one in made:
        one.close()


def is_there(pid: int) -> bool:
    process = processes.look(pid)
    return process is not None and not process.is_gone


def test_tags_of_one_server_begin_alike_and_are_never_the_same() -> None:
    tags = {TAGS.issue() for _ in range(100)}
    assert len(tags) == 100
    assert {tag.partition(".")[0] for tag in tags} == {TAGS.server}


def test_all_that_a_command_started_belongs_to_it(starts: list[Started]) -> None:
    one = Started("(setsid sleep 1000 &); setsid -f sleep 1000; sleep 1000 & echo on; wait")
    starts.append(one)
    assert one.line() == "on"
    wait_until(lambda: len(one.family.members()) == 4)
    one.family.ask_to_end()
    wait_until(lambda: one.process.poll() is not None)
    one.family.sweep()
    assert tagged(one.tag) == []


def test_one_without_a_tag_is_known_by_what_binds_it(starts: list[Started]) -> None:
    script = "(env -i setsid bash -c 'echo $$; exec sleep 1000' &); sleep 1000"
    one = Started(script, limits="ulimit -f 1000;")
    starts.append(one)
    stray = int(one.line())
    wait_until(
        lambda: processes.program(stray).endswith("sleep") and processes.environment(stray) is not None
    )
    one.family.kill_root()
    one.family.sweep()
    assert not is_there(stray)


def test_one_without_a_tag_and_a_bond_is_not_touched(starts: list[Started]) -> None:
    with subprocess.Popen(["sleep", "1000"], env={}, start_new_session=True) as other:
        one = Started("sleep 1000")
        starts.append(one)
        with subprocess.Popen(["sleep", "1000"], env={}, start_new_session=True) as later:
            one.family.kill_root()
            one.family.sweep()
            assert (other.poll(), later.poll()) == (None, None)
            later.kill()
        other.kill()


def test_another_command_is_not_touched(starts: list[Started]) -> None:
    script = "(setsid sleep 1000 &); sleep 1000"
    one, other = (Started(script, limits="ulimit -f 1000;") for _ in range(2))
    starts += [one, other]
    wait_until(lambda: len(tagged(other.tag)) == 2)
    one.family.kill_root()
    one.family.sweep()
    assert (len(tagged(one.tag)), len(tagged(other.tag))) == (0, 2)


def test_what_stands_around_a_command_is_asked_last(starts: list[Started]) -> None:
    one = Started("trap 'echo asked' TERM; sleep 1000 & echo on; wait; echo over; sleep 1000")
    starts.append(one)
    assert one.line() == "on"
    wrapped = Family(one.process, one.tag, is_wrapped=True)
    wait_until(lambda: len(wrapped.members()) == 2)
    wrapped.ask_to_end()
    assert one.line() == "over"


def test_a_wrapper_with_nothing_inside_is_asked_itself(starts: list[Started]) -> None:
    one = Started("exec sleep 1000")
    starts.append(one)
    Family(one.process, one.tag, is_wrapped=True).ask_to_end()
    assert one.process.wait(30) == -signal.SIGTERM


def test_a_command_that_has_ended_is_asked_in_vain(starts: list[Started]) -> None:
    one = Started("true")
    starts.append(one)
    one.process.wait(30)
    one.family.ask_to_end()
    one.family.kill()
    assert one.family.members() == []


def test_a_control_group_knows_them_all(tmp_path: Path, starts: list[Started]) -> None:
    """The files of one, in a folder: what is written to `cgroup.kill` and read from `cgroup.procs`."""
    one = Started("sleep 1000")
    starts.append(one)
    with subprocess.Popen(["sleep", "1000"], start_new_session=True) as counted:
        (tmp_path / "cgroup.procs").write_text(f"{one.process.pid}\n{counted.pid}\n")
        family = Family(one.process, one.tag, cgroup=str(tmp_path))
        assert {member.pid for member in family.members()} == {one.process.pid, counted.pid}
        family.kill()
        assert (tmp_path / "cgroup.kill").read_text() == "1"
        assert counted.wait(30) == -signal.SIGKILL


def test_a_control_group_that_is_gone_knows_none(tmp_path: Path, starts: list[Started]) -> None:
    one = Started("sleep 1000")
    starts.append(one)
    family = Family(one.process, one.tag, cgroup=str(tmp_path / "gone"))
    assert [member.pid for member in family.members()] == [one.process.pid]


def test_a_fork_bomb_of_some_hundred_is_ended(starts: list[Started]) -> None:
    bomb = "f() { sleep 0.01; [ $1 -gt 0 ] && { f $(($1 - 1)) & f $(($1 - 1)) & }; sleep 1000; }; f 6"
    one = Started(bomb)
    starts.append(one)
    wait_until(lambda: len(tagged(one.tag)) > 20)
    one.family.kill_root()
    one.family.sweep()
    assert tagged(one.tag) == []
