"""git.add: files put into the next commit."""

from typing import Annotated

from msgspec import Meta, Struct

from toolpost.content import Text
from toolpost.define import Output, Tool, from_function
from toolpost.errors import GitFailed
from toolpost.limits import GIT_FILES_MAX, GIT_PATHS_MAX
from toolpost.schema import schema_of
from toolpost.tools.git.filters import refuse_filtered
from toolpost.tools.git.names import FROM_STDIN, counted, listed, nul_ended, told
from toolpost.tools.git.repository import Repositories, Repository

Paths = Annotated[
    list[Annotated[str, Meta(description="A file or a folder of the workspace.")]],
    Meta(
        description="Files and folders of one repository, taken literally.",
        min_length=1,
        max_length=GIT_PATHS_MAX,
    ),
]


class AddOf(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    paths: Paths


class AddAnswer(Struct, frozen=True, kw_only=True):
    repository: str
    added: list[str]
    total: int
    withheld: int
    """Files left out because they may hold secrets, or because they are other repositories."""


def add_tool(repositories: Repositories) -> Tool:
    def add(asked: AddOf) -> Output:
        repository, paths = repositories.of(asked.paths)
        return _add(repository, paths)

    return from_function(
        add,
        name="git.add",
        title="Git add",
        description=(
            "Put changed, new and deleted files into the next commit. Ignored files and files that may hold secrets are"
            " left out; files that pass through a filter, such as git LFS, are refused."
        ),
        effects=("read", "write"),
        tags=("git",),
        examples=({"name": "two files", "input": {"paths": ["src/main.py", "README.md"]}},),
        aliases={"files": "paths"},
        output_schema=schema_of(AddAnswer),
        idempotent=True,
        source="toolpost",
    )


def _add(repository: Repository, paths: list[str]) -> Output:
    for path in paths:
        repository.refuse_read(path)
    found = listed(
        repository, "ls-files", "-z", "--modified", "--others", "--exclude-standard", "--", *_spec(paths)
    )
    stage(repository, found)
    wanted = [path for path in found if is_staged(repository, path)]
    if not found:
        _refuse_unknown(repository, paths)
    answer = AddAnswer(
        repository=repository.shown,
        added=told(repository, wanted[:GIT_FILES_MAX]),
        total=len(wanted),
        withheld=len(found) - len(wanted),
    )
    left_out = f" {answer.withheld} left out." if answer.withheld else ""
    said = "\n".join((f"{counted(answer.total)} staged.{left_out}", *(f"  {path}" for path in answer.added)))
    return Output(content=(Text(said),), data=answer)


def stage(repository: Repository, paths: list[str]) -> None:
    """Put these, as git names them, into the index, but for those that must not be there."""
    wanted = [path for path in paths if is_staged(repository, path)]
    refuse_filtered(repository.git, wanted, "store")
    if wanted:
        repository.git.ask("add", "--all", *FROM_STDIN, stdin=nul_ended(wanted))


def is_staged(repository: Repository, path: str) -> bool:
    """Not a secret, and no folder: git would keep another repository in it as a bare pointer."""
    return not path.endswith("/") and not repository.hides(path)


def _spec(paths: list[str]) -> list[str]:
    return [] if "" in paths else paths


def _refuse_unknown(repository: Repository, paths: list[str]) -> None:
    """Nothing to add is fine where the path is known; else it is mistyped, or ignored."""
    if "" in paths:
        return
    known = repository.git.run("ls-files", "-z", "--", *paths, max_bytes=1).stdout
    if not known:
        raise GitFailed(
            f"git knows no file at {', '.join(told(repository, paths[:3]))}: it is not there, or ignored.",
            parameter="paths",
            reason="no_files",
        )
