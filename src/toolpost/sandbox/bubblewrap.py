"""L3: namespaces, made by bubblewrap, the system's own: Ubuntu lets no other program make them.

The order of its arguments is the order of mounts, and a later one lies over an earlier one.
"""

import os
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Executor
from functools import cache
from pathlib import Path

from msgspec import Struct

from toolpost.limits import SANDBOX_TEMP_BYTES
from toolpost.sandbox import seccomp
from toolpost.sandbox.caps import limited, owning
from toolpost.sandbox.launch import Streams, launch
from toolpost.sandbox.model import Fence, Spawn
from toolpost.sandbox.protect import Plan
from toolpost.sandbox.proxy.inside import Door
from toolpost.sandbox.seccomp import Scope
from toolpost.sandbox.standins import covered, emptied, trusting
from toolpost.sandbox.toolchains import at_home, beneath, system, toolchains
from toolpost.sandbox.tracked import marks

PROGRAMS = ("/usr/bin/bwrap", "/usr/local/bin/bwrap", "/run/current-system/sw/bin/bwrap")
PROXY = "/run/toolpost/proxy.sock"
"""Where a command finds the socket of the proxy, if it may use one."""
TEMP = "/tmp"
_APART = ("--unshare-all", "--die-with-parent", "--cap-drop", "ALL", "--clearenv")


class Layout(Struct, frozen=True, kw_only=True):
    """What the machine is like, and the plan for each root."""

    home: str
    closed: tuple[str, ...] = ()
    """Settings of the system that are not for everybody."""
    plans: tuple[Plan, ...] = ()
    made: tuple[str, ...] = ()
    """Placeholders that stand."""
    sized: tuple[str, ...] = ()
    """How this bubblewrap limits a folder in memory."""


@cache
def program() -> str:
    """Empty: it is not installed."""
    return next((path for path in PROGRAMS if os.access(path, os.X_OK)), "")


@cache
def sized() -> tuple[str, ...]:
    """Before 0.7 it cannot."""
    told = subprocess.run(
        (program(), "--help"), capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    return ("--size", str(SANDBOX_TEMP_BYTES)) if "--size BYTES" in told.stdout + told.stderr else ()


def arguments(spawn: Spawn, env: Mapping[str, str], layout: Layout) -> Iterator[str]:
    yield from _APART
    if not spawn.terminal:  # else the session must keep its terminal; the filter holds TIOCSTI back
        yield "--new-session"
    fence = spawn.fence
    for name, value in (trusting(env) if fence.masked else env).items():
        yield from ("--setenv", name, value)
    yield from _system()
    yield from ("--proc", "/proc", "--dev", "/dev")
    for place in (TEMP, layout.home):
        yield from (*layout.sized, "--tmpfs", place)
    yield from _places(spawn.fence, layout.home, env.get("PATH", ""))
    if spawn.fence.writes:
        yield from _kept(layout)
    yield from _hidden(fence, layout.closed)
    if spawn.fence.proxy:
        yield from ("--ro-bind", spawn.fence.proxy, PROXY)
    yield from ("--remount-ro", "/", "--chdir", spawn.cwd)


def _system() -> Iterator[str]:
    """Where /usr is merged, /bin and its like are links, and stay so."""
    for place in system():
        if Path(place).is_symlink():
            yield from ("--symlink", str(Path(place).readlink()), place)
        else:
            yield from ("--ro-bind", place, place)


def _places(fence: Fence, home: str, path: str) -> Iterator[str]:
    """From the outside in: a root in a readable folder can be written, a toolchain in a root is the root's."""
    readable = (*toolchains(home, path), *fence.readable)
    how = dict.fromkeys(readable, "--ro-bind-try")
    how = {
        place: kind for place, kind in how.items() if not any(beneath(place, root) for root in fence.roots)
    }
    how |= dict.fromkeys(fence.roots, "--bind" if fence.writes else "--ro-bind")
    for place in sorted(how):
        yield from (how[place], place, place)
    for name in at_home(home):
        named = f"{home}/{name}"
        real = os.path.realpath(named)
        if real != named and not any(beneath(named, place) for place in how):
            yield from ("--symlink", real, named)


def _kept(layout: Layout) -> Iterator[str]:
    for plan in layout.plans:
        for place in plan.held:
            yield from ("--bind", place, place)
        for place in plan.fixed:
            yield from ("--ro-bind", place, place)
        for place in plan.absent:
            if place in layout.made:
                yield from ("--ro-bind", place, place)


def _hidden(fence: Fence, closed: Iterable[str]) -> Iterator[str]:
    """The index of git is looked after only where a command could commit."""
    tracked = marks(fence.masked, fence.roots) if fence.writes else {}
    for path in closed:
        yield from emptied(path)
    for path in fence.masked:
        yield from covered(path, tracked)


def start(
    spawn: Spawn,
    env: Mapping[str, str],
    layout: Layout,
    streams: Streams,
    keeper: Executor,
    door: Door | None = None,
) -> subprocess.Popen[bytes]:
    """By a thread that lives as long as the server: bubblewrap is killed when the one that started it ends."""
    given = _file(
        b"".join(word.encode("utf-8", "surrogateescape") + b"\0" for word in arguments(spawn, env, layout))
    )
    calls = _file(seccomp.program(Scope(apart=True)))
    command = limited(spawn.argv, spawn.caps)
    inner = command if door is None else door.around(command)
    argv = (program(), "--args", str(given), "--seccomp", str(calls), "--", *inner)
    kept = (given, calls) if door is None else (given, calls, door.handle)
    terminal = streams.terminal if spawn.terminal else ""
    own = {"PATH": "/usr/bin:/bin"}  # bubblewrap's; the command's stands in the arguments
    try:
        return keeper.submit(
            launch, owning(terminal, argv), cwd="/", env=own, streams=streams, kept=kept
        ).result()
    finally:
        os.close(given)
        os.close(calls)


def _file(content: bytes) -> int:
    """In memory; a command line would show the variables to everybody on the machine."""
    handle = os.memfd_create("sandbox")
    os.write(handle, content)
    os.lseek(handle, 0, os.SEEK_SET)
    return handle
