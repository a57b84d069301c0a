"""git.branches: the branches and tags of a repository."""

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta, Struct

from toolpost.content import Text
from toolpost.define import Output, Tool, from_function
from toolpost.limits import GIT_BRANCHES_DEFAULT, GIT_BRANCHES_MAX
from toolpost.schema import schema_of
from toolpost.tools.git.commits import date_of
from toolpost.tools.git.repository import Repositories, Repository

_FOLDERS = {"local": "refs/heads", "remote": "refs/remotes", "tags": "refs/tags"}
_FORMAT = "%00".join(
    (
        *("%(refname)", "%(HEAD)", "%(objectname)", "%(*objectname)", "%(upstream:short)"),
        *("%(upstream:track,nobracket)", "%(creatordate:unix)", "%(contents:subject)"),
    )
)


class BranchesOf(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    path: Annotated[
        str, Meta(description="Any path in the repository; the root's repository if left out.")
    ] = ""
    kind: Annotated[
        Literal["local", "remote", "tags", "all"],
        Meta(description="Branches here, branches of remotes as last fetched, tags, or all."),
    ] = "local"
    limit: Annotated[int, Meta(description="Most to give, newest first.", ge=1, le=GIT_BRANCHES_MAX)] = (
        GIT_BRANCHES_DEFAULT
    )


class Branch(Struct, frozen=True, kw_only=True):
    name: str
    kind: str
    """local, remote or tag."""
    commit: str
    date: str
    subject: str
    is_current: bool = False
    upstream: str = ""
    track: str = ""
    """Against the upstream, such as `ahead 2, behind 1`, or `gone`."""


class BranchesAnswer(Struct, frozen=True, kw_only=True):
    repository: str
    current: str
    """Empty when HEAD is detached, or the current branch is not among those given."""
    branches: list[Branch]
    truncated: bool


def branches_tool(repositories: Repositories) -> Tool:
    def branches(asked: BranchesOf) -> Output:
        return _branches(repositories.at(asked.path), asked)

    return from_function(
        branches,
        name="git.branches",
        title="Git branches",
        description="The branches and tags of a repository, newest first, with their commits and upstreams.",
        effects=("read",),
        tags=("git",),
        examples=({"name": "branches here", "input": {}}, {"name": "tags", "input": {"kind": "tags"}}),
        codes={"limit:maximum": "LIMIT_EXCEEDED"},
        output_schema=schema_of(BranchesAnswer),
        idempotent=True,
        source="toolpost",
    )


def _branches(repository: Repository, asked: BranchesOf) -> Output:
    folders = list(_FOLDERS.values()) if asked.kind == "all" else [_FOLDERS[asked.kind]]
    flags = (f"--count={asked.limit + 1}", "--sort=-creatordate", f"--format={_FORMAT}")
    found = list(parse(repository.git.ask("for-each-ref", *flags, *folders).stdout))
    answer = BranchesAnswer(
        repository=repository.shown,
        current=next((branch.name for branch in found if branch.is_current), ""),
        branches=found[: asked.limit],
        truncated=len(found) > asked.limit,
    )
    said = "\n".join(map(_line, answer.branches)) or "There is none."
    notes = ("There are more: raise limit.",) if answer.truncated else ()
    return Output(content=(Text(said),), data=answer, notes=notes)


def parse(listing: bytes) -> Iterator[Branch]:
    for line in listing.decode(errors="replace").split("\n")[:-1]:
        refname, head, commit, peeled, upstream, track, date, subject = line.split("\0", 7)
        folder = next(kind for kind, folder in _FOLDERS.items() if refname.startswith(f"{folder}/"))
        yield Branch(
            name=refname.removeprefix(f"{_FOLDERS[folder]}/"),
            kind=folder.rstrip("s"),
            commit=peeled or commit,
            date=date_of(date),
            subject=subject,
            is_current=head == "*",
            upstream=upstream,
            track=track,
        )


def _line(branch: Branch) -> str:
    mark = "*" if branch.is_current else " "
    against = f" [{branch.upstream}{f': {branch.track}' if branch.track else ''}]" if branch.upstream else ""
    return f"{mark} {branch.name} {branch.commit[:10]} {branch.date[:10]}{against} {branch.subject}"
