"""A remote's REST API, read only: redirects judged, the token kept at home, failures tried again, limits kept.

A token goes to the origin it was given for and nowhere else, and is in no error.
"""

import re
import time
from collections.abc import Callable
from typing import NoReturn
from urllib.parse import urljoin

import msgspec
from msgspec import Struct

from toolpost import redact
from toolpost.clock import Clock
from toolpost.errors import InvalidArgument, NoConnection, NotConfigured, RemoteFailed
from toolpost.limits import ECHO_CHARS, REMOTE_BYTES, REMOTE_HOPS, REMOTE_RETRY_S, REMOTE_TIMEOUT_S
from toolpost.version import __version__
from toolpost.workspace.github.dial import Dialer, Origin, Reply, Unanswered
from toolpost.workspace.github.rate import Pause, is_refusal, pause
from toolpost.workspace.github.tokens import variables

GITHUB = "https://api.github.com"
_AGENT = f"toolpost/{__version__}"
_VERSION = "2022-11-28"
"""Every Enterprise server since 2023 knows it, and GitHub keeps it until 2028 at least; a later one is refused by
older servers."""
_MOVED = {301, 308}
_REDIRECTS = _MOVED | {302, 303, 307}
_LOOPBACK = {"127.0.0.1", "::1", "localhost"}
_PLAIN = re.compile(r"[!-~]+")
"""All a token or a URL may hold: nothing that could begin another header."""

Token = Callable[[], str | None] | str | None
"""Asked anew for each request: an app's token lives for an hour."""


class Question(Struct, frozen=True):
    """One GET, by its path below the API's base."""

    path: str
    accept: str
    etag: str | None = None
    """Of an earlier answer: where nothing changed, the answer is a 304 without a body."""
    expected: tuple[int, ...] = (200,)
    max_bytes: int = REMOTE_BYTES
    waits_s: tuple[float, ...] = REMOTE_RETRY_S
    """Before it is asked again, where it fails; as many more tries."""

    def headers(self) -> dict[str, str]:
        unchanged = {"If-None-Match": self.etag} if self.etag else {}
        return {"Accept": self.accept, "User-Agent": _AGENT, "X-GitHub-Api-Version": _VERSION, **unchanged}


class Answer(Struct, frozen=True):
    status: int
    body: bytes
    etag: str | None = None
    moved_to: str | None = None
    """The URL that answered, when it is to be used from now on."""


class _Told(Struct):
    message: str = ""


class Remote:
    """Safe to use from several threads. `sleep` waits between tries."""

    def __init__(
        self,
        base_url: str = GITHUB,
        token: Token = None,
        *,
        timeout_s: float = REMOTE_TIMEOUT_S,
        clock: Clock | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.base_url = base_url.rstrip("/")
        self._origin = _checked_base(self.base_url)
        self._token = token
        self._clock = clock or Clock()
        self._sleep = sleep
        self._dialer = Dialer(timeout_s)
        self._pauses: dict[str | None, Pause] = {}

    @property
    def host(self) -> str:
        return self._origin.host

    def get(self, question: Question) -> Answer:
        """Raises NoConnection, RateLimited, and RemoteFailed for a status not expected or no answer at all."""
        token = self._current_token()
        self._refuse_pause(token)
        reply, moved_to = self._patiently(question, token)
        self._learn_pause(reply, token)
        if reply.status not in question.expected:
            self._refuse_status(reply, token)
        return Answer(reply.status, reply.body, reply.headers.get("etag"), moved_to)

    def close(self) -> None:
        self._dialer.close()

    def advice(self) -> str:
        """What to do where access is missing."""
        names = " or ".join(variables(self.host))
        if self._current_token() is None:
            return f"No token is set: set one that may read it, in {names} or in the system's keyring."
        return f"Check that the token in use ({names}, or the system's keyring) may read it."

    def _current_token(self) -> str | None:
        token = self._token() if callable(self._token) else self._token
        if not token:
            return None
        if not _PLAIN.fullmatch(token):
            raise NotConfigured(f"The token for {self.host} holds characters no token has; set it again.")
        return token

    def _patiently(self, question: Question, token: str | None) -> tuple[Reply, str | None]:
        """Only GETs come here, so asking again changes nothing."""
        trouble = ""
        for wait_s in (*question.waits_s, None):
            try:
                reply, moved_to = self._follow(question, token)
            except Unanswered as unanswered:
                trouble = str(unanswered)
            else:
                if reply.status < 500:
                    return reply, moved_to
                trouble = f"it answered with status {reply.status}"
            if wait_s is not None:
                self._sleep(wait_s)
        tries = len(question.waits_s) + 1
        raise RemoteFailed(
            f"{self.host} failed ({tries} tries), at last so: {trouble}. Try again later.",
            host=self.host,
            tries=tries,
        )

    def _follow(self, question: Question, token: str | None) -> tuple[Reply, str | None]:
        """The answer, and where it stands from now on if it was moved for good."""
        first = url = f"{self.base_url}{question.path}"
        permanent = True
        for _hop in range(REMOTE_HOPS + 1):
            at_home = Origin.of(url) == self._origin
            secret = {"Authorization": f"Bearer {token}"} if token and at_home else {}
            reply = self._dialer.get(url, {**question.headers(), **secret}, question.max_bytes)
            if reply.status not in _REDIRECTS:
                return reply, url if permanent and at_home and url != first else None
            permanent = permanent and reply.status in _MOVED
            url = self._next(url, reply.headers.get("location", ""))
        raise RemoteFailed(f"{self.host} redirected more than {REMOTE_HOPS} times.", host=self.host)

    def _next(self, url: str, location: str) -> str:
        try:
            following = urljoin(url, location)
            target = Origin.of(following)
        except ValueError:
            target = None
        if target is None or not location or not _PLAIN.fullmatch(following):
            raise RemoteFailed(f"{self.host} redirected to no http or https address.", host=self.host)
        if target.scheme == "http" and (target.host not in _LOOPBACK or self._origin.scheme == "https"):
            raise RemoteFailed(f"{self.host} redirected to an address without encryption.", host=self.host)
        return following

    def _refuse_pause(self, token: str | None) -> None:
        waiting = self._pauses.get(token)
        if waiting is None:
            return
        if waiting.until > self._clock.now().timestamp():
            raise waiting.refuse(self.host, has_token=token is not None)
        self._pauses.pop(token, None)

    def _learn_pause(self, reply: Reply, token: str | None) -> None:
        asked = pause(reply, self._clock.now().timestamp())
        if asked is None:
            return
        self._pauses = {token: asked}  # of a token that was replaced nothing is kept
        if is_refusal(reply):
            raise asked.refuse(self.host, has_token=token is not None)

    def _refuse_status(self, reply: Reply, token: str | None) -> NoReturn:
        said = _message(reply.body, token)
        if reply.status == 401 and token:
            raise NoConnection(
                f"{self.host} refused the token: it is wrong, expired or revoked. {self.advice()}",
                host=self.host,
                status=401,
            )
        if reply.status in {401, 403}:
            raise NoConnection(
                f"{self.host} refused access{said}. {self.advice()}", host=self.host, status=reply.status
            )
        raise RemoteFailed(
            f"{self.host} answered with status {reply.status}{said}.", host=self.host, status=reply.status
        )


def _checked_base(url: str) -> Origin:
    try:
        origin = Origin.of(url)
    except ValueError:
        origin = None
    if origin is None or not _PLAIN.fullmatch(url) or "?" in url or "#" in url:
        raise InvalidArgument(
            f"The API's base URL must be http or https, without credentials, such as {GITHUB} or"
            " https://HOST/api/v3.",
            parameter="base_url",
        )
    if origin.scheme == "http" and origin.host not in _LOOPBACK:
        raise InvalidArgument(
            "The API's base URL must be https: http would send the token in the clear.",
            parameter="base_url",
        )
    return origin


def _message(body: bytes, token: str | None) -> str:
    """What the remote says is wrong, as ` (message)`: short, on one line, without secrets."""
    try:
        told = msgspec.json.decode(body, type=_Told).message
    except (msgspec.MsgspecError, RecursionError):
        return ""
    if token:
        told = told.replace(token, redact.HIDDEN)
    line = "".join(character if character.isprintable() else " " for character in told[:ECHO_CHARS])
    return f" ({redact.text(line)})" if line else ""
