"""Which sandbox commands run in: the strongest whose canary was stopped on this machine, or none and an error.

Nothing steps down in silence: what is missing stands in every result, and below what is required nothing runs.
"""

import os
import subprocess
from pathlib import Path
from threading import Lock

from toolpost.errors import InvalidArgument, NotFound, SandboxUnavailable
from toolpost.sandbox import starting
from toolpost.sandbox.environment import search_path
from toolpost.sandbox.launch import Streams
from toolpost.sandbox.model import Level, Spawn, Started
from toolpost.sandbox.probe import Found, probe
from toolpost.sandbox.proxy.network import Network
from toolpost.sandbox.there import is_folder

_WANTED = {
    "prefer": Level.PROCESS,
    "off": Level.OFF,
    "require:L1": Level.PROCESS,
    "require:L2": Level.LANDLOCK,
    "require:L3": Level.NAMESPACES,
}


class Sandbox:
    """`require`: "prefer" takes the strongest there is, "require:L2" nothing below L2, "off" none.

    `state`: a folder in which it is remembered, until the machine starts anew, that a level was tried and held.
    `network`: who else decides about hosts a command may reach, and who knows their addresses.
    """

    def __init__(self, require: str = "prefer", *, state: str = "", network: Network | None = None) -> None:
        if require not in _WANTED:
            raise InvalidArgument(
                f"There is no such setting of the sandbox: choose one of {', '.join(_WANTED)}.",
                parameter="sandbox",
                suggested="prefer",
            )
        self.require = require
        self.least = _WANTED[require]
        self._state = state
        self._network = network or Network()
        self._lock = Lock()
        self._found: dict[Level, Found] = {}

    def behind(self, network: Network) -> "Sandbox":
        """The same sandbox, with another say about hosts; what trying the levels showed is shared."""
        other = Sandbox(self.require, state=self._state, network=network)
        other._found = self._found
        return other

    def level(self) -> Level:
        """The strongest there is. SandboxUnavailable: it is below the one required; the detail says what to do."""
        if self.least is Level.OFF:
            return Level.OFF
        best = next(
            level for level in (Level.NAMESPACES, Level.LANDLOCK, Level.PROCESS) if self.found(level).works
        )
        if best < self.least:
            raise self._unavailable(self.least)
        return best

    def quick(self) -> Level:
        """For a command that only reads: L2 starts in a tenth of the time of L3."""
        if self.least in {Level.OFF, Level.NAMESPACES} or not self.found(Level.LANDLOCK).works:
            return self.level()
        return Level.LANDLOCK

    def found(self, level: Level) -> Found:
        """What trying a level showed; for doctor."""
        with self._lock:
            if level not in self._found:
                self._found[level] = probe(level, self._state)
            return self._found[level]

    def start(
        self,
        spawn: Spawn,
        *,
        at: Level | None = None,
        stdin: int = subprocess.DEVNULL,
        stdout: int = subprocess.DEVNULL,
        stderr: int = subprocess.DEVNULL,
    ) -> Started:
        """At the strongest level, or at one that is strong enough: never below what is required."""
        _check(spawn)
        level = self.level() if at is None else self._allowed(at)
        streams = Streams(stdin=stdin, stdout=stdout, stderr=stderr)
        return starting.start(spawn, level, streams, self._missing(level, at), self._network)

    def _allowed(self, level: Level) -> Level:
        if level < self.least or not self.found(level).works:
            raise self._unavailable(max(level, self.least))
        return level

    def _missing(self, level: Level, at: Level | None) -> tuple[str, ...]:
        """Why it is not a stronger one, unless that was asked for."""
        if at is not None or level is Level.OFF:
            return ()
        stronger = (other for other in Level if other > level)
        return tuple(f"no {other.label}: {self.found(other).reason}" for other in stronger)

    def _unavailable(self, level: Level) -> SandboxUnavailable:
        found = self.found(level)
        reason = found.reason or f"{level.label} is the least that is required ({self.require})"
        return SandboxUnavailable(
            f"Commands must run at {level.label}, and this machine cannot do that yet: {reason.rstrip('.')}. {found.fix}".strip(),
            level=level.label,
            required=self.require,
        )


def _check(spawn: Spawn) -> None:
    """Before any of it reaches C, which stops reading at a NUL."""
    if not spawn.argv or any("\0" in word for word in (*spawn.argv, spawn.cwd)):
        raise InvalidArgument(
            "A command has at least one word, and no word holds a NUL.", parameter="command"
        )
    if not is_folder(spawn.cwd):
        raise NotFound("There is no such folder to start in.", parameter="cwd", path=spawn.cwd)
    if not _found(spawn):
        program = spawn.argv[0]
        raise NotFound(f"There is no program {program!r} on the PATH.", parameter="command", program=program)


def _found(spawn: Spawn) -> bool:
    program = spawn.argv[0]
    if "/" in program:
        return os.access(Path(spawn.cwd, program), os.X_OK)
    path = spawn.env.get("PATH") or search_path(os.environ)
    return any(os.access(f"{folder}/{program}", os.X_OK) for folder in path.split(":"))
