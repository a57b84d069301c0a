"""Starting a command at a level: what has to be made before it, and undone after it."""

import os
import subprocess
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from threading import Lock

from msgspec import Struct, field

from toolpost.errors import SandboxUnavailable
from toolpost.sandbox import bubblewrap, homes, landlock, plain, standins
from toolpost.sandbox.caps import as_limits, limited, owning
from toolpost.sandbox.cgroups import keeper, parent
from toolpost.sandbox.environment import Place, environment
from toolpost.sandbox.launch import Streams, launch
from toolpost.sandbox.model import Fence, Level, Report, Spawn, Started
from toolpost.sandbox.nested import Nested
from toolpost.sandbox.placeholders import Placeholders
from toolpost.sandbox.private import private_settings
from toolpost.sandbox.protect import Plan, plan
from toolpost.sandbox.proxy import ways
from toolpost.sandbox.proxy.network import Network
from toolpost.sandbox.proxy.ways import Way, into_landlock, into_namespaces, is_wanted
from toolpost.sandbox.rulesets import Rules, Wanted, rules
from toolpost.sandbox.snapshot import Snapshot
from toolpost.sandbox.toolchains import beneath, system, toolchains

_UNCOUNTED = "as root the number of processes is not limited: there is no control group to make one in"
_EACH = "memory is limited for each process, not for all together"
_NO_SOCKETS = "no local sockets and no shared memory: programs that need them fail"
_SEEN = "whether files outside exist, and their sizes and times, can be seen"
_MARKS = "modes, owners and times of files outside can be changed: Landlock does not look at them"
_SIGNALS = "other processes of the user can be signalled: the kernel is older than 6.12"
_REVERTED = "protected paths by revert, when the command has ended"
_NOT_READ_BACK = "new files beside masked ones can be written, but not read back by the same command"
_LISTED = "names below masked folders can be listed"
_NOT_ALL = "there are too many files to look for all protected names deep in the workspace"
_TOO_MUCH = "some protected files are too large or too many to be put back"


class Undo:
    """Steps back, the last one first; done once, whoever asks."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._steps: list[Callable[[], Iterable[str] | None]] = []

    def add(self, step: Callable[[], Iterable[str] | None]) -> None:
        """A step may tell of violations it found."""
        self._steps.append(step)

    def __call__(self) -> tuple[str, ...]:
        with self._lock:
            violations: list[str] = []
            while self._steps:
                violations.extend(self._steps.pop()() or ())
            return tuple(violations)


class Start(Struct, kw_only=True):
    """A command that is being started, and what is to be said and undone about it."""

    spawn: Spawn
    level: Level
    streams: Streams
    counted: int = 0
    """Processes the control group may hold that it is started in; 0: there is none."""
    network: Network = Network()
    gaps: list[str] = field(default_factory=list)
    undo: Undo = field(default_factory=Undo)

    @property
    def terminal(self) -> str:
        return self.streams.terminal if self.spawn.terminal else ""


def start(
    spawn: Spawn,
    level: Level,
    streams: Streams,
    gaps: tuple[str, ...] = (),
    network: Network | None = None,
) -> Started:
    """Either all of the level holds from the first instruction on, or nothing was started."""
    if level >= Level.LANDLOCK and "/" in spawn.fence.roots:
        raise SandboxUnavailable(
            "A workspace that is the whole disk cannot be fenced: choose a folder of it."
        )
    task = Start(
        spawn=spawn,
        level=level,
        streams=streams,
        gaps=[*gaps, *spawn.fence.gaps],
        network=network or Network(),
    )
    try:
        _count(task)
        process = _STARTERS[level](task)
    except OSError as failed:
        task.undo()
        raise SandboxUnavailable(
            f"The command could not be started in the sandbox: {failed.strerror or failed}.",
            level=level.label,
            path=failed.filename,
        ) from failed
    except SandboxUnavailable:
        task.undo()
        raise
    return Started(process=process, report=_report(task), clean=task.undo)


def _count(task: Start) -> None:
    if task.level is Level.OFF or os.geteuid() != 0:
        return  # for an ordinary user the limit of processes holds
    if parent() is None:
        task.gaps.append(_UNCOUNTED)
    else:
        task.counted = task.spawn.caps.processes


def _plainly(task: Start) -> subprocess.Popen[bytes]:
    task.gaps.extend(plain.GAPS[task.level])
    if not task.counted:
        return plain.start(task.spawn, task.streams, task.level)
    return keeper(task.counted).submit(plain.start, task.spawn, task.streams, task.level).result()


def _by_landlock(task: Start) -> subprocess.Popen[bytes]:
    spawn = task.spawn
    if spawn.fence.proxy:
        raise SandboxUnavailable(
            "At L2 a command has no network at all, since nothing there can tell hosts apart: install bubblewrap (L3)."
        )
    home = _home(task)
    place = Place(cwd=spawn.cwd, home=home.home, temp=home.temp)
    way = _way(task, into_landlock)
    env = environment(spawn.env, place, tag=spawn.tag, terminal=spawn.terminal) | _told(way)
    _remember(task)
    ready = _rules(task, home, env["PATH"])
    argv = owning(task.terminal, limited(spawn.argv, spawn.caps))
    try:
        return _confined(
            task,
            lambda: launch(argv, cwd=spawn.cwd, env=env, streams=task.streams),
            ready.ruleset,
            way.listened if way else None,
        )
    finally:
        os.close(ready.ruleset)


def _confined(
    task: Start,
    begin: Callable[[], subprocess.Popen[bytes]],
    ruleset: int,
    listened: Callable[[int], None] | None,
) -> subprocess.Popen[bytes]:
    confined = partial(landlock.confined, begin, ruleset, writes=task.spawn.fence.writes, listened=listened)
    return keeper(task.counted).submit(confined).result() if task.counted else confined()


def _way(task: Start, into: Callable[[Fence, Network], Way]) -> Way | None:
    """To the hosts it may reach; None: there are none."""
    fence = task.spawn.fence
    if not is_wanted(fence):
        return None
    way = into(fence, task.network)
    task.undo.add(way.close)
    task.gaps.append(ways.GAP)
    return way


def _told(way: Way | None) -> dict[str, str]:
    return way.variables if way else {}


def _rules(task: Start, home: homes.Home, path: str) -> Rules:
    fence = task.spawn.fence
    own = (home.home, home.temp) if fence.writes else ()
    readable = (*system(), *toolchains(homes.real_home(), path), *(() if fence.writes else (home.home,)))
    ready = rules(Wanted(fence, readable, own, task.terminal))
    task.gaps.extend((_NO_SOCKETS, _EACH, _SEEN))
    if fence.writes:
        task.gaps.append(_MARKS)
    if landlock.abi() < landlock.SCOPED:
        task.gaps.append(_SIGNALS)
    if ready.carved:
        task.gaps.extend((_NOT_READ_BACK, _LISTED) if fence.writes else (_LISTED,))
    return ready


def _home(task: Start) -> homes.Home:
    if not task.spawn.fence.writes:
        return homes.bare()
    home = homes.take()
    task.undo.add(lambda: homes.give_back(home))
    return home


def _remember(task: Start) -> None:
    """What Landlock cannot keep from being written: it is put back, also when it must not even be read."""
    fence = task.spawn.fence
    if not fence.writes or not (fence.protected or fence.masked):
        return
    task.gaps.append(_REVERTED)
    for root in fence.roots:
        kept = list(fence.masked)
        for planned, back in _plans(task, root):
            kept += (*planned.fixed, *planned.absent, *planned.watched)
            task.undo.add(back)
        before = Snapshot(root, dict.fromkeys(kept))
        task.undo.add(before.revert)
        if not before.complete:
            task.gaps.append(_TOO_MUCH)


def _by_namespaces(task: Start) -> subprocess.Popen[bytes]:
    spawn, home = task.spawn, homes.real_home()
    place = Place(cwd=spawn.cwd, home=home, temp=bubblewrap.TEMP)
    layout = _layout(task, home)
    task.gaps.append(_EACH)
    if any(map(standins.is_emptied, spawn.fence.masked)):
        task.gaps.append(standins.GAP)
    way = _way(task, into_namespaces)
    env = environment(spawn.env, place, tag=spawn.tag, terminal=spawn.terminal) | _told(way)
    if way is None or way.door is None:
        return bubblewrap.start(spawn, env, layout, task.streams, keeper(task.counted))
    with way.door as door:
        wide = door.readable(spawn)
        return bubblewrap.start(wide, env, layout, task.streams, keeper(task.counted), door)


def _layout(task: Start, home: str) -> bubblewrap.Layout:
    fence = task.spawn.fence
    plans: list[Plan] = []
    made: list[str] = []
    for root in fence.roots if fence.writes else ():
        for planned, back in _plans(task, root):
            stands = Placeholders(root, planned.absent)
            task.undo.add(stands.remove)
            made.extend(stands.made)
            task.undo.add(Snapshot(root, planned.watched).revert)
            task.undo.add(back)
            plans.append(planned)
    return bubblewrap.Layout(
        home=home,
        closed=private_settings(),
        plans=tuple(plans),
        made=tuple(made),
        sized=bubblewrap.sized(),
    )


def _plans(task: Start, root: str) -> Iterator[tuple[Plan, Callable[[], Iterable[str]]]]:
    """What is protected at the top of a root, then below, and how to take back what is new there."""
    paths = task.spawn.fence.protected
    yield plan(root, paths), tuple
    if not any(beneath(path, root) for path in paths):
        return
    nested = Nested(root)
    if not nested.complete:
        task.gaps.append(_NOT_ALL)
    yield nested.plan(), nested.revert


def _report(task: Start) -> Report:
    return Report(
        level=task.level.label,
        fs=_files(task.spawn.fence, task.level),
        net=_network(task.spawn.fence, task.level),
        pids="namespace" if task.level is Level.NAMESPACES else "sweep",
        limits={} if task.level is Level.OFF else as_limits(task.spawn.caps),
        gaps=tuple(dict.fromkeys(task.gaps)),
    )


def _files(fence: Fence, level: Level) -> str:
    if level < Level.LANDLOCK:
        return "open"
    return "rw:workspace" if fence.writes else "ro:workspace"


def _network(fence: Fence, level: Level) -> str:
    if level < Level.LANDLOCK:
        return "open"
    return f"proxy:{','.join(fence.hosts)}" if fence.hosts else "none"


_STARTERS = {
    Level.OFF: _plainly,
    Level.PROCESS: _plainly,
    Level.LANDLOCK: _by_landlock,
    Level.NAMESPACES: _by_namespaces,
}
