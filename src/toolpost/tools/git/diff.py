"""git.diff: what differs between two states of a repository."""

from typing import Annotated

from msgspec import Meta, Struct

from toolpost.content import Text
from toolpost.define import Output, Tool, from_function
from toolpost.limits import GIT_PATCH_DEFAULT
from toolpost.schema import schema_of
from toolpost.tools.git import patch as git_patch
from toolpost.tools.git.names import counted
from toolpost.tools.git.patch import Context, FileDiff, PatchBytes, difference
from toolpost.tools.git.repository import Repositories, Repository
from toolpost.tools.git.revisions import sides


class DiffOf(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    path: Annotated[
        str, Meta(description="Only this file or folder; the root's whole repository if left out.")
    ] = ""
    base: Annotated[
        str,
        Meta(
            description="Commit to compare from, such as main or HEAD~1; also main..topic or main...topic for two."
        ),
    ] = ""
    target: Annotated[str, Meta(description="Commit to compare to; the working files if left out.")] = ""
    staged: Annotated[bool, Meta(description="Compare with what is staged instead of the working files.")] = (
        False
    )
    context: Context = 3
    max_bytes: PatchBytes = GIT_PATCH_DEFAULT


class DiffAnswer(Struct, frozen=True, kw_only=True):
    repository: str
    compared: str
    files: list[FileDiff]
    total: int
    withheld: int
    truncated: bool
    patch: str


def diff_tool(repositories: Repositories) -> Tool:
    def diff(asked: DiffOf) -> Output:
        return _diff(repositories.at(asked.path), asked)

    return from_function(
        diff,
        name="git.diff",
        title="Git diff",
        description=(
            "What differs, as a list of files and a patch: the working files against what is staged; with staged, what"
            " the next commit would change; with base and target, two commits."
        ),
        effects=("read",),
        tags=("git",),
        examples=(
            {"name": "not staged yet", "input": {}},
            {"name": "what the next commit holds", "input": {"staged": True}},
            {"name": "a branch against main", "input": {"base": "main...topic", "path": "src"}},
        ),
        codes={"max_bytes:maximum": "LIMIT_EXCEEDED"},
        aliases={"maxBytes": "max_bytes", "cached": "staged", "context_lines": "context"},
        output_schema=schema_of(DiffAnswer),
        idempotent=True,
        source="toolpost",
    )


def _diff(repository: Repository, asked: DiffOf) -> Output:
    compared = sides(repository, asked.base, asked.target, staged=asked.staged)
    found = difference(repository, compared.command, context=asked.context, max_bytes=asked.max_bytes)
    usage = git_patch.spent(found)
    said = "\n".join((f"Between {compared.said}: {counted(found.total)}.", *git_patch.lines(found)))
    data = DiffAnswer(
        repository=repository.shown,
        compared=compared.said,
        files=found.files,
        total=found.total,
        withheld=found.withheld,
        truncated=found.truncated,
        patch=found.patch,
    )
    return Output(content=(Text(said),), data=data, usage=usage, notes=git_patch.notes(found))
