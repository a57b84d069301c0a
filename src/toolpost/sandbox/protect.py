"""What other programs would execute later: editor, agent, git, shell and CI settings at the top of each root.

A command must neither change nor create them, whether or not they are there when it starts.
"""

import os
from collections.abc import Iterable, Iterator
from functools import lru_cache
from stat import S_ISDIR, S_ISLNK

from msgspec import Struct

from toolpost.sandbox.placeholders import FILES, is_placeholder
from toolpost.sandbox.there import top_names
from toolpost.sandbox.toolchains import beneath

GIT = (
    *(".git/config", ".git/config.worktree", ".git/hooks", ".git/commondir", ".git/info/attributes"),
    *(".git/objects/info/alternates", ".git/objects/info/http-alternates", ".git/modules", ".git/worktrees"),
)
"""What says which programs git runs, or where else it finds what says so."""
_SHELVES = frozenset({".git/modules", ".git/worktrees"})
"""What is in them is used by commits, so it is protected file by file."""
FIRST = (
    *GIT,
    *(".gitmodules", ".mcp.json", ".toolpost"),
    *(".claude", ".codex", ".cursor", ".gemini", ".vscode", ".idea", ".zed", ".envrc", ".husky"),
)
"""What acts as soon as somebody opens or uses the folder."""
LATER = (
    *(".gitconfig", ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile"),
    *(
        ".inputrc",
        ".zshrc",
        ".zshenv",
        ".zprofile",
        ".zlogin",
        ".zlogout",
        ".kshrc",
        ".cshrc",
        ".tcshrc",
        ".login",
    ),
    *(".xprofile", ".xinitrc", ".xsessionrc", ".vimrc", ".nvimrc", ".exrc", ".gdbinit", ".lldbinit"),
    *(".github/workflows", ".github/actions", ".gitlab-ci.yml", ".circleci", ".buildkite", ".travis.yml"),
    *(".drone.yml", "Jenkinsfile", "azure-pipelines.yml", "bitbucket-pipelines.yml"),
)
"""What acts in a home, or once it is pushed. Where absent it is looked for when a command has ended: a mount over each
would take as long as all the rest of the sandbox."""


_COMPARED = frozenset({*LATER, ".gitmodules", ".git/objects/info/http-alternates"})
"""Git complains of a folder at `.gitmodules`."""


def protected(roots: Iterable[str]) -> tuple[str, ...]:
    """Absolute, present or absent, in every root."""
    return tuple(f"{root.rstrip('/')}/{name}" for root in roots for name in (*FIRST, *LATER))


class Plan(Struct, frozen=True, kw_only=True):
    """How mounts keep protected paths as they are. Each list is in the order in which mounts must be made."""

    held: tuple[str, ...]
    """Folders on the way to one: not to be moved away and made anew."""
    fixed: tuple[str, ...]
    """Files and folders that are there."""
    absent: tuple[str, ...]
    """What is not there, or the outermost folder on the way that is not."""
    watched: tuple[str, ...]
    """What is compared afterwards: links, which cannot be mounted over, and absent ones that act later or that nothing
    can be put in place of."""


def plan(root: str, paths: tuple[str, ...]) -> Plan:
    found: dict[str, dict[str, None]] = {"held": {}, "fixed": {}, "absent": {}, "watched": {}}
    top = root.rstrip("/")
    present = top_names(root)
    for first, named in _split(root, paths).items():
        for name in named:
            # Most are absent, and one look at the root tells so.
            steps = _steps(top, name) if first in present else (("absent", f"{top}/{first}"),)
            for kind, place in steps:
                for how, what in _absent(top, name, place) if kind == "absent" else ((kind, place),):
                    found["held" if how == "fixed" and name in _SHELVES else how][what] = None
    return Plan(**{kind: tuple(sorted(places)) for kind, places in found.items()})


def plan_of(places: Iterable[str]) -> Plan:
    """For what is there, anywhere; a repository is protected as one at the top."""
    plans = [_plan_at(place) for place in sorted(places)]
    return Plan(
        **{
            kind: tuple(sorted({place for one in plans for place in getattr(one, kind)}))
            for kind in Plan.__struct_fields__
        }
    )


def _plan_at(place: str) -> Plan:
    folder, _, name = place.rpartition("/")
    if name == ".git":
        return plan(folder, tuple(f"{folder}/{inner}" for inner in GIT))
    return plan(folder, (place,))


def _absent(top: str, name: str, place: str) -> Iterator[tuple[str, str]]:
    """`place` is the outermost that is not there. A new repository is looked at when it has been made."""
    path = f"{top}/{name}"
    if place == f"{top}/.git":
        return
    is_file = name in FILES
    if name in _COMPARED or is_file:
        yield "watched", path
    if name not in _COMPARED and (place == path or not is_file):
        yield "absent", place


@lru_cache(64)
def _split(root: str, paths: tuple[str, ...]) -> dict[str, list[str]]:
    """The names in the root of those below it, by the first of each."""
    start = len(root.rstrip("/")) + 1
    found: dict[str, list[str]] = {}
    for path in paths:
        if beneath(path, root) and path != root:
            found.setdefault(path[start:].partition("/")[0], []).append(path[start:])
    return found


def _steps(root: str, name: str) -> Iterator[tuple[str, str]]:
    """What stands on the way to a path, up to the first thing that is no folder."""
    place = root
    names = name.split("/")
    for left, part in zip(range(len(names) - 1, -1, -1), names, strict=True):
        place = f"{place}/{part}"
        kind = _kind(place, last=not left)
        yield kind, place
        if kind != "held":
            return


def _kind(place: str, *, last: bool) -> str:
    try:
        mode = os.lstat(place).st_mode
    except OSError:
        return "absent"
    if S_ISLNK(mode):
        return "watched"
    if is_placeholder(place):
        return "absent"
    return "held" if S_ISDIR(mode) and not last else "fixed"
