"""A tree held in a dict: a Root for tests that need no disk."""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from io import BytesIO

from toolpost.errors import Denied, DirectoryNotFound, FileNotFound, InvalidDirectory, NotAFile
from toolpost.workspace.root import Entry, Kind, Source


class MemoryRoot:
    """Folders are those that hold files, and those named with a `/` at the end: `{"empty/": b""}`.

    `kinds` makes a path a link, or something else that is no file; `closed` paths cannot be opened or listed.
    """

    key = "memory"
    where = "memory"
    location = "/memory"

    def __init__(
        self,
        files: Mapping[str, bytes],
        *,
        kinds: Mapping[str, Kind] | None = None,
        closed: frozenset[str] = frozenset(),
        ignores: bool = True,
    ) -> None:
        self.files = {path: data for path, data in files.items() if not path.endswith("/")}
        self.kinds = dict(kinds or {})
        self.closed = closed
        self.ignores = ignores
        self.opened: list[str] = []
        self.scanned: list[str] = []
        self._folders: dict[str, dict[str, Entry]] = {"": {}}
        for path in files:
            self._put(path)

    def stat(self, path: str) -> Entry:
        if path in self._folders:
            return Entry(path, Kind.DIRECTORY)
        if path not in self.files:
            raise FileNotFound(f"There is no {path}.", parameter="path")
        return self._entry(path)

    def open(self, path: str) -> Source:
        self.opened.append(path)
        if path in self.closed:
            raise Denied(f"{path} is closed.", parameter="path")
        entry = self.stat(path)
        if entry.kind is not Kind.FILE:
            raise NotAFile(f"{path} is no file.", parameter="path")
        data = self.files[path]
        return Source(entry, BytesIO(data), sha256(data).hexdigest())

    def scan(self, path: str) -> Iterator[Entry]:
        self.scanned.append(path)
        if path in self.closed:
            raise Denied(f"{path} is closed.", parameter="path")
        if path in self.files:
            raise InvalidDirectory(f"{path} is a file.", parameter="path")
        if path not in self._folders:
            raise DirectoryNotFound(f"There is no {path}.", parameter="path")
        return iter(self._folders[path].values())

    def close(self) -> None: ...

    def _put(self, path: str) -> None:
        if path.endswith("/"):
            self._folder(path.rstrip("/"))
        else:
            self._folder(path.rpartition("/")[0])[path] = self._entry(path)

    def _folder(self, path: str) -> dict[str, Entry]:
        if path not in self._folders:
            self._folders[path] = {}
            self._folder(path.rpartition("/")[0])[path] = Entry(path, Kind.DIRECTORY)
        return self._folders[path]

    def _entry(self, path: str) -> Entry:
        return Entry(path, self.kinds.get(path, Kind.FILE), len(self.files[path]))
