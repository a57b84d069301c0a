"""The ground commands run on: the sandbox of the settings, and a fence made of the policy."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from toolpost.atom import Atom, Kind
from toolpost.authorize.gate import Rights
from toolpost.authorize.hosts import is_private
from toolpost.authorize.profiles import Mode
from toolpost.authorize.rule import covers
from toolpost.call import Call
from toolpost.cli import ground
from toolpost.config.load import Settings
from toolpost.config.places import cache_folder
from toolpost.errors import IoFailed, SandboxUnavailable
from toolpost.result import Decision
from toolpost.sandbox import orphans
from toolpost.sandbox.masks import Masks
from toolpost.sandbox.model import Fence
from toolpost.sandbox.pick import Sandbox
from toolpost.sandbox.protect import protected
from toolpost.sandbox.proxy.network import Network
from toolpost.store.blobs import Blobs
from toolpost.tools.shell.asked import Needs
from toolpost.tools.shell.ground import ShellGround
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.workspace import Workspace

UNSEEN = "the workspace is too large to look for every file that must not be read: some may not be masked"
_GIT_CONFIG = ("/.git/config", "/.git/config.worktree")
"""Our own tools do not read them, since a remote's URL may carry a token; git cannot work without them."""


def sandbox(settled: Settings) -> Sandbox:
    return Sandbox(settled.config.sandbox.level, state=str(cache_folder(os.environ)))


def level(box: Sandbox) -> int:
    """As rules count it; none where the level that is required is not to be had, for then no command runs."""
    try:
        return int(box.level())
    except SandboxUnavailable:
        return 0


class Running:
    """Says that this process runs commands, once it runs one, so that the next ends what it may leave if it is killed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._is_announced = False

    def begin(self) -> None:
        if self._is_announced:
            return
        self._is_announced = True
        try:
            orphans.end_orphans(self._folder)
            orphans.announce(self._folder)
        except OSError as error:
            raise IoFailed(f"{self._folder} cannot be written: {error.strerror}.") from None

    def close(self) -> None:
        if self._is_announced:
            orphans.retire(self._folder)


def shell_ground(
    settled: Settings, workspace: Workspace, box: Sandbox, rights: Rights, running: Running
) -> ShellGround:
    return ShellGround(
        workspace=workspace,
        sandbox=box.behind(_network(rights)),
        blobs=Blobs(ground.state() / "outputs"),
        environment={
            name: os.environ[name] for name in settled.config.sandbox.environment if name in os.environ
        },
        fence=fences(settled, workspace, rights, running),
    )


def fences(
    settled: Settings, workspace: Workspace, rights: Rights, running: Running
) -> Callable[[Call, Needs], Fence]:
    roots = [root for root in workspace.roots.values() if isinstance(root, LocalRoot)]
    where = tuple(root.where for root in roots)
    hosts = (*settled.config.sandbox.hosts, *_hosts(rights))
    writes = rights.book.mode is not Mode.PLAN

    def is_denied(path: str) -> bool:
        if path.endswith(_GIT_CONFIG):
            return False
        return any(root.guard.hides(path[len(root.location) + 1 :]) for root in roots if _is_in(path, root))

    masks = Masks(is_denied)

    def fence(_call: Call, needs: Needs) -> Fence:
        """What the call says it needs was judged with it, and allowed, or it would not run."""
        running.begin()
        masked, is_complete = masks.find(where)
        return Fence(
            roots=(*where, *needs.write),
            masked=masked,
            gaps=() if is_complete else (UNSEEN,),
            protected=protected(where),
            writes=writes,
            hosts=(*hosts, *_needed(needs.hosts)),
        )

    return fence


def _is_in(path: str, root: LocalRoot) -> bool:
    return path.startswith(f"{root.location}/")


def _hosts(rights: Rights) -> tuple[str, ...]:
    """What `net(...)` rules allow every command."""
    book = rights.book
    opening = (rule for rule in book.opening(Kind.NET) if rule.decision is Decision.ALLOW)
    return (
        *(rule.pattern for rule in book.of(Decision.ALLOW, Kind.NET)),
        *(f"!{rule.pattern}" for rule in opening),
    )


def _needed(hosts: Iterable[str]) -> tuple[str, ...]:
    """What was approved by name; an inner address only where that very address was."""
    plain = (host.lstrip("!") for host in hosts)
    return tuple(f"!{host}" if is_private(host) else host for host in plain)


def _network(rights: Rights) -> Network:
    """What a rule denies or wants asked does not pass the proxy, however wide another rule is."""

    def allows(host: str, port: int, scheme: str) -> bool:
        atom = Atom(kind=Kind.NET, target=f"{scheme}://{host}:{port}/")
        barring = (*rights.book.of(Decision.DENY, Kind.NET), *rights.book.of(Decision.ASK, Kind.NET))
        return not any(covers(rule, atom, rights.scene) for rule in barring)

    return Network(allows=allows)
