"""Words like one that was not found."""

from collections.abc import Sequence
from difflib import get_close_matches

from toolpost.index.names.words import key


def nearest(word: str, known: Sequence[str], *, most: int = 3) -> list[str]:
    """Nearest first: by spelling, then those it is a part of. For lists of some hundred words."""
    plain: dict[str, str] = {}
    for name in known:
        plain.setdefault(key(name), name)
    sought = key(word)
    close = get_close_matches(sought, list(plain), n=most, cutoff=0.6)
    inside = [name for name in plain if sought in name or name in sought]
    return [plain[name] for name in dict.fromkeys([*close, *inside])][:most]
