"""git.commit: what is staged, made a commit."""

from typing import Annotated

from msgspec import Meta, Struct

from toolpost.content import Text
from toolpost.define import Output, Tool, from_function
from toolpost.errors import GitFailed
from toolpost.limits import GIT_MESSAGE_CHARS, GIT_WORD_CHARS
from toolpost.schema import schema_of
from toolpost.tools.git import patch as git_patch
from toolpost.tools.git.add import stage
from toolpost.tools.git.commits import Commit, commits
from toolpost.tools.git.names import listed, told
from toolpost.tools.git.patch import NO_DIFFERENCE, Difference, FileDiff, difference
from toolpost.tools.git.repository import Repositories, Repository
from toolpost.tools.git.revisions import between, first_parent
from toolpost.workspace.git.person import environment


class CommitOf(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    message: Annotated[
        str,
        Meta(
            description="The message: a short first line; after an empty line, the reason.",
            min_length=1,
            max_length=GIT_MESSAGE_CHARS,
            pattern=r"\S",
        ),
    ]
    path: Annotated[
        str, Meta(description="Any path in the repository; the root's repository if left out.")
    ] = ""
    all: Annotated[bool, Meta(description="Stage every changed file git already knows first.")] = False
    author: Annotated[
        str,
        Meta(description="Name <address>; who git is set up for if left out.", max_length=GIT_WORD_CHARS),
    ] = ""


class CommitAnswer(Struct, frozen=True, kw_only=True):
    repository: str
    branch: str
    commit: Commit
    files: list[FileDiff]
    total: int


def commit_tool(repositories: Repositories) -> Tool:
    def commit(asked: CommitOf) -> Output:
        return _commit(repositories.to_change(asked.path).whole(), asked)

    return from_function(
        commit,
        name="git.commit",
        title="Git commit",
        description=(
            "Make a commit of what is staged; stage with git.add first. Hooks are not run and the commit is not signed."
        ),
        effects=("read", "write"),
        tags=("git",),
        examples=({"name": "what is staged", "input": {"message": "Name the missing file in the error"}},),
        output_schema=schema_of(CommitAnswer),
        idempotent=False,
        source="toolpost",
    )


def _commit(repository: Repository, asked: CommitOf) -> Output:
    people = environment(repository.git, asked.author)
    if asked.all:
        stage(repository, listed(repository, "ls-files", "-z", "--modified"))
    staged = listed(repository, "diff", "--cached", "--name-only", "-z")
    if not staged and not (repository.git.home.folder / "MERGE_HEAD").exists():
        raise GitFailed(
            "Nothing is staged; stage files with git.add first, or set all.", reason="nothing_staged"
        )
    message = asked.message.encode(errors="replace")
    repository.git.ask(
        "commit", "--quiet", "--cleanup=whitespace", "--file=-", stdin=message, environment=people
    )
    return _made(repository, [path for path in staged if repository.hides(path)])


def _made(repository: Repository, secret: list[str]) -> Output:
    """The commit stands, so nothing that goes wrong from here on is an error."""
    oid = repository.commit("HEAD")
    (made,) = commits(repository, "--max-count=1", oid, "--")
    found, notes = _changes(repository, oid)
    if secret:
        notes.append(f"It holds files that may be secret: {', '.join(told(repository, secret[:5]))}.")
    head = repository.git.run("rev-parse", "--abbrev-ref", "HEAD").stdout.decode(errors="replace").strip()
    answer = CommitAnswer(
        repository=repository.shown,
        branch="" if head == "HEAD" else head,
        commit=made,
        files=found.files,
        total=found.total,
    )
    first = f"Committed {made.short} on {answer.branch or 'a detached HEAD'}: {made.subject}"
    said = "\n".join((first, *git_patch.lines(found)))
    return Output(content=(Text(said),), data=answer, notes=tuple(notes))


def _changes(repository: Repository, oid: str) -> tuple[Difference, list[str]]:
    command = between(first_parent(repository, oid), oid)
    try:
        return difference(repository, command, context=0, max_bytes=0), []
    except GitFailed as failed:  # a partial clone may lack what it would be compared with
        return NO_DIFFERENCE, [f"What it changed cannot be told: {failed.detail}"]
