"""git.grep: text looked for in a commit's files, without a checkout."""

import os
from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta, Struct

from toolpost import meter
from toolpost.content import Text
from toolpost.define import Output, Tool, from_function
from toolpost.errors import GitFailed, InvalidArgument
from toolpost.limits import GIT_GREP_S, PATTERN_CHARS, SEARCH_DEFAULT, SEARCH_MAX, SNIPPET_CHARS
from toolpost.schema import schema_of
from toolpost.tools.git.repository import Repositories, Repository
from toolpost.workspace.git.command import failed
from toolpost.workspace.local.inside import below
from toolpost.workspace.walking.globs import Glob
from toolpost.workspace.walking.patterns import Pattern


class GrepOf(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    query: Annotated[
        str,
        Meta(description="Text to look for; with regex, a pattern.", min_length=1, max_length=PATTERN_CHARS),
    ]
    ref: Annotated[str, Meta(description="Commit, branch or tag to look in; HEAD if left out.")] = ""
    path: Annotated[
        str, Meta(description="Only in this file or folder; the root's repository if left out.")
    ] = ""
    glob: Annotated[str | None, Meta(description="Only in files like this, such as *.py or src/**/*.ts.")] = (
        None
    )
    regex: Annotated[bool, Meta(description="The query is a regular expression, without lookaround.")] = False
    case_sensitive: Annotated[bool, Meta(description="Whether case counts.")] = True
    limit: Annotated[int, Meta(description="Most hits to give.", ge=1, le=SEARCH_MAX)] = SEARCH_DEFAULT


class GrepHit(Struct, frozen=True, gc=False):
    path: str
    line: int
    column: int
    """Counted in bytes, from 1."""
    text: str


class GrepAnswer(Struct, frozen=True, kw_only=True):
    commit: str
    hits: list[GrepHit]
    """Without those in files that may hold secrets: even their number would tell what is in them."""
    truncated: bool


def grep_tool(repositories: Repositories) -> Tool:
    def grep(asked: GrepOf) -> Output:
        return _grep(repositories.at(asked.path), asked)

    return from_function(
        grep,
        name="git.grep",
        title="Git grep",
        description="Look for a text or a pattern in the files of any commit, branch or tag: path, line and column.",
        effects=("read",),
        tags=("git",),
        examples=(
            {"name": "on another branch", "input": {"query": "def main", "ref": "release"}},
            {"name": "a pattern", "input": {"query": "TODO|FIXME", "regex": True, "glob": "*.py"}},
        ),
        codes={"limit:maximum": "LIMIT_EXCEEDED"},
        aliases={"pattern": "query", "revision": "ref", "include": "glob", "caseSensitive": "case_sensitive"},
        output_schema=schema_of(GrepAnswer),
        idempotent=True,
        source="toolpost",
    )


def _grep(repository: Repository, asked: GrepOf) -> Output:
    if Pattern(asked.query, regex=asked.regex).crosses_lines:  # which also refuses what RE2 cannot read
        raise InvalidArgument("git looks line by line: leave the line ending out.", parameter="query")
    glob = Glob(asked.glob) if asked.glob else None
    commit = repository.commit(asked.ref)
    listing, is_cut = _run(repository, asked, commit)
    found = [
        hit for hit in parse(listing, commit) if glob is None or glob.matches(_below(repository, hit.path))
    ]
    shown = [hit for hit in found if not repository.hides(hit.path)]
    answer = GrepAnswer(
        commit=commit,
        hits=[_as_seen(hit, repository) for hit in shown[: asked.limit]],
        truncated=is_cut or len(shown) > asked.limit,
    )
    said = "\n".join(f"{hit.path}:{hit.line}: {hit.text}" for hit in answer.hits) or "Nothing found."
    size = len(said.encode())
    meter.need(read_bytes=size)
    return Output(content=(Text(said),), data=answer, usage={"read_bytes": size}, notes=tuple(_notes(answer)))


def _run(repository: Repository, asked: GrepOf, commit: str) -> tuple[bytes, bool]:
    kind = "--perl-regexp" if asked.regex else "--fixed-strings"
    case = () if asked.case_sensitive else ("--ignore-case",)
    flags = ("--line-number", "--column", "--null", "--full-name", "-I", kind, *case)
    arguments = (*flags, "-e", asked.query, commit, *repository.pathspec())
    output = repository.git.run("grep", *arguments, timeout_s=GIT_GREP_S)
    if "Perl-compatible" in output.stderr:
        raise GitFailed(
            "This machine's git was built without regular expressions of that kind; look for a plain text instead, or"
            " search the files with code.search.",
            parameter="regex",
        )
    if output.exit_code > 1:
        raise failed("grep", output)
    return output.stdout, output.truncated


def parse(listing: bytes, commit: str) -> Iterator[GrepHit]:
    """`COMMIT:path<NUL>line<NUL>column<NUL>text` a line. One that was cut off is left out."""
    for line in listing.split(b"\n")[:-1]:
        name, number, column, text = line.split(b"\0", 3)
        path = os.fsdecode(name).removeprefix(f"{commit}:")
        yield GrepHit(path, int(number), int(column), text.decode(errors="replace"))


def _below(repository: Repository, path: str) -> str:
    """Relative to the folder searched, which is what a glob with a slash means."""
    return below(path, repository.inside) or path if repository.inside else path


def _as_seen(hit: GrepHit, repository: Repository) -> GrepHit:
    begin = max(0, hit.column - SNIPPET_CHARS // 2) if len(hit.text) > SNIPPET_CHARS else 0
    return GrepHit(repository.show(hit.path), hit.line, hit.column, hit.text[begin : begin + SNIPPET_CHARS])


def _notes(answer: GrepAnswer) -> Iterator[str]:
    if answer.truncated:
        yield "There are more hits: name a path or a glob, or raise limit."
