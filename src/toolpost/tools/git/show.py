"""git.show: one commit and what it changed, or one file as it was in it."""

from typing import Annotated

from msgspec import Meta, Struct

from toolpost import meter
from toolpost.content import Text
from toolpost.define import Output, Tool, from_function
from toolpost.limits import GIT_PATCH_DEFAULT
from toolpost.schema import schema_of
from toolpost.tools.git import patch as git_patch
from toolpost.tools.git.commits import Commit, commits, line
from toolpost.tools.git.files import blob_at, content_at
from toolpost.tools.git.patch import Context, FileDiff, difference
from toolpost.tools.git.repository import Repositories, Repository
from toolpost.tools.git.revisions import between, first_parent
from toolpost.workspace.reading.parts import Lines, facts_of, read_lines, stream_of


class ShowOf(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    ref: Annotated[str, Meta(description="Commit, branch or tag; HEAD if left out.")] = ""
    path: Annotated[
        str,
        Meta(
            description="A file, to see it as it was in the commit; a folder limits the commit's changes to it."
        ),
    ] = ""
    start_line: Annotated[int, Meta(description="First line of the file to give.", ge=1)] = 1
    end_line: Annotated[
        Annotated[int, Meta(ge=1)] | None, Meta(description="Last line of the file to give.")
    ] = None
    context: Context = 3
    max_bytes: git_patch.PatchBytes = GIT_PATCH_DEFAULT


class CommitShown(Struct, frozen=True, kw_only=True, tag="commit", tag_field="kind"):
    repository: str
    commit: Commit
    files: list[FileDiff]
    total: int
    withheld: int
    truncated: bool
    patch: str


class FileShown(Struct, frozen=True, kw_only=True, tag="file", tag_field="kind"):
    path: str
    commit: str
    content: str
    size_bytes: int
    truncated: bool
    start_line: int | None = None
    end_line: int | None = None
    next_start_line: int | None = None
    total_lines: int | None = None


def show_tool(repositories: Repositories) -> Tool:
    def show(asked: ShowOf) -> Output:
        return _show(repositories.at(asked.path), asked)

    return from_function(
        show,
        name="git.show",
        title="Git show",
        description=(
            "A commit with its message, the files it changed and the patch; with the path of a file, that file's content"
            " as it was in the commit."
        ),
        effects=("read",),
        tags=("git",),
        examples=(
            {"name": "the newest commit", "input": {}},
            {"name": "a file two commits ago", "input": {"ref": "HEAD~2", "path": "src/main.py"}},
        ),
        codes={"max_bytes:maximum": "LIMIT_EXCEEDED"},
        cost={"reads": 1},
        aliases={
            "commit": "ref",
            "revision": "ref",
            "maxBytes": "max_bytes",
            "startLine": "start_line",
            "endLine": "end_line",
        },
        output_schema={"type": "object", "anyOf": [schema_of(CommitShown), schema_of(FileShown)]},
        idempotent=True,
        source="toolpost",
    )


def _show(repository: Repository, asked: ShowOf) -> Output:
    commit = repository.commit(asked.ref)
    path = repository.inside
    if path and blob_at(repository, commit, path).kind != b"tree":
        return _file(repository, commit, path, asked)
    return _commit(repository, commit, asked)


def _file(repository: Repository, commit: str, path: str, asked: ShowOf) -> Output:
    data = content_at(repository, commit, path)
    shown = repository.show(path)
    facts = facts_of(data, shown)
    wanted = Lines(start=asked.start_line, end=asked.end_line, max_bytes=asked.max_bytes)
    part = read_lines(stream_of(data), facts, wanted)
    size = len(part.content.encode())
    meter.need(read_bytes=size)
    answer = FileShown(
        path=shown,
        commit=commit,
        content=part.content,
        size_bytes=facts.size_bytes,
        truncated=part.truncated,
        start_line=part.start_line,
        end_line=part.end_line,
        next_start_line=part.next_start_line,
        total_lines=part.total_lines,
    )
    notes = (f"The file goes on: start_line={part.next_start_line}.",) if part.next_start_line else ()
    return Output(content=(Text(part.content),), data=answer, usage={"read_bytes": size}, notes=notes)


def _commit(repository: Repository, commit: str, asked: ShowOf) -> Output:
    (told,) = commits(repository, "--max-count=1", commit, "--")
    command = between(first_parent(repository, commit), commit)
    found = difference(repository, command, context=asked.context, max_bytes=asked.max_bytes)
    usage = git_patch.spent(found)
    answer = CommitShown(
        repository=repository.shown,
        commit=told,
        files=found.files,
        total=found.total,
        withheld=found.withheld,
        truncated=found.truncated,
        patch=found.patch,
    )
    said = [line(told), *([told.body, ""] if told.body else []), *git_patch.lines(found)]
    return Output(content=(Text("\n".join(said)),), data=answer, usage=usage, notes=git_patch.notes(found))
