"""Texts of every make, for the tests of diffs, matches and patches, and a git that reads no one's settings."""

import os
import subprocess
from pathlib import Path

from hypothesis import strategies as st

ODD = "\x0b\x0c\x1c\x1d\x85\u2028\u2029"
"""What `str.splitlines` takes for the end of a line, and git does not."""

bodies = st.one_of(
    st.sampled_from(["", "a", "b", "  a", "\ta", "}", "a b  ", "“a”", "-- a", "++ a", "@@ -1 +1 @@", "\\ a"]),
    st.text(st.sampled_from(f'ab {{}}\t\r"é😀{ODD}'), max_size=8),
)
endings = st.sampled_from(["\n", "\n", "\r\n"])


@st.composite
def texts(draw: st.DrawFn, *, most: int = 12) -> str:
    """Lines from a small stock, so that two texts share many, with every line ending and with none at the end."""
    lines = draw(st.lists(st.tuples(bodies, endings).map("".join), max_size=most))
    return "".join((*lines, draw(st.sampled_from(["", "", "a", "  b "]))))


@st.composite
def pairs(draw: st.DrawFn) -> tuple[str, str]:
    """A text and one made of it by taking lines out and putting others in."""
    old = draw(texts())
    if draw(st.booleans()):
        return old, draw(texts())
    lines = old.split("\n")
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(lines)))
        lines[at : at + draw(st.integers(0, 2))] = draw(st.lists(bodies, max_size=2))
    return old, "\n".join(lines)


def git(folder: Path, *args: str, stdin: bytes = b"", codes: tuple[int, ...] = (0,)) -> bytes:
    """What git prints. Nothing of the machine's settings reaches it."""
    done = subprocess.run(
        ["git", *args],
        cwd=folder,
        input=stdin,
        capture_output=True,
        check=False,
        timeout=60,
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CEILING_DIRECTORIES": str(folder.parent),
        },
    )
    assert done.returncode in codes, done.stderr.decode()
    return done.stdout
