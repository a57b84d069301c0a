"""Changing files so that it can be undone: what was there is kept, the change is journalled, then it is made.

A change of several files is made whole: when one fails, those already written are put back. A crash in between
leaves an entry in the journal, by which the part that happened can be undone.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Lock
from typing import Any, TypeGuard

from msgspec import UNSET, Struct, UnsetType, structs

from toolpost.errors import (
    FileExists,
    FileNotFound,
    FileTooLarge,
    InvalidArgument,
    NotFound,
    ReadOnly,
    StaleFile,
    ToolError,
)
from toolpost.limits import WRITE_MAX
from toolpost.workspace.history.journal import Act, Entry, Journal, Step
from toolpost.workspace.history.states import NOTHING, State, kind, missing_folders, state
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.reading.text import digest
from toolpost.workspace.root import Kind, Root, WritableRoot


class Request(Struct, frozen=True):
    """Who changes something, and the id by which it can be undone."""

    id: str
    session: str = ""
    tool: str = ""


class Change(Struct, frozen=True, kw_only=True):
    path: str
    act: Act = Act.WRITE
    data: bytes = b""
    mode: int | None = None
    """None: what is there keeps its mode, and what is new gets the usual one."""
    moved_to: str = ""
    base: str | UnsetType | None = UNSET
    """The digest it was made from, None for nothing: it is refused when something else is there by now."""
    create_dirs: bool = False
    is_back: bool = False
    """It was there before, so its name is not judged as that of something new is."""


class Changes:
    """One change at a time, so that none is made from what another is about to replace."""

    def __init__(self, journal: Journal, touched: Callable[[Root, str], None] | None = None) -> None:
        """`touched` is told every path that may be another now, also when a change failed half way."""
        self.journal = journal
        self._touched = touched
        self._lock = Lock()

    def apply(self, request: Request, root: Root, changes: Sequence[Change]) -> Entry:
        """All or none. StaleFile when a file is not what its change was made from."""
        with self._lock:
            return self._applied(request, writable(root), changes)

    def undo(self, request: Request, entry: Entry, root: Root, *, force: bool = False) -> Entry | None:
        """Put back what was there, as a change of its own; None when there is nothing to undo.

        StaleFile when a file changed since; `force` puts it back all the same, and can be undone too.
        """
        with self._lock:
            backward = [self._inverse(root, step, force=force) for step in reversed(entry.steps)]
            changes = [change for change in backward if change]
            if not changes:
                _refuse_lost(entry)
                return None
            undone = self._applied(request, writable(root), changes, undoes=entry.request_id)
            _remove_folders(writable(root), entry.steps)
            return undone

    def _applied(
        self, request: Request, root: WritableRoot, changes: Sequence[Change], *, undoes: str = ""
    ) -> Entry:
        try:
            return self._made(request, root, changes, undoes)
        finally:
            if self._touched is not None:
                for path in (path for change in changes for path in (change.path, change.moved_to) if path):
                    self._touched(root, path)

    def _made(self, request: Request, root: WritableRoot, changes: Sequence[Change], undoes: str) -> Entry:
        _refuse_twice(changes)
        entry = Entry(
            request_id=request.id,
            time=self.journal.now(),
            session=request.session,
            tool=request.tool,
            root_key=root.key,
            where=root.where,
            steps=tuple(self._step(root, change) for change in changes),
            undoes=undoes,
        )
        self.journal.add(entry)
        done: list[Step] = []
        for change, step in zip(changes, entry.steps, strict=True):
            try:
                _last_look(root, step)
                _make(root, change)
            except ToolError as error:
                if error.context.get("changed"):  # else it did nothing: only what was done is put back
                    done.append(step)
                raise self._put_back(root, entry, done, error) from error
            done.append(step)
        return entry

    def _step(self, root: Root, change: Change) -> Step:
        """What the journal says of one file. Its content is kept by then."""
        if change.act is Act.WRITE:
            return self._writing(root, change)
        return self._deleting(root, change) if change.act is Act.DELETE else _moving(root, change)

    def _writing(self, root: Root, change: Change) -> Step:
        now = state(root, change.path)
        _refuse_stale(change, now)
        is_new = now.data is None
        return Step(
            path=change.path,
            act=Act.WRITE,
            before=None if now.data is None else self.journal.blobs.put(now.data),
            before_mode=now.mode,
            after=digest(change.data),
            made=missing_folders(root, change.path) if is_new and change.create_dirs else (),
        )

    def _deleting(self, root: Root, change: Change) -> Step:
        now = _keepable(root, change.path)
        if now is None:
            return Step(path=change.path, act=Act.DELETE, is_kept=False)
        _refuse_stale(change, now)
        if now.data is None:
            raise _nothing_at(change.path)
        before = self.journal.blobs.put(now.data)
        return Step(path=change.path, act=Act.DELETE, before=before, before_mode=now.mode)

    def _inverse(self, root: Root, step: Step, *, force: bool) -> Change | None:
        """What puts one file back; None when it is as it was."""
        if step.act is Act.MOVE:
            return _moved_back(root, step, force=force)
        if not step.is_kept:
            return None
        now = state(root, step.path)
        if now.digest == _kept(step):
            return None
        if now.digest != step.after and not force:
            raise _changed_since(step.path, step.after, now.digest)
        if step.before is None:
            return Change(path=step.path, act=Act.DELETE, base=now.digest)
        return Change(
            path=step.path,
            data=self.journal.blobs.get(step.before),
            mode=step.before_mode,
            base=now.digest,
            create_dirs=True,
            is_back=True,
        )

    def _put_back(
        self, root: WritableRoot, entry: Entry, done: Sequence[Step], error: ToolError
    ) -> ToolError:
        """After a failure."""
        left: list[str] = []
        back = 0
        for step in reversed(done):
            try:
                back += self._is_put_back(root, step)
            except ToolError:
                left.append(step.path)
        if not left:
            _remove_folders(root, done)
            self.journal.remove(entry)
        return _said_too(error, entry, left) if back or left else error

    def _is_put_back(self, root: WritableRoot, step: Step) -> bool:
        """Whether there was anything to put back. No folder is made for it: one that is gone may be elsewhere."""
        is_lost = not step.is_kept and not kind(root, step.path)
        if is_lost or missing_folders(root, step.path):
            raise _nothing_at(step.path)
        change = self._inverse(root, step, force=False)
        if change is None:
            return False
        try:
            _make(root, structs.replace(change, create_dirs=False))
        except ToolError as error:
            if not error.context.get("changed"):  # else it is in place, only not confirmed by the disk
                raise
        return True


def writable(root: Root) -> WritableRoot:
    if not _can_write(root):
        raise ReadOnly(f"{root.where} cannot be written to; only local folders can.", where=root.where)
    return root


def _can_write(root: Root) -> TypeGuard[WritableRoot]:
    return all(hasattr(root, name) for name in ("write", "delete", "move"))


def _make(root: WritableRoot, change: Change) -> None:
    if change.act is Act.DELETE:
        root.delete(change.path)
    elif change.is_back and isinstance(root, LocalRoot):
        _make_back(root, change)
    elif change.act is Act.MOVE:
        root.move(change.path, change.moved_to, create_dirs=change.create_dirs)
    else:
        root.write(change.path, change.data, create_dirs=change.create_dirs, mode=change.mode)


def _make_back(root: LocalRoot, change: Change) -> None:
    """Under the name it had, whatever that is."""
    make = change.create_dirs
    if change.act is Act.MOVE:
        root.move(change.path, change.moved_to, create_dirs=make, any_name=True)
    else:
        root.write(change.path, change.data, create_dirs=make, mode=change.mode, any_name=True)


def _moving(root: Root, change: Change) -> Step:
    if kind(root, change.moved_to):
        raise FileExists(f"There already is something at {change.moved_to}.", parameter="target")
    now = _keepable(root, change.path)
    if now:
        _refuse_stale(change, now)
        if now.data is None:
            raise _nothing_at(change.path)
    return Step(
        path=change.path,
        act=Act.MOVE,
        after=now.digest if now else None,
        moved_to=change.moved_to,
        made=missing_folders(root, change.moved_to) if change.create_dirs else (),
    )


def _keepable(root: Root, path: str) -> State | None:
    """A file's state, or that of nothing; None for what can be there but not be kept."""
    if kind(root, path) not in {Kind.FILE, None}:
        return None
    try:
        return state(root, path)
    except FileTooLarge:
        return None


def _moved_back(root: Root, step: Step, *, force: bool) -> Change | None:
    here, there = kind(root, step.path), kind(root, step.moved_to)
    if here and (not there or _is_file(root, step.path, step.after)):
        return None  # it never happened
    if here or not there:
        raise _in_the_way(step) if here else _gone_since(step)
    now = _keepable(root, step.moved_to) or NOTHING
    if now.digest != step.after and not force:
        raise _changed_since(step.moved_to, step.after, now.digest)
    return Change(path=step.moved_to, act=Act.MOVE, moved_to=step.path, create_dirs=True, is_back=True)


def _is_file(root: Root, path: str, wanted: str | None) -> bool:
    now = _keepable(root, path)
    return wanted is not None and now is not None and now.digest == wanted


def _last_look(root: Root, step: Step) -> None:
    """Keeping took its time: what is there must still be what was kept."""
    if step.act is Act.MOVE or not step.is_kept:
        return
    now = state(root, step.path).digest
    if now != _kept(step):
        raise _stale(step.path, _kept(step), now)


def _refuse_stale(change: Change, now: State) -> None:
    if change.base is not UNSET and change.base != now.digest:
        raise _stale(change.path, change.base, now.digest)


def _refuse_twice(changes: Sequence[Change]) -> None:
    named = Counter(path for change in changes for path in (change.path, change.moved_to) if path)
    twice = [path for path, times in named.items() if times > 1]
    if twice:
        raise InvalidArgument(f"One change names {twice[0]} twice; make two of it.", parameter="path")


def _refuse_lost(entry: Entry) -> None:
    lost = [step.path for step in entry.steps if not step.is_kept]
    if lost:
        raise NotFound(
            f"{', '.join(lost)} cannot be put back: folders, links and files of more than {WRITE_MAX:,} bytes "
            "are deleted without being kept.",
            parameter="request_id",
            lost=lost,
        )


def _kept(step: Step) -> str | None:
    """The digest of what was there; a content is kept under the same hash."""
    return None if step.before is None else f"sha256:{step.before}"


def _nothing_at(path: str) -> FileNotFound:
    return FileNotFound(f"There is nothing at {path}.", parameter="path")


def _stale(path: str, base: str | None, now: str | None) -> StaleFile:
    return StaleFile(
        f"{path} changed while it was being changed, so nothing was written: read it and try again.",
        parameter="path",
        path=path,
        expected=base,
        found=now,
    )


def _changed_since(path: str, left: str | None, now: str | None) -> StaleFile:
    return StaleFile(
        f"{path} is not what that change left: undoing it would lose what came after. Read it, and mend it with "
        "an edit; or undo with force, which puts back what was there before and can itself be undone.",
        parameter="request_id",
        path=path,
        expected=left,
        found=now,
    )


def _in_the_way(step: Step) -> StaleFile:
    return StaleFile(
        f"{step.path} is in the way: it came after {step.moved_to} was moved from there, and nothing is replaced by "
        f"a move. Move {step.path} away, then undo again; force does not help.",
        parameter="request_id",
        path=step.path,
        moved_to=step.moved_to,
    )


def _gone_since(step: Step) -> StaleFile:
    return StaleFile(
        f"{step.moved_to} is not there any more, so it cannot be moved back to {step.path}; force does not help. "
        "Undo first what took it away.",
        parameter="request_id",
        path=step.moved_to,
        expected=step.after,
        found=None,
    )


def _said_too(error: ToolError, entry: Entry, left: Sequence[str]) -> ToolError:
    """The same error, and what became of the files that were already written."""
    said = "What was already written was put back: nothing is changed."
    more: dict[str, Any] = {"changed": bool(left)}
    if left:
        said = f"Not put back: {', '.join(left)}; undo {entry.request_id} once that is mended."
        more["not_put_back"] = list(left)
    return type(error)(
        f"{error.detail} {said}",
        parameter=error.parameter,
        suggested=error.suggested,
        **{**error.context, **more},
    )


def _remove_folders(root: WritableRoot, steps: Sequence[Step]) -> None:
    """Those that were made for files that are gone again, unless something else came in."""
    for step in steps:
        for folder in reversed(step.made):
            with suppress(ToolError):
                root.delete(folder)
