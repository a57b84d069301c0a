"""Grants that outlast a session: a file of the user's own, shared by every process, changed under a lock."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec import Struct

from toolpost.atomic import replace_file
from toolpost.authorize.grants import Grant
from toolpost.errors import IoFailed, NotConfigured
from toolpost.limits import GRANTS_BYTES

FILE = "grants.json"
_VERSION = 1


class _Kept(Struct, kw_only=True):
    version: int = _VERSION
    grants: list[Grant] = []


class KeptGrants:
    """Project grants live here too, by the project's identity: nothing in a repository can grant itself anything."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stamp: tuple[int, int, int] | None = None
        self._known: tuple[Grant, ...] = ()
        self.version = 0
        """Grows with every change that was seen, whoever made it."""

    def all(self) -> tuple[Grant, ...]:
        """Read again only when the file was replaced: one look at its stamp otherwise."""
        stamp = self._look()
        if stamp != self._stamp:
            self._known = tuple(self._read().grants)
            self._stamp = stamp
            self.version += 1
        return self._known

    def add(self, grant: Grant) -> None:
        with self._changing() as kept:
            kept.grants.append(grant)

    def drop(self, is_gone: Callable[[Grant], bool]) -> list[Grant]:
        """Those that were dropped."""
        with self._changing() as kept:
            gone = [grant for grant in kept.grants if is_gone(grant)]
            kept.grants = [grant for grant in kept.grants if not is_gone(grant)]
        return gone

    def _look(self) -> tuple[int, int, int] | None:
        try:
            status = self.path.stat()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise IoFailed(f"The grants in {self.path} cannot be read: {error.strerror}.") from None
        return status.st_mtime_ns, status.st_size, status.st_ino

    def _read(self) -> _Kept:
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return _Kept()
        except OSError as error:
            raise IoFailed(f"The grants in {self.path} cannot be read: {error.strerror}.") from None
        try:
            if len(data) > GRANTS_BYTES:
                raise msgspec.ValidationError("it is too large")
            return msgspec.json.decode(data, type=_Kept)
        except msgspec.MsgspecError as error:
            raise NotConfigured(
                f"The grants in {self.path} cannot be understood ({error}); nothing is granted by them. Correct the"
                " file, or move it away: every question is then asked anew."
            ) from None

    @contextmanager
    def _changing(self) -> Iterator[_Kept]:
        folder = self.path.parent
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = os.open(folder / f"{self.path.name}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise IoFailed(f"Grants cannot be kept in {folder}: {error.strerror}.") from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            kept = self._read()
            yield kept
            replace_file(self.path, msgspec.json.format(msgspec.json.encode(kept), indent=2))
        except OSError as error:
            raise IoFailed(f"Grants cannot be kept in {self.path}: {error.strerror}.") from None
        finally:
            os.close(lock)
