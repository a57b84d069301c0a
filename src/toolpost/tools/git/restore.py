"""git.restore: files taken back to what is staged or committed; changes since then are lost."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from toolpost.content import Text
from toolpost.define import Output, Tool, from_function
from toolpost.errors import GitFailed
from toolpost.limits import GIT_FILES_MAX
from toolpost.schema import schema_of
from toolpost.tools.git.add import Paths
from toolpost.tools.git.filters import refuse_filtered
from toolpost.tools.git.names import FROM_STDIN, counted, listed, nul_ended, told
from toolpost.tools.git.repository import Repositories, Repository


class RestoreOf(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    paths: Paths
    what: Annotated[
        Literal["files", "staged", "both"],
        Meta(description="The working files, what is staged (the files stay as they are), or both."),
    ] = "files"
    source: Annotated[
        str,
        Meta(
            description="Commit to take them from; if left out, files come from what is staged, the rest from HEAD."
        ),
    ] = ""
    dry_run: Annotated[bool, Meta(description="Only say which files would be restored.")] = False


class RestoreAnswer(Struct, frozen=True, kw_only=True):
    repository: str
    restored: list[str]
    total: int
    dry_run: bool


_FLAGS = {"files": ("--worktree",), "staged": ("--staged",), "both": ("--staged", "--worktree")}


def restore_tool(repositories: Repositories) -> Tool:
    def restore(asked: RestoreOf) -> Output:
        repository, paths = repositories.of(asked.paths)
        return _restore(repository.whole(), paths, asked)

    return from_function(
        restore,
        name="git.restore",
        title="Git restore",
        description=(
            "Take files back to what is staged or to a commit: changes in them since then are lost. Untracked files are"
            " left alone. Files that pass through a filter, such as git LFS, are refused."
        ),
        effects=("read", "write", "delete"),
        tags=("git",),
        examples=(
            {"name": "undo a change", "input": {"paths": ["src/main.py"]}},
            {"name": "take it out of the next commit", "input": {"paths": ["src/main.py"], "what": "staged"}},
        ),
        aliases={"files": "paths", "ref": "source", "dryRun": "dry_run"},
        output_schema=schema_of(RestoreAnswer),
        idempotent=True,
        source="toolpost",
    )


def _restore(repository: Repository, paths: list[str], asked: RestoreOf) -> Output:
    source = repository.commit(asked.source, "source") if asked.source or asked.what == "both" else ""
    found = _concerned(repository, paths, asked.what, source)
    if asked.what != "staged":
        for path in found:
            repository.guard.refuse_write(repository.in_root(path))
            repository.refuse_read(path)  # what it held would be lost unseen
        refuse_filtered(repository.git, found, "write")
    if found and not asked.dry_run:
        _run(repository, found, asked.what, source)
    answer = RestoreAnswer(
        repository=repository.shown,
        restored=told(repository, found[:GIT_FILES_MAX]),
        total=len(found),
        dry_run=asked.dry_run,
    )
    does = "would be restored" if asked.dry_run else "restored"
    said = [f"{counted(answer.total)} {does}.", *(f"  {path}" for path in answer.restored)]
    return Output(content=(Text("\n".join(said)),), data=answer)


def _concerned(repository: Repository, paths: list[str], what: str, source: str) -> list[str]:
    """The files in which the two sides differ: what a restore would touch, and nothing else."""
    spec = ("--", *(path for path in paths if "" not in paths))
    sides = {"files": ((),), "staged": (("--cached",),), "both": ((), ("--cached",))}[what]
    since = (source,) if source else ()
    found = [
        path
        for flags in sides
        for path in listed(repository, "diff", *flags, "--name-only", "-z", "--no-renames", *since, *spec)
    ]
    if not found and "" not in paths and not repository.git.run("ls-files", "-z", *spec, max_bytes=1).stdout:
        raise GitFailed(
            f"git tracks no file at {', '.join(told(repository, paths[:3]))}.",
            parameter="paths",
            reason="no_files",
        )
    return list(dict.fromkeys(found))


def _run(repository: Repository, paths: list[str], what: str, source: str) -> None:
    since = (f"--source={source}",) if source else ()
    repository.git.ask("restore", *_FLAGS[what], *since, *FROM_STDIN, stdin=nul_ended(paths))
