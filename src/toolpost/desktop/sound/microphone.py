"""Who holds the microphone, and letting it go: streams are ended by the sound server, processes are asked to end.

Never more than asked, never by force, and only those of the user.
"""

import os
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from toolpost.desktop.sound.ending import Ending
from toolpost.desktop.sound.holder import Holder, Stream, Via
from toolpost.desktop.sound.processes import Processes
from toolpost.desktop.sound.restraint import Own, reason
from toolpost.desktop.sound.servers import Servers
from toolpost.limits import MIC_LOOK_S, MIC_PATIENCE_S

_CAPTURE = re.compile(r"pcmC\d+D\d+c")


class Look(Struct, frozen=True):
    holders: tuple[Holder, ...]
    unseen: int = 0
    """Processes of others, whose open files are not ours to see."""
    has_server: bool = False


class Outcome(Struct, frozen=True):
    holder: Holder
    released: bool
    why: str
    """How it was released, or why not."""


class Microphone:
    def __init__(
        self,
        servers: Servers,
        *,
        proc: Path = Path("/proc"),
        devices: Path = Path("/dev/snd"),
        patience_s: float = MIC_PATIENCE_S,
    ) -> None:
        self._servers = servers
        self._processes = Processes(proc)
        self._devices = str(devices)
        self._patience_s = patience_s

    def can_look(self) -> bool:
        return (self._processes.folder / "self").exists()

    def look(self) -> Look:
        """Raises OSError where there is no /proc."""
        by_device, unseen = self._by_device()
        streams = self._servers.streams()
        by_stream = [self._of_stream(stream) for stream in streams or ()]
        return Look((*by_device, *by_stream), unseen, streams is not None)

    def why_not(self, holder: Holder) -> str:
        """Why it would be left alone; empty when it would be released."""
        return "" if holder.process is None else reason(holder.process, self._own())

    def release(self, holders: Sequence[Holder]) -> list[Outcome]:
        left_alone = {holder.sign: self.why_not(holder) for holder in holders}
        meant = [holder for holder in holders if not left_alone[holder.sign]]
        self._end_streams([holder for holder in meant if holder.stream is not None])
        with Ending(self._processes) as ending:
            asked = {holder.pid for holder in self._still(meant) if self._ask(holder, ending)}
            if asked:
                ending.wait(self._patience_s, lambda: not self._still(meant))
        still = {holder.sign for holder in self._still(meant)}
        return [
            _outcome(holder, why=left_alone[holder.sign], asked=asked, is_held=holder.sign in still)
            for holder in holders
        ]

    def _end_streams(self, holders: Sequence[Holder]) -> None:
        for holder in holders:
            if holder.stream is not None:
                self._servers.end(holder.stream)
        limit = time.monotonic() + self._patience_s / 2
        while self._still(holders) and time.monotonic() < limit:  # a server may say yes before it is done
            time.sleep(MIC_LOOK_S)

    def _ask(self, holder: Holder, ending: Ending) -> bool:
        """Only a process that surely is the one: it has the device open, or the server or its name says so."""
        process, stream = holder.process, holder.stream
        if process is None or reason(process, self._own()):
            return False
        if stream is not None and stream.program and stream.program not in {process.program, process.name}:
            return False
        return ending.ask(process)

    def _still(self, holders: Sequence[Holder]) -> list[Holder]:
        """Those of them that hold it now."""
        streams = self._servers.streams() if any(holder.stream for holder in holders) else ()
        if streams is None:  # nobody answers any more: then nobody knows
            streams = [holder.stream for holder in holders if holder.stream]
        numbers = {(stream.via, stream.number) for stream in streams}
        return [holder for holder in holders if self._holds(holder, numbers)]

    def _holds(self, holder: Holder, streams: set[tuple[Via, int]]) -> bool:
        if holder.stream is not None:
            return (holder.via, holder.stream.number) in streams
        now = self._processes.look(holder.pid)
        if now is None or holder.process is None or now.began != holder.process.began:
            return False
        try:
            return holder.device in self._captured(holder.pid)
        except PermissionError:  # it changed its user
            return True

    def _by_device(self) -> tuple[list[Holder], int]:
        found: list[Holder] = []
        unseen = 0
        for pid in self._processes.pids():
            try:
                devices = sorted(set(self._captured(pid)))
            except PermissionError:
                unseen += 1
                continue
            process = self._processes.look(pid) if devices else None
            if process is not None:
                found += [Holder(device=device, via=Via.DEVICE, process=process) for device in devices]
        return found, unseen

    def _captured(self, pid: int) -> Iterator[str]:
        for path in self._processes.opened(pid):
            folder, _, name = path.rpartition("/")
            if folder == self._devices and _CAPTURE.fullmatch(name):
                yield path

    def _of_stream(self, stream: Stream) -> Holder:
        process = self._processes.look(stream.pid) if stream.pid else None
        return Holder(device=stream.device, via=stream.via, process=process, stream=stream)

    def _own(self) -> Own:
        own = self._processes.look(os.getpid())
        return Own(
            pid=os.getpid(),
            user=os.getuid(),
            above=frozenset(self._processes.above(os.getpid())),
            control_group=own.control_group if own else "",
        )


def _outcome(holder: Holder, *, why: str, asked: set[int], is_held: bool) -> Outcome:
    if why:
        return Outcome(holder, released=False, why=why)
    was_asked = bool(holder.pid) and holder.pid in asked
    if is_held:
        tried = "It was asked to end (SIGTERM) and has not" if was_asked else "It could not be asked to end"
        return Outcome(holder, released=False, why=f"{tried}; close it by hand.")
    if was_asked:
        return Outcome(holder, released=True, why="It was asked to end (SIGTERM) and let go.")
    how = "The sound server ended its stream." if holder.stream else "It had let go by itself."
    return Outcome(holder, released=True, why=how)
