"""A root from what a person writes: a folder, `git:PATH@REVISION`, or `github:OWNER/NAME@REF`."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct

from toolpost.errors import InvalidArgument
from toolpost.workspace.git.root import GitRoot
from toolpost.workspace.github.remote import Remote
from toolpost.workspace.github.root import GitHubRoot
from toolpost.workspace.github.spec import parse_spec
from toolpost.workspace.github.tokens import system_keyring, token_for
from toolpost.workspace.guard import Guard
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.root import Root

NOT_CONNECTED = "github:"
GITHUB = ("github:", "https://")
GIT = "git:"


class Opener(Struct, frozen=True, kw_only=True):
    """What roots are opened with: relative paths begin at `folder`, tokens come from the environment."""

    folder: Path
    guard: Guard = Guard()
    environment: Mapping[str, str] = {}
    github_url: str = ""
    """The REST API to ask instead of the one a repository's host has."""

    def open(self, specs: Iterable[str]) -> dict[str, Root]:
        """Roots by name; two of one name are told apart by a number. `github:` alone is none yet."""
        roots: dict[str, Root] = {}
        for spec in specs:
            if spec != NOT_CONNECTED:
                name, root = self._open(spec)
                roots[_free(name, roots)] = root
        return roots

    def _open(self, spec: str) -> tuple[str, Root]:
        if spec.startswith(GITHUB):
            return self._github(spec)
        if spec.startswith(GIT):
            return self._revision(spec)
        local = LocalRoot(self._place(spec), guard=self.guard)
        return Path(local.location).name or "root", local

    def _github(self, spec: str) -> tuple[str, Root]:
        parsed = parse_spec(spec)
        keyring = system_keyring()
        remote = Remote(
            self.github_url or parsed.base_url,
            token=lambda: token_for(parsed.host, self.environment, keyring),
        )
        return parsed.repo, GitHubRoot(parsed, remote, guard=self.guard)

    def _revision(self, spec: str) -> tuple[str, Root]:
        """The revision is what follows the last `@`: a path may hold one, `git:a@b@main`."""
        path, at, revision = spec.removeprefix(GIT).rpartition("@")
        if not at or not path or not revision:
            raise InvalidArgument(f"{spec!r} names no revision: write git:PATH@REVISION.", parameter="roots")
        repository = self._place(path)
        name = repository.resolve().name.removesuffix(".git")
        return name or "repository", GitRoot(repository, revision, guard=self.guard)

    def _place(self, path: str) -> Path:
        return self.folder / Path(path).expanduser()


def _free(name: str, taken: Mapping[str, Root]) -> str:
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    return free
