"""A repository made with plain git, away from whatever git is set up for on this machine."""

import os
import subprocess
from pathlib import Path

ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "HOME": "/nonexistent",
    "LC_ALL": "C.UTF-8",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.com",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.com",
    "GIT_AUTHOR_DATE": "2026-01-02T03:04:05+00:00",
    "GIT_COMMITTER_DATE": "2026-01-02T03:04:05+00:00",
    "GIT_TERMINAL_PROMPT": "0",
}


def git(folder: Path, *args: str, check: bool = True, data: bytes | None = None) -> str:
    """Plain git, as a user would run it."""
    done = subprocess.run(
        ("git", *args), cwd=folder, env=ENVIRONMENT, input=data, capture_output=True, check=False, timeout=30
    )
    assert not check or done.returncode == 0, done.stderr
    return done.stdout.decode(errors="surrogateescape").strip()


def make(folder: Path, files: dict[str, str] | None = None) -> Path:
    """A new repository with one commit of these files."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q", "-b", "main")
    commit(folder, files if files is not None else {"a.txt": "one\n", "src/b.txt": "two\n"}, "first")
    return folder


def commit(folder: Path, files: dict[str, str], message: str) -> str:
    write(folder, files)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--allow-empty", "-m", message)
    return git(folder, "rev-parse", "HEAD")


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
