import os
import resource
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.sandbox.bare import wait_until

from toolpost.sandbox import processes
from toolpost.sandbox.processes import Process

Child = subprocess.Popen[bytes]


@pytest.fixture
def child() -> Iterator[Child]:
    with subprocess.Popen(["sleep", "1000"], env={"WORD": "a=b", "PATH": os.environ["PATH"]}) as process:
        yield process
        process.kill()


def seen(pid: int) -> Process:
    process = processes.look(pid)
    assert process is not None
    return process


def test_a_process_is_seen_with_its_parent_and_session(child: Child) -> None:
    process = seen(child.pid)
    assert (process.parent, process.session, process.is_gone) == (os.getpid(), os.getsid(0), False)
    assert process.began >= seen(os.getpid()).began
    assert processes.every()[child.pid].began == process.began


def test_there_is_no_process_that_is_not_there() -> None:
    assert processes.look(2**30) is None
    assert processes.environment(2**30) is None
    assert processes.program(2**30) == ""
    assert (processes.is_bound(2**30), processes.is_inner(2**30)) == (False, False)


def test_an_environment_is_that_of_the_program(child: Child) -> None:
    wait_until(lambda: processes.variable(child.pid, "WORD"))
    assert processes.variable(child.pid, "WORD") == "a=b"
    assert processes.variable(child.pid, "OTHER") is None
    assert Path(processes.program(child.pid)).name in {"sleep", "coreutils", "busybox"}


def test_an_ended_process_tells_nothing_of_its_environment(child: Child) -> None:
    child.kill()
    wait_until(lambda: seen(child.pid).is_gone)
    assert processes.environment(child.pid) is None


def test_only_that_very_process_gets_a_signal(child: Child) -> None:
    process = seen(child.pid)
    other = Process(process.pid, process.parent, process.session, process.began + 1)
    assert not processes.send(other, signal.SIGKILL)
    assert not processes.send(Process(2**30, 1, 1, 1), signal.SIGKILL)
    assert processes.send(process, signal.SIGKILL)
    wait_until(lambda: seen(child.pid).is_gone)
    assert not processes.send(process, signal.SIGKILL)


def test_only_an_ended_child_is_let_go() -> None:
    pid = os.posix_spawnp("sleep", ["sleep", "1000"], {"PATH": os.environ["PATH"]})
    process = seen(pid)
    processes.reap(process)
    assert not seen(pid).is_gone
    processes.send(process, signal.SIGKILL)
    wait_until(lambda: seen(pid).is_gone)
    processes.reap(Process(pid, process.parent, process.session, process.began + 1))
    assert seen(pid).is_gone
    processes.reap(process)
    assert processes.look(pid) is None


def test_children_and_descendants_are_found() -> None:
    script = "sleep 1000 & echo $!; wait"
    with subprocess.Popen(["bash", "-c", script], stdout=subprocess.PIPE) as shell:
        assert shell.stdout is not None
        inner = int(shell.stdout.readline())
        assert [process.pid for process in processes.children(shell.pid)] == [inner]
        assert shell.pid in {process.pid for process in processes.children(os.getpid())}
        assert processes.below([shell.pid], processes.every()) == {inner}
        os.kill(inner, signal.SIGKILL)


def test_a_process_that_may_write_less_than_we_is_bound(child: Child) -> None:
    assert not processes.is_bound(child.pid)
    resource.prlimit(child.pid, resource.RLIMIT_FSIZE, (1000, 1000))
    assert processes.is_bound(child.pid)


def test_a_process_that_can_gain_no_rights_is_bound() -> None:
    argv = ["setpriv", "--no-new-privs", "sleep", "1000"]
    with subprocess.Popen(argv) as held:
        wait_until(lambda: processes.is_bound(held.pid))
        held.kill()


def test_a_process_of_another_namespace_is_told_apart() -> None:
    assert not processes.is_inner(os.getpid())
    argv = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--kill-child", "sleep", "1000"]
    with subprocess.Popen(argv, stderr=subprocess.DEVNULL) as outer:
        wait_until(lambda: outer.poll() is not None or list(processes.children(outer.pid)))
        if outer.returncode is not None:
            pytest.skip("no user namespaces here")
        (inner,) = processes.children(outer.pid)
        assert (processes.is_inner(outer.pid), processes.is_inner(inner.pid)) == (False, True)
        outer.kill()
