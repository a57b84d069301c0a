"""The programs an index is compared with: where they are, how each is called, and which are missing."""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.index_queries import Asked
from bench.index_running import Failed, run
from bench.reporting import HERE

BIN = HERE.parent / ".peers/bench/index/bin"
PYTHON = BIN / "python"
CIMCP = HERE / "index_cimcp.py"
RG_SWITCHES = (
    *("--no-config", "--line-number", "--no-heading", "--null", "--color=never"),
    *("--hidden", "--glob=!.git", "--no-ignore-global", "--no-ignore-parent", "--no-require-git"),
)
"""What makes it look at the files an index holds."""
BUILD_S = 240
SLOW_S = 60
"""A peer that is not ready by then has lost."""
NOT_FOUND = 1


def rg() -> Path | None:
    """The wheel's; where that is not installed the system's, whose version is told."""
    wheel, other = BIN / "rg", shutil.which("rg")
    return wheel if wheel.exists() else Path(other) if other else None


def rg_command(program: Path, asked: Asked) -> list[str | Path]:
    kind = () if asked.regex else ("--fixed-strings",)
    return [program, *RG_SWITCHES, *kind, "--regexp", asked.text]


def git_command(asked: Asked) -> list[str | Path]:
    kind = "-P" if asked.regex else "-F"
    return ["git", "-c", "safe.directory=*", "grep", "-n", "-I", "--no-color", kind, "-e", asked.text]


def csearch_command(asked: Asked) -> list[str | Path]:
    return ["csearch", "-n", asked.text if asked.regex else _escaped(asked.text)]


def _escaped(text: str) -> str:
    return "".join(letter if letter.isalnum() or letter == "_" else f"\\{letter}" for letter in text)


def is_work_tree(folder: Path) -> bool:
    return (folder / ".git").exists() and shutil.which("git") is not None


def ctags_command(files: Path, out: Path) -> list[str | Path]:
    return ["ctags", "--quiet", "-f", out, "-L", files]


def cindex_command(folder: Path) -> list[str | Path]:
    return ["cindex", folder]


def cimcp_command(folder: Path) -> list[str | Path]:
    return [PYTHON, CIMCP, "build", folder]


def zoekt_command(folder: Path, out: Path) -> list[str | Path]:
    return ["zoekt-index", "-disable_ctags", "-index", out, folder]


class Cimcp:
    """code-index-mcp in a process of its own, asked in JSON lines; it tells its own times."""

    def __init__(self, folder: Path, place: Path) -> None:
        path = f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}"
        self._process = subprocess.Popen(
            [PYTHON, CIMCP, "search", folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "TMPDIR": str(place), "PATH": path},
        )

    def search(self, asked: Asked) -> float:
        """Milliseconds; raises Failed."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps([asked.text, asked.regex]).encode() + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise Failed("code-index-mcp ended") from None
        line = self._process.stdout.readline()
        if not line:
            raise Failed("code-index-mcp ended")
        return float(line)

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


def versions() -> tuple[dict[str, str], list[str]]:
    """Of those that are there; and the names of those that are not."""
    found = {
        "ripgrep": _said([str(rg()), "--version"]) if rg() else "",
        "git": _said(["git", "--version"]),
        "universal-ctags": _said(["ctags", "--version"]),
        "codesearch": _package("codesearch") if shutil.which("cindex") and shutil.which("csearch") else "",
        "code-index-mcp": _installed("code-index-mcp"),
        "zoekt": "on PATH" if shutil.which("zoekt-index") else "",
    }
    if "Universal" not in found["universal-ctags"]:
        found["universal-ctags"] = ""  # another program of that name
    return {name: said for name, said in found.items() if said}, [
        name for name, said in found.items() if not said
    ]


def _said(command: Sequence[str]) -> str:
    """The first line."""
    if not shutil.which(command[0]):
        return ""
    try:
        return run(command, timeout_s=10).out.decode("utf-8", "replace").partition("\n")[0].strip()
    except Failed:
        return ""


def _package(name: str) -> str:
    """It tells its version to nobody but the package manager."""
    return _said(["dpkg-query", "--show", "--showformat=${Version}", name]) or "on PATH"


def _installed(name: str) -> str:
    code = f"from importlib.metadata import version; print(version({name!r}))"
    return _said([str(PYTHON), "-c", code]) if PYTHON.exists() else ""


def reads_perl_expressions(folder: Path) -> bool:
    """Whether this git was built with them."""
    try:
        run(git_command(Asked(r"\w{200}", regex=True)), cwd=folder, fine=(0, NOT_FOUND), timeout_s=60)
    except Failed:
        return False
    return True


def place_for(what: str) -> Path:
    return Path(tempfile.mkdtemp(prefix=f"toolpost-bench-{what}-"))
