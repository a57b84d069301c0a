"""Commits as git's log tells them."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime

from msgspec import Struct
from msgspec.structs import replace

from toolpost.errors import LimitExceeded
from toolpost.limits import GIT_BODY_CHARS, GIT_LOG_BYTES
from toolpost.tools.git.repository import Repository

_FORMAT = "%H%x00%P%x00%an%x00%ae%x00%at%x00%ct%x00%D%x00%s%x00%b"
_FIELDS = _FORMAT.count("%x00") + 1
_SHORT = 10
_SECONDS = re.compile(r"\d{1,11}")


class Commit(Struct, frozen=True, kw_only=True):
    commit: str
    parents: list[str]
    author: str
    email: str
    date: str
    """When it was written, in UTC; empty where the commit claims a time no calendar has."""
    committed: str
    refs: list[str]
    """Branches and tags that name it."""
    subject: str
    body: str

    @property
    def short(self) -> str:
        return self.commit[:_SHORT]


def commits(repository: Repository, *flags: str) -> list[Commit]:
    """What `git log` gives for these flags, which end with the commit and the paths."""
    output = repository.git.ask("log", "-z", f"--format=tformat:{_FORMAT}", *flags, max_bytes=GIT_LOG_BYTES)
    if output.truncated:
        raise LimitExceeded(
            "The messages of these commits are too long for one answer; ask for fewer.", parameter="limit"
        )
    return list(parse(output.stdout))


def parse(log: bytes) -> Iterator[Commit]:
    """Fields and commits alike end with NUL. One that was cut off is left out."""
    fields = log.decode(errors="replace").split("\0")[:-1]
    for at in range(0, len(fields) - _FIELDS + 1, _FIELDS):
        oid, parents, author, email, date, committed, refs, subject, body = fields[at : at + _FIELDS]
        yield Commit(
            commit=oid,
            parents=parents.split(),
            author=author,
            email=email,
            date=date_of(date),
            committed=date_of(committed),
            refs=[name for name in refs.split(", ") if name],
            subject=subject,
            body=body.strip("\n"),
        )


def date_of(seconds: str) -> str:
    """Seconds since 1970, as a moment in UTC. A commit may claim any time; one no calendar has is told as none."""
    if not _SECONDS.fullmatch(seconds):
        return ""
    return datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def shortened(commit: Commit) -> Commit:
    """One of many: of a long message the beginning."""
    body = commit.body
    return commit if len(body) <= GIT_BODY_CHARS else replace(commit, body=f"{body[:GIT_BODY_CHARS]}...")


def line(commit: Commit) -> str:
    refs = f" ({', '.join(commit.refs)})" if commit.refs else ""
    return f"{commit.short} {commit.date[:10]} {commit.author}: {commit.subject}{refs}"
