"""A difference between two states as files and a patch, with the content of secret files left out."""

import os
from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta, Struct

from toolpost import meter
from toolpost.limits import GIT_CONTEXT_MAX, GIT_FILES_MAX, GIT_PATCH_MAX, GIT_WITHHELD_MAX
from toolpost.tools.git.names import counted
from toolpost.tools.git.repository import Repository

_WORDS = {
    "M": "modified",
    "A": "added",
    "D": "deleted",
    "R": "renamed",
    "C": "copied",
    "T": "type changed",
    "U": "unmerged",
}

Context = Annotated[int, Meta(description="Unchanged lines around each change.", ge=0, le=GIT_CONTEXT_MAX)]
PatchBytes = Annotated[
    int, Meta(description="Most bytes of the patch; 0 gives only the files.", ge=0, le=GIT_PATCH_MAX)
]


class FileDiff(Struct, frozen=True, gc=False, kw_only=True):
    path: str
    change: str
    old_path: str = ""
    added: int = 0
    removed: int = 0
    binary: bool = False
    withheld: bool = False
    """The file may hold secrets, so its content is not shown."""


class Difference(Struct, frozen=True, kw_only=True):
    files: list[FileDiff]
    patch: str
    total: int
    withheld: int
    truncated: bool


NO_DIFFERENCE = Difference(files=[], patch="", total=0, withheld=0, truncated=False)


def difference(
    repository: Repository, command: tuple[str, ...], *, context: int, max_bytes: int
) -> Difference:
    """`command` is git's, up to where flags and paths may follow."""
    output = repository.git.ask(
        *command, "--raw", "--numstat", "-z", "--find-renames", *repository.pathspec()
    )
    files = list(parse(output.stdout))
    hidden = {
        path: None
        for file in files
        if _is_hidden(file, repository)
        for path in (file.path, file.old_path)
        if path
    }
    is_told = not output.truncated and len(hidden) <= GIT_WITHHELD_MAX
    patch, is_short = "", False
    if max_bytes and is_told and any(file.path not in hidden for file in files):
        flags = (*command, "--patch", "--find-renames", f"--unified={context}")
        patch, is_short = _patch(repository, flags, list(hidden), max_bytes)
    return Difference(
        files=[_as_seen(file, repository, withheld=file.path in hidden) for file in files[:GIT_FILES_MAX]],
        patch=patch,
        total=len(files),
        withheld=sum(file.path in hidden for file in files),
        truncated=not is_told or is_short or len(files) > GIT_FILES_MAX,
    )


def parse(listing: bytes) -> Iterator[FileDiff]:
    """What `--raw --numstat -z` gives: first `:... LETTER<NUL>path<NUL>` for all, then the counts for all."""
    fields = iter(listing.split(b"\0")[:-1])
    raw: list[tuple[str, str, str]] = []
    counts: dict[str, tuple[bytes, bytes]] = {}
    for field in fields:
        if field.startswith(b":"):
            letter = chr(field.rsplit(b" ", 1)[1][0])
            path = os.fsdecode(next(fields))
            raw.append((letter, os.fsdecode(next(fields)), path) if letter in "RC" else (letter, path, ""))
        else:
            added, removed, name = field.split(b"\t", 2)
            if not name:  # renamed: both names follow
                next(fields)
                name = next(fields)
            counts[os.fsdecode(name)] = (added, removed)
    for letter, path, old_path in raw:
        added, removed = counts.get(path, (b"0", b"0"))
        yield FileDiff(
            path=path,
            change=_WORDS.get(letter, "changed"),
            old_path=old_path,
            added=0 if added == b"-" else int(added),
            removed=0 if removed == b"-" else int(removed),
            binary=added == b"-",
        )


def spent(difference: Difference) -> dict[str, int]:
    """What a budget of reading is charged; it is reserved here, before anything is answered."""
    size = len(difference.patch.encode())
    meter.need(read_bytes=size)
    return {"read_bytes": size}


def lines(difference: Difference) -> Iterator[str]:
    for file in difference.files:
        counts = "binary" if file.binary else f"+{file.added} -{file.removed}"
        came = f" (from {file.old_path})" if file.old_path else ""
        yield f"{file.change}: {file.path}{came}, {'withheld' if file.withheld else counts}"
    if difference.patch:
        yield ""
        yield difference.patch


def notes(difference: Difference) -> tuple[str, ...]:
    told = []
    if difference.withheld:
        told.append(f"Withheld, as they may hold secrets: {counted(difference.withheld)}.")
    if difference.truncated:
        told.append("The answer is cut: name a path, or raise max_bytes, to see the rest.")
    return tuple(told)


def _is_hidden(file: FileDiff, repository: Repository) -> bool:
    return repository.hides(file.path) or bool(file.old_path and repository.hides(file.old_path))


def _patch(
    repository: Repository, command: tuple[str, ...], hidden: list[str], max_bytes: int
) -> tuple[str, bool]:
    """The patch without the hidden files, and whether it is cut. Their content never leaves git."""
    if not hidden:
        output = repository.git.ask(*command, *repository.pathspec(), max_bytes=max_bytes)
    else:
        paths = [f":(top,literal){repository.inside}" if repository.inside else ":(top)"]
        paths += [f":(top,exclude,literal){path}" for path in hidden]
        environment = {"GIT_LITERAL_PATHSPECS": "0"}
        output = repository.git.ask(*command, "--", *paths, max_bytes=max_bytes, environment=environment)
    data = output.stdout[: output.stdout.rfind(b"\n") + 1] if output.truncated else output.stdout
    return data.decode(errors="replace"), output.truncated


def _as_seen(file: FileDiff, repository: Repository, *, withheld: bool) -> FileDiff:
    return FileDiff(
        path=repository.show(file.path),
        change=file.change,
        old_path=repository.show(file.old_path) if file.old_path else "",
        added=file.added,
        removed=file.removed,
        binary=file.binary,
        withheld=withheld,
    )
