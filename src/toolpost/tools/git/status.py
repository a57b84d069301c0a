"""git.status: what changed in a working tree since the last commit."""

import os
from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from toolpost.content import Text
from toolpost.define import Output, Tool, from_function
from toolpost.errors import GitFailed
from toolpost.limits import GIT_STATUS_DEFAULT, GIT_STATUS_MAX
from toolpost.schema import schema_of
from toolpost.tools.git.filters import filtered
from toolpost.tools.git.repository import Repositories, Repository, visible

_WORDS = {
    "M": "modified",
    "T": "type changed",
    "A": "added",
    "D": "deleted",
    "R": "renamed",
    "C": "copied",
    "U": "unmerged",
}
_UNDER_WAY = {
    "MERGE_HEAD": "merge",
    "rebase-merge": "rebase",
    "rebase-apply": "rebase",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "BISECT_LOG": "bisect",
}


class StatusOf(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    path: Annotated[
        str, Meta(description="Folder or file to look at; the root's repository if left out.")
    ] = ""
    untracked: Annotated[
        Literal["folders", "files", "none"],
        Meta(description="Untracked files: whole folders as one, every file, or none."),
    ] = "folders"
    limit: Annotated[int, Meta(description="Most files to list.", ge=1, le=GIT_STATUS_MAX)] = (
        GIT_STATUS_DEFAULT
    )


class Changed(Struct, frozen=True, gc=False):
    path: str
    staged: str = ""
    """What the next commit would do with it: modified, added, deleted, renamed, copied, type changed."""
    unstaged: str = ""
    """What the working file differs in from what is staged; `unmerged` is a conflict."""
    old_path: str = ""


class Status(Struct, frozen=True, kw_only=True):
    repository: str
    branch: str = ""
    """Empty when HEAD is detached."""
    commit: str = ""
    """Empty while there is no commit."""
    upstream: str = ""
    ahead: int = 0
    behind: int = 0
    under_way: str = ""
    """A merge, rebase, cherry-pick, revert or bisect that is not finished."""
    changes: list[Changed] = []
    untracked: list[str] = []
    total: int = 0
    truncated: bool = False


_UNTRACKED = {"folders": "normal", "files": "all", "none": "no"}


def status_tool(repositories: Repositories) -> Tool:
    def status(asked: StatusOf) -> Output:
        return _status(repositories.at(asked.path), asked)

    return from_function(
        status,
        name="git.status",
        title="Git status",
        description="What changed in a git working tree: branch, staged and unstaged changes, conflicts, untracked files.",
        effects=("read",),
        tags=("git",),
        examples=({"name": "the repository", "input": {}},),
        codes={"limit:maximum": "LIMIT_EXCEEDED"},
        output_schema=schema_of(Status),
        idempotent=True,
        source="toolpost",
    )


def _status(repository: Repository, asked: StatusOf) -> Output:
    if not repository.is_tree:
        raise GitFailed(
            f"{repository.place.root.where} has no working tree, so nothing changed in it.", parameter="path"
        )
    flags = ("--porcelain=v2", "-z", "--branch", f"--untracked-files={_UNTRACKED[asked.untracked]}")
    output = repository.git.ask("status", *flags, *repository.pathspec())
    found = parse(output.stdout)
    seen = _as_seen(found, repository, asked.limit, is_cut=output.truncated)
    return Output(content=(Text(_said(seen)),), data=seen, notes=_notes(repository, found))


def parse(porcelain: bytes) -> Status:
    """The form `git status --porcelain=v2 -z --branch` gives; paths are git's own."""
    head: dict[str, str] = {}
    changes: list[Changed] = []
    untracked: list[str] = []
    fields = iter(porcelain.split(b"\0")[:-1])
    for field in fields:
        kind, _, rest = field.partition(b" ")
        if kind == b"#":
            key, _, value = visible(os.fsdecode(rest)).partition(" ")
            head[key] = value
        elif kind == b"?":
            untracked.append(os.fsdecode(rest))
        else:
            changes.append(_changed(kind, rest, fields))
    ahead, _, behind = head.get("branch.ab", "+0 -0").partition(" ")
    return Status(
        repository="",
        branch=head.get("branch.head", "").replace("(detached)", ""),
        commit=head.get("branch.oid", "").replace("(initial)", ""),
        upstream=head.get("branch.upstream", ""),
        ahead=abs(int(ahead)),
        behind=abs(int(behind)),
        changes=changes,
        untracked=untracked,
        total=len(changes) + len(untracked),
    )


def _changed(kind: bytes, rest: bytes, fields: Iterator[bytes]) -> Changed:
    """`1 XY ... path`, `2 XY ... path<NUL>old path`, `u XY ... path`: so many words before the path."""
    words = rest.split(b" ", {b"1": 7, b"2": 8, b"u": 9}[kind])
    path = os.fsdecode(words[-1])
    if kind == b"u":
        return Changed(path, "", "unmerged")
    staged, unstaged = (_WORDS.get(letter, "") for letter in words[0].decode())
    return Changed(path, staged, unstaged, os.fsdecode(next(fields, b"")) if kind == b"2" else "")


def _as_seen(found: Status, repository: Repository, limit: int, *, is_cut: bool) -> Status:
    show = repository.show
    folder = repository.git.home.folder
    return replace(
        found,
        repository=repository.shown,
        under_way=next((word for name, word in _UNDER_WAY.items() if (folder / name).exists()), ""),
        changes=[
            Changed(show(one.path), one.staged, one.unstaged, show(one.old_path) if one.old_path else "")
            for one in found.changes[:limit]
        ],
        untracked=[show(path) for path in found.untracked[: max(0, limit - len(found.changes))]],
        truncated=is_cut or found.total > limit,
    )


def _notes(repository: Repository, found: Status) -> tuple[str, ...]:
    """Files are compared without their filters here, so one that has a filter may differ only by it."""
    through = filtered(repository.git, [one.path for one in found.changes if one.unstaged == "modified"])
    if not through:
        return ()
    said = ", ".join(sorted(repository.show(path) for path in through)[:5])
    return (f"Some modified files pass through a filter that is not run here, and may be unchanged: {said}.",)


def _said(found: Status) -> str:
    return "\n".join((_headline(found), *_lines(found)))


def _headline(found: Status) -> str:
    where = f"On branch {found.branch}" if found.branch else f"HEAD is detached at {found.commit[:12]}"
    against = f", {found.ahead} ahead of and {found.behind} behind {found.upstream}" if found.upstream else ""
    doing = f"; a {found.under_way} is under way" if found.under_way else ""
    first = "" if found.commit else "; there is no commit yet"
    return f"{where}{against}{doing}{first}."


def _lines(found: Status) -> Iterator[str]:
    if not found.total:
        yield "Nothing changed, nothing untracked."
    for title, word in (("Staged", "staged"), ("Not staged", "unstaged")):
        changes = [change for change in found.changes if getattr(change, word)]
        if changes:
            yield f"{title}:"
        for change in changes:
            came = f" (from {change.old_path})" if change.old_path else ""
            yield f"  {getattr(change, word)}: {change.path}{came}"
    if found.untracked:
        yield "Untracked:"
        yield from (f"  {path}" for path in found.untracked)
    if found.truncated:
        yield f"... {found.total} files in all; name a path, or raise limit, to see the others."
