"""Processes as /proc shows them: who they are, and whose."""

import pwd
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from toolpost import redact
from toolpost.limits import MIC_COMMAND_CHARS
from toolpost.visible import visible


class Process(Struct, frozen=True, kw_only=True):
    pid: int
    parent: int
    began: int
    """In ticks since the machine started: a number may be another's later, but not with the same beginning."""
    name: str
    program: str = ""
    """The name of the file it runs, where that can be seen."""
    command: str = ""
    users: tuple[int, ...] = ()
    """Real, effective, saved, and for files."""
    control_group: str = ""

    @property
    def user(self) -> str:
        return user_name(self.users[0]) if self.users else ""


class Processes:
    def __init__(self, proc: Path) -> None:
        self.folder = proc

    def pids(self) -> list[int]:
        return sorted(int(path.name) for path in self.folder.iterdir() if path.name.isdigit())

    def look(self, pid: int) -> Process | None:
        """None when there is no such process any more, or it has ended and is only not yet waited for."""
        try:
            stat = self._read(pid, "stat")
            status = self._read(pid, "status")
        except OSError:
            return None
        fields = stat[stat.rfind(b")") + 2 :].split()
        if len(fields) < 20 or fields[0] in {b"Z", b"X"}:
            return None
        return Process(
            pid=pid,
            parent=int(fields[1]),
            began=int(fields[19]),
            name=_text(stat[stat.find(b"(") + 1 : stat.rfind(b")")]),
            program=self._program(pid),
            command=self._command(pid),
            users=_users(status),
            control_group=self._control_group(pid),
        )

    def opened(self, pid: int) -> Iterator[str]:
        """What its descriptors lead to. Raises PermissionError where that is not ours to see."""
        folder = self.folder / str(pid) / "fd"
        try:
            links = list(folder.iterdir())
        except (FileNotFoundError, ProcessLookupError, NotADirectoryError):
            return
        for link in links:
            try:
                yield str(link.readlink())
            except OSError:  # closed meanwhile
                continue

    def above(self, pid: int) -> list[int]:
        """Its parent, and that one's, up to the first process."""
        found: list[int] = []
        process = self.look(pid)
        while process is not None and process.parent and process.parent not in found:
            found.append(process.parent)
            process = self.look(process.parent)
        return found

    def _read(self, pid: int, name: str) -> bytes:
        return (self.folder / str(pid) / name).read_bytes()

    def _program(self, pid: int) -> str:
        try:
            path = str((self.folder / str(pid) / "exe").readlink())
        except OSError:
            return ""
        return path.removesuffix(" (deleted)").rpartition("/")[2]

    def _command(self, pid: int) -> str:
        try:
            words = self._read(pid, "cmdline").rstrip(b"\0").split(b"\0")
        except OSError:
            return ""
        return redact.text(_text(b" ".join(words)), MIC_COMMAND_CHARS)

    def _control_group(self, pid: int) -> str:
        try:
            return _text(self._read(pid, "cgroup"))
        except OSError:
            return ""


def user_name(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def _text(data: bytes) -> str:
    return visible(data.decode(errors="replace"))


def _users(status: bytes) -> tuple[int, ...]:
    line = status.partition(b"\nUid:")[2].partition(b"\n")[0]
    return tuple(int(word) for word in line.split())
