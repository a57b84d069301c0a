import os
import resource
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from toolpost.errors import IoFailed, TimedOut
from toolpost.limits import GIT_STDERR_BYTES
from toolpost.workspace.git import process as git_process
from toolpost.workspace.git.process import GitOutput, Job, run


def job(script: str, folder: Path) -> Job:
    return Job(argv=("/bin/sh", "-c", script), cwd=folder, environment={"PATH": "/usr/bin:/bin"})


def is_alive(pid: int) -> bool:
    """A zombie is not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_both_outputs_and_the_exit_code_are_kept_apart(tmp_path: Path) -> None:
    assert run(job("echo out; echo complaint >&2; exit 3", tmp_path)) == GitOutput(
        b"out\n", False, 3, "complaint"
    )


def test_nothing_can_be_read_from_standard_input(tmp_path: Path) -> None:
    assert run(job("cat; echo end", tmp_path)).stdout == b"end\n"


def test_input_and_output_larger_than_any_pipe_pass_together(tmp_path: Path) -> None:
    data = b"x" * 3_000_000
    output = run(replace(job("cat", tmp_path), stdin=data))
    assert (output.stdout == data, output.truncated) == (True, False)


def test_input_nobody_reads_is_no_failure(tmp_path: Path) -> None:
    assert run(replace(job("exec 0<&-; echo done", tmp_path), stdin=b"x" * 1_000_000)).stdout == b"done\n"


def test_endless_output_is_cut_and_its_source_stopped(tmp_path: Path) -> None:
    output = run(replace(job("echo $$ > pid; exec yes", tmp_path), max_bytes=10))
    assert output == GitOutput(b"y\ny\ny\ny\ny\n", True, 0, "")
    assert not is_alive(int((tmp_path / "pid").read_text()))


def test_endless_complaints_are_dropped(tmp_path: Path) -> None:
    output = run(job("head -c 1000000 /dev/zero | tr '\\0' x >&2", tmp_path))
    assert len(output.stderr) == GIT_STDERR_BYTES


def test_what_takes_too_long_is_stopped_with_all_it_started(tmp_path: Path) -> None:
    slow = replace(job("sleep 60 & echo $! > pid; wait", tmp_path), timeout_s=0.3)
    with pytest.raises(TimedOut) as caught:
        run(slow)
    assert caught.value.context == {"limit_s": 0.3}
    _wait_until_gone(int((tmp_path / "pid").read_text()))


def test_what_holds_the_pipe_after_its_parent_ended_is_stopped_too(tmp_path: Path) -> None:
    with pytest.raises(TimedOut):
        run(replace(job("sleep 60 & echo $! > pid", tmp_path), timeout_s=0.3))
    _wait_until_gone(int((tmp_path / "pid").read_text()))


def test_what_closes_its_pipes_and_goes_on_is_stopped(tmp_path: Path) -> None:
    with pytest.raises(TimedOut):
        run(replace(job("exec >&- 2>&-; echo $$ > pid; sleep 60", tmp_path), timeout_s=0.3))
    _wait_until_gone(int((tmp_path / "pid").read_text()))


def test_what_does_not_heed_a_request_to_stop_is_made_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git_process, "GIT_STOP_S", 0.1)
    with pytest.raises(TimedOut):
        run(replace(job("trap '' TERM; echo $$ > pid; while :; do sleep 1; done", tmp_path), timeout_s=0.3))
    _wait_until_gone(int((tmp_path / "pid").read_text()))


def test_a_program_that_cannot_be_started_is_said_to_be(tmp_path: Path) -> None:
    for broken in (replace(job("", tmp_path), argv=("/nonexistent", "log")), job("", tmp_path / "nowhere")):
        with pytest.raises(IoFailed, match="could not be started"):
            run(broken)


def test_no_descriptor_of_ours_is_passed_on(tmp_path: Path) -> None:
    ours, theirs = os.pipe()
    os.set_inheritable(theirs, True)
    try:
        listed = run(job("ls /proc/self/fd | wc -l", tmp_path)).stdout
    finally:
        os.close(ours)
        os.close(theirs)
    assert int(listed) <= 4


def test_it_has_a_session_of_its_own(tmp_path: Path) -> None:
    said = run(job("cut -d' ' -f6 /proc/$$/stat; echo $$", tmp_path)).stdout.split()
    assert said[0] == said[1] != str(os.getsid(0)).encode()


def test_the_end_is_awaited_too_where_processes_have_no_descriptors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "pidfd_open", raising=False)
    assert run(job("exec >&- 2>&-; sleep 0.05; exit 3", tmp_path)).exit_code == 3
    with pytest.raises(TimedOut):
        run(replace(job("exec >&- 2>&-; sleep 60", tmp_path), timeout_s=0.3))


def test_descriptors_above_a_thousand_are_no_trouble(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2_000 if hard == resource.RLIM_INFINITY else min(2_000, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    held: list[int] = []
    try:
        while not held or held[-1] < min(1_100, wanted - 50):
            held.append(os.open("/dev/null", os.O_RDONLY))
        assert run(job("echo here", tmp_path)).stdout == b"here\n"
    finally:
        for descriptor in held:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def _wait_until_gone(pid: int) -> None:
    until = time.monotonic() + 10
    while is_alive(pid):
        assert time.monotonic() < until
        os.sched_yield()
