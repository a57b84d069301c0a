"""Where a repository keeps its things, found without asking git.

A repository may come from a stranger, and its own files can point anywhere: a `.git` file, `commondir`, links. What
leaves the root is refused, with one exception: a linked worktree or a submodule whose repository lies elsewhere, when
that repository names it back. No stranger can have written that.

git gets the answer as GIT_DIR and GIT_WORK_TREE. It then neither searches the folders above the root, nor believes
`core.worktree`, nor refuses a repository for its owner: that check guards against a stranger's configuration, which
does nothing here (see config).
"""

import os
from pathlib import Path

from msgspec import Struct

from toolpost.errors import GitFailed, InvalidPath
from toolpost.limits import GIT_POINTER_BYTES
from toolpost.workspace.git.config import read_file
from toolpost.workspace.local.inside import below


class Home(Struct, frozen=True):
    top: Path | None
    """The working tree; None when the repository is bare."""
    folder: Path
    """What git calls GIT_DIR."""
    common: Path
    """What linked worktrees share; else the same folder."""
    root: Path
    """What must not be left, unless the repository lies outside and names this folder back."""

    @property
    def is_inside(self) -> bool:
        return is_below(self.folder, self.root)

    @property
    def cwd(self) -> Path:
        return self.top or self.folder


def find(folder: Path, root: Path) -> Home:
    """The repository a folder belongs to, looked for up to the root and no further."""
    root = real(root)
    here = real(folder)
    if not is_below(here, root):
        raise InvalidPath("The path leads out of the root through a link.", parameter="path", rule="outside")
    place = here
    while not os.path.lexists(place / ".git"):
        if place == root:
            return _bare(root)
        place = place.parent
    return _home(place, root)


def _bare(root: Path) -> Home:
    if _is_bare(root):
        return Home(None, root, _common(root, root), root)
    raise GitFailed(
        "This is not a git repository: neither the folder nor any above it in the root has a `.git`. If the"
        " repository begins above the root, open its top folder as the root; else run `git init` there.",
        parameter="path",
        reason="not_a_repository",
    )


def real(path: Path) -> Path:
    """Its links followed; unlike `Path.resolve`, links that lead in a circle raise nothing."""
    return Path(os.path.realpath(path))


def is_below(path: Path, root: Path) -> bool:
    return below(str(path), str(root)) is not None


def small_text(file: Path) -> str:
    """One of git's own small files. A FIFO in its place does not keep us waiting."""
    try:
        with os.fdopen(os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as stream:
            data = stream.read(GIT_POINTER_BYTES + 1)
    except OSError as failed:
        raise GitFailed(f"git's own file {file.name} cannot be read: {failed.strerror}.") from None
    if len(data) > GIT_POINTER_BYTES or b"\0" in data:
        raise GitFailed(f"git's own file {file.name} holds NUL, or more than {GIT_POINTER_BYTES:,} bytes.")
    return os.fsdecode(data)


def _home(top: Path, root: Path) -> Home:
    dot = top / ".git"
    folder = real(dot) if dot.is_dir() else _pointed(dot)
    if is_below(folder, root):
        return Home(top, folder, _common(folder, root), root)
    if dot.is_file() and _is_worktree_of(folder, dot):
        return Home(top, folder, folder.parent.parent, root)
    if dot.is_file() and _is_submodule_of(folder, top):
        return Home(top, folder, folder, root)
    raise leaves("its `.git` leads to a repository outside the root that does not name this folder back")


def _common(folder: Path, root: Path) -> Path:
    if not os.path.lexists(folder / "commondir"):
        return folder
    common = _named(folder / "commondir")
    if not is_below(common, root):
        raise leaves("its `commondir` names a folder outside the root")
    return common


def _pointed(dot: Path) -> Path:
    said = small_text(dot)
    if not said.startswith("gitdir: "):
        raise GitFailed("The `.git` file here does not say where its repository is.", parameter="path")
    return _resolved(dot.parent, said.removeprefix("gitdir: "))


def _is_worktree_of(folder: Path, dot: Path) -> bool:
    """Whether REPOSITORY/worktrees/NAME names this `.git` file as its own."""
    if folder.parent.name != "worktrees" or not (folder / "gitdir").is_file():
        return False
    return _named(folder / "gitdir") == dot and _named(folder / "commondir") == folder.parent.parent


def _is_submodule_of(folder: Path, top: Path) -> bool:
    """Whether a submodule's repository says that this folder is where it works."""
    file = folder / "config"
    said = [value for key, value in read_file(file) if key == "core.worktree"] if file.is_file() else []
    return bool(said) and _resolved(folder, said[-1]) == top


def _is_bare(folder: Path) -> bool:
    return (folder / "HEAD").is_file() and (folder / "objects").is_dir() and (folder / "refs").is_dir()


def _named(file: Path) -> Path:
    return _resolved(file.parent, small_text(file))


def _resolved(folder: Path, said: str) -> Path:
    return real(folder / said.rstrip("\r\n"))


def leaves(what: str) -> GitFailed:
    return GitFailed(
        f"This repository is not opened: {what}. Open a folder that holds the whole repository as the root.",
        parameter="path",
        reason="leaves_root",
    )
