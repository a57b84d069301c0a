"""What a level claims, tried by commands that want out."""

import ctypes
import os
import socket
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.sandbox.ground import Ground, listening

from toolpost.sandbox import cgroups
from toolpost.sandbox.model import Caps, Fence, Level

_TRIED = """
import ctypes, errno, os, socket, sys
def tried(deed):
    try:
        deed()
    except OSError as failed:
        return "stopped"
    return "done"
libc = ctypes.CDLL(None, use_errno=True)
def call(name, *args):
    if getattr(libc, name)(*args) < 0:
        raise OSError(ctypes.get_errno(), name)
"""


def _attempt(ground: Ground, deed: str, *words: object, **more: Any) -> str:
    outcome = ground.python(f"{_TRIED}\nprint(tried(lambda: {deed}))", *words, **more)
    assert outcome.code == 0, outcome.out
    return outcome.out.strip()


def test_a_command_reads_writes_and_runs_what_lies_in_its_root(ground: Ground) -> None:
    ground.make("src/old.txt", "old")
    outcome = ground.shell(
        "cat src/old.txt; mkdir -p a/b; echo new > a/b/c; mv a/b/c a/d; cat a/d; ln -s a/d l; cat l; rm -r a/b; "
        "printf '#!/bin/sh\\necho ran' > run; chmod +x run; ./run; echo x > /dev/null; seq 3 | sort -r | head -1"
    )
    assert (outcome.code, outcome.out) == (0, "oldnew\nnew\nran\n3\n")
    assert (ground.work / "a" / "d").read_text() == "new\n"


def test_home_and_the_temporary_folder_can_be_written_and_are_gone_afterwards(ground: Ground) -> None:
    outcome = ground.shell(
        'echo a > "$HOME/x"; echo b > "$TMPDIR/y"; cat "$HOME/x" "$TMPDIR/y"; echo "$HOME"'
    )
    home = outcome.out.splitlines()[-1]
    assert outcome.out.splitlines()[:-1] == ["a", "b"]
    assert not Path(home, "x").exists()
    assert list(ground.home.iterdir()) == []


@pytest.mark.parametrize(
    "deed",
    [
        "open(sys.argv[1]).close()",
        "open(sys.argv[1], 'a').close()",
        "open(sys.argv[1] + '.new', 'x').close()",
        "os.unlink(sys.argv[1])",
        "os.rename(sys.argv[1], sys.argv[1] + '2')",
        "os.truncate(sys.argv[1], 0)",
        "os.listdir(os.path.dirname(sys.argv[1]))",
        "os.link(sys.argv[1], 'linked')",
        "os.mkdir(os.path.dirname(sys.argv[1]) + '/made')",
        "(os.symlink(sys.argv[1], 'alias'), open('alias').close())",
        "open('/proc/1/root' + sys.argv[1]).close()",
    ],
)
def test_what_lies_outside_is_out_of_reach(ground: Ground, deed: str) -> None:
    assert _attempt(ground, deed, ground.secret) == "stopped"
    assert [(path.name, path.read_text()) for path in ground.outside.iterdir()] == [
        ("secret.txt", "the secret")
    ]


@pytest.mark.parametrize("path", ["/etc/shadow", "/etc/gshadow"])
def test_settings_that_are_not_for_everybody_stay_closed_to_root_too(ground: Ground, path: str) -> None:
    if not Path(path).exists():
        pytest.skip(f"there is no {path}")
    outcome = ground.shell(f"cat {path}; cat /etc/passwd | head -1")
    told = [line for line in outcome.out.splitlines() if "Permission denied" not in line]
    assert len(told) == 1  # the first user; of the other file a complaint, or nothing
    assert told[0].startswith("root:x:0:0:")


@pytest.mark.parametrize("family", ["AF_INET", "AF_INET6"])
def test_nobody_can_be_reached_over_the_network(ground: Ground, family: str) -> None:
    address = "127.0.0.1" if family == "AF_INET" else "::1"
    with listening(getattr(socket, family), (address, 0)) as listener:
        port = listener.getsockname()[1]
        deed = f"socket.create_connection(({address!r}, {port}), 5).close()"
        assert _attempt(ground, deed) == "stopped"


def test_datagrams_reach_nobody(ground: Ground) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
        receiver.bind(("127.0.0.1", 0))
        receiver.setblocking(False)
        port = receiver.getsockname()[1]
        _attempt(
            ground, f"socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', {port}))"
        )
        with pytest.raises(BlockingIOError):
            receiver.recv(1)


@pytest.mark.parametrize("name", ["docker.sock", "agent.1234", "system_bus_socket"])
def test_sockets_of_docker_agents_and_buses_are_out_of_reach(ground: Ground, name: str) -> None:
    path = ground.outside / name
    with listening(socket.AF_UNIX, str(path)):
        path.chmod(0o777)
        assert _attempt(ground, "socket.socket(socket.AF_UNIX).connect(sys.argv[1])", path) == "stopped"


def test_abstract_sockets_are_out_of_reach(ground: Ground) -> None:
    name = f"toolpost-{os.getpid()}"
    with listening(socket.AF_UNIX, f"\0{name}"):
        assert _attempt(ground, f"socket.socket(socket.AF_UNIX).connect('\\0{name}')") == "stopped"


@pytest.mark.parametrize("family", [40, 17, 38])
def test_sockets_that_no_namespace_holds_are_refused(ground: Ground, family: int) -> None:
    assert (
        _attempt(ground, f"socket.socket({family}, socket.SOCK_STREAM if {family} == 40 else 3)") == "stopped"
    )


def test_a_pair_of_sockets_works(ground: Ground) -> None:
    assert _attempt(ground, "socket.socketpair()") == "done"


@pytest.mark.parametrize(
    "deed",
    [
        f"call('ptrace', 16, {os.getpid()}, 0, 0)",
        "call('ptrace', 16, os.getppid(), 0, 0)",
        f"open('/proc/{os.getpid()}/environ').close()",
        f"open('/proc/{os.getpid()}/mem', 'rb').close()",
        f"os.listdir('/proc/{os.getpid()}/fd')",
        f"os.kill({os.getpid()}, 0)",
        "call('mount', b'none', b'/mnt', b'tmpfs', 0, None)",
        "call('umount2', b'/proc', 2)",
        "call('unshare', 0x10000000)",
        "call('unshare', 0x00020000)",
        "call('syscall', 56 if os.uname().machine == 'x86_64' else 220, 0x10000000 | 17, 0, 0, 0, 0)",
        "call('syscall', 435, b'\\0' * 88, 88)",
        "os.chroot('/')",
        "call('setns', 0, 0)",
        "call('syscall', 425, 1, b'\\0' * 120)",
        "call('syscall', 321 if os.uname().machine == 'x86_64' else 280, 0, b'\\0' * 72, 72)",
        "call('keyctl' if hasattr(libc, 'keyctl') else 'mount', 0, 0, 0, 0, None)",
        "os.mknod('disk', 0o060600, os.makedev(8, 0))",
        "os.sched_setscheduler(0, 1, os.sched_param(50))",
        "call('sethostname', b'x', 1)",
        "call('settimeofday', b'\\0' * 16, None)",
    ],
)
def test_the_kernel_gives_no_way_out(ground: Ground, deed: str) -> None:
    assert _attempt(ground, deed) == "stopped"


def test_an_ordinary_user_cannot_become_another(ground: Ground) -> None:
    other = "0" if ground.user == "ordinary" else "1"
    assert _attempt(ground, f"os.setuid({other})") == "stopped"


def test_no_process_has_capabilities_or_can_get_new_ones(ground: Ground) -> None:
    # Which process it is, is not readable at L2; asking the kernel is.
    code = (
        "import ctypes; libc = ctypes.CDLL(None); data = (ctypes.c_uint32 * 6)(1, 1, 1, 1, 1, 1); "
        "print(libc.prctl(39, 0, 0, 0, 0), libc.capget((ctypes.c_uint32 * 2)(0x20080522, 0), data), list(data))"
    )
    assert ground.python(code).out == "1 0 [0, 0, 0, 0, 0, 0]\n"


def test_the_servers_environment_stays_its_own(ground: Ground, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CANARY_TOKEN", "sk-canary")
    outcome = ground.shell("env; cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n'")
    assert "PATH=" in outcome.out
    assert "canary" not in outcome.out.lower()


def test_variables_that_are_given_arrive(ground: Ground) -> None:
    assert ground.shell('echo "$GIVEN"', env={"GIVEN": "a b\n'c'"}).out == "a b\n'c'\n"


_BOMB = """
import os, time
born = 0
try:
    for _ in range(120):
        if os.fork() == 0:
            time.sleep(3)
            os._exit(0)
        born += 1
except OSError:
    pass
print(born, flush=True)
os.killpg(0, 9)
"""


def test_a_fork_bomb_runs_into_the_limit(ground: Ground) -> None:
    if ground.user == "root" and cgroups.parent() is None:
        outcome = ground.shell("true")
        assert any("number of processes is not limited" in gap for gap in outcome.report.gaps)
        return
    outcome = ground.python(
        _BOMB, caps=Caps(processes=40 + ground.level)
    )  # each limit has a group of its own
    born = int(outcome.out.split()[0])
    assert born < 60  # fewer where others of the same user still run


def test_memory_has_an_end(ground: Ground) -> None:
    small = Caps(memory_bytes=256 * 2**20, address_bytes=1024 * 2**20)
    code = "import mmap\ntry:\n    {}\nexcept (MemoryError, OSError):\n    print('stopped')\nelse:\n    print('done')"
    said = [
        ground.python(code.format(deed), caps=small).out
        for deed in ("bytearray(2**29)", "mmap.mmap(-1, 2**31)", "bytearray(2**20)")
    ]
    assert said == ["stopped\n", "stopped\n", "done\n"]


def test_a_file_has_a_largest_size(ground: Ground) -> None:
    small = Caps(file_bytes=2**20)
    assert _attempt(ground, "open('big', 'wb').write(bytes(2**21))", caps=small) == "stopped"
    assert (ground.work / "big").stat().st_size <= 2**20
    assert _attempt(ground, "open('small', 'wb').write(bytes(2**19))", caps=small) == "done"


def test_open_files_and_cpu_time_have_an_end(ground: Ground) -> None:
    outcome = ground.shell("ulimit -n; ulimit -t; ulimit -c", caps=Caps(open_files=77, cpu_s=9))
    assert outcome.out == "77\n9\n0\n"
    assert ground.shell("while :; do :; done", caps=Caps(cpu_s=1)).code in {-9, 128 + 9, -24, 128 + 24}


def test_roots_that_are_read_only_stay_as_they_are(ground: Ground) -> None:
    ground.make("kept.txt", "kept")
    fence = replace(ground.fence, writes=False)
    outcome = ground.shell("cat kept.txt; echo x > new; echo x > kept.txt; rm kept.txt; mkdir m", fence=fence)
    assert outcome.out.startswith("kept")
    assert [(path.name, path.read_text()) for path in ground.work.iterdir()] == [("kept.txt", "kept")]
    assert outcome.report.fs == "ro:workspace"


def test_marks_of_files_outside_stay_or_the_gap_is_told(ground: Ground) -> None:
    deeds = (
        "os.chmod(sys.argv[1], 0o777)",
        "os.utime(sys.argv[1], (1, 1))",
        "os.setxattr(sys.argv[1], 'user.x', b'x')",
    )
    fence = replace(ground.fence, writes=False)
    before = ground.secret.stat()
    assert [_attempt(ground, deed, ground.secret, fence=fence) for deed in deeds] == ["stopped"] * 3
    assert ground.secret.stat() == before
    report = ground.shell("touch x; chmod +x x").report
    told = any(gap.startswith("modes, owners and times") for gap in report.gaps)
    assert told is (ground.level is Level.LANDLOCK)
    if not told:
        assert [_attempt(ground, deed, ground.secret) for deed in deeds] == ["stopped"] * 3


def test_memory_that_is_shared_by_a_key_is_out_of_reach(ground: Ground) -> None:
    libc = ctypes.CDLL(None)
    key = 0x5450_0000 | os.getpid() & 0xFFFF
    segment = libc.shmget(key, 4096, 0o1666)
    assert segment >= 0
    try:
        assert _attempt(ground, f"call('shmget', {key}, 4096, 0o666)") == "stopped"
    finally:
        libc.shmctl(segment, 0, None)


def test_nobody_sets_the_servers_limits(ground: Ground) -> None:
    number = 302 if os.uname().machine == "x86_64" else 261
    assert _attempt(ground, f"call('syscall', {number}, {os.getpid()}, 7, None, b'\\0' * 16)") == "stopped"
    assert _attempt(ground, f"call('syscall', {number}, 0, 7, None, b'\\0' * 16)") == "done"


def test_more_folders_can_be_read_and_not_written(ground: Ground) -> None:
    fence = replace(ground.fence, readable=(str(ground.outside),))
    outcome = ground.shell(
        f"cat {ground.secret}; echo x >> {ground.secret}; echo x > {ground.outside}/new", fence=fence
    )
    assert outcome.out.startswith("the secret")
    assert [(path.name, path.read_text()) for path in ground.outside.iterdir()] == [
        ("secret.txt", "the secret")
    ]


def test_every_report_names_the_level_and_what_it_holds(ground: Ground) -> None:
    report = ground.shell("true").report
    assert (report.level, report.fs, report.net) == (ground.level.label, "rw:workspace", "none")
    assert report.pids == ("namespace" if ground.level is Level.NAMESPACES else "sweep")
    assert report.limits["processes"] == Caps().processes
    assert report.violations == ()


def test_no_other_descriptor_of_the_server_is_open_in_a_command(ground: Ground) -> None:
    with (ground.outside / "secret.txt").open() as leaked:
        os.set_inheritable(leaked.fileno(), True)
        code = "import os\nfor fd in range(3, 256):\n    try:\n        os.fstat(fd)\n    except OSError:\n        continue\n    print(fd)"
        assert ground.python(code).out == ""


def test_two_roots_are_fenced_alike(ground: Ground) -> None:
    second = ground.top / "second"
    second.mkdir()
    ground.own(second)
    fence = Fence(roots=(str(ground.work), str(second)))
    outcome = ground.shell(f"echo a > {second}/a; cat {second}/a; cat {ground.secret}", fence=fence)
    assert outcome.out.startswith("a\n")
    assert "secret\n" not in outcome.out
