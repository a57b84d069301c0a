"""Whether a level holds on this machine: a canary tries to get out of it, and must be stopped.

What a kernel says it has is not asked. A level exists only if its canary wrote where it may, and nowhere else,
read no secret, and reached nobody.
"""

import hashlib
import os
import platform
import socket
import subprocess
import sys
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory

from msgspec import Struct

from toolpost.atomic import replace_file
from toolpost.errors import SandboxUnavailable
from toolpost.limits import PROBE_S
from toolpost.sandbox import bubblewrap, hints, starting
from toolpost.sandbox.launch import Streams
from toolpost.sandbox.model import Fence, Level, Spawn
from toolpost.store import private
from toolpost.version import __version__

_CANARY = """
import socket, sys
def tried(name, deed):
    try:
        deed()
    except OSError:
        print(name, "stopped")
    else:
        print(name, "done")
inside, outside, secret, port = sys.argv[1:]
tried("inside", lambda: open(inside, "x").close())
tried("outside", lambda: open(outside, "x").close())
tried("secret", lambda: open(secret).close())
tried("network", lambda: socket.create_connection(("127.0.0.1", int(port)), 1).close())
"""
_HELD = ["inside done", "outside stopped", "secret stopped", "network stopped"]


class Found(Struct, frozen=True, kw_only=True):
    level: Level
    works: bool
    reason: str = ""
    """Why it does not."""
    fix: str = ""
    """What the owner of the machine can do."""


def probe(level: Level, state: str = "") -> Found:
    if level < Level.LANDLOCK:
        return Found(level=level, works=True)
    if _remembered(level, state):
        return Found(level=level, works=True)
    reason = hints.missing(level) or _tried(level)
    if reason:
        return Found(level=level, works=False, reason=reason, fix=hints.fix(level, reason))
    _remember(level, state)
    return Found(level=level, works=True)


def _tried(level: Level) -> str:
    """What went wrong; empty: nothing."""
    with TemporaryDirectory(prefix="toolpost-") as folder, socket.create_server(("127.0.0.1", 0)) as listener:
        top = Path(folder).resolve()
        for name in ("inside", "outside"):
            (top / name).mkdir()
        (top / "outside" / "secret").write_text("canary")
        port = listener.getsockname()[1]
        try:
            return _judged(_said(_spawn(top, port), level), top)
        except SandboxUnavailable as failed:
            return str(failed)


def _spawn(top: Path, port: int) -> Spawn:
    inside, outside = top / "inside", top / "outside"
    words = (inside / "canary", outside / "canary", outside / "secret", port)
    return Spawn(
        argv=(os.path.realpath(sys.executable), "-I", "-S", "-c", _CANARY, *(str(word) for word in words)),
        cwd=str(inside),
        fence=Fence(roots=(str(inside),), readable=tuple({sys.base_prefix, sys.base_exec_prefix})),
        tag=token_hex(8),
    )


def _said(spawn: Spawn, level: Level) -> str:
    streams = Streams(stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    started = starting.start(spawn, level, streams)
    try:
        with started.process as process:
            try:
                return process.communicate(timeout=PROBE_S)[0].decode("utf-8", "replace")
            except subprocess.TimeoutExpired:
                process.kill()
                return "the canary did not come back"
    finally:
        started.process.wait()
        started.finish()


def _judged(said: str, top: Path) -> str:
    lines = said.splitlines()
    if lines == _HELD and (top / "inside" / "canary").exists() and not (top / "outside" / "canary").exists():
        return ""
    escaped = [line for line in lines if line in {"outside done", "secret done", "network done"}]
    return f"its canary was not stopped ({', '.join(escaped)})" if escaped else " ".join(lines)[:400]


def _remembered(level: Level, state: str) -> bool:
    return bool(state) and _note(level, state).exists()


def _remember(level: Level, state: str) -> None:
    """Only that it works: what does not may be mended at any time."""
    if not state:
        return
    try:
        private.make(Path(state))
        replace_file(_note(level, state), b"")
    except OSError:  # a full or read-only disk: it is tried again next time
        return


def _note(level: Level, state: str) -> Path:
    """Its name is a hash of all that could change the answer before the machine starts anew."""
    facts = (__version__, level.label, _boot(), platform.release(), os.geteuid(), sys.executable, *_program())
    return Path(state) / f"sandbox-{hashlib.sha256(repr(facts).encode()).hexdigest()[:32]}"


def _boot() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except OSError:
        return token_hex(8)


def _program() -> tuple[str, int]:
    path = bubblewrap.program()
    return (path, Path(path).stat().st_mtime_ns) if path else ("", 0)
