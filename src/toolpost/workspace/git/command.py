"""git, run so that nothing in a repository can run a program, leave the root or ask anybody anything.

Four layers hold that: the repository is found and looked over without git (home, vet), the environment is ours alone
(program), what its configuration names is overridden (config), and only the commands listed here are run, each with
the flags that keep it to itself. Hooks never run, commits are not signed, nothing is fetched.
"""

import os
import re
from collections.abc import Mapping
from difflib import get_close_matches
from enum import IntEnum
from pathlib import Path
from threading import Lock

from msgspec.structs import replace

from toolpost.errors import GitFailed, InvalidArgument, NotFound
from toolpost.limits import GIT_INDEX_BYTES, GIT_OUTPUT_BYTES, GIT_REFS_TOLD, GIT_TIMEOUT_S, PATH_BYTES
from toolpost.workspace.git.config import ConfigReader, Stamp, is_racy, stamp_of
from toolpost.workspace.git.home import Home, find
from toolpost.workspace.git.process import GitOutput, Job, run
from toolpost.workspace.git.program import ENVIRONMENT, program
from toolpost.workspace.git.vet import vet, vet_for_writing, vet_index

__all__ = ["Git", "GitOutput"]


class _Touches(IntEnum):
    OBJECTS = 0
    """Reads what is committed."""
    INDEX = 1
    """Goes by the names in the index."""
    FILES = 2
    """Writes objects, refs, the index or the working tree."""


_COMMANDS: Mapping[str, _Touches] = {
    **dict.fromkeys(
        (
            "blame",
            "cat-file",
            "check-attr",
            "check-ref-format",
            "config",
            "diff-tree",
            "for-each-ref",
            "grep",
        ),
        _Touches.OBJECTS,
    ),
    **dict.fromkeys(("log", "ls-tree", "merge-base", "rev-list", "rev-parse"), _Touches.OBJECTS),
    **dict.fromkeys(("diff", "ls-files", "status"), _Touches.INDEX),
    **dict.fromkeys(("add", "commit", "reset", "restore", "stash", "worktree"), _Touches.FILES),
    **dict.fromkeys(("read-tree", "update-index"), _Touches.FILES),
}
_QUIET_DIFF = ("--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "--no-color")
_FLAGS: Mapping[str, tuple[str, ...]] = {
    "diff": _QUIET_DIFF,
    "diff-tree": _QUIET_DIFF,
    "log": (*_QUIET_DIFF, "--no-show-signature", "--no-mailmap", "--no-notes"),
    "status": ("--ignore-submodules=all",),
    "blame": ("--no-textconv",),
    "grep": ("--no-textconv", "--no-recurse-submodules", "--no-color"),
    "commit": ("--no-verify", "--no-gpg-sign", "--no-edit", "--no-status"),
    "restore": ("--no-recurse-submodules",),
    "reset": ("--no-recurse-submodules",),
    "read-tree": ("--no-recurse-submodules",),
}
_OID = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?\n")
_NO_REVISION = re.compile(r"[\x00-\x1f\x7f:]")
"""A colon would name a file's content, past the rules about files."""


class Git:
    """One repository. Safe to use from several threads."""

    def __init__(self, folder: Path, *, root: Path | None = None) -> None:
        """The repository is looked for from the folder up to the root, which is the folder itself unless told."""
        self.home: Home = find(folder, root or folder)
        self._config = ConfigReader(self.home.folder, self.home.common)
        self._index_lock = Lock()
        self._index_vetted: Stamp = None

    def run(
        self,
        *args: str,
        stdin: bytes | None = None,
        max_bytes: int = GIT_OUTPUT_BYTES,
        timeout_s: float = GIT_TIMEOUT_S,
        environment: Mapping[str, str] | None = None,
    ) -> GitOutput:
        """Whatever comes of a command, which is the first argument. Paths follow `--` and are taken literally."""
        job = self.job(*args, environment=environment)
        return run(replace(job, stdin=stdin, max_bytes=max_bytes, timeout_s=timeout_s))

    def ask(
        self,
        *args: str,
        stdin: bytes | None = None,
        max_bytes: int = GIT_OUTPUT_BYTES,
        environment: Mapping[str, str] | None = None,
    ) -> GitOutput:
        """The same, for a command that must succeed."""
        output = self.run(*args, stdin=stdin, max_bytes=max_bytes, environment=environment)
        if output.exit_code:
            raise failed(args[0], output)
        return output

    def commit(self, revision: str, parameter: str = "ref") -> str:
        """The id of the commit a branch, a tag, a hash or an expression such as `HEAD~2` names."""
        refuse_option(revision, parameter)
        if _NO_REVISION.search(revision) or not revision or len(revision) > PATH_BYTES:
            raise InvalidArgument(
                f"{revision!r} names no commit: give a branch, a tag, a hash or HEAD~1; a file is named by `path`.",
                parameter=parameter,
            )
        output = self.run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        if output.exit_code or not _OID.fullmatch(output.stdout):
            raise self._unknown(revision, parameter)
        return output.stdout.decode().strip()

    def settings(self) -> Mapping[str, str]:
        """What the repository's own configuration says, included files and all."""
        return self._config.read().values

    def job(self, *args: str, environment: Mapping[str, str] | None = None) -> Job:
        """A command ready to run, the repository looked over."""
        self._vet(_COMMANDS[args[0]])
        return self._job(*args, environment=environment)

    def _job(self, command: str, *args: str, environment: Mapping[str, str] | None = None) -> Job:
        for arg in args:
            _refuse_unsayable(arg)
        home = self.home
        places = {"GIT_DIR": str(home.folder), "GIT_WORK_TREE": str(home.cwd)}
        if home.folder != home.common:
            places["GIT_COMMON_DIR"] = str(home.common)
        return Job(
            argv=(program(), "--no-pager", command, *_FLAGS.get(command, ()), *args),
            cwd=home.cwd,
            environment={**ENVIRONMENT, **places, **self._config.read().overrides, **(environment or {})},
        )

    def _vet(self, touches: _Touches) -> None:
        vet(self.home)
        if touches is _Touches.OBJECTS:
            return
        if self.home.top is None:
            raise GitFailed("The repository is bare: it has no working tree and no index.", parameter="path")
        if touches is _Touches.FILES:
            vet_for_writing(self.home)
        self._vet_index()

    def _vet_index(self) -> None:
        with self._index_lock:
            stamp = stamp_of(self.home.folder / "index")
            if stamp is None or stamp == self._index_vetted:
                return
            output = run(replace(self._job("ls-files", "-z"), max_bytes=GIT_INDEX_BYTES))
            if output.exit_code or output.truncated:
                raise failed("ls-files", output)
            vet_index(output.stdout)
            self._index_vetted = None if is_racy(stamp) else stamp

    def _unknown(self, revision: str, parameter: str) -> GitFailed | NotFound:
        names = self.refs()
        if not names:
            return GitFailed("The repository has no commit yet.", parameter=parameter, reason="no_commits")
        nearest = get_close_matches(revision, names, n=1)
        said = f" Did you mean {nearest[0]}?" if nearest else " git.branches lists the branches and tags."
        told = {"suggested": nearest[0]} if nearest else {}
        return NotFound(f"No commit is named {revision!r}.{said}", parameter=parameter, **told)

    def refs(self) -> list[str]:
        """Short names of branches and tags, the first of them."""
        count = f"--count={GIT_REFS_TOLD}"
        output = self.run(
            "for-each-ref", count, "--format=%(refname:short)", "refs/heads", "refs/remotes", "refs/tags"
        )
        return output.stdout.decode(errors="replace").split()


def _refuse_unsayable(arg: str) -> None:
    """A NUL would end it, and half of a surrogate pair has no bytes."""
    try:
        is_sayable = b"\0" not in os.fsencode(arg)
    except UnicodeEncodeError:
        is_sayable = False
    if not is_sayable:
        raise InvalidArgument(f"{arg!r} holds NUL or half of a surrogate pair; leave it out.")


def refuse_option(value: str, parameter: str) -> None:
    """Git would take what begins with a dash for an option."""
    if value.startswith("-"):
        raise InvalidArgument(f"{value!r} begins with a dash; no name here may.", parameter=parameter)


def failed(command: str, output: GitOutput) -> GitFailed:
    said = output.stderr.removeprefix("fatal: ").removeprefix("error: ")
    why = said.split("\n", 1)[0] or f"it ended with {output.exit_code}"
    return GitFailed(f"git {command} failed: {why.rstrip('.')}.", exit_code=output.exit_code, said=said)
