"""Files as the sections of a patch leave them, one after the other, before any of it is written."""

from msgspec import Struct

from toolpost.errors import BadPatch
from toolpost.tools.altering import Ground
from toolpost.workspace.history.change import Change
from toolpost.workspace.history.journal import Act
from toolpost.workspace.history.states import State, kind, state
from toolpost.workspace.workspace import Place


class _File(Struct):
    place: Place
    first: State
    now: State
    section: int
    """The last one that changed it, counted from 1; 0 for none."""


class Draft:
    """Each file is looked at once, and changed once at the end: from what was there to what all sections leave."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._files: dict[tuple[str, str], _File] = {}

    def look(self, place: Place) -> State:
        """What is there by now, or that nothing is."""
        return self._file(place).now

    def there(self, place: Place, section: int) -> State:
        """The file that is there by now. FileNotFound; BadPatch when an earlier section took it away."""
        file = self._files.get(_key(place))
        if file is None:
            return self._keep(place, self._ground.there(place)).now
        if file.now.data is None:
            raise BadPatch(
                f"Section {section} of the patch changes {place.shown}, which section {file.section} took away: make "
                "one section of the two.",
                parameter="patch",
                path=place.shown,
                sections=[file.section, section],
            )
        return file.now

    def is_taken(self, place: Place) -> bool:
        """Whether anything is there by now, a folder too."""
        file = self._files.get(_key(place))
        return file.now.data is not None if file else kind(place.root, place.path) is not None

    def is_first(self, place: Place) -> bool:
        """Whether no section changed it yet."""
        return self._file(place).section == 0

    def put(self, place: Place, now: State, section: int) -> None:
        file = self._file(place)
        file.now, file.section = now, section
        self._files[_key(place)] = self._files.pop(_key(place))  # changes are made in this order

    def changes(self) -> list[Change]:
        return [change for file in self._files.values() if (change := _change(file))]

    def _file(self, place: Place) -> _File:
        file = self._files.get(_key(place))
        return file or self._keep(place, state(place.root, place.path))

    def _keep(self, place: Place, now: State) -> _File:
        file = self._files[_key(place)] = _File(place, now, now, 0)
        return file


def _key(place: Place) -> tuple[str, str]:
    return place.root.key, place.path


def _change(file: _File) -> Change | None:
    path, base = file.place.path, file.first.digest
    if file.now.data is None:
        return None if file.first.data is None else Change(path=path, act=Act.DELETE, base=base)
    mode = None if file.now.mode == file.first.mode else file.now.mode
    return Change(path=path, data=file.now.data, mode=mode, base=base, create_dirs=True)
