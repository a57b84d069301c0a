"""One HTTP GET: connections kept for the next one, a deadline over all of it, and an end to how much is read."""

import ssl
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cached_property
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection, IncompleteRead
from socket import SHUT_RDWR, socket
from threading import Event, Lock, Timer
from time import monotonic
from urllib.parse import urlsplit

from msgspec import Struct

from toolpost.errors import RemoteFailed
from toolpost.limits import REMOTE_IDLE

_GZIP = 31  # zlib's number for "a gzip header and nothing else"


class Unanswered(Exception):
    """No whole answer came: nothing listens, it hung up, or time ran out. Asking again may help."""


class AnswerTooLarge(RemoteFailed):
    """More came than was asked for at most. Asking again would not help."""

    def __init__(self, limit: int) -> None:
        super().__init__(
            f"The remote's answer is larger than {limit:,} bytes, the most it may have.", limit=limit
        )


class Origin(Struct, frozen=True):
    """What a credential is for. Another port is another origin."""

    scheme: str
    host: str
    port: int

    @classmethod
    def of(cls, url: str) -> "Origin":
        """Raises ValueError where a URL names no host, or something besides http and https."""
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname or "@" in parts.netloc:
            raise ValueError(parts.scheme)
        return cls(parts.scheme, parts.hostname, parts.port or (443 if parts.scheme == "https" else 80))


class Reply(Struct, frozen=True):
    status: int
    headers: dict[str, str]
    """Names in lower case."""
    body: bytes


class _Request(Struct, frozen=True):
    url: str
    headers: Mapping[str, str]
    max_bytes: int
    deadline: float


class Dialer:
    """Safe to use from several threads: a connection serves one of them at a time."""

    def __init__(self, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        self._idle: defaultdict[Origin, list[HTTPConnection]] = defaultdict(list)
        self._lock = Lock()

    def get(self, url: str, headers: Mapping[str, str], max_bytes: int) -> Reply:
        """Raises Unanswered and AnswerTooLarge. Redirects are not followed."""
        origin = Origin.of(url)
        request = _Request(url, headers, max_bytes, monotonic() + self._timeout_s)
        idle = self._take(origin)
        if idle is not None:
            try:
                return self._exchange(origin, idle, request)
            except Unanswered:  # the server may have closed it while it lay idle
                if monotonic() >= request.deadline:
                    raise
        return self._exchange(origin, self._open(origin), request)

    def close(self) -> None:
        with self._lock:
            connections = [connection for kept in self._idle.values() for connection in kept]
            self._idle.clear()
        for connection in connections:
            connection.close()

    def _take(self, origin: Origin) -> HTTPConnection | None:
        with self._lock:
            kept = self._idle[origin]
            return kept.pop() if kept else None

    def _open(self, origin: Origin) -> HTTPConnection:
        if origin.scheme == "https":
            return HTTPSConnection(origin.host, origin.port, timeout=self._timeout_s, context=self._tls)
        return HTTPConnection(origin.host, origin.port, timeout=self._timeout_s)

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        """One for all connections: reading the system's certificates takes longer than a request."""
        return ssl.create_default_context()

    def _exchange(self, origin: Origin, connection: HTTPConnection, request: _Request) -> Reply:
        keep = False
        try:
            if connection.sock is None:
                connection.connect()
            with _cut_off(connection.sock, request.deadline - monotonic()):
                headers = {"Accept-Encoding": "gzip", **request.headers}
                connection.request("GET", _target(request.url), headers=headers)
                response = connection.getresponse()
                body = _body(response, request.max_bytes)
            keep = not response.will_close
        except (OSError, HTTPException, zlib.error) as error:
            raise Unanswered(self._why(error, request.deadline)) from error
        finally:
            self._put(origin, connection, keep=keep)
        named = {name.lower(): value for name, value in response.getheaders()}
        return Reply(response.status, named, body)

    def _put(self, origin: Origin, connection: HTTPConnection, *, keep: bool) -> None:
        with self._lock:
            kept = self._idle[origin]
            if keep and len(kept) < REMOTE_IDLE:
                kept.append(connection)
                return
        connection.close()

    def _why(self, error: Exception, deadline: float) -> str:
        if isinstance(error, TimeoutError) or monotonic() >= deadline:
            return f"no answer within {self._timeout_s:g} s"
        if isinstance(error, IncompleteRead):
            return "the answer ended before it was whole"
        if isinstance(error, ssl.SSLCertVerificationError):
            return f"its certificate was refused ({error.verify_message})"
        return f"the connection failed ({type(error).__name__})"


def _body(response: HTTPResponse, max_bytes: int) -> bytes:
    if (response.length or 0) > max_bytes:
        raise AnswerTooLarge(max_bytes)
    body = response.read(max_bytes + 1)
    if response.length:
        raise IncompleteRead(b"", response.length)  # read(amount) itself ends silently where a body does
    if len(body) > max_bytes:
        raise AnswerTooLarge(max_bytes)
    is_gzip = body and response.headers.get("Content-Encoding") == "gzip"
    return inflate(body, max_bytes) if is_gzip else body


def inflate(body: bytes, max_bytes: int) -> bytes:
    """What gzip packed. Raises AnswerTooLarge, zlib.error, and IncompleteRead where its end is missing."""
    stream = zlib.decompressobj(_GZIP)
    data = stream.decompress(body, max_bytes + 1)
    if len(data) > max_bytes:
        raise AnswerTooLarge(max_bytes)
    if not stream.eof:
        raise IncompleteRead(b"")
    return data


def _target(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"


@contextmanager
def _cut_off(connected: socket, after_s: float) -> Iterator[None]:
    """Hang up when time is over. A socket's own timeout starts anew with every byte that drips in."""
    is_over = Event()
    timer = Timer(max(after_s, 0), _hang_up, (connected, is_over))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
    if is_over.is_set():  # headers that end early pass for whole ones
        raise TimeoutError


def _hang_up(connected: socket, is_over: Event) -> None:
    is_over.set()
    with suppress(OSError):
        connected.shutdown(SHUT_RDWR)
