"""What names a repository on GitHub: `github:owner/name@ref`, a host before it for Enterprise, or a web address."""

import re
from typing import NoReturn
from urllib.parse import unquote

from msgspec import Struct

from toolpost.errors import InvalidArgument
from toolpost.limits import NAME_BYTES

HEAD = "HEAD"
"""The tip of the default branch, whatever its name."""
FORMS = (
    "github:owner/name",
    "github:owner/name@ref",
    "github:HOST/owner/name@ref",
    "https://github.com/owner/name",
    "https://github.com/owner/name/tree/ref",
)
_PUBLIC = "github.com"
_TENANTS = ".ghe.com"  # GitHub Enterprise Cloud with data residency
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?(:[0-9]{1,5})?")
_OWNER = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}")
_REPO = re.compile(r"(?!\.{1,2}\Z)[A-Za-z0-9._-]{1,100}")
_NO_REF = re.compile(r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//|/\.|\.lock(/|\Z)|\A[-/.]|[/.]\Z|\A@?\Z")
"""What git itself refuses in a ref (git-check-ref-format); `..` would also climb in a request's path."""


class GitHubSpec(Struct, frozen=True):
    """A repository at a branch, a tag or a commit. Made by hand or by `parse_spec`, it is checked."""

    host: str
    owner: str
    repo: str
    ref: str = HEAD

    def __post_init__(self) -> None:
        if not _HOST.fullmatch(self.host):
            _refuse("its host is none")
        if not _OWNER.fullmatch(self.owner):
            _refuse("its owner may hold only letters, digits, `-` and `_`")
        if not _REPO.fullmatch(self.repo):
            _refuse("its repository may hold only letters, digits, `.`, `-` and `_`")
        if _NO_REF.search(self.ref) or len(self.ref.encode()) > NAME_BYTES:
            _refuse("its ref is no name git takes for a branch, a tag or a commit")

    @property
    def base_url(self) -> str:
        """Where its REST API is."""
        if self.host == _PUBLIC or self.host.endswith(_TENANTS):
            return f"https://api.{self.host}"
        return f"https://{self.host}/api/v3"

    @property
    def web_url(self) -> str:
        """Where people look at it."""
        repository = f"https://{self.host}/{self.owner}/{self.repo}"
        return repository if self.ref == HEAD else f"{repository}/tree/{self.ref}"

    @property
    def shown(self) -> str:
        return f"{self.owner}/{self.repo}@{self.ref}"


def parse_spec(spec: str) -> GitHubSpec:
    """Raises InvalidArgument, which tells the forms and never the text: it may hold a password."""
    if spec.startswith("github:"):
        return _short(spec.removeprefix("github:"))
    if spec.startswith("https://"):
        return _address(spec.removeprefix("https://"))
    return _refuse("it begins with neither `github:` nor `https://`")


def _short(rest: str) -> GitHubSpec:
    names, at, ref = rest.partition("@")
    match names.split("/"):
        case [owner, repo]:
            host = _PUBLIC
        case [host, owner, repo]:
            pass
        case _:
            _refuse("it needs an owner and a repository")
    return GitHubSpec(host.lower(), owner, repo, ref if at else HEAD)


def _address(rest: str) -> GitHubSpec:
    host, *path = rest.rstrip("/").split("/", 4)
    host = host.lower().removeprefix("www.")
    if host != _PUBLIC and not host.endswith(_TENANTS):
        _refuse("its host is not github.com; an Enterprise server is named as github:HOST/owner/name")
    match path:
        case [owner, repo]:
            return GitHubSpec(host, owner, repo.removesuffix(".git"))
        case [owner, repo, "tree", ref]:
            return GitHubSpec(host, owner, repo, unquote(ref))
    return _refuse("the address is not that of a repository or of one of its branches")


def _refuse(why: str) -> NoReturn:
    raise InvalidArgument(
        f"That names no repository on GitHub: {why}. Give it as one of: {', '.join(FORMS)}.",
        parameter="repository",
        suggested=FORMS[0],
    )
