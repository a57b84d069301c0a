"""A repository's own files looked over before git reads or writes them.

git trusts them: it follows links out of the root, borrows objects from wherever `alternates` says, and takes names
such as `../secret` from the index (git 2.39 shows that file in a diff, and a restore would write it).
"""

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

from toolpost.errors import GitFailed
from toolpost.limits import GIT_FILES_VETTED
from toolpost.workspace.git.home import Home, is_below, leaves, real, small_text

_READ = ("", "info", "refs")
_OBJECTS = ("", "info", "pack")
_ALTERNATES_DEEP = 5  # as git
_NOT_WALKED = frozenset({"objects", "modules", "lfs"})
_LEAVING_NAME = re.compile(rb"(?i)(?:^|[/\x00])(?:\.\.?|\.git(?:::[^/\x00]*)?[ .]*|git~[0-9]+)?(?:/|\x00)")
"""An empty name (an absolute path), `.`, `..`, or `.git` as some file system spells it; names end in NUL."""


def vet(home: Home) -> None:
    """Before anything: no link, and no borrowed object, from outside the root."""
    if not home.is_inside:
        return
    for folder in {home.folder, home.common}:
        _vet_links(folder, _READ, home.root)
    _vet_objects(home.common / "objects", home.root, _ALTERNATES_DEEP)


def vet_for_writing(home: Home) -> None:
    """Git writes through links, and appends to logs in place: neither may lead anywhere else."""
    for folder in {home.folder, home.common}:
        for seen, item in enumerate(_walk(folder), start=1):
            if seen > GIT_FILES_VETTED:
                raise GitFailed(
                    f"The repository keeps more than {GIT_FILES_VETTED:,} files beside its objects."
                )
            if item.is_symlink():
                raise _refused(item.path, folder, "is a link")
            is_appended = item.name == "COMMIT_EDITMSG" or "logs" in Path(item.path).relative_to(folder).parts
            if is_appended and item.is_file() and item.stat().st_nlink > 1:
                raise _refused(item.path, folder, "has a second name elsewhere")


def vet_index(names: bytes) -> None:
    """Every name in the index, each ended by NUL."""
    if _LEAVING_NAME.search(names):
        raise GitFailed(
            "The repository's index holds a name that leaves the working tree or lies in `.git`; git itself never"
            " makes one. Do not trust this repository; `git read-tree HEAD` makes a new index.",
            parameter="path",
            reason="leaves_root",
        )


def _vet_links(folder: Path, parts: tuple[str, ...], root: Path) -> None:
    for part in parts:
        for item in _items(folder / part):
            _refuse_fifo(item)
            if item.is_symlink() and not is_below(real(Path(item.path)), root):
                raise leaves(f"git's own {item.name} is a link that leads out of the root")


def _refuse_fifo(item: os.DirEntry[str]) -> None:
    """Git would wait for somebody to write into it."""
    is_plain = item.is_file(follow_symlinks=False) or item.is_dir(follow_symlinks=False)
    if not is_plain and stat.S_ISFIFO(item.stat(follow_symlinks=False).st_mode):
        raise GitFailed(f"git's own {item.name} is a FIFO, not a file.", parameter="path")


def _vet_objects(objects: Path, root: Path, depth: int) -> None:
    """Objects from outside would let a caller read another repository, object by object."""
    _vet_links(objects, _OBJECTS, root)
    file = objects / "info" / "alternates"
    if not os.path.lexists(file):
        return
    for line in small_text(file).split("\n"):
        if not line or line.startswith("#"):
            continue
        other = real(objects / line)
        if depth == 0 or line.startswith('"') or not is_below(other, root):  # quoted: git reads it in C's way
            raise GitFailed(
                "This repository borrows objects from outside the root (objects/info/alternates). Run `git repack -a"
                " -d` and remove that file, or open a folder above both as the root.",
                parameter="path",
                reason="leaves_root",
            )
        _vet_objects(other, root, depth - 1)


def _walk(folder: Path) -> Iterator[os.DirEntry[str]]:
    waiting = [folder]
    while waiting:
        here = waiting.pop()
        for item in _items(here):
            yield item
            if item.is_dir(follow_symlinks=False) and not (here == folder and item.name in _NOT_WALKED):
                waiting.append(Path(item.path))


def _items(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return list(found)
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as failed:
        raise GitFailed(f"git's own folder {folder.name} cannot be read: {failed.strerror}.") from None


def _refused(path: str, folder: Path, what: str) -> GitFailed:
    name = Path(path).relative_to(folder)
    return GitFailed(
        f"git's own {name} {what}, so nothing is written through it. Have the user replace it by a plain file.",
        parameter="path",
        reason="leaves_root",
    )
