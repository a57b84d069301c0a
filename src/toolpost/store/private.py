"""Folders for one user's eyes."""

from pathlib import Path


def make(folder: Path) -> None:
    """Whatever is missing of it is made for its owner alone, as XDG asks. Raises OSError."""
    for part in (*reversed(folder.parents), folder):
        if not part.exists():
            part.mkdir(mode=0o700, exist_ok=True)
