"""What a repository's objects hold, asked of one git that stays: a new one for each file would cost milliseconds."""

import os
import subprocess
import time
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from tempfile import mkstemp
from threading import Lock
from typing import BinaryIO

from toolpost.errors import GitFailed, IoFailed, TimedOut
from toolpost.limits import GIT_BLOB_MEMORY, GIT_TIMEOUT_S
from toolpost.workspace.git.command import Git
from toolpost.workspace.git.process import is_readable, start, stop

_CHUNK = 1 << 16


class Objects:
    """Safe to use from several threads; they take turns."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._lock = Lock()
        self._line: _Line | None = None

    def open(self, oid: str) -> BinaryIO:
        """A blob from its start. A large one lies in a file without a name, gone when it is closed."""
        with self._lock:
            try:
                found = self._fetch(oid) or self._fetch(oid)  # it may have died since the last time
            except OSError as failed:
                raise IoFailed(
                    f"The object {oid} could not be kept: {failed.strerror}.", parameter="path"
                ) from None
        if found is None:
            raise GitFailed(f"git could not read the object {oid}: it is damaged.", reason="damaged")
        return found

    def close(self) -> None:
        with self._lock:
            self._hang_up()

    def _fetch(self, oid: str) -> BinaryIO | None:
        """None when the git that was asked is gone; the next time there is another."""
        if self._line is None:
            self._line = _Line(self._git)
        is_in_step = False
        try:
            found = self._line.fetch(oid)
            is_in_step = True
        except (_LineBroken, BrokenPipeError):
            return None
        finally:
            if not is_in_step:
                self._hang_up()
        if found is None:
            raise GitFailed(
                f"The repository does not hold the object {oid}: a partial clone leaves some out, and nothing is"
                " fetched here. Have the user run `git fetch`.",
                reason="missing",
            )
        return found

    def _hang_up(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            line.close()


def _nameless() -> BinaryIO:
    descriptor, name = mkstemp(prefix="toolpost-")
    Path(name).unlink()
    return os.fdopen(descriptor, "w+b")


class _LineBroken(Exception):
    """The git at the other end is gone."""


class _Line:
    """One `git cat-file --batch`: a hash goes in, a line with kind and size and then the content come out."""

    def __init__(self, git: Git) -> None:
        self._process = start(
            git.job("cat-file", "--batch"), stdin=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._pipes = tuple(pipe for pipe in (self._process.stdin, self._process.stdout) if pipe is not None)
        self._held = bytearray()
        self._deadline = 0.0

    def fetch(self, oid: str) -> BinaryIO | None:
        """None when the repository does not hold it."""
        self._deadline = time.monotonic() + GIT_TIMEOUT_S
        os.write(self._pipes[0].fileno(), f"{oid}\n".encode())  # it fits: git has read all before it
        header = self._header()
        if header[1:] == [b"missing"]:
            return None
        if len(header) != 3 or not header[2].isdigit():
            raise _LineBroken
        return self._body(int(header[2]))

    def close(self) -> None:
        stop(self._process)
        for pipe in self._pipes:
            pipe.close()

    def _header(self) -> list[bytes]:
        while b"\n" not in self._held:
            self._hear()
        return self._take(self._held.index(b"\n") + 1).split()

    def _body(self, size: int) -> BinaryIO:
        with ExitStack() as undo:
            body: BinaryIO = undo.enter_context(BytesIO() if size <= GIT_BLOB_MEMORY else _nameless())
            self._copy(size, body)
            self._take(1)
            body.seek(0)
            undo.pop_all()
        return body

    def _copy(self, size: int, body: BinaryIO) -> None:
        while size:
            if not self._held:
                self._hear()
            size -= body.write(self._take(min(size, len(self._held))))

    def _take(self, size: int) -> bytes:
        while len(self._held) < size:
            self._hear()
        taken = bytes(self._held[:size])
        del self._held[:size]
        return taken

    def _hear(self) -> None:
        pipe = self._pipes[1].fileno()
        left_s = self._deadline - time.monotonic()
        if left_s <= 0 or not is_readable(pipe, left_s):
            raise TimedOut(
                f"git took longer than {GIT_TIMEOUT_S:g} s to read an object.", limit_s=GIT_TIMEOUT_S
            )
        data = os.read(pipe, _CHUNK)
        if not data:
            raise _LineBroken
        self._held += data
