"""git.worktree: another working tree of the same repository, below the same root."""

import os
from pathlib import Path
from posixpath import dirname
from typing import Annotated, Literal

from msgspec import Meta, Struct

from toolpost.content import Text
from toolpost.define import Output, Tool, from_function
from toolpost.errors import FileExists, GitFailed, InvalidArgument, InvalidPath, NotFound, TimedOut
from toolpost.schema import schema_of
from toolpost.tools.git.checkout import Checkout, fill, planned
from toolpost.tools.git.filters import filtered
from toolpost.tools.git.names import counted
from toolpost.tools.git.repository import Repositories, Repository, visible
from toolpost.workspace.git.command import Git, refuse_option
from toolpost.workspace.git.home import real
from toolpost.workspace.local.inside import below
from toolpost.workspace.workspace import Place


class WorktreeOf(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    action: Annotated[
        Literal["list", "add", "remove"], Meta(description="List them, make one, or remove one.")
    ]
    path: Annotated[
        str, Meta(description="The new or old working tree's folder, below the root; for list, any path.")
    ] = ""
    ref: Annotated[str, Meta(description="Branch or commit to check out; HEAD if left out.")] = ""
    branch: Annotated[str, Meta(description="Name of a new branch to make there.")] = ""


class Worktree(Struct, frozen=True):
    path: str
    """As the workspace names it; where it lies outside, its whole path."""
    commit: str
    branch: str = ""
    is_main: bool = False


class WorktreeAnswer(Struct, frozen=True, kw_only=True):
    repository: str
    action: str
    worktrees: list[Worktree]


def worktree_tool(repositories: Repositories) -> Tool:
    def worktree(asked: WorktreeOf) -> Output:
        if asked.action == "list":
            return _list(repositories.to_change(asked.path), asked)
        if asked.action == "add":
            return _add(repositories.to_change(asked.path), asked)
        return _remove(repositories.to_change(dirname(asked.path)), repositories.place(asked.path), asked)

    return from_function(
        worktree,
        name="git.worktree",
        title="Git worktree",
        description=(
            "List, make or remove further working trees of a repository, so that another branch can be worked on beside"
            " this one. A new one lies below the root, without files that may hold secrets or configure programs that run"
            " by themselves; only one without changes is removed."
        ),
        effects=("read", "write", "delete"),
        tags=("git",),
        examples=(
            {
                "name": "a new branch beside this one",
                "input": {"action": "add", "path": ".worktrees/fix", "branch": "fix"},
            },
            {"name": "which there are", "input": {"action": "list"}},
        ),
        output_schema=schema_of(WorktreeAnswer),
        idempotent=False,
        source="toolpost",
    )


def _list(repository: Repository, asked: WorktreeOf) -> Output:
    return _answer(repository, asked, _worktrees(repository))


def _add(repository: Repository, asked: WorktreeOf) -> Output:
    """In two steps: the second, which writes files, runs in the new tree's own surroundings, looked over anew."""
    target, inside = _target(repository, repository.place)
    for path in (repository.place.path, inside):
        repository.guard.refuse_folder(path)
    if os.path.lexists(target):
        raise FileExists(f"There already is something at {repository.place.shown}.", parameter="path")
    _refuse_no_branch(repository, asked.branch)
    checkout = planned(repository, repository.commit(asked.ref), inside)
    repository.git.ask(
        "worktree", "add", "--no-checkout", *_head(repository, asked, str(target), checkout.commit)
    )
    try:
        made = Git(target, root=repository.git.home.root)
        fill(made, checkout)
    except (GitFailed, TimedOut):
        repository.git.run("worktree", "remove", "--force", str(target))
        raise
    trees = [tree for tree in _worktrees(repository) if tree.path == repository.place.shown]
    return _answer(repository, asked, trees, notes=(*checkout.notes(), *_unfiltered(made, checkout)))


def _remove(repository: Repository, place: Place, asked: WorktreeOf) -> Output:
    """Asked of the repository the folder lies in: git does not remove the tree it stands in."""
    target, inside = _target(repository, place)
    for path in (place.path, inside):
        repository.guard.refuse_write(path)
    found = [tree for tree in _worktrees(repository) if tree.path == place.shown]
    if not found:
        raise NotFound(
            f"{place.shown} is no further working tree of the repository it lies in.", parameter="path"
        )
    repository.git.ask("worktree", "remove", str(target))
    return _answer(repository, asked, found)


def _target(repository: Repository, place: Place) -> tuple[Path, str]:
    """Where it lies, as git names it, and relative to the root: links on the way there were followed."""
    if not place.path:
        raise InvalidArgument("Name the working tree's folder, such as .worktrees/fix.", parameter="path")
    named = repository.git.home.root / place.path
    target = real(named.parent) / named.name
    inside = below(str(target), str(repository.git.home.root))
    if inside is None:
        raise InvalidPath("The path leads out of the root through a link.", parameter="path", rule="outside")
    return target, inside


def _refuse_no_branch(repository: Repository, name: str) -> None:
    refuse_option(name, "branch")
    if name and repository.git.run("check-ref-format", "--branch", name).stdout != os.fsencode(f"{name}\n"):
        raise InvalidArgument(
            f"{name!r} cannot name a branch: use letters, digits, `-`, `_` and single `/` and `.` between them, such"
            " as fix/login.",
            parameter="branch",
        )


def _head(repository: Repository, asked: WorktreeOf, target: str, commit: str) -> tuple[str, ...]:
    """A branch is checked out as such; anything else leaves HEAD detached there."""
    if asked.branch:
        return ("-b", asked.branch, target, commit)
    known = repository.git.run("rev-parse", "--verify", "--quiet", f"refs/heads/{asked.ref}")
    return (target, asked.ref) if asked.ref and not known.exit_code else ("--detach", target, commit)


def _unfiltered(made: Git, checkout: Checkout) -> tuple[str, ...]:
    through = filtered(made, checkout.written)
    if not through:
        return ()
    return (f"Not passed through their filter, as it is not run here: {counted(len(through))}.",)


def _worktrees(repository: Repository) -> list[Worktree]:
    listing = os.fsdecode(repository.git.ask("worktree", "list", "--porcelain").stdout)
    return [
        _parsed(block, repository, is_main=at == 0) for at, block in enumerate(listing.split("\n\n")[:-1])
    ]


def _parsed(block: str, repository: Repository, *, is_main: bool) -> Worktree:
    """`worktree PATH`, `HEAD HASH`, and `branch REF`, `detached` or `bare`, a line each."""
    facts = dict(line.partition(" ")[::2] for line in block.split("\n"))
    inside = below(facts["worktree"], str(repository.git.home.root))
    shown = facts["worktree"] if inside is None else repository.workspace.shown(repository.place, inside)
    return Worktree(
        path=visible(shown or "."),
        commit=facts.get("HEAD", ""),
        branch=facts.get("branch", "").removeprefix("refs/heads/"),
        is_main=is_main,
    )


def _answer(
    repository: Repository, asked: WorktreeOf, trees: list[Worktree], *, notes: tuple[str, ...] = ()
) -> Output:
    done = {"add": "Made: ", "remove": "Removed: "}.get(asked.action, "")
    said = [f"{done}{tree.path} {tree.commit[:10]} {tree.branch or 'detached'}" for tree in trees]
    data = WorktreeAnswer(repository=repository.shown, action=asked.action, worktrees=trees)
    return Output(content=(Text("\n".join(said)),), data=data, notes=notes)
