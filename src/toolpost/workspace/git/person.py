"""Whose name a commit carries: the caller's choice, the repository's, or the user's own."""

import os
import re

from msgspec import Struct
from msgspec.structs import replace

from toolpost.errors import InvalidArgument, NotConfigured
from toolpost.workspace.git.command import Git
from toolpost.workspace.git.process import run

_PERSON = re.compile(r"\s*([^<>\x00-\x1f\x7f]*[^<>\x00-\x20\x7f])\s*<([^<>\x00-\x20\x7f]+)>\s*")


class Person(Struct, frozen=True):
    name: str
    email: str


def parse(said: str, parameter: str = "author") -> Person:
    match = _PERSON.fullmatch(said)
    if match is None:
        raise InvalidArgument(f"{said!r} is not of the form Name <address>.", parameter=parameter)
    return Person(match[1], match[2])


def environment(git: Git, author: str = "") -> dict[str, str]:
    """What git needs to know of both, the author and whoever commits."""
    chosen = parse(author) if author else None
    known = known_person(git) or chosen
    if known is None:
        raise NotConfigured(
            "git does not know who commits. Give author as `Name <address>`, or have the user run"
            " `git config --global user.name NAME` and `git config --global user.email ADDRESS`."
        )
    return said_of(chosen or known, known)


def said_of(author: Person, committer: Person) -> dict[str, str]:
    return {
        "GIT_AUTHOR_NAME": author.name,
        "GIT_AUTHOR_EMAIL": author.email,
        "GIT_COMMITTER_NAME": committer.name,
        "GIT_COMMITTER_EMAIL": committer.email,
    }


def known_person(git: Git) -> Person | None:
    """What the repository's configuration says, else the user's own."""
    found = {**_of_user(git), **git.settings()}
    name, email = found.get("user.name"), found.get("user.email")
    return Person(name, email) if name and email else None


def _of_user(git: Git) -> dict[str, str]:
    """Name and address in the user's own configuration, which is off everywhere else.

    It is the user's, and so are the files it includes; reading from it runs nothing.
    """
    job = git.job("config", "--global", "--includes", "--null", "--get-regexp", r"^user\.(name|email)$")
    mine = {name: os.environ[name] for name in ("HOME", "XDG_CONFIG_HOME") if name in os.environ}
    theirs = {name: value for name, value in job.environment.items() if name != "GIT_CONFIG_GLOBAL"}
    said = run(replace(job, environment={**theirs, **mine})).stdout.decode(errors="replace")
    return dict(item.partition("\n")[::2] for item in said.split("\0")[:-1])
