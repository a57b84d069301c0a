"""Which files of a folder the guard hides, without asking it about each: asking costs 11 microseconds a file.

A plain name of source code cannot be a secret of its own, whatever the guard knows: no secret's name, no form of one
and no copy of one ends so. Then only the folder counts, and it is asked about once. Any other name is asked about.
"""

import re

from toolpost.pathnames.sensitive import is_secret
from toolpost.workspace.guard import Guard

_SUFFIXES = (
    *("astro", "c", "cc", "cjs", "cpp", "cs", "css", "cts", "go", "h", "hpp", "htm", "html", "java", "js"),
    *("jsx", "kt", "less", "md", "mdx", "mjs", "mts", "php", "png", "py", "pyi", "rb", "rs", "rst", "scss"),
    *("snap", "svelte", "svg", "swift", "ts", "tsx", "txt", "vue"),
)
_PLAIN = re.compile(rf"(?!(?i:terraform))[A-Za-z0-9_][A-Za-z0-9_.-]*\.(?:{'|'.join(_SUFFIXES)})")
_PROBE = "a.ts"
"""A plain name: with it, a folder is judged alone."""


def hidden(guard: Guard, folder: str, names: list[str]) -> frozenset[str]:
    """Those of the names that are never opened; the same as `guard.hides` says of each path."""
    start = f"{folder}/" if folder else ""
    plain = _PLAIN.fullmatch
    is_doubtful = bool(guard.no_read) or is_secret(f"{start}{_PROBE}")  # a rule may name any file
    doubtful = names if is_doubtful else [name for name in names if not plain(name)]
    return frozenset(name for name in doubtful if guard.hides(f"{start}{name}"))
