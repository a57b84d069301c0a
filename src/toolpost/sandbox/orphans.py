"""What a server that was killed left running: ended when the next one starts.

A server puts a file named by the beginning of its tags into a folder. Once no process has its number and
beginning any more, whatever still carries such a tag is an orphan.
"""

import os
import re
import signal
import time
from contextlib import suppress
from pathlib import Path

from toolpost.atomic import replace_file
from toolpost.limits import EXEC_ROUNDS
from toolpost.sandbox import processes
from toolpost.sandbox.environment import TAG
from toolpost.sandbox.family import TAGS
from toolpost.sandbox.processes import Process
from toolpost.store import private

_SERVER = re.compile(r"[0-9a-f]{16}")


def announce(folder: Path) -> None:
    """Say that this server runs. Raises OSError."""
    own = processes.look(os.getpid())
    if own is not None:
        private.make(folder)
        replace_file(folder / TAGS.server, f"{own.pid} {own.began}".encode())


def retire(folder: Path) -> None:
    """This server left nothing behind."""
    with suppress(OSError):
        (folder / TAGS.server).unlink(missing_ok=True)


def end_orphans(folder: Path) -> int:
    """End what servers that are gone left running; how many processes that were."""
    gone = [file for file in _announced(folder) if not _is_alive(file)]
    ended = _end({file.name for file in gone}) if gone else 0
    for file in gone:
        with suppress(OSError):
            file.unlink(missing_ok=True)
    return ended


def _announced(folder: Path) -> list[Path]:
    try:
        return [file for file in folder.iterdir() if _SERVER.fullmatch(file.name)]
    except OSError:
        return []


def _is_alive(file: Path) -> bool:
    try:
        pid, began = (int(word) for word in file.read_bytes().split())
    except (OSError, ValueError):
        return False
    process = processes.look(pid)
    return process is not None and process.began == began


def _end(servers: set[str]) -> int:
    """Look again until there is none: one that begins a program just now shows no tag."""
    ended: set[Process] = set()
    for _ in range(EXEC_ROUNDS):
        found = _orphans(servers)
        if not found:
            break
        for orphan in found:
            processes.send(orphan, signal.SIGKILL)
        ended |= set(found)
        time.sleep(0.001)
    return len({orphan.pid for orphan in ended})


def _orphans(servers: set[str]) -> list[Process]:
    known = {pid: process for pid, process in processes.every().items() if not process.is_gone}
    tagged = {pid for pid in known if (processes.variable(pid, TAG) or "").partition(".")[0] in servers}
    return [known[pid] for pid in tagged | processes.below(tagged, known)]
