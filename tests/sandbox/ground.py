"""Where hostile commands are let loose: a workspace, something outside it, and a way to start them as anybody.

Run as a program it reads an attempt from stdin, becomes an ordinary user, and tells how the attempt went.
"""

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from tempfile import mkdtemp
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from toolpost.sandbox import bubblewrap, homes, landlock, starting
from toolpost.sandbox.launch import Streams
from toolpost.sandbox.model import Caps, Fence, Level, Report, Spawn

NOBODY = 203_651  # nobody else's: a limit of processes counts all that a user has
WAIT_S = 60.0
LEVELS = (Level.LANDLOCK, Level.NAMESPACES)
USERS = ("root", "ordinary")


class Attempt(Struct, frozen=True, kw_only=True):
    argv: tuple[str, ...]
    cwd: str
    fence: Fence
    level: int
    home: str
    caps: Caps = Caps()
    env: dict[str, str] = {}
    stdin: bytes = b""


class Outcome(Struct, frozen=True, kw_only=True):
    code: int
    out: str
    report: Report
    violations: tuple[str, ...]


def missing(user: str, level: Level) -> str:
    """Why it cannot be tried here; empty: it can."""
    if not sys.platform.startswith("linux"):
        return "needs Linux"
    if user == "root" and os.geteuid() != 0:
        return "needs root"
    if level is Level.LANDLOCK and not landlock.abi():
        return "this kernel has no Landlock"
    if level is Level.NAMESPACES and not bubblewrap.program():
        return "bubblewrap is not installed"
    return ""


def attempt(tried: Attempt) -> Outcome:
    """As whoever we are."""
    spawn = Spawn(
        argv=tried.argv, cwd=tried.cwd, env=tried.env, fence=tried.fence, caps=tried.caps, tag=token_hex(8)
    )
    streams = Streams(stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    started = starting.start(spawn, Level(tried.level), streams)
    try:
        with started.process as process:
            out = process.communicate(tried.stdin, timeout=WAIT_S)[0]
    except subprocess.TimeoutExpired:
        started.process.kill()
        raise
    finally:
        violations = started.finish()
    return Outcome(
        code=process.returncode,
        out=out.decode("utf-8", "replace"),
        report=started.report,
        violations=violations,
    )


class Ground:
    """`top` holds `work`, the one root, and `outside`, which is nobody's business."""

    def __init__(self, top: Path, user: str, level: Level) -> None:
        self.user = user
        self.level = level
        self.top = top
        self.work = top / "work"
        self.outside = top / "outside"
        self.home = top / "home"
        self.other = user == "ordinary" and os.geteuid() == 0
        for folder in (self.work, self.outside, self.home):
            folder.mkdir()
            self.own(folder)
        self.secret = self.outside / "secret.txt"
        self.secret.write_text("the secret")
        self.own(self.secret)
        self.fence = Fence(roots=(str(self.work),))

    def own(self, path: Path) -> None:
        if self.other:
            os.chown(path, NOBODY, NOBODY, follow_symlinks=False)

    def make(self, name: str, text: str = "") -> Path:
        """A file in the workspace that belongs to who will run the command."""
        path = self.work / name
        for folder in reversed(path.relative_to(self.work).parents[:-1]):
            (self.work / folder).mkdir(exist_ok=True)
            self.own(self.work / folder)
        path.write_text(text)
        self.own(path)
        return path

    def run(self, *argv: str, fence: Fence | None = None, caps: Caps | None = None, **more: Any) -> Outcome:
        tried = Attempt(
            argv=argv,
            cwd=str(self.work),
            fence=fence or self.fence,
            level=self.level,
            home=str(self.home),
            caps=caps or Caps(),
        )
        tried = replace(tried, **more)
        return _as_ordinary(tried) if self.other else attempt(tried)

    def shell(self, line: str, **more: Any) -> Outcome:
        return self.run("sh", "-c", line, **more)

    def python(self, code: str, *words: object, fence: Fence | None = None, **more: Any) -> Outcome:
        program, readable = interpreter(self.user)
        wide = fence or self.fence
        wide = replace(wide, readable=(*wide.readable, *readable))
        return self.run(program, "-I", "-S", "-c", code, *(str(word) for word in words), fence=wide, **more)


def interpreter(user: str) -> tuple[str, tuple[str, ...]]:
    """One that this user may run, and what it needs to read."""
    if user == "ordinary" and os.geteuid() == 0:
        found = next(
            (path for path in ("/usr/bin/python3", "/usr/local/bin/python3") if Path(path).exists()), ""
        )
        return found, ()
    return os.path.realpath(sys.executable), (sys.base_prefix,)


def _as_ordinary(tried: Attempt) -> Outcome:
    done = subprocess.run(
        (sys.executable, "-m", "tests.sandbox.ground"),
        input=msgspec.json.encode(tried),
        capture_output=True,
        check=False,
        timeout=2 * WAIT_S,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stderr.decode()
    return msgspec.json.decode(done.stdout, type=Outcome)


@contextmanager
def ground(user: str, level: Level) -> Iterator[Ground]:
    top = Path(mkdtemp(prefix="ground-")).resolve()
    top.chmod(0o755)
    try:
        yield Ground(top, user, level)
    finally:
        shutil.rmtree(top)


@contextmanager
def listening(family: int, address: Any) -> Iterator[socket.socket]:
    with socket.socket(family, socket.SOCK_STREAM) as listener:
        listener.bind(address)
        listener.listen()
        yield listener


def main() -> None:
    tried = msgspec.json.decode(sys.stdin.buffer.read(), type=Attempt)
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    os.environ["HOME"] = tried.home
    homes.real_home.cache_clear()
    sys.stdout.buffer.write(msgspec.json.encode(attempt(tried)))


if __name__ == "__main__":
    main()
