"""What every tool that changes files stands on: places it may write to, changes that can be undone."""

from collections.abc import Sequence
from typing import TypeVar

from msgspec import Struct

from toolpost.call import Call
from toolpost.errors import FileExists, FileNotFound, FileTooLarge, InvalidPath, ToolError
from toolpost.limits import WRITE_MAX
from toolpost.tools.nearest import no_file
from toolpost.workspace.history.change import Change, Changes, Request, writable
from toolpost.workspace.history.journal import Act, Entry
from toolpost.workspace.history.seen import Seen
from toolpost.workspace.history.states import State, state
from toolpost.workspace.root import Root
from toolpost.workspace.workspace import Place, Workspace

_Error = TypeVar("_Error", bound=ToolError)
PATHS = {"file_path": "path", "filePath": "path", "absolute_path": "path"}


class Ground(Struct, frozen=True):
    workspace: Workspace
    changes: Changes
    seen: Seen

    def place(self, path: str) -> Place:
        """Where to write; ReadOnly where that is not possible at all."""
        place = self.workspace.place(path)
        writable(place.root)
        return place

    def there(self, place: Place) -> State:
        """The file that is there. FileNotFound names those that were likely meant."""
        now = state(place.root, place.path)
        if now.data is None:
            raise no_file(self.workspace, place, place.shown)
        return now

    def known(self, place: Place, call: Call) -> str | None:
        return self.seen.known(call.caller.session, place.root.key, place.path)

    def stale_note(self, place: Place, now: State, call: Call) -> tuple[str, ...]:
        known = self.known(place, call)
        is_stale = known is not None and known != now.digest
        return (f"{place.shown} changed since this session read it.",) if is_stale else ()

    def apply(self, call: Call, place: Place, changes: Sequence[Change]) -> Entry:
        """Made, and remembered as known to this session. All changes are of the place's root."""
        try:
            entry = self.changes.apply(self.request(call), place.root, changes)
        except FileNotFound:
            raise no_file(self.workspace, place, place.shown) from None
        except (FileExists, InvalidPath) as error:
            raise self._as_seen(place, error) from None
        self.remember(call, place.root, entry)
        return entry

    def _as_seen(self, place: Place, error: _Error) -> _Error:
        """The same error, what it suggests being a path as the caller sees it."""
        if not isinstance(error.suggested, str):
            return error
        suggested = self.workspace.shown(place, error.suggested)
        return type(error)(error.detail, parameter=error.parameter, suggested=suggested, **error.context)

    def request(self, call: Call) -> Request:
        return Request(call.request_id or self.changes.journal.new_id(), call.caller.session, call.tool)

    def remember(self, call: Call, root: Root, entry: Entry) -> None:
        for step in entry.steps:
            if step.act is not Act.WRITE:
                self.seen.forget(root.key, step.path)
            if step.after is not None:
                self.seen.saw(call.caller.session, root.key, step.moved_to or step.path, step.after)


def noted(error: _Error, notes: Sequence[str]) -> _Error:
    """The same error, with what else is known about it."""
    if not notes:
        return error
    detail = " ".join((error.detail, *notes))
    return type(error)(detail, parameter=error.parameter, suggested=error.suggested, **error.context)


def refuse_too_large(place: Place, size: int, parameter: str) -> None:
    if size > WRITE_MAX:
        raise FileTooLarge(
            f"{place.shown} would have {size:,} bytes; at most {WRITE_MAX:,} are written: split it.",
            parameter=parameter,
            size_bytes=size,
            limit=WRITE_MAX,
        )


def undo_note(entry: Entry) -> str:
    return f"undo with request_id={entry.request_id}"


def is_hash_of(given: str, digest: str | None) -> bool:
    """Whether a hash a caller gave is this one; it may leave out what kind it is."""
    return digest is not None and given.strip().casefold().removeprefix("sha256:") == digest.removeprefix(
        "sha256:"
    )
