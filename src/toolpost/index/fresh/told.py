"""What one process asks another about a tree, and what it is told: a line of JSON each way."""

from msgspec import Struct


class Ask(Struct, frozen=True):
    key: str
    """Of the root."""
    generation: int
    """What the asking process has open."""


class Told(Struct, frozen=True):
    paths: list[str] = []
    """Files that are not as that generation has them: new, other, or gone."""
    folders: list[str] = []
    """Folders it does not have."""


class Reply(Struct, frozen=True):
    told: Told | None = None
    """None where that tree is not watched, or has another generation: look for yourself."""
