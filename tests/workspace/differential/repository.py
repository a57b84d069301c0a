"""Git repositories for tests, and what git and ripgrep say of them; nothing of the user's own settings counts."""

import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

_ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "HOME": "/nonexistent",
    "LC_ALL": "C",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.com",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.com",
}
_TIMEOUT_S = 120


def need_ripgrep() -> None:
    if shutil.which("rg") is None:
        pytest.skip("ripgrep is not installed")


def run(folder: Path, *command: str, given: bytes = b"", ends: frozenset[int] = frozenset({0})) -> bytes:
    done = subprocess.run(
        command,
        cwd=folder,
        env=_ENVIRONMENT,
        input=given,
        capture_output=True,
        timeout=_TIMEOUT_S,
        check=False,
    )
    assert done.returncode in ends, done.stderr.decode(errors="replace")
    return done.stdout


def text(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")


def begin(folder: Path, exclude: bytes = b"") -> None:
    """A repository by hand: `git init` takes longer than all the rest of a small test."""
    git = folder / ".git"
    for name in ("objects", "refs/heads", "info"):
        (git / name).mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "config").write_text("[core]\nrepositoryformatversion = 0\n")
    (git / "info/exclude").write_bytes(exclude)


def fill(folder: Path, files: dict[str, bytes]) -> None:
    for path, content in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


def commit(folder: Path) -> None:
    run(folder, "git", "add", "--all")
    run(folder, "git", "commit", "--quiet", "--message", "all")


def listed(folder: Path, *pathspecs: str) -> list[str]:
    """What git tracks, or would if it were added, in git's own order."""
    tracked = run(folder, "git", "ls-files", "-z", "--cached", "--", *pathspecs).split(b"\0")
    other = run(folder, "git", "ls-files", "-z", "--others", "--exclude-standard", "--", *pathspecs).split(
        b"\0"
    )
    return [text(path) for path in sorted({*tracked, *other} - {b""})]


def ignored(folder: Path, paths: Iterable[str]) -> set[str]:
    """Those of these paths that git's ignore files leave out."""
    given = b"".join(os.fsencode(path) + b"\0" for path in paths)
    # 1: none of them is ignored.
    said = run(
        folder,
        "git",
        "check-ignore",
        "-z",
        "-v",
        "-n",
        "--no-index",
        "--stdin",
        given=given,
        ends=frozenset({0, 1}),
    )
    fields = said.split(b"\0")
    rows = zip(fields[2::4], fields[3::4], strict=True)
    return {text(path) for pattern, path in rows if pattern and not pattern.startswith(b"!")}


_RIPGREP = (
    "rg",
    "--null",
    "--hidden",
    "--no-config",
    "--no-ignore-global",
    "--no-ignore-parent",
    "--glob",
    "!.git",
)


def seen_by_ripgrep(folder: Path) -> list[str]:
    return _paths(run(folder, *_RIPGREP, "--files"))


def chosen_by_ripgrep(folder: Path, glob: str) -> list[str]:
    """Ignore files do not count: to ripgrep a glob goes before them."""
    # 1: there is none.
    return _paths(run(folder, *_RIPGREP, "--files", "--no-ignore", f"--glob={glob}", ends=frozenset({0, 1})))


def _paths(said: bytes) -> list[str]:
    return [text(path) for path in sorted(said.split(b"\0")) if path]


def counted_by_ripgrep(folder: Path, query: str, *, regex: bool) -> list[tuple[str, int]]:
    """Files with a match, and how many of their lines have one."""
    how = ("--crlf",) if regex else ("--fixed-strings",)
    said = run(folder, *_RIPGREP, *how, "--count", "--", query, ".", ends=frozenset({0, 1}))
    rows = [line.rpartition(b"\0") for line in said.splitlines()]
    return [
        (text(path), int(count))
        for path, _, count in sorted((row[0].removeprefix(b"./"), *row[1:]) for row in rows)
    ]
