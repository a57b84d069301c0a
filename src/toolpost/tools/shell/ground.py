"""What commands stand on: where they may run, in which sandbox, and where their output is kept."""

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

from msgspec import Struct, field

from toolpost.atom import Atom, Command, Kind, Touch
from toolpost.call import Call
from toolpost.errors import FileNotFound, InvalidDirectory, NotConfigured, ToolError
from toolpost.sandbox.background import Commands
from toolpost.sandbox.model import Fence, Level
from toolpost.sandbox.protect import protected
from toolpost.sandbox.run import Starts
from toolpost.store.blobs import Blobs
from toolpost.tools.nearest import no_directory
from toolpost.tools.shell import asked as words
from toolpost.tools.shell.asked import NOTHING, Needs, RunCommand
from toolpost.workspace.local.inside import below, resolved
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.workspace import Place, Workspace

Fences = Callable[[Call, Needs], Fence]
Levels = Callable[[Call], Level | None]


def _strongest(_call: Call) -> Level | None:
    return None


class ShellGround(Struct, frozen=True, kw_only=True):
    workspace: Workspace
    sandbox: Starts
    blobs: Blobs | None = None
    """Where outputs are kept that did not fit into an answer."""
    commands: Commands = field(default_factory=Commands)
    environment: Mapping[str, str] = {}
    """Variables that the owner's settings let every command see; a call's own come after them."""
    fence: Fences | None = None
    """What a call's command may reach, once the call is allowed; the local roots if left out."""
    level: Levels = _strongest
    """At which level a call's command runs; None is the strongest there is."""

    def fence_of(self, call: Call, needs: Needs | None) -> Fence:
        if self.fence is not None:
            return self.fence(call, needs or NOTHING)
        roots = tuple(root.where for root in self._local())
        return Fence(roots=roots, protected=protected(roots))

    def folder(self, cwd: str) -> str:
        """Where to run a command: a real folder of this machine, below a root."""
        with _about_cwd():
            place = self._place(cwd)
            if not isinstance(place.root, LocalRoot):
                raise InvalidDirectory(
                    f"{place.shown} is no folder of this machine: commands run in local roots."
                )
            if not _is_folder(place):
                raise no_directory(self.workspace, place, cwd)
            real = resolved(f"{place.root.location}/{place.path}")
            if below(real, place.root.where) is None:
                raise InvalidDirectory(f"{cwd} leads out of the workspace.")
            return real

    def touches(self, args: Mapping[str, Any]) -> Iterable[Touch]:
        """What the gate judges: the command as it would run, and what it says it needs."""
        asked = words.of(args)
        words.check(asked)
        place = self._place(asked.cwd)
        yield Command(
            line=asked.command or "",
            argv=tuple(asked.argv or ()),
            cwd=f"{place.root.location}/{place.path}".rstrip("/") or "/",
            env=tuple(asked.env.items()),
        )
        needs = asked.needs or NOTHING
        yield from (Atom(kind=Kind.NET, target=host) for host in needs.hosts)
        yield from (Atom(kind=Kind.WRITE, target=path) for path in needs.write)

    def _place(self, cwd: str) -> Place:
        if not self.workspace.names_roots(cwd):
            return self.workspace.place(cwd, error=InvalidDirectory)
        root = next(iter(self._local()), None)
        if root is None:
            raise NotConfigured("The workspace has no folder of this machine to run a command in.")
        return Place(root, "", "")

    def _local(self) -> Iterable[LocalRoot]:
        return (root for root in self.workspace.roots.values() if isinstance(root, LocalRoot))


@contextmanager
def _about_cwd() -> Iterator[None]:
    try:
        yield
    except ToolError as error:
        error.parameter = "cwd"
        raise


def _is_folder(place: Place) -> bool:
    try:
        return place.root.stat(place.path).is_dir
    except FileNotFound:
        return False


def argv_of(asked: RunCommand) -> tuple[str, ...]:
    """A line is the shell's; a blank keeps one that begins with a dash from being an option of it."""
    if asked.argv is not None:
        return tuple(asked.argv)
    line = asked.command or ""
    return (_shell(), "-c", f" {line}" if line.startswith(("-", "+")) else line)


@cache
def _shell() -> str:
    return shutil.which("bash") or "/bin/sh"
