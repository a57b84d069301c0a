"""Starting an application that stays: in a session of its own, with no child, pipe or variable of ours."""

import json
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from subprocess import SubprocessError
from threading import Lock

import msgspec
from msgspec import Struct

from toolpost.desktop.answered import answered
from toolpost.errors import IoFailed
from toolpost.limits import APP_START_S

_STARTER = Path(__file__).with_name("starter.py")


class Start(Struct, frozen=True):
    argv: tuple[str, ...]
    """The program by its path, and its arguments; no shell reads them."""
    env: Mapping[str, str]
    cwd: str


class _Said(Struct, frozen=True):
    pid: int = 0
    errno: int = 0


class Starter:
    def __init__(self) -> None:
        self._lock = Lock()
        self._adopted: list[int] = []

    def start(self, wanted: Start) -> int:
        """The number of its process. Raises IoFailed when it cannot be run."""
        self._let_go()
        said = _start(wanted)
        if not said.pid:
            why = os.strerror(said.errno)
            raise IoFailed(
                f"{wanted.argv[0]} could not be started: {why}. Find another application.", parameter="path"
            )
        if _parent(said.pid) == os.getpid():  # a subreaper gets those whose parent ended
            with self._lock:
                self._adopted.append(said.pid)
        return said.pid

    def _let_go(self) -> None:
        """Of those that came to us and ended; their numbers are theirs until then, so none is another's."""
        with self._lock:
            self._adopted = [pid for pid in self._adopted if not _has_ended(pid)]


def _start(wanted: Start) -> _Said:
    argv = (sys.executable, "-I", "-S", str(_STARTER))
    order = json.dumps(msgspec.structs.asdict(wanted)).encode()  # by json, since names need not be UTF-8
    try:
        return msgspec.json.decode(answered(argv, {}, timeout_s=APP_START_S, told=order), type=_Said)
    except (OSError, SubprocessError, msgspec.DecodeError) as failed:
        raise IoFailed(f"{wanted.argv[0]} could not be started: {failed}.", parameter="path") from None


def _parent(pid: int) -> int:
    with suppress(OSError, ValueError, IndexError):
        stat = Path(f"/proc/{pid}/stat").read_bytes()
        return int(stat[stat.rfind(b")") + 2 :].split()[1])
    return 0


def _has_ended(pid: int) -> bool:
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:  # somebody else waited for it
        return True
