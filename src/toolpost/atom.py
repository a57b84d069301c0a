"""One thing a call does to the world, in the form that rules are written about.

A call compiles to atoms; each is judged by itself, and the call gets the strictest verdict.
"""

from enum import StrEnum

from msgspec import Struct


class Kind(StrEnum):
    """The words that rules begin with."""

    READ = "read"
    WRITE = "write"
    DELETE = "delete"
    EXEC = "exec"
    NET = "net"
    TOOL = "tool"


class Word(Struct, frozen=True, gc=False):
    """One word of a command, unquoted."""

    text: str
    """What is known of it; parts that only the shell will know are left out."""
    fixed: bool = True
    """False: it holds `$x`, `$(...)` or another part that is known only when it runs."""
    glob: bool = False
    """It holds unquoted `*`, `?`, `[` or `{`, and stands for names on the disk."""


class Alarm(StrEnum):
    """What is wrong with a command as a whole or with one of its parts, whatever program it names."""

    # Denied, and nothing opens it.
    INVISIBLE = "hard: invisible, bidirectional or control characters in a command"
    NESTING = "hard: wrappers nested too deeply"
    FORK_BOMB = "hard: a function that calls itself in the background"
    DEVICE = "hard: a raw device or file system is written"
    POWER = "hard: the machine would be stopped"
    OWN = "hard: a command would change what toolpost itself allows"
    KILL_ALL = "hard: process 1, or every process, would be killed"
    # Asked, unless a rule of the form exec!(...) opens it.
    ENVIRONMENT = "guard: a variable that changes which code runs"
    PIPED = "guard: a pipe into an interpreter"
    # Nothing allows it but a person.
    UNREADABLE = "ask: the shell line cannot be read wholly"
    TOO_LONG = "ask: the line is too long, or has too many commands, to be judged"
    EMPTY = "ask: there is no command"
    RUN_TIME = "ask: which program runs is known only when it runs"
    ELSEWHERE = "ask: the working folder would leave the workspace"

    @property
    def level(self) -> str:
        """`hard`, `guard` or `ask`."""
        return self.value.partition(":")[0]


class Atom(Struct, frozen=True, kw_only=True):
    kind: Kind
    target: str
    """READ, WRITE, DELETE: an absolute path, or what is known of its beginning; NET: a URL or a host;
    EXEC: the command as it is shown; TOOL: a tool's name."""
    words: tuple[Word, ...] = ()
    """EXEC: the program and its arguments."""
    via: tuple[str, ...] = ()
    """EXEC: the wrappers it stands in, the outermost first: `sudo timeout 5 make` is make via (sudo, timeout)."""
    fixed: bool = True
    """False: the path, host or program is known only when it runs; `target` holds what is known."""
    glob: bool = False
    """The path is a pattern of the shell: it may be any name that the pattern reaches."""
    tree: bool = False
    """All that lies below the path is meant too: `rm -r`, `chmod -R`, a search through a folder."""
    inside: bool = False
    """The path is known to lie in the workspace, whatever the rules know of its roots."""
    implied: bool = False
    """It follows from an EXEC atom of the same call, such as the file that `rm` deletes: an allow of that
    exec covers it inside the workspace."""
    maybe: bool = False
    """A guess, such as a path among a stranger's arguments: it meets what denies, and nothing else."""
    alarm: Alarm | None = None
    hints: frozenset[str] = frozenset()
    """TOOL: the annotations of the tool that are true: readOnlyHint, destructiveHint ..."""

    def __str__(self) -> str:
        return f"{self.kind} {self.target}"


class Command(Struct, frozen=True, kw_only=True):
    """A command that a call would run; the gate compiles it to atoms."""

    line: str = ""
    """Text for a shell; or `argv`, which no shell reads."""
    argv: tuple[str, ...] = ()
    cwd: str = ""
    """An absolute folder."""
    env: tuple[tuple[str, str], ...] = ()


Touch = Atom | Command
"""What a tool may say of a call before it runs."""
