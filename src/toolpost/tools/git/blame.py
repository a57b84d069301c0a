"""git.blame: which commit each line of a file comes from."""

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Annotated

from msgspec import Meta, Struct

from toolpost import meter
from toolpost.content import Text
from toolpost.define import Output, Tool, from_function
from toolpost.errors import FileTooLarge, InvalidArgument
from toolpost.limits import GIT_BLAME_LINES, SEARCH_FILE_BYTES, SNIPPET_CHARS
from toolpost.schema import schema_of
from toolpost.tools.git.commits import date_of
from toolpost.tools.git.files import content_at
from toolpost.tools.git.repository import Repositories, Repository

_HEADER = re.compile(r"([0-9a-f]{40,64}) \d+ (\d+)(?: \d+)?$")


class BlameOf(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    path: Annotated[str, Meta(description="The file.", min_length=1)]
    start_line: Annotated[int, Meta(description="First line.", ge=1)] = 1
    end_line: Annotated[
        Annotated[int, Meta(ge=1)] | None, Meta(description="Last line; the end of the file if left out.")
    ] = None
    ref: Annotated[str, Meta(description="The file as it was in this commit; as it is now if left out.")] = ""


class Block(Struct, frozen=True, kw_only=True):
    """Lines next to each other that one commit brought."""

    start_line: int
    end_line: int
    commit: str
    """Empty where the lines are not committed yet."""
    author: str
    date: str
    subject: str


class BlameAnswer(Struct, frozen=True, kw_only=True):
    path: str
    blocks: list[Block]
    total_lines: int
    truncated: bool
    next_start_line: int | None = None


class Blamed(Struct, frozen=True):
    """One line, as git tells it."""

    number: int
    commit: str
    author: str
    date: str
    subject: str
    text: str


def blame_tool(repositories: Repositories) -> Tool:
    def blame(asked: BlameOf) -> Output:
        return _blame(repositories.at(asked.path), asked)

    return from_function(
        blame,
        name="git.blame",
        title="Git blame",
        description="Which commit, by whom and when, each line of a file comes from; lines not committed yet are marked.",
        effects=("read",),
        tags=("git",),
        examples=({"name": "ten lines", "input": {"path": "src/main.py", "start_line": 40, "end_line": 49}},),
        cost={"reads": 1},
        aliases={"file_path": "path", "filePath": "path", "startLine": "start_line", "endLine": "end_line"},
        output_schema=schema_of(BlameAnswer),
        idempotent=True,
        source="toolpost",
    )


def _blame(repository: Repository, asked: BlameOf) -> Output:
    is_now = not asked.ref and repository.is_tree
    commit = repository.commit(asked.ref)
    content = _now(repository) if is_now else content_at(repository, commit, repository.inside)
    total = content.count(b"\n") + (content != b"" and not content.endswith(b"\n"))
    wanted, last = _range(asked, total)
    source = ("--contents", "-") if is_now else (commit,)
    flags = ("--porcelain", "-L", f"{asked.start_line},{last}", *source, "--", repository.inside)
    found = list(parse(repository.git.ask("blame", *flags, stdin=content if is_now else None).stdout))
    answer = BlameAnswer(
        path=repository.place.shown,
        blocks=list(_blocks(found)),
        total_lines=total,
        truncated=last < wanted,
        next_start_line=last + 1 if last < wanted else None,
    )
    said = "\n".join(map(_line, found))
    size = len(said.encode())
    meter.need(read_bytes=size)
    notes = (f"There are more lines: go on with start_line={last + 1}.",) if answer.truncated else ()
    return Output(content=(Text(said),), data=answer, usage={"read_bytes": size}, notes=notes)


def _range(asked: BlameOf, total: int) -> tuple[int, int]:
    """The last line that was asked for, and the last one answer takes."""
    if asked.start_line > total:
        raise InvalidArgument(f"The file has {total} lines.", parameter="start_line", suggested=max(total, 1))
    wanted = max(asked.start_line, min(asked.end_line or total, total))
    return wanted, min(wanted, asked.start_line + GIT_BLAME_LINES - 1)


def _now(repository: Repository) -> bytes:
    """The working file, opened by the root: git itself would follow a link out of it."""
    with repository.place.root.open(repository.place.path) as source:
        data = source.stream.read(SEARCH_FILE_BYTES + 1)
    if len(data) > SEARCH_FILE_BYTES:
        raise FileTooLarge(
            f"{repository.place.shown} is larger than {SEARCH_FILE_BYTES:,} bytes.",
            parameter="path",
            limit=SEARCH_FILE_BYTES,
        )
    return data


def parse(porcelain: bytes) -> Iterator[Blamed]:
    """`HASH old-number number [count]`, facts the first time a commit is met, then a tab and the line."""
    facts: dict[str, dict[str, str]] = {}
    commit, number = "", 0
    for line in porcelain.decode(errors="replace").split("\n")[:-1]:
        header = _HEADER.match(line)
        if header:
            commit, number = header[1], int(header[2])
            facts.setdefault(commit, {})
        elif line.startswith("\t"):
            known = facts[commit]
            when = date_of(known.get("author-time", ""))
            yield Blamed(number, commit, known.get("author", ""), when, known.get("summary", ""), line[1:])
        else:
            key, _, value = line.partition(" ")
            facts[commit][key] = value


def _blocks(lines: list[Blamed]) -> Iterator[Block]:
    for commit, group in groupby(lines, key=lambda line: line.commit):
        first, *rest = group
        is_committed = bool(commit.strip("0"))
        yield Block(
            start_line=first.number,
            end_line=first.number + len(rest),
            commit=commit if is_committed else "",
            author=first.author if is_committed else "",
            date=first.date if is_committed else "",
            subject=first.subject if is_committed else "not committed yet",
        )


def _line(line: Blamed) -> str:
    is_committed = bool(line.commit.strip("0"))
    who = f"{line.commit[:10]} {line.date[:10]} {line.author}" if is_committed else "not committed yet"
    return f"{line.number:>6} {who}: {line.text[:SNIPPET_CHARS]}"
