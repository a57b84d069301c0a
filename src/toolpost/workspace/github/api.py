"""What a root asks GitHub about one repository, typed and checked: its refs, its trees, its contents.

Git's hashes come in as names and go out in URLs; content is taken only when it has the hash it was asked by.
"""

import re
from base64 import b64decode
from typing import NoReturn, TypeVar
from urllib.parse import quote

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from toolpost.errors import NoConnection, NotFound, RemoteFailed
from toolpost.limits import REMOTE_AHEAD_BYTES, REMOTE_LISTING_BYTES
from toolpost.workspace.github.dial import AnswerTooLarge
from toolpost.workspace.github.remote import Answer, Question, Remote
from toolpost.workspace.github.spec import GitHubSpec
from toolpost.workspace.github.tree import Listing, Sha, blob_sha

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
"""Git's own, the same everywhere: what a repository without a commit shows."""
_JSON = "application/vnd.github+json"
_RAW = "application/vnd.github.raw+json"
_SHA = "application/vnd.github.sha"
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_UNKNOWN = (404, 422)
_T = TypeVar("_T")


class Tip(Struct, frozen=True):
    """The commit a ref names, "" in a repository without one. The tag asks later whether it still does."""

    commit: str
    etag: str | None = None


class _Tree(Struct, frozen=True):
    sha: Sha


class _Commit(Struct, frozen=True):
    tree: _Tree


class _Repository(Struct, frozen=True):
    default_branch: str


class _Blob(Struct, frozen=True):
    content: str


class GitHubApi:
    """Raises NoConnection without access, RateLimited, and RemoteFailed for all a remote can do wrong."""

    def __init__(self, spec: GitHubSpec, remote: Remote) -> None:
        self.spec = spec
        self.remote = remote
        self._home = f"/repos/{spec.owner}/{spec.repo}"

    def tip(self, before: Tip | None = None) -> Tip:
        """What the ref names now. Asked so, GitHub makes no diff, which for a large commit takes too long."""
        ref = self.spec.ref
        if _COMMIT.fullmatch(ref):
            return Tip(ref)
        etag = before.etag if before else None
        answer = self._ask(Question(f"/commits/{quote(ref)}", _SHA, etag, (200, 304, 409, *_UNKNOWN)))
        if answer.status == 304 and before:
            return before
        if answer.status == 409:  # "Git Repository is empty."
            return Tip("")
        if answer.status in _UNKNOWN:
            self._refuse_ref()
        commit = answer.body.decode("ascii", "replace").strip()
        if not _COMMIT.fullmatch(commit):
            raise self._garbled("no commit")
        return Tip(commit, answer.etag)

    def tree_sha(self, commit: str) -> str:
        if not commit:
            return EMPTY_TREE
        answer = self._ask(Question(f"/git/commits/{commit}", _JSON, expected=(200, *_UNKNOWN)))
        if answer.status != 200:
            self._refuse_ref()
        return self._decoded(answer.body, _Commit).tree.sha

    def list_deep(self, sha: str) -> Listing:
        return self._listing(sha, "?recursive=1")

    def list_flat(self, sha: str) -> Listing:
        return self._listing(sha, "")

    def content(self, sha: str) -> bytes:
        """A blob. A server that does not know the raw form sends base64 in JSON."""
        body = self._ask(Question(f"/git/blobs/{sha}", _RAW)).body
        if blob_sha(body, sha) == sha:
            return body
        try:
            data = b64decode(self._decoded(body, _Blob).content)
        except ValueError:
            raise self._garbled("content that is not base64") from None
        if blob_sha(data, sha) != sha:
            raise self._garbled("content that is not what was asked for")
        return data

    def archive(self, commit: str) -> bytes:
        """All files as a packed tar. It is a help, not a need, so it is asked for once."""
        question = Question(f"/tarball/{commit}", _JSON, max_bytes=REMOTE_AHEAD_BYTES, waits_s=())
        return self._ask(question).body

    def _listing(self, sha: str, query: str) -> Listing:
        """More than may come at once counts as truncated: it is listed in parts then."""
        if sha == EMPTY_TREE:
            return Listing([])
        question = Question(f"/git/trees/{sha}{query}", _JSON, max_bytes=REMOTE_LISTING_BYTES)
        try:
            answer = self._ask(question)
        except AnswerTooLarge:
            return Listing([], truncated=True)
        return self._decoded(answer.body, Listing)

    def _ask(self, question: Question) -> Answer:
        """By its path below the repository."""
        base, path = self.remote.base_url, question.path
        answer = self.remote.get(replace(question, path=f"{self._home}{path}"))
        if answer.moved_to and answer.moved_to.startswith(f"{base}/") and answer.moved_to.endswith(path):
            self._home = answer.moved_to.removeprefix(base).removesuffix(path)  # as a 301 asks for
        return answer

    def _refuse_ref(self) -> NoReturn:
        """GitHub answers alike for a ref that is not there and a repository that may not be seen."""
        spec = self.spec
        answer = self._ask(Question("", _JSON, expected=(200, 404)))
        if answer.status == 404:
            raise NoConnection(
                f"{spec.host} shows no repository {spec.owner}/{spec.repo}: the name is misspelt, or it is"
                f" private. {self.remote.advice()}",
                repository=f"{spec.owner}/{spec.repo}",
                status=404,
            )
        branch = self._decoded(answer.body, _Repository).default_branch
        raise NotFound(
            f"{spec.owner}/{spec.repo} has no branch, tag or commit {spec.ref}. Its default branch is {branch}.",
            parameter="ref",
            suggested=branch,
        )

    def _decoded(self, body: bytes, kind: type[_T]) -> _T:
        try:
            return msgspec.json.decode(body, type=kind)
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
            raise self._garbled("something that is not its API's") from None

    def _garbled(self, what: str) -> RemoteFailed:
        host = self.remote.host
        return RemoteFailed(
            f"{host} answered with {what}. Check the base URL; a proxy may answer in its place.", host=host
        )
