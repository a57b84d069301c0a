"""Lists of paths, in and out of git: which a command would touch, and exactly those given to it."""

import os
from collections.abc import Iterable, Sequence

from toolpost.errors import LimitExceeded
from toolpost.tools.git.repository import Repository

FROM_STDIN = ("--pathspec-from-file=-", "--pathspec-file-nul")
"""Flags of a command that reads its paths as `nul_ended` writes them."""


def listed(repository: Repository, *command: str) -> list[str]:
    """The paths a git command lists, each ended by NUL; each once, in order."""
    output = repository.git.ask(*command)
    if output.truncated:
        raise LimitExceeded(
            "More files are concerned than can be looked over at once; name fewer.", parameter="paths"
        )
    return list(dict.fromkeys(os.fsdecode(name) for name in output.stdout.split(b"\0")[:-1]))


def nul_ended(paths: Iterable[str]) -> bytes:
    return b"".join(os.fsencode(path) + b"\0" for path in paths)


def told(repository: Repository, paths: Sequence[str]) -> list[str]:
    return [repository.show(path) for path in paths]


def counted(number: int, noun: str = "file") -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
