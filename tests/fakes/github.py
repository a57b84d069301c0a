"""GitHub's REST API on a loopback port: the few documented questions a root asks, answered from memory.

Hashes are git's own. What was asked is kept in `log`, so that a test can tell how often and with what. Faults
are played before anything else, one a request.
"""

import base64
import gzip
import hashlib
import json
import ssl
import tarfile
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from threading import Event, Thread
from typing import Any, Self
from urllib.parse import parse_qs, unquote, urlsplit

RAW = "application/vnd.github.raw+json"
SHA = "application/vnd.github.sha"


@dataclass(frozen=True)
class Link:
    target: str


@dataclass(frozen=True)
class Submodule:
    commit: str = "1" * 40


@dataclass(frozen=True)
class Program:
    content: bytes


Files = Mapping[str, bytes | Link | Submodule | Program]


def git_hash(kind: str, data: bytes) -> str:
    return hashlib.sha1(f"{kind} {len(data)}\0".encode() + data).hexdigest()


@dataclass(frozen=True)
class Line:
    """One entry of a tree, as the API lists it."""

    name: str
    mode: str
    kind: str
    sha: str
    size: int | None = None

    def listed(self, path: str) -> dict[str, Any]:
        told = {"path": path, "mode": self.mode, "type": self.kind, "sha": self.sha, "url": ""}
        return told if self.size is None else {**told, "size": self.size}


@dataclass
class Repository:
    """Commits, trees and blobs by hash; refs by name."""

    default_branch: str = "main"
    is_private: bool = False
    refs: dict[str, str] = field(default_factory=dict)
    commits: dict[str, str] = field(default_factory=dict)
    trees: dict[str, tuple[Line, ...]] = field(default_factory=dict)
    blobs: dict[str, bytes] = field(default_factory=dict)

    def commit(self, files: Files, *, ref: str | None = None) -> str:
        """Put files under a branch, the default one where none is named."""
        tree = self._tree(files)
        who = "A <a@example.com> 1700000000 +0000"
        sha = git_hash("commit", f"tree {tree}\nauthor {who}\ncommitter {who}\n\nChange\n".encode())
        self.commits[sha] = tree
        self.refs[ref or self.default_branch] = sha
        return sha

    def resolve(self, ref: str) -> str | None:
        name = self.default_branch if ref == "HEAD" else ref
        found = self.refs.get(name.removeprefix("refs/").removeprefix("heads/").removeprefix("tags/"))
        return found or (ref if ref in self.commits else None)

    def below(self, tree: str, before: str = "") -> Iterator[dict[str, Any]]:
        for line in self.trees[tree]:
            path = f"{before}{line.name}"
            yield line.listed(path)
            if line.kind == "tree":
                yield from self.below(line.sha, f"{path}/")

    def _tree(self, files: Files) -> str:
        folders: dict[str, dict[str, Any]] = {}
        lines = []
        for path, content in files.items():
            name, _, rest = path.partition("/")
            if rest:
                folders.setdefault(name, {})[rest] = content
            else:
                lines.append(self._line(name, content))
        lines += [Line(name, "040000", "tree", self._tree(below)) for name, below in folders.items()]
        lines.sort(key=lambda line: line.name + ("/" if line.kind == "tree" else ""))
        data = b"".join(
            f"{line.mode.lstrip('0')} {line.name}\0".encode() + bytes.fromhex(line.sha) for line in lines
        )
        sha = git_hash("tree", data)
        self.trees[sha] = tuple(lines)
        return sha

    def _line(self, name: str, content: bytes | Link | Submodule | Program) -> Line:
        if isinstance(content, Submodule):
            return Line(name, "160000", "commit", content.commit)
        if isinstance(content, Link):
            return self._blob(name, "120000", content.target.encode(errors="surrogateescape"))
        if isinstance(content, Program):
            return self._blob(name, "100755", content.content)
        return self._blob(name, "100644", content)

    def _blob(self, name: str, mode: str, data: bytes) -> Line:
        sha = git_hash("blob", data)
        self.blobs[sha] = data
        return Line(name, mode, "blob", sha, len(data))


@dataclass(frozen=True)
class Asked:
    """One request as it came in."""

    path: str
    headers: Mapping[str, str]

    @property
    def token(self) -> str | None:
        return self.headers.get("authorization")


@dataclass(frozen=True)
class Fault:
    """An answer GitHub gives on a bad day. `body` is sent as it is."""

    status: int = 200
    body: bytes = b"{}"
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: bool = False
    """Hang up in the middle of the body."""
    silent: bool = False
    """Hang up without an answer."""
    drip: bool = False
    """Send the headers a byte at a time, until the server ends."""
    then_close: bool = False
    """Answer, and hang up without having said so."""


@dataclass
class Switches:
    """What an owner or a test may change between requests."""

    repositories: dict[str, Repository] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    """Old name to new; the answer is a 301 to the repository's number."""
    tokens: set[str] = field(default_factory=set)
    prefix: str = ""
    """`/api/v3` makes it an Enterprise server."""
    deep_entries: int = 100_000
    """A recursive listing of more is truncated."""
    flat_entries: int = 100_000
    knows_raw: bool = True
    archives_at: str | None = None
    """Another server, as GitHub itself has one; None packs them here."""
    exported: Callable[[str, bytes], bytes | None] = lambda _path, data: data
    """What git's export rules make of a file in an archive; None leaves it out."""
    limit: int | None = None
    remaining: int = 5_000
    reset: int = 0
    faults: deque[Fault] = field(default_factory=deque)


class GitHubServer(ThreadingHTTPServer):
    """`with GitHubServer() as server:`; asked at `server.url`."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, *, certificate: Path | None = None) -> None:
        """With a certificate, its key in the same file, it speaks https."""
        super().__init__(("127.0.0.1", 0), _Handler)
        self.scheme = "https" if certificate else "http"
        if certificate:
            tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            tls.load_cert_chain(certificate)
            self.socket = tls.wrap_socket(self.socket, server_side=True, do_handshake_on_connect=False)
        self.switches = Switches()
        self.log: list[Asked] = []
        self.connections = 0
        self.ended = Event()
        self._thread = Thread(target=self.serve_forever, args=(0.01,), daemon=True)

    @property
    def url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.server_port}{self.switches.prefix}"

    @property
    def paths(self) -> list[str]:
        return [asked.path for asked in self.log]

    def repository(self, name: str, files: Files | None = None, **settings: Any) -> Repository:
        made = self.switches.repositories[name] = Repository(**settings)
        if files is not None:
            made.commit(files)
        return made

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self.ended.set()
        self.shutdown()
        self.server_close()
        self._thread.join(10)

    def process_request(self, request: Any, client_address: Any) -> None:
        self.connections += 1
        super().process_request(request, client_address)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is no news."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30
    wbufsize = -1
    server: GitHubServer

    def do_GET(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.asked = Asked(self.path, headers)
        self.server.log.append(self.asked)
        switches = self.server.switches
        if switches.faults:
            self._play(switches.faults.popleft())
        elif self.asked.token and self.asked.token.removeprefix("Bearer ") not in switches.tokens:
            self._fail(401, "Bad credentials")
        elif switches.limit is not None and switches.remaining <= 0:
            self._fail(403, "API rate limit exceeded for 127.0.0.1.")
        else:
            self._route()

    def log_message(self, *_told: Any, **_more: Any) -> None:
        """Tests look at `log`."""

    def _route(self) -> None:
        parts = urlsplit(self.path.removeprefix(self.server.switches.prefix))
        kind, *names = unquote(parts.path).strip("/").split("/")
        repositories = self.server.switches.repositories
        if kind == "codeload":
            self._archive(repositories["/".join(names[:2])], names[2])
            return
        if kind == "repositories":
            name, rest = list(repositories)[int(names[0])], names[1:]
        else:
            name, rest = "/".join(names[:2]), names[2:]
        new_name = self.server.switches.renamed.get(name)
        if kind == "repos" and new_name:
            self._move(list(repositories).index(new_name), rest, parts.query)
            return
        repository = repositories.get(name)
        if repository is None or (repository.is_private and not self.asked.token):
            self._fail(404, "Not Found")
            return
        if rest[:1] == ["tarball"]:
            self._move_to_archive(name, rest[1])
            return
        self._answer(repository, rest, parse_qs(parts.query))

    def _answer(self, repository: Repository, rest: list[str], query: Mapping[str, list[str]]) -> None:
        match rest:
            case []:
                self._json({"id": 1, "default_branch": repository.default_branch})
            case ["commits", *ref]:
                self._commit_named(repository, "/".join(ref))
            case ["git", "commits", sha] if sha in repository.commits:
                self._json({"sha": sha, "tree": {"sha": repository.commits[sha], "url": ""}})
            case ["git", "trees", sha] if sha in repository.trees:
                self._tree(repository, sha, deep="recursive" in query)
            case ["git", "blobs", sha] if sha in repository.blobs:
                self._blob(sha, repository.blobs[sha])
            case _:
                self._fail(404, "Not Found")

    def _commit_named(self, repository: Repository, ref: str) -> None:
        sha = repository.resolve(ref)
        if not repository.commits:
            self._fail(409, "Git Repository is empty.")
        elif sha is None:
            self._fail(422, f"No commit found for SHA: {ref}")
        elif self.asked.headers.get("accept") == SHA:
            self._send(200, sha.encode(), SHA)
        else:
            self._json({"sha": sha, "commit": {"tree": {"sha": repository.commits[sha]}}})

    def _tree(self, repository: Repository, sha: str, *, deep: bool) -> None:
        flat = [line.listed(line.name) for line in repository.trees[sha]]
        most = self.server.switches.deep_entries if deep else self.server.switches.flat_entries
        lines = list(repository.below(sha)) if deep else flat
        self._json({"sha": sha, "url": "", "tree": lines[:most], "truncated": len(lines) > most})

    def _blob(self, sha: str, data: bytes) -> None:
        if self.server.switches.knows_raw and self.asked.headers.get("accept") == RAW:
            self._send(200, data, f"{RAW}; charset=utf-8")
        else:
            content = base64.encodebytes(data).decode()
            self._json({"sha": sha, "size": len(data), "encoding": "base64", "content": content})

    def _move_to_archive(self, name: str, commit: str) -> None:
        place = self.server.switches.archives_at or self.server.url
        self._send(302, b"", "text/plain", {"Location": f"{place}/codeload/{name}/{commit}"})

    def _archive(self, repository: Repository, commit: str) -> None:
        packed = BytesIO()
        with tarfile.open(fileobj=packed, mode="w:gz") as archive:
            for line in repository.below(repository.commits[commit]):
                member = tarfile.TarInfo(f"octo-shop-{commit[:7]}/{line['path']}")
                self._pack(archive, member, line, repository.blobs.get(line["sha"], b""))
        self._send(200, packed.getvalue(), "application/x-gzip")

    def _pack(
        self, archive: tarfile.TarFile, member: tarfile.TarInfo, line: dict[str, Any], data: bytes
    ) -> None:
        if line["mode"] == "120000":
            member.type, member.linkname = tarfile.SYMTYPE, data.decode(errors="surrogateescape")
            archive.addfile(member)
        elif line["type"] != "blob":
            member.type = tarfile.DIRTYPE
            archive.addfile(member)
        elif (content := self.server.switches.exported(line["path"], data)) is not None:
            member.size = len(content)
            archive.addfile(member, BytesIO(content))

    def _move(self, number: int, rest: list[str], query: str) -> None:
        path = "/".join(["repositories", str(number), *rest])
        location = f"{self.server.url}/{path}" + (f"?{query}" if query else "")
        body = json.dumps({"message": "Moved Permanently", "url": location}).encode()
        self._send(301, body, "application/json", {"Location": location})

    def _json(self, value: Any) -> None:
        self._send(200, json.dumps(value).encode(), "application/json; charset=utf-8")

    def _fail(self, status: int, message: str) -> None:
        body = {"message": message, "documentation_url": "https://docs.github.com/rest"}
        self._send(status, json.dumps(body).encode(), "application/json; charset=utf-8")

    def _send(self, status: int, body: bytes, media: str, more: Mapping[str, str] | None = None) -> None:
        etag = f'W/"{hashlib.sha256(body).hexdigest()}"'
        if status == 200 and self.asked.headers.get("if-none-match") == etag:
            status, body = 304, b""
        headers = {"Content-Type": media, "ETag": etag, **self._rate(free=status == 304), **(more or {})}
        if (
            len(body) > 1_000
            and media != "application/x-gzip"
            and "gzip" in self.asked.headers.get("accept-encoding", "")
        ):
            body = gzip.compress(body)
            headers["Content-Encoding"] = "gzip"
        self._write(status, body, headers)

    def _rate(self, *, free: bool) -> dict[str, str]:
        """An unchanged answer is free only to who shows a token."""
        switches = self.server.switches
        if switches.limit is None:
            return {}
        if not (free and self.asked.token):
            switches.remaining = max(switches.remaining - 1, 0)
        return {
            "X-RateLimit-Limit": str(switches.limit),
            "X-RateLimit-Remaining": str(switches.remaining),
            "X-RateLimit-Reset": str(switches.reset),
            "X-RateLimit-Resource": "core",
        }

    def _write(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _play(self, fault: Fault) -> None:
        if fault.silent:
            self.close_connection = True
        elif fault.drip:
            self._drip()
        elif fault.cut:
            self._write(
                fault.status, fault.body[: len(fault.body) // 2], {"Content-Length": str(len(fault.body))}
            )
            self.close_connection = True
        else:
            self._write(fault.status, fault.body, fault.headers)
            self.close_connection = self.close_connection or fault.then_close

    def _drip(self) -> None:
        self.close_connection = True
        self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        while not self.server.ended.wait(0.02):
            self.wfile.write(b"a")
            self.wfile.flush()
