"""git commands that show what files held at any time: no mask lies over a repository's objects."""

import re

from toolpost.atom import Atom, Kind

_SHOWING = frozenset(
    {
        *(
            "show",
            "cat-file",
            "archive",
            "format-patch",
            "fast-export",
            "bundle",
            "checkout-index",
            "worktree",
        ),
        *("diff-tree", "diff-index", "range-diff", "whatchanged"),
    }
)
_BY_REVISION = frozenset({"diff", "difftool", "grep"})
_LOGS = frozenset({"log", "reflog", "stash", "rev-list", "shortlog"})
_PATCHES = ("-p", "-u", "--patch", "-S", "-G", "-U", "--unified", "-L", "--cc", "-c", "--full-diff", "-m")
_SUMS = ("--stat", "--name-only", "--name-status", "--numstat", "--shortstat", "--summary", "--dirstat")
_REVISION = re.compile(r"[^/.]*|.*(?:\.\.|[~^@:]).*")


def shows_history(atom: Atom) -> bool:
    """Whether a git command may print the content of files that it does not name."""
    if atom.kind is not Kind.EXEC or not atom.words or atom.words[0].text.rpartition("/")[2] != "git":
        return False
    words = [word.text for word in atom.words[1:]]
    if any(word.startswith(_SUMS) for word in words) or ("--" in words and words[-1] != "--"):
        return False  # only names and numbers; or the paths after it are judged by themselves
    named, *operands = [word for word in words if not word.startswith("-")] or [""]
    if named in _BY_REVISION:
        given = operands[named == "grep" :]
        return any(_REVISION.fullmatch(word) for word in given)
    return named in _SHOWING or (named in _LOGS and any(word.startswith(_PATCHES) for word in words))
