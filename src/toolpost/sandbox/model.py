"""What a command may reach, what it may use, and what was done to keep it so."""

import subprocess
from collections.abc import Callable, Mapping
from enum import IntEnum

from msgspec import Struct

from toolpost.limits import (
    SANDBOX_ADDRESS_BYTES,
    SANDBOX_CPU_S,
    SANDBOX_FILE_BYTES,
    SANDBOX_MEMORY_BYTES,
    SANDBOX_OPEN_FILES,
    SANDBOX_PROCESSES,
)


class Level(IntEnum):
    OFF = 0
    PROCESS = 1
    LANDLOCK = 2
    NAMESPACES = 3

    @property
    def label(self) -> str:
        """As people and results name it: L0 to L3."""
        return f"L{self.value}"


class Fence(Struct, frozen=True, kw_only=True):
    """All paths are absolute and real: without links, dots or a slash at the end."""

    roots: tuple[str, ...]
    """Read and write."""
    readable: tuple[str, ...] = ()
    """More files and folders, read only; the system's own are always readable."""
    masked: tuple[str, ...] = ()
    """Existing files and folders inside the roots that must not be read."""
    protected: tuple[str, ...] = ()
    """Must not be changed or created; may be absent."""
    writes: bool = True
    """False: the roots are read-only."""
    hosts: tuple[str, ...] = ()
    """Which hosts `net(...)` rules allow, as these write them, `!` before those of `net!(...)`; empty: no network."""
    gaps: tuple[str, ...] = ()
    """What whoever made the fence could not see to; told with every result."""
    proxy: str = ""
    """The unix socket of a proxy that runs already; empty: one of our own lets only those hosts through."""


class Caps(Struct, frozen=True, kw_only=True):
    memory_bytes: int = SANDBOX_MEMORY_BYTES
    """What each process may take for itself."""
    address_bytes: int = SANDBOX_ADDRESS_BYTES
    """What each process may reserve: shared memory counts only here."""
    file_bytes: int = SANDBOX_FILE_BYTES
    """The largest file it may write."""
    open_files: int = SANDBOX_OPEN_FILES
    processes: int = SANDBOX_PROCESSES
    cpu_s: int = SANDBOX_CPU_S
    """CPU time of each process."""


class Spawn(Struct, frozen=True, kw_only=True):
    argv: tuple[str, ...]
    cwd: str
    env: Mapping[str, str] = {}
    """Variables beside those every command gets: what configuration allows, never what a model alone asks for."""
    fence: Fence
    caps: Caps = Caps()
    tag: str
    """A random word every process of the command carries in its environment, so that survivors are known."""
    terminal: bool = False
    """Its standard streams are a terminal, which is to be the command's own."""


class Report(Struct, frozen=True, kw_only=True):
    """What held, in the words results, doctor and console show."""

    level: str
    fs: str
    net: str
    pids: str
    limits: dict[str, int | float]
    gaps: tuple[str, ...]
    violations: tuple[str, ...] = ()


class Started(Struct, frozen=True, kw_only=True):
    process: subprocess.Popen[bytes]
    report: Report
    """Known at the start; `finish` tells the violations."""
    clean: Callable[[], tuple[str, ...]]
    cgroup: str = ""
    """A control group that holds the command's processes and nothing else, where there is one."""

    def finish(self) -> tuple[str, ...]:
        """After the last process has ended: put back what it must not change, remove what was made for it.

        Returns what it had changed all the same. Calling it again does nothing.
        """
        return self.clean()
