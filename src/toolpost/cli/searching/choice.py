"""Which files are searched, as ripgrep's globs, types and `--hidden` say it.

A glob or type that names a file takes it even if its name begins with a dot; of several globs the last one that
matches decides. What ignore files leave out is none of this: no glob brings it back.
"""

from toolpost.cli.searching.asked import Where
from toolpost.cli.searching.types import globs_of
from toolpost.cli.trouble import Trouble
from toolpost.errors import InvalidArgument
from toolpost.index.limits import PATHS_KEPT
from toolpost.workspace.walking.globs import Glob


class Choice:
    def __init__(self, where: Where) -> None:
        """Raises Trouble for a glob or type that cannot be read."""
        self._globs = [(_glob(text.removeprefix("!")), text.startswith("!")) for text in where.globs][::-1]
        self._picks = any(not is_excluding for _, is_excluding in self._globs)
        self._types = [Glob(glob) for name in where.types for glob in _of_type(name)]
        self._types_not = [Glob(glob) for name in where.types_not for glob in _of_type(name)]
        self._hidden = where.hidden
        self._folders: dict[str, bool] = {"": True}

    def takes_folder(self, path: str) -> bool:
        """Whether a folder is gone into; its path is relative to what globs are about."""
        known = self._folders.get(path)
        if known is None:
            above, _, name = path.rpartition("/")
            said = self._said(path)
            known = self.takes_folder(above) and (said if said is not None else self._shows(name))
            if len(self._folders) < PATHS_KEPT:
                self._folders[path] = known
        return known

    def takes(self, path: str, *, is_below: str = "") -> bool:
        """`is_below` is the folder searched, which was named and is not judged."""
        folder, _, name = path.rpartition("/")
        if len(folder) > len(is_below) and not self._takes_folders(folder, is_below):
            return False
        said = self._said(path)
        if said is not None or self._picks:
            return bool(said)
        if any(glob.matches(path) for glob in self._types_not):
            return False
        if self._types:
            return any(glob.matches(path) for glob in self._types)
        return self._shows(name)

    def _takes_folders(self, folder: str, is_below: str) -> bool:
        """Every folder from the one searched, which is taken in any case, down to this one."""
        if is_below:
            self._folders[is_below] = True
        return self.takes_folder(folder)

    def _said(self, path: str) -> bool | None:
        for glob, is_excluding in self._globs:
            if glob.matches(path):
                return not is_excluding
        return None

    def _shows(self, name: str) -> bool:
        return self._hidden or not name.startswith(".")


def _glob(text: str) -> Glob:
    try:
        return Glob(text)
    except InvalidArgument as error:
        raise Trouble(f"-g {text}: {error.detail}", "toolpost search --help") from None


def _of_type(name: str) -> list[str]:
    found = globs_of(name)
    if not found:
        raise Trouble(f"There is no file type {name!r}.", "toolpost search --type-list")
    return found
