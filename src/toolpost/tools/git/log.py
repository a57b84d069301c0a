"""git.log: the history of a repository, a folder or a file."""

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta, Struct

from toolpost.content import Text
from toolpost.define import Output, Tool, from_function
from toolpost.errors import InvalidArgument
from toolpost.limits import GIT_LOG_DEFAULT, GIT_LOG_MAX, GIT_WORD_CHARS
from toolpost.schema import schema_of
from toolpost.tools.git.commits import Commit, commits, line, shortened
from toolpost.tools.git.dates import moment
from toolpost.tools.git.repository import Repositories, Repository
from toolpost.workspace.git.command import refuse_option

_Word = Meta(max_length=GIT_WORD_CHARS)


class LogOf(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    path: Annotated[
        str,
        Meta(description="Only commits that touch this file or folder; the root's repository if left out."),
    ] = ""
    ref: Annotated[
        str, Meta(description="Branch, tag or commit to start from, or a range such as main..topic.")
    ] = ""
    limit: Annotated[int, Meta(description="Most commits to give.", ge=1, le=GIT_LOG_MAX)] = GIT_LOG_DEFAULT
    skip: Annotated[
        int, Meta(description="Commits to leave out first, to go on after a cut answer.", ge=0)
    ] = 0
    author: Annotated[
        str, Meta(description="Only by authors whose name or address holds this text."), _Word
    ] = ""
    message: Annotated[
        str, Meta(description="Only those whose message holds this text, case aside."), _Word
    ] = ""
    since: Annotated[
        str, Meta(description="Only newer than this, such as 2026-01-31 or 2 weeks ago."), _Word
    ] = ""
    until: Annotated[str, Meta(description="Only older than this."), _Word] = ""
    follow: Annotated[bool, Meta(description="Go on past renames; path must then be one file.")] = False


class LogAnswer(Struct, frozen=True, kw_only=True):
    repository: str
    commits: list[Commit]
    truncated: bool
    next_skip: int | None = None


def log_tool(repositories: Repositories) -> Tool:
    def log(asked: LogOf) -> Output:
        return _log(repositories.at(asked.path), asked)

    return from_function(
        log,
        name="git.log",
        title="Git log",
        description="The commits of a repository, newest first; of one file or folder, by an author, or since a date.",
        effects=("read",),
        tags=("git",),
        examples=(
            {"name": "the newest", "input": {"limit": 5}},
            {"name": "of one file", "input": {"path": "src/main.py", "follow": True}},
            {"name": "what topic adds to main", "input": {"ref": "main..topic"}},
        ),
        codes={"limit:maximum": "LIMIT_EXCEEDED"},
        aliases={"max_count": "limit", "revision": "ref", "branch": "ref"},
        output_schema=schema_of(LogAnswer),
        idempotent=True,
        source="toolpost",
    )


def _log(repository: Repository, asked: LogOf) -> Output:
    if asked.follow and not repository.inside:
        raise InvalidArgument("follow needs one file: name it as path.", parameter="path")
    flags = (f"--max-count={asked.limit + 1}", f"--skip={asked.skip}", *_filters(asked))
    found = commits(repository, *flags, *_range(repository, asked.ref), *repository.pathspec())
    truncated = len(found) > asked.limit
    answer = LogAnswer(
        repository=repository.shown,
        commits=[shortened(commit) for commit in found[: asked.limit]],
        truncated=truncated,
        next_skip=asked.skip + asked.limit if truncated else None,
    )
    said = [line(commit) for commit in answer.commits] or ["No commit matches."]
    notes = (f"There are more: go on with skip={answer.next_skip}.",) if truncated else ()
    return Output(content=(Text("\n".join(said)),), data=answer, notes=notes)


def _filters(asked: LogOf) -> Iterator[str]:
    """Each in the form --name=value, so that no value is taken for an option."""
    words = {"author": asked.author, "grep": asked.message}
    dates = {"since": asked.since, "until": asked.until}
    words |= {name: moment(said, name) for name, said in dates.items() if said}
    yield "--fixed-strings"
    yield "--regexp-ignore-case"
    for name, value in words.items():
        if value:
            yield f"--{name}={value}"
    if asked.follow:
        yield "--follow"


def _range(repository: Repository, ref: str) -> tuple[str, ...]:
    refuse_option(ref, "ref")
    for dots in ("...", ".."):
        first, found, second = ref.partition(dots)
        if found:
            return (f"{repository.commit(first)}{dots}{repository.commit(second)}",)
    return (repository.commit(ref),)
