"""git.stash: changes put aside, and brought back."""

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from toolpost.content import Text
from toolpost.define import Output, Tool, from_function
from toolpost.errors import Denied, GitFailed, NotFound
from toolpost.limits import GIT_FILES_MAX, GIT_LOG_MAX, GIT_WORD_CHARS
from toolpost.schema import schema_of
from toolpost.tools.git.commits import date_of
from toolpost.tools.git.filters import refuse_filtered
from toolpost.tools.git.names import listed, told
from toolpost.tools.git.repository import Repositories, Repository
from toolpost.workspace.git.command import failed
from toolpost.workspace.git.person import known_person, said_of

_OWN_PATHS = {"GIT_LITERAL_PATHSPECS": "0"}
"""git's stash passes paths such as `:/` to commands of its own; none of a caller's is among them."""


class StashOf(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    action: Annotated[
        Literal["push", "pop", "apply", "list", "drop"],
        Meta(
            description="push puts the changes aside; apply brings them back; pop does and drops the stash; list; drop."
        ),
    ]
    path: Annotated[
        str, Meta(description="Any path in the repository; the root's repository if left out.")
    ] = ""
    message: Annotated[str, Meta(description="What a push is remembered by.", max_length=GIT_WORD_CHARS)] = ""
    untracked: Annotated[bool, Meta(description="Whether a push takes untracked files too.")] = False
    number: Annotated[int, Meta(description="Which stash, as list numbers them; 0 is the newest.", ge=0)] = 0


class Stash(Struct, frozen=True):
    number: int
    commit: str
    """`git stash apply COMMIT` brings even a dropped one back, until git cleans up."""
    date: str
    message: str


class StashAnswer(Struct, frozen=True, kw_only=True):
    repository: str
    action: str
    stashes: list[Stash]
    """The one concerned; for list, all."""
    files: list[str] = []
    conflicts: list[str] = []
    """Files with conflict marks; the stash is kept then."""


def stash_tool(repositories: Repositories) -> Tool:
    def stash(asked: StashOf) -> Output:
        return _ACTIONS[asked.action](repositories.to_change(asked.path).whole(), asked)

    return from_function(
        stash,
        name="git.stash",
        title="Git stash",
        description=(
            "Put the changes of a working tree aside and bring them back. A drop loses them. Files that pass through a"
            " filter, such as git LFS, are refused."
        ),
        effects=("read", "write", "delete"),
        tags=("git",),
        examples=(
            {
                "name": "put everything aside",
                "input": {"action": "push", "message": "before the refactoring"},
            },
            {"name": "bring it back", "input": {"action": "pop"}},
        ),
        output_schema=schema_of(StashAnswer),
        idempotent=False,
        source="toolpost",
    )


def _push(repository: Repository, asked: StashOf) -> Output:
    changed = listed(repository, "diff", "--name-only", "-z", "--no-renames", repository.commit("HEAD"))
    others = _untracked(repository) if asked.untracked else []
    if not changed and not others:
        raise GitFailed("There is nothing to put aside: no tracked file changed.", reason="nothing_changed")
    for path in others:
        if repository.hides(path):
            raise Denied(
                f"{repository.show(path)} may hold secrets and is untracked: have .gitignore name it first."
            )
    _refuse_guarded(repository, (*changed, *others))
    refuse_filtered(repository.git, [*changed, *others], "store")
    message = (f"--message={asked.message}",) if asked.message else ()
    flags = ("--include-untracked",) if asked.untracked else ()
    known = known_person(repository.git)
    people = said_of(known, known) if known else {}
    repository.git.ask("stash", "push", "--quiet", *flags, *message, environment={**people, **_OWN_PATHS})
    return _answer(repository, asked, [_find(repository, 0)], files=[*changed, *others])


def _untracked(repository: Repository) -> list[str]:
    """Without the other repositories that lie here: git leaves them alone."""
    found = listed(repository, "ls-files", "-z", "--others", "--exclude-standard")
    return [path for path in found if not path.endswith("/")]


def _refuse_guarded(repository: Repository, paths: Iterable[str]) -> None:
    """Neither a protected file nor a secret one is put aside or brought back: it would be written unseen."""
    for path in paths:
        repository.guard.refuse_write(repository.in_root(path))
        repository.refuse_read(path)


def _apply(repository: Repository, asked: StashOf) -> Output:
    found = _find(repository, asked.number)
    files = _files(repository, found)
    _refuse_guarded(repository, files)
    refuse_filtered(repository.git, files, "write")
    number = f"stash@{{{asked.number}}}"
    output = repository.git.run("stash", asked.action, "--quiet", number, environment=_OWN_PATHS)
    conflicts = listed(repository, "diff", "--name-only", "-z", "--diff-filter=U")
    if output.exit_code and not conflicts:
        raise failed("stash", output)
    return _answer(repository, asked, [found], files=files, conflicts=conflicts)


def _drop(repository: Repository, asked: StashOf) -> Output:
    found = _find(repository, asked.number)
    repository.git.ask("stash", "drop", "--quiet", f"stash@{{{asked.number}}}")
    return _answer(repository, asked, [found])


def _list(repository: Repository, asked: StashOf) -> Output:
    return _answer(repository, asked, _stashes(repository))


_ACTIONS: Mapping[str, Callable[[Repository, StashOf], Output]] = {
    "push": _push,
    "pop": _apply,
    "apply": _apply,
    "drop": _drop,
    "list": _list,
}


def _stashes(repository: Repository) -> list[Stash]:
    """The newest first; their numbers are their places."""
    flags = ("-z", "--walk-reflogs", "--format=tformat:%H%x00%at%x00%gs", f"--max-count={GIT_LOG_MAX}")
    output = repository.git.run("log", *flags, "refs/stash", "--")
    fields = output.stdout.decode(errors="replace").split("\0")[:-1]
    return [
        Stash(at // 3, fields[at], date_of(fields[at + 1]), fields[at + 2])
        for at in range(0, len(fields) - 2, 3)
    ]


def _find(repository: Repository, number: int) -> Stash:
    stashes = _stashes(repository)
    if number >= len(stashes):
        raise NotFound(f"There is no stash {number}; list shows which there are.", parameter="number")
    return stashes[number]


def _files(repository: Repository, stash: Stash) -> list[str]:
    """What a stash holds: changes against the commit it was made on, and untracked files as a third parent."""
    changed = listed(
        repository, "diff-tree", "-r", "-z", "--name-only", "--no-renames", f"{stash.commit}^1", stash.commit
    )
    third = (
        repository.git.run("rev-parse", "--verify", "--quiet", f"{stash.commit}^3").stdout.decode().strip()
    )
    return changed + (
        listed(repository, "ls-tree", "-r", "-z", "--name-only", "--full-tree", third) if third else []
    )


def _answer(
    repository: Repository,
    asked: StashOf,
    stashes: list[Stash],
    *,
    files: list[str] | None = None,
    conflicts: list[str] | None = None,
) -> Output:
    answer = StashAnswer(
        repository=repository.shown,
        action=asked.action,
        stashes=stashes,
        files=told(repository, (files or [])[:GIT_FILES_MAX]),
        conflicts=told(repository, conflicts or []),
    )
    said = [f"{stash.number}: {stash.message} ({stash.date[:10]}, {stash.commit[:10]})" for stash in stashes]
    said += [f"  {path}" for path in answer.files]
    if answer.conflicts:
        said.append(f"Conflicts to settle by hand; the stash is kept: {', '.join(answer.conflicts)}")
    return Output(content=(Text("\n".join(said) or "There is no stash."),), data=answer)
