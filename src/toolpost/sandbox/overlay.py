"""A dry run: the command works on a copy that holds only what it changes, and the tree stays as it is.

An overlay is laid over each root in a mount namespace of the command's own; inside it bubblewrap builds the usual
fence, without network. What the command changed is then in the upper folder.
"""

import filecmp
import os
import shutil
import stat
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from msgspec import Struct, structs

from toolpost.errors import SandboxUnavailable
from toolpost.limits import DRY_RUN_ENTRIES, EXEC_END_S
from toolpost.sandbox import bubblewrap, homes
from toolpost.sandbox.caps import as_limits
from toolpost.sandbox.environment import Place, environment
from toolpost.sandbox.launch import Streams, launch
from toolpost.sandbox.model import Level, Report, Spawn, Started
from toolpost.sandbox.private import private_settings

_SCRIPT = """
cd "$1" || exit 125
options=$2; count=$3; shift 3; n=0
while [ "$n" -lt "$count" ]; do
    mount --rbind "$1" "$n/low" &&
    mount -t overlay overlay -o "lowerdir=$n/low,upperdir=$n/up,workdir=$n/work$options" "$1" || exit 125
    shift; n=$((n + 1))
done
exec "$@"
"""
_APART = ("unshare", "--mount", "--propagation", "private")
_OPAQUE = ("user.overlay.opaque", "trusted.overlay.opaque")


class ChangeKind(StrEnum):
    CREATED = "created"
    CHANGED = "changed"
    DELETED = "deleted"


class Change(Struct, frozen=True):
    root: str
    path: str
    """Relative to the root."""
    kind: ChangeKind
    now: str = ""
    """Where what the command made of it can be read, until the overlay is closed."""


class Overlay:
    """For one command. It starts it, tells what it changed, and forgets it."""

    def __init__(self, roots: tuple[str, ...]) -> None:
        self._roots = roots
        self._folder = mkdtemp(prefix="toolpost-")
        for number in range(len(roots)):
            for part in ("low", "up", "work"):
                Path(self._folder, str(number), part).mkdir(parents=True)

    def start(
        self, spawn: Spawn, *, at: Level | None = None, stdin: int, stdout: int, stderr: int
    ) -> Started:
        """SandboxUnavailable where the kernel lays no overlay over these roots."""
        del at  # nothing but namespaces can lay one
        prefix = self._working_prefix()
        fence = structs.replace(spawn.fence, hosts=(), proxy="", protected=())
        dry = structs.replace(spawn, fence=fence)
        streams = Streams(stdin=stdin, stdout=stdout, stderr=stderr)
        home = homes.real_home()
        place = Place(cwd=spawn.cwd, home=home, temp=bubblewrap.TEMP)
        env = environment(spawn.env, place, tag=spawn.tag, terminal=spawn.terminal)
        layout = bubblewrap.Layout(home=home, closed=private_settings())
        process = bubblewrap.start(dry, env, layout, streams, _Inside(prefix))
        return Started(process=process, report=_report(spawn), clean=lambda: ())

    def changes(self) -> Iterator[Change]:
        """File by file, sorted within its folder; folders only as far as files are in them."""
        left = DRY_RUN_ENTRIES
        for number, root in enumerate(self._roots):
            for change in _changes(root, Path(self._folder, str(number), "up"), ""):
                yield change
                left -= 1
                if not left:
                    return

    def close(self) -> None:
        for number in range(len(self._roots)):
            with suppress(OSError):  # made by the kernel, for nobody
                Path(self._folder, str(number), "work", "work").chmod(0o700)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _working_prefix(self) -> tuple[str, ...]:
        if not bubblewrap.program():
            raise SandboxUnavailable("A dry run needs bubblewrap: install it (apt install bubblewrap).")
        said = ""
        for flags, options in _ways():
            prefix = self._command(flags, options)
            said = _tried(prefix)
            if not said:
                return prefix
        raise SandboxUnavailable(
            f"A dry run is not possible here, because no overlay can be laid over the workspace: {said}. "
            "Run the command without dry_run, or in a copy.",
            parameter="dry_run",
        )

    def _command(self, flags: tuple[str, ...], options: str) -> tuple[str, ...]:
        script = ("sh", "-c", _SCRIPT, "sh", self._folder, options, str(len(self._roots)), *self._roots)
        return (*_APART, *flags, "--", *script)


class _Inside(Executor):
    """Starts at once, in the thread that asks, which lives as long as the command: but inside the overlay."""

    def __init__(self, prefix: tuple[str, ...]) -> None:
        self._prefix = prefix

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        (argv,) = args
        done: Future[Any] = Future()
        done.set_result(fn((*self._prefix, *argv), **kwargs))
        return done


_ENV = {"PATH": "/usr/bin:/bin:/usr/sbin:/sbin"}


def _ways() -> Iterator[tuple[tuple[str, ...], str]]:
    """Root needs no namespace of users, and then the owners of files do not matter."""
    if os.geteuid() == 0:
        yield (), ""
    yield ("--user", "--map-root-user"), ",userxattr"


def _tried(prefix: tuple[str, ...]) -> str:
    """What went wrong with laying it for nothing; empty when nothing did."""
    streams = Streams(stderr=subprocess.PIPE)
    try:
        with launch((*prefix, "true"), cwd="/", env=_ENV, streams=streams) as process:
            try:
                said = process.communicate(timeout=EXEC_END_S)[1].decode(errors="replace").strip()
            except subprocess.TimeoutExpired:
                process.kill()
                return "it took too long"
    except OSError as failed:
        return f"{failed.filename}: {failed.strerror}"
    return "" if process.returncode == 0 else said.rpartition("\n")[2] or "it failed"


def _report(spawn: Spawn) -> Report:
    return Report(
        level=Level.NAMESPACES.label,
        fs="overlay:workspace",
        net="none",
        pids="namespace",
        limits=as_limits(spawn.caps),
        gaps=spawn.fence.gaps,
    )


def _changes(root: str, upper: Path, folder: str) -> Iterator[Change]:
    entries = _entries(upper)
    below = Path(root, folder)
    if _is_opaque(upper) and _is_folder(below):
        for hidden in sorted({entry.name for entry in _entries(below)} - {entry.name for entry in entries}):
            yield from _deleted(root, _join(folder, hidden))
    for entry in entries:
        path = _join(folder, entry.name)
        if _is_whiteout(entry):
            yield from _deleted(root, path)
        elif entry.is_dir(follow_symlinks=False):
            if not _is_folder(below / entry.name):
                yield from _deleted(root, path)
            yield from _changes(root, Path(entry.path), path)
        else:
            yield from _written(root, path, entry.path)


def _written(root: str, path: str, now: str) -> Iterator[Change]:
    before = Path(root, path)
    if _is_folder(before):
        yield from _deleted(root, path)
        yield Change(root, path, ChangeKind.CREATED, now)
    elif not os.path.lexists(before):
        yield Change(root, path, ChangeKind.CREATED, now)
    elif not _is_same(before, Path(now)):
        yield Change(root, path, ChangeKind.CHANGED, now)


def _is_same(before: Path, now: Path) -> bool:
    """Whether it was only opened for writing: that is enough for a copy of it to be made."""
    try:
        was, is_ = before.lstat(), now.lstat()
        if was.st_mode != is_.st_mode:
            return False
        if stat.S_ISLNK(is_.st_mode):
            return before.readlink() == now.readlink()
        return stat.S_ISREG(is_.st_mode) and filecmp.cmp(before, now, shallow=False)
    except OSError:  # not ours to read
        return False


def _deleted(root: str, path: str) -> Iterator[Change]:
    """A folder file by file, since a diff knows only files."""
    was = Path(root, path)
    if _is_folder(was):
        for entry in _entries(was):
            yield from _deleted(root, _join(path, entry.name))
    elif os.path.lexists(was):
        yield Change(root, path, ChangeKind.DELETED)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """None of a folder that was closed to us."""
    try:
        with os.scandir(folder) as found:
            return sorted(found, key=lambda entry: entry.name)
    except OSError:
        return []


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _is_whiteout(entry: os.DirEntry[str]) -> bool:
    status = entry.stat(follow_symlinks=False)
    return stat.S_ISCHR(status.st_mode) and status.st_rdev == 0


def _is_opaque(folder: Path) -> bool:
    for name in _OPAQUE:
        with suppress(OSError):
            return os.getxattr(folder, name) == b"y"
    return False


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
