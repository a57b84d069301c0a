"""Which content of a file each session was last shown: what tells a change it knows from one it does not."""

from collections import OrderedDict
from threading import Lock

from toolpost.limits import SEEN_KEPT


class Seen:
    """Digests by session and file; the one unused longest is forgotten when there are too many."""

    def __init__(self, most: int = SEEN_KEPT) -> None:
        self._most = most
        self._lock = Lock()
        self._digests: OrderedDict[tuple[str, str, str], str] = OrderedDict()

    def saw(self, session: str, root_key: str, path: str, digest: str) -> None:
        key = (session, root_key, path)
        with self._lock:
            self._digests[key] = digest
            self._digests.move_to_end(key)
            if len(self._digests) > self._most:
                self._digests.popitem(last=False)

    def known(self, session: str, root_key: str, path: str) -> str | None:
        """The digest this session saw last; None when it saw none, or so long ago that it is forgotten."""
        key = (session, root_key, path)
        with self._lock:
            digest = self._digests.get(key)
            if digest is not None:
                self._digests.move_to_end(key)
            return digest

    def forget(self, root_key: str, path: str) -> None:
        """The file is gone, for every session."""
        with self._lock:
            for key in [key for key in self._digests if key[1:] == (root_key, path)]:
                del self._digests[key]
