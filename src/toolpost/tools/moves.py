"""fs.delete, fs.move and fs.undo: files that go, come back, or change their place."""

from collections.abc import Callable
from typing import Annotated, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType

from toolpost.call import Call
from toolpost.content import Text
from toolpost.define import Output, Tool, from_function
from toolpost.errors import (
    DirectoryNotFound,
    FileExists,
    InvalidArgument,
    InvalidPath,
    NotFound,
    ToolError,
)
from toolpost.schema import schema_of
from toolpost.tools.altering import PATHS, Ground, undo_note
from toolpost.workspace.history.change import Change
from toolpost.workspace.history.journal import Act, Entry
from toolpost.workspace.history.states import kind
from toolpost.workspace.root import Kind, Root
from toolpost.workspace.workspace import Place

_Error = TypeVar("_Error", bound=ToolError)


class DeleteFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    path: Annotated[
        str, Meta(description="What to delete, relative to the workspace root: a file, or an empty folder.")
    ]


class DeletedData(Struct, frozen=True, kw_only=True):
    path: str
    deleted: bool
    can_undo: bool
    request_id: str


class MoveFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    source: Annotated[str, Meta(description="The file or folder to move, relative to the workspace root.")]
    target: Annotated[str, Meta(description="Its new path, its own name included; nothing may be there yet.")]
    create_dirs: Annotated[bool, Meta(description="Make the folders that are missing.")] = False


class MovedData(Struct, frozen=True, kw_only=True):
    source: str
    target: str
    request_id: str


class Undo(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    request_id: Annotated[
        str, Meta(description="The request id of the change to undo, or its beginning.", min_length=1)
    ]
    force: Annotated[
        bool, Meta(description="Put back what was there even over later changes; they can be undone too.")
    ] = False


class PutBack(Struct, frozen=True, kw_only=True):
    path: str
    what: str
    """`content`: as it was before; `removed`: it was new; `moved`: from where it had gone."""


class UndoneData(Struct, frozen=True, kw_only=True):
    undone: str
    """The request id of the change that was undone."""
    files: list[PutBack]
    """None when there was nothing to undo."""
    request_id: str | UnsetType = UNSET
    """What undoes the undo."""


def move_tools(ground: Ground) -> tuple[Tool, ...]:
    return (_deleting(ground), _moving(ground), _undoing(ground))


def _deleting(ground: Ground) -> Tool:
    def delete_file(asked: DeleteFile, call: Call) -> Output:
        return delete(ground, asked, call)

    return from_function(
        delete_file,
        name="fs.delete",
        title="Delete a file",
        description="Delete a file, a link or an empty folder. A file of usual size can be had back by undoing it.",
        effects=("delete",),
        tags=("files",),
        examples=({"name": "a file", "input": {"path": "notes/old.md"}},),
        aliases=PATHS,
        cost={"writes": 1},
        output_schema=schema_of(DeletedData),
        source="toolpost",
    )


def _moving(ground: Ground) -> Tool:
    def move_file(asked: MoveFile, call: Call) -> Output:
        return move(ground, asked, call)

    sources = ("from", "from_path", "source_path", "sourcePath", "old_path", "oldPath", "src")
    targets = ("to", "to_path", "target_path", "targetPath", "new_path", "newPath", "dst", "destination")
    return from_function(
        move_file,
        name="fs.move",
        title="Move a file",
        description="Move or rename a file or a folder within the workspace. Nothing that is there is replaced.",
        effects=("delete", "write"),
        tags=("files",),
        examples=({"name": "rename", "input": {"source": "src/util.py", "target": "src/text.py"}},),
        aliases={
            **dict.fromkeys(sources, "source"),
            **dict.fromkeys(targets, "target"),
            "createDirs": "create_dirs",
        },
        cost={"writes": 1},
        output_schema=schema_of(MovedData),
        source="toolpost",
    )


def _undoing(ground: Ground) -> Tool:
    def undo_change(asked: Undo, call: Call) -> Output:
        return undo(ground, asked, call)

    return from_function(
        undo_change,
        name="fs.undo",
        title="Undo a change",
        description=(
            "Undo a change of files by its request id: what was there before is put back. It is refused when the "
            "files changed since, and can itself be undone."
        ),
        effects=("write", "delete"),
        tags=("files",),
        examples=({"name": "one change", "input": {"request_id": "req-4611686018427387904"}},),
        aliases={"requestId": "request_id", "id": "request_id"},
        cost={"writes": 1},
        output_schema=schema_of(UndoneData),
        source="toolpost",
    )


def delete(ground: Ground, asked: DeleteFile, call: Call) -> Output:
    place = ground.place(asked.path)
    entry = ground.apply(call, place, [Change(path=place.path, act=Act.DELETE)])
    is_kept = entry.steps[0].is_kept
    told = DeletedData(path=place.shown, deleted=True, can_undo=is_kept, request_id=entry.request_id)
    note = undo_note(entry) if is_kept else f"{place.shown} was not kept, so this cannot be undone."
    return Output(content=(Text(f"Deleted {place.shown}"),), data=told, notes=(note,))


def move(ground: Ground, asked: MoveFile, call: Call) -> Output:
    source, target = ground.place(asked.source), _target(ground, asked.target)
    if source.root is not target.root:
        raise InvalidArgument(
            f"{source.shown} and {target.shown} are in two roots: write the file there, then delete it here.",
            parameter="target",
        )
    change = Change(path=source.path, act=Act.MOVE, moved_to=target.path, create_dirs=asked.create_dirs)
    try:
        entry = ground.apply(call, source, [change])
    except FileExists as error:
        raise (_of_target(error) if error.suggested else _occupied(source, target)) from None
    except DirectoryNotFound as error:
        raise _of_target(error) from None
    except InvalidPath as error:
        raise (_of_target(error) if error.context.get("rule") == "windows" else error) from None
    told = MovedData(source=source.shown, target=target.shown, request_id=entry.request_id)
    said = Text(f"Moved {source.shown} to {target.shown}")
    return Output(content=(said,), data=told, notes=(undo_note(entry),))


def undo(ground: Ground, asked: Undo, call: Call) -> Output:
    """Only what this session did itself."""
    entry = ground.changes.journal.find(asked.request_id, call.caller.session)
    root = _root(ground, entry)
    undone = ground.changes.undo(ground.request(call), entry, root, force=asked.force)
    if undone is None:
        said = Text(f"Nothing to undo: the files are as they were before {entry.request_id}.")
        return Output(content=(said,), data=UndoneData(undone=entry.request_id, files=[]))
    ground.remember(call, root, undone)
    files = put_back(undone, lambda path: _shown(ground, root, path))
    told = UndoneData(undone=entry.request_id, files=files, request_id=undone.request_id)
    said = Text("\n".join((f"Undid {entry.request_id}:", *(f"{file.path}: {file.what}" for file in files))))
    return Output(content=(said,), data=told, notes=(undo_note(undone),))


def put_back(undone: Entry, shown: Callable[[str], str]) -> list[PutBack]:
    """What an undo did, file by file."""
    return [PutBack(path=shown(step.moved_to or step.path), what=_WHAT[step.act]) for step in undone.steps]


_WHAT = {Act.WRITE: "content", Act.DELETE: "removed", Act.MOVE: "moved"}


def _target(ground: Ground, path: str) -> Place:
    try:
        return ground.place(path)
    except InvalidPath as error:
        raise _of_target(error) from None


def _of_target(error: _Error) -> _Error:
    """The same error, about the parameter it is about here."""
    return type(error)(error.detail, parameter="target", suggested=error.suggested, **error.context)


def _occupied(source: Place, target: Place) -> FileExists:
    """A folder as the target: what was meant is most likely a place in it."""
    name = source.path.rpartition("/")[2]
    inside = f"{target.shown}/{name}"
    if kind(target.root, target.path) is not Kind.DIRECTORY or kind(target.root, f"{target.path}/{name}"):
        return FileExists(f"There already is something at {target.shown}.", parameter="target")
    return FileExists(
        f"{target.shown} is a folder; name the new path itself, such as {inside}.",
        parameter="target",
        suggested=inside,
    )


def _root(ground: Ground, entry: Entry) -> Root:
    for root in ground.workspace.roots.values():
        if root.key == entry.root_key:
            return root
    raise NotFound(
        f"{entry.request_id} changed files in {entry.where}, which is no root of this workspace.",
        parameter="request_id",
    )


def _shown(ground: Ground, root: Root, path: str) -> str:
    roots = ground.workspace.roots
    return path if len(roots) == 1 else next(f"{name}/{path}" for name, one in roots.items() if one is root)
