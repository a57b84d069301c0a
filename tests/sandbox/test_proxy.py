"""Real programs at L2 and L3, as root and as an ordinary user, against servers on loopback."""

import asyncio
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.sandbox.bare import tagged, wait_until
from tests.sandbox.ground import USERS, Ground, Outcome, interpreter, missing
from tests.sandbox.standin import LOOPBACK, NETWORK, reach, standing

from toolpost.errors import SandboxUnavailable
from toolpost.sandbox import starting
from toolpost.sandbox.family import TAGS
from toolpost.sandbox.launch import Streams
from toolpost.sandbox.model import Fence, Level, Spawn
from toolpost.sandbox.output import Output
from toolpost.sandbox.pick import Sandbox
from toolpost.sandbox.proxy import connects, inside, ways
from toolpost.sandbox.run import Command, Plan, Stop, run
from toolpost.sandbox.terminals import Size

_FETCH = """
import sys, urllib.request, urllib.error
for url in sys.argv[1:]:
    try:
        with urllib.request.urlopen(url, timeout=30) as answer:
            print(answer.status, answer.read().decode())
    except urllib.error.HTTPError as error:
        with error:
            print(error.code, error.read().decode().splitlines()[0])
    except OSError as error:
        print("failed", error)
"""
_DIRECT = """
import socket, sys
def tried(name, family, kind, protocol, deed):
    try:
        with socket.socket(family, kind, protocol) as made:
            made.settimeout(5)
            deed(made)
    except OSError as error:
        print(name, "stopped")
    else:
        print(name, "done")
port = int(sys.argv[1])
here = ("127.0.0.1", port)
def listens(made):
    made.bind(("127.0.0.1", 0))
    made.listen()
S, D, I, V = socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.AF_INET, socket.AF_INET6
tried("tcp", I, S, 0, lambda made: made.connect(here))
tried("tcp6", V, S, 0, lambda made: made.connect(("::ffff:127.0.0.1", port)))
tried("fast", I, S, 0, lambda made: made.sendto(b"x", 0x20000000, here))
tried("mptcp", I, S, 262, lambda made: made.connect(here))
tried("udp", I, D, 0, lambda made: (made.sendto(b"x", here), made.recv(1)))
tried("metadata", I, S, 0, lambda made: made.connect(("169.254.169.254", 80)))
"""


@pytest.fixture(name="port")
def _port() -> Iterator[int]:
    with standing() as port:
        yield port


def _fetch(ground: Ground, *urls: str, hosts: tuple[str, ...]) -> Outcome:
    program, readable = interpreter(ground.user)
    return reach(ground, program, "-I", "-S", "-c", _FETCH, *urls, hosts=hosts, readable=readable)


def test_an_allowed_host_is_reached_and_another_is_refused_and_told(ground: Ground, port: int) -> None:
    allowed, missing_rule = f"!allowed.test:{port}", "no rule net(other.test) allows it."
    done = _fetch(ground, f"http://allowed.test:{port}/a?b", "http://other.test/", hosts=(allowed,))
    assert done.out.splitlines() == [
        f"200 GET /a?b of allowed.test:{port}",
        "403 toolpost: other.test:80 is not among the hosts this command may reach: " + missing_rule,
    ]
    assert done.violations == ("net: other.test:80 refused",)
    assert done.report.net == f"proxy:{allowed}"
    assert done.code == 0


def test_a_tunnel_is_judged_as_a_request_is(ground: Ground, port: int) -> None:
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    line = (
        f"curl -sS -p http://allowed.test:{port}/a; echo; curl -sS https://other.test/ 2>&1 | grep -o 403; "
        f"curl -sS https://allowed.test:22/ 2>&1 | grep -o 403"
    )
    done = reach(ground, "sh", "-c", line, hosts=(f"!allowed.test:{port}", "allowed.test"))
    assert done.out.split("\n") == [f"GET /a of allowed.test:{port}", "403", "403", ""]
    assert done.violations == ("net: other.test:443 refused", "net: allowed.test:22 refused")


def test_nothing_is_reached_but_through_the_proxy(ground: Ground, port: int) -> None:
    program, readable = interpreter(ground.user)
    done = reach(
        ground,
        *(program, "-I", "-S", "-c", _DIRECT, str(port)),
        hosts=("*", f"!allowed.test:{port}"),
        readable=readable,
    )
    assert done.out.splitlines() == [
        f"{way} stopped" for way in ("tcp", "tcp6", "fast", "mptcp", "udp", "metadata")
    ]
    told = {"net: 169.254.169.254:80 refused (not through the proxy)"}
    assert told <= set(done.violations) or ground.level is Level.NAMESPACES


def test_private_addresses_and_metadata_stay_closed_whatever_name_leads_there(ground: Ground) -> None:
    names = ("inner", "mixed", "cloud", "mapped", "translated")
    urls = [f"http://{name}.test/" for name in names]
    urls += [
        "http://169.254.169.254/",
        "http://[::ffff:a9fe:a9fe]/",
        "http://localhost/",
        "http://2130706433/",
    ]
    done = _fetch(ground, *urls, hosts=("*", "!cloud.test", "!169.254.169.254"))
    assert [line.split(" ")[0] for line in done.out.splitlines()] == [*["403"] * 7, "failed", "400"]
    assert done.violations == (
        "net: inner.test:80 refused (a private address)",
        "net: mixed.test:80 refused (a private address)",
        "net: cloud.test:80 refused (the machine's own credentials)",
        "net: mapped.test:80 refused (the machine's own credentials)",
        "net: translated.test:80 refused (an address that hides another)",
        "net: 169.254.169.254:80 refused (the machine's own credentials)",
        "net: [::ffff:a9fe:a9fe]:80 refused (the machine's own credentials)",
        *(() if ground.level is Level.NAMESPACES else ("net: 127.0.0.1:80 refused (not through the proxy)",)),
    )


def test_where_a_server_sends_a_client_is_judged_anew(ground: Ground, port: int) -> None:
    done = _fetch(ground, f"http://allowed.test:{port}/away", hosts=(f"!allowed.test:{port}",))
    assert done.out.startswith("403 toolpost: elsewhere.test:80 is not among the hosts")
    assert done.violations == ("net: elsewhere.test:80 refused",)


def test_the_command_ends_as_it_would_without_a_proxy(ground: Ground) -> None:
    done = reach(ground, "sh", "-c", "trap '' TERM; kill -TERM $$; exit 7", hosts=("a.test",))
    assert done.code == 7
    done = reach(ground, "sh", "-c", "kill -KILL $$", hosts=("a.test",))
    assert done.code in {-9, 137}
    done = reach(ground, "sh", "-c", "yes | head -1; trap", hosts=("a.test",))
    assert done.out == "y\n"


def test_programs_are_told_of_the_proxy_in_every_spelling(ground: Ground) -> None:
    names = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")
    done = reach(ground, "sh", "-c", "; ".join(f"echo ${name}" for name in names), hosts=("a.test",))
    assert len(set(done.out.splitlines())) == 1
    assert done.out.startswith("http://")
    assert LOOPBACK in done.out
    done = reach(ground, "sh", "-c", "echo $no_proxy $NO_PROXY", hosts=("a.test",))
    assert done.out == "localhost,127.0.0.1,::1 localhost,127.0.0.1,::1\n"


def _threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("toolpost-proxy")]


@pytest.mark.parametrize("level", [Level.LANDLOCK, Level.NAMESPACES])
async def test_a_killed_command_takes_its_proxy_and_connections_with_it(
    tmp_path: Path, level: Level, port: int
) -> None:
    if why := missing("ordinary", level):
        pytest.skip(why)
    program, readable = interpreter("root")
    code = (
        "import os, socket, time, urllib.request as u\n"
        "where = u.getproxies()['http'].rpartition('@')[2].removeprefix('http://').split(':')\n"
        "made = socket.create_connection((where[0], int(where[1])))\n"
        "made.sendall(b'CONNECT ')\n"
        "print('there', flush=True)\n"
        "if os.fork() == 0: os.setsid()\n"
        "time.sleep(600)\n"
    )
    spawn = Spawn(
        argv=(program, "-I", "-S", "-c", code),
        cwd=str(tmp_path),
        fence=Fence(roots=(str(tmp_path),), hosts=("a.test",), readable=readable),
        tag=TAGS.issue(),
    )
    output = Output()
    command = Command(Sandbox(network=NETWORK), Plan(spawn=spawn, timeout_s=60, at=level), output)
    before = _threads()
    waiting = asyncio.ensure_future(run(command))
    await asyncio.to_thread(wait_until, lambda: output.size_bytes)
    assert len(_threads()) == len(before) + 1
    command.stop(Stop.KILLED)
    ran = await waiting
    assert ran is not None
    assert ran.stopped is Stop.KILLED
    assert _threads() == before
    assert tagged(spawn.tag) == []


def _box(tmp_path: Path, level: Level) -> None:
    fence = Fence(roots=(str(tmp_path),), hosts=("a.test",))
    Sandbox().start(Spawn(argv=("true",), cwd=str(tmp_path), fence=fence, tag="t"), at=level)


def test_where_connects_cannot_be_led_nothing_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if missing("ordinary", Level.LANDLOCK):
        pytest.skip("needs Landlock")
    monkeypatch.setattr(connects, "missing", lambda: "something around this server forbids it")
    with pytest.raises(SandboxUnavailable, match="forbids it: install bubblewrap"):
        _box(tmp_path, Level.LANDLOCK)


def test_without_an_interpreter_nothing_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    monkeypatch.setattr(inside, "_OTHERS", ())
    inside.interpreter.cache_clear()
    try:
        with pytest.raises(SandboxUnavailable, match="install python3"):
            ways.into_namespaces(Fence(roots=(str(tmp_path),), hosts=("a.test",)), NETWORK)
    finally:
        inside.interpreter.cache_clear()


def test_a_command_that_cannot_start_leaves_no_proxy(tmp_path: Path) -> None:
    if missing("ordinary", Level.LANDLOCK):
        pytest.skip("needs Landlock")
    before = _threads()
    fence = Fence(roots=(str(tmp_path),), hosts=("a.test",))
    spawn = Spawn(argv=("x" * 200_000, "y"), cwd=str(tmp_path), fence=fence, tag="t")
    with pytest.raises(SandboxUnavailable):
        starting.start(spawn, Level.LANDLOCK, Streams(stdout=subprocess.DEVNULL))
    assert _threads() == before


@pytest.mark.parametrize("ground", [(user, Level.NAMESPACES) for user in USERS], indirect=True, ids=USERS)
def test_the_command_inherits_nothing_from_what_made_its_port(ground: Ground) -> None:
    line = "grep -E 'Sig(Ign|Blk)|NoNewPrivs|Seccomp:' /proc/self/status; ls /proc/self/fd"
    assert reach(ground, "sh", "-c", line, hosts=("a.test",)).out == ground.shell(line).out


@pytest.mark.parametrize("level", [Level.LANDLOCK, Level.NAMESPACES])
async def test_a_command_with_a_terminal_has_its_proxy_too(tmp_path: Path, level: Level, port: int) -> None:
    if (why := missing("ordinary", level)) or shutil.which("curl") is None:
        pytest.skip(why or "curl is not installed")
    spawn = Spawn(
        argv=("sh", "-c", f"test -t 0 && curl -sS http://allowed.test:{port}/x"),
        cwd=str(tmp_path),
        fence=Fence(roots=(str(tmp_path),), hosts=(f"!allowed.test:{port}",)),
        tag=TAGS.issue(),
        terminal=True,
    )
    output = Output()
    plan = Plan(spawn=spawn, timeout_s=60, at=level, size=Size())
    ran = await run(Command(Sandbox(network=NETWORK), plan, output))
    assert ran is not None
    assert (ran.exit_code, output.both.tail(100).decode()) == (0, f"GET /x of allowed.test:{port}")
