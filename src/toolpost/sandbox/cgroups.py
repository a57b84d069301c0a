"""A control group that counts the processes of all commands: RLIMIT_NPROC is ignored for root.

Moving a process into a group takes the kernel some milliseconds, so nothing is moved: a thread of ours lives in the
group, and what it starts is born there. Only version 1 lets single threads into a group.
"""

import atexit
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from pathlib import Path

_PREFIX = "toolpost-"


@cache
def keeper(processes: int = 0) -> ThreadPoolExecutor:
    """One thread that lives as long as the server, in a group of so many processes; 0: in none.

    What it starts is not killed for its end, as bubblewrap is when the thread that started it ends.
    """
    if not processes:
        return ThreadPoolExecutor(1, thread_name_prefix="sandbox")
    group = _made(processes)
    return ThreadPoolExecutor(1, thread_name_prefix="sandbox", initializer=partial(_enter, group))


@cache
def parent() -> Path | None:
    """The folder in which we may make groups with a limit of processes; None: there is none."""
    return next(
        (place for place in _candidates(_lines("mountinfo"), _lines("cgroup")) if _works(place)), None
    )


def _lines(name: str) -> list[str]:
    return Path("/proc/self", name).read_text("utf-8", "surrogateescape").splitlines()


def _candidates(mounts: list[str], groups: list[str]) -> list[Path]:
    """Our own group of the controller `pids`, by what /proc says of mounts and groups."""
    own = {
        name: path for _, names, path in (line.split(":", 2) for line in groups) for name in names.split(",")
    }
    found = []
    for line in mounts:
        place, _, kind = line.partition(" - ")
        form, _, options = kind.split(" ", 2)
        if form == "cgroup" and "pids" in options.split(","):
            found.append(Path(place.split(" ")[4] + own.get("pids", "/")))
    return found


def _works(place: Path) -> bool:
    """Groups a killed server left behind go on the way."""
    trial = place / f"{_PREFIX}{os.getpid()}"
    try:
        trial.mkdir()
    except OSError:
        return False
    limited = (trial / "pids.max").exists()
    _dissolve(trial)
    for old in place.glob(_PREFIX + "*"):
        if not Path("/proc", old.name.removeprefix(_PREFIX).partition("-")[0]).exists():
            _dissolve(old)
    return limited


def _made(processes: int) -> Path:
    top = parent()
    if top is None:
        raise FileNotFoundError("there is no control group to make one in")
    group = top / f"{_PREFIX}{os.getpid()}-{processes}"
    group.mkdir(exist_ok=True)
    (group / "pids.max").write_text(str(processes + 1))  # and the thread itself
    atexit.register(_dissolve, group)
    return group


def _enter(group: Path) -> None:
    (group / "tasks").write_text(str(threading.get_native_id()))


def _dissolve(group: Path) -> None:
    try:
        group.rmdir()
    except OSError:  # somebody is still in it
        return
