"""Which files of a project the user has read and let run, each by its path and the hash of its bytes."""

import os
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from stat import S_IMODE, S_IRWXG, S_IRWXO

import msgspec
from msgspec import Struct

from toolpost.atomic import replace_file

FILE = "trust.json"
_OTHERS = S_IRWXG | S_IRWXO


class TrustError(Exception):
    """The store cannot be relied on; until it is mended, nothing is trusted."""

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message)
        self.message = message
        self.fix = fix


class Trusted(Struct, frozen=True, forbid_unknown_fields=True):
    path: str
    sha256: str


class Store(Struct, frozen=True, forbid_unknown_fields=True):
    files: tuple[Trusted, ...] = ()

    def knows(self, path: Path) -> bool:
        return any(one.path == str(path) for one in self.files)

    def trusts(self, path: Path, data: bytes) -> bool:
        return Trusted(str(path), sha256(data).hexdigest()) in self.files

    def adding(self, path: Path, data: bytes) -> "Store":
        return Store((*self._but(path), Trusted(str(path), sha256(data).hexdigest())))

    def removing(self, path: Path) -> "Store":
        return Store(tuple(self._but(path)))

    def _but(self, path: Path) -> Iterable[Trusted]:
        return (one for one in self.files if one.path != str(path))


def read(path: Path) -> Store:
    """The store as it is on disk. One that others can reach may have been written by them."""
    try:
        with path.open("rb") as file:
            mode, owner = _facts(file.fileno())
            data = file.read()
    except FileNotFoundError:
        return Store()
    except OSError as error:
        raise TrustError(f"{path} cannot be read: {error.strerror}.", f"Mend or remove {path}.") from None
    if mode & _OTHERS or owner != os.getuid():
        raise TrustError(f"{path} is not private to you, so nothing in it counts.", f"chmod 600 {path}")
    try:
        return msgspec.json.decode(data, type=Store)
    except msgspec.DecodeError as error:
        raise TrustError(
            f"{path} is no trust store: {error}.", f"Remove {path}, then trust your files again."
        ) from None


def _facts(handle: int) -> tuple[int, int]:
    found = os.fstat(handle)
    return S_IMODE(found.st_mode), found.st_uid


def write(path: Path, store: Store) -> None:
    """Private from its first byte, and whole or not at all."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    replace_file(path, msgspec.json.format(msgspec.json.encode(store), indent=2) + b"\n")
