"""A file's text made into what it exports, imports and is marked by, whatever language it is in."""

from collections.abc import Callable
from functools import cache
from importlib import import_module

from toolpost.index.extract.languages import language_of
from toolpost.index.model import Extract

_ROOMS = {
    "ecma": "typescript javascript",
    "blocks": "vue svelte astro",
    "python": "python",
    "syntax": "go rust java kotlin csharp php ruby swift c cpp",
}
_ROOM_OF = {language: room for room, languages in _ROOMS.items() for language in languages.split()}
_NOTHING = Extract()
_BOM = b"\xef\xbb\xbf"


def extract(path: str, text: bytes) -> Extract:
    """What the text says; it never raises, and of a text too large to parse it tells what is cheap."""
    room = _ROOM_OF.get(language_of(path, text))
    if room is None:
        return _NOTHING
    return _reader(room)(path, text.removeprefix(_BOM))


@cache
def _reader(room: str) -> Callable[[str, bytes], Extract]:
    """Loaded with the first file of its kind: parsers are dear to import."""
    found: Callable[[str, bytes], Extract] = import_module(f"{__name__}.{room}").extract
    return found
