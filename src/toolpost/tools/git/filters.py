"""Files that pass through a filter, such as git LFS's: it is a program the repository names, so it is never run.

Without it git would store, or write, the wrong content. So a change that needs one is refused.
"""

import os
from collections.abc import Mapping, Sequence

from toolpost.errors import GitFailed
from toolpost.workspace.git.command import Git

_NONE = frozenset({b"unspecified", b"unset", b"set"})


def filtered(git: Git, paths: Sequence[str]) -> Mapping[str, str]:
    """Of these paths, as git names them, those with a filter, and which: in the working tree or in the index."""
    found: dict[str, str] = {}
    if not paths:
        return found
    names = b"".join(os.fsencode(path) + b"\0" for path in paths)
    for where in ((), ("--cached",)):
        said = git.ask("check-attr", "-z", *where, "--stdin", "filter", stdin=names).stdout.split(b"\0")
        for path, value in zip(said[0::3], said[2::3], strict=False):
            if value not in _NONE:
                found[os.fsdecode(path)] = value.decode(errors="replace")
    return found


def refuse_filtered(git: Git, paths: Sequence[str], doing: str) -> None:
    """`doing` is what git would do wrong, such as "store"."""
    if paths and "core.attributesfile" in git.settings():
        raise GitFailed(
            "The repository keeps attributes outside itself (core.attributesFile), so it cannot be told which files"
            " pass through a filter. Have the user do this with git.",
            parameter="paths",
            reason="filter",
        )
    through = filtered(git, paths)
    if through:
        names = sorted(through)
        filters = ", ".join(sorted(set(through.values())))
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        raise GitFailed(
            f"{', '.join(names[:3])}{more} pass through the filter {filters}, which is a program and is not run here:"
            f" git would {doing} the wrong content. Leave them out, or have the user do this with git.",
            parameter="paths",
            reason="filter",
            files=names[:20],
        )
