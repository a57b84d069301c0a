"""fs.write and fs.edit, and with them all tools that change files. Every change can be undone by its request id."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType, structs

from toolpost.call import Call
from toolpost.content import Diff, Text
from toolpost.define import Output, Tool, from_function
from toolpost.errors import EditNotFound, InvalidArgument, NotText, StaleFile
from toolpost.limits import EDITS_MAX
from toolpost.schema import schema_of
from toolpost.tools.altering import PATHS, Ground, is_hash_of, noted, refuse_too_large, undo_note
from toolpost.tools.edit_words import ease
from toolpost.tools.moves import move_tools
from toolpost.tools.patches import patch_tools
from toolpost.workspace.editing import diff, edit
from toolpost.workspace.editing.edit import Edit
from toolpost.workspace.history.change import Change, Changes
from toolpost.workspace.history.seen import Seen
from toolpost.workspace.history.states import State, state
from toolpost.workspace.reading.text import Decoded, as_it_is, decode, digest, encode
from toolpost.workspace.workspace import Place, Workspace

_PATH = "Path of the file, relative to the workspace root."
_EXPECT = "The file's hash as it was read; the change is refused when the file is another by now."
_HASHES = {"expectHash": "expect_hash"}
Expected = Annotated[str | None, Meta(description=_EXPECT)]


class WriteFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    path: Annotated[str, Meta(description=_PATH)]
    content: Annotated[str, Meta(description="The whole new text, written as it is given.")]
    create_dirs: Annotated[bool, Meta(description="Make the folders that are missing.")] = False
    expect_hash: Expected = None
    overwrite: Annotated[
        bool, Meta(description="Replace what is there even if it was not read, or changed since.")
    ] = False


class WrittenData(Struct, frozen=True, kw_only=True):
    path: str
    size_bytes: int
    created: bool
    hash: str
    old_hash: str | UnsetType = UNSET
    request_id: str | UnsetType = UNSET
    """What undoes it; not there when nothing was changed."""


class EditFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    path: Annotated[str, Meta(description=_PATH)]
    edits: Annotated[
        list[Edit],
        Meta(description="All of them or none, in order.", min_length=1, max_length=EDITS_MAX),
    ]
    dry_run: Annotated[bool, Meta(description="Show the diff and change nothing.")] = False
    expect_hash: Expected = None


class EditedData(Struct, frozen=True, kw_only=True):
    path: str
    matched: list[str]
    """How each edit found its place."""
    old_hash: str
    hash: str
    dry_run: bool
    diff: str
    request_id: str | UnsetType = UNSET


def tools(workspace: Workspace, changes: Changes, seen: Seen) -> tuple[Tool, ...]:
    ground = Ground(workspace, changes, seen)
    return (_writing(ground), _editing(ground), *patch_tools(ground), *move_tools(ground))


def _writing(ground: Ground) -> Tool:
    def write_file(asked: WriteFile, call: Call) -> Output:
        return write(ground, asked, call)

    return from_function(
        write_file,
        name="fs.write",
        title="Write a file",
        description=(
            "Write a whole file, new or in place of one that was read before. To change a part of a file, "
            "edit it instead. Encoding and mode of a file that is there are kept."
        ),
        effects=("write",),
        tags=("files",),
        examples=({"name": "a new file", "input": {"path": "notes/todo.md", "content": "- [ ] start\n"}},),
        aliases={**PATHS, **_HASHES, "createDirs": "create_dirs", "contents": "content"},
        cost={"writes": 1},
        output_schema=schema_of(WrittenData),
        source="toolpost",
    )


def _editing(ground: Ground) -> Tool:
    def edit_file(asked: EditFile, call: Call) -> Output:
        return edited(ground, asked, call)

    replace = {"type": "replace", "old_text": "retries = 3\n", "new_text": "retries = 5\n"}
    insert = {"type": "insert", "line": 1, "new_text": "# Settings\n"}
    return from_function(
        edit_file,
        name="fs.edit",
        title="Edit a file",
        description=(
            "Change parts of a text file: replace or delete text quoted from it, insert text, or apply a patch. "
            "The answer is the diff. Text is found although blanks, indent or quotes differ a little, but is "
            "never guessed."
        ),
        effects=("read", "write"),
        tags=("files",),
        examples=(
            {"name": "replace", "input": {"path": "settings.py", "edits": [replace]}},
            {"name": "see first", "input": {"path": "settings.py", "edits": [insert], "dry_run": True}},
        ),
        aliases={**PATHS, **_HASHES, "dryRun": "dry_run"},
        ease=ease,
        cost={"writes": 1},
        output_schema=schema_of(EditedData),
        source="toolpost",
    )


def write(ground: Ground, asked: WriteFile, call: Call) -> Output:
    place = ground.place(asked.path)
    now = state(place.root, place.path)
    _refuse_unknown(ground, asked, place, now, call)
    data, notes = _encoded(asked.content, now, place)
    refuse_too_large(place, len(data), "content")
    told = WrittenData(
        path=place.shown,
        size_bytes=len(data),
        created=now.data is None,
        hash=digest(data),
        old_hash=now.digest or UNSET,
    )
    said = Text(f"File written successfully to {place.shown} ({len(data)} bytes)")
    if data == now.data:
        ground.seen.saw(call.caller.session, place.root.key, place.path, told.hash)
        return Output(content=(said,), data=told, notes=(*notes, "The file had this content already."))
    change = Change(path=place.path, data=data, base=now.digest, create_dirs=asked.create_dirs)
    entry = ground.apply(call, place, [change])
    told = structs.replace(told, request_id=entry.request_id)
    return Output(content=(said,), data=told, notes=(*notes, undo_note(entry)))


def edited(ground: Ground, asked: EditFile, call: Call) -> Output:
    place = ground.place(asked.path)
    now = ground.there(place)
    if asked.expect_hash and not is_hash_of(asked.expect_hash, now.digest):
        raise _not_expected(place, asked.expect_hash, now)
    old = decode(now.data or b"", place.shown)
    notes = ground.stale_note(place, now, call)
    try:
        new = edit.apply(old.text, asked.edits)
    except EditNotFound as miss:
        raise noted(miss, notes) from None
    data = encode(as_it_is(old), new.text)  # the edit has fitted the line endings already
    refuse_too_large(place, len(data), "edits")
    told = EditedData(
        path=place.shown,
        matched=list(new.steps),
        old_hash=digest(now.data or b""),
        hash=digest(data),
        dry_run=asked.dry_run,
        diff=diff.unified(place.shown, old.text, new.text),
    )
    shown = Diff(place.shown, old.text, new.text, diff.hunks(old.text, new.text).removesuffix("\n"))
    if told.hash == told.old_hash:
        notes = (*notes, "The edits leave the file as it is.")
    elif not asked.dry_run:
        entry = ground.apply(call, place, [Change(path=place.path, data=data, base=now.digest)])
        told = structs.replace(told, request_id=entry.request_id)
        notes = (*notes, undo_note(entry))
    return Output(content=(shown,), data=told, notes=notes)


def _refuse_unknown(ground: Ground, asked: WriteFile, place: Place, now: State, call: Call) -> None:
    """Nothing is replaced that the caller does not know, unless it says that it may be (read before write)."""
    if asked.expect_hash:
        if not is_hash_of(asked.expect_hash, now.digest):
            raise _not_expected(place, asked.expect_hash, now)
        return
    known = ground.known(place, call)
    if now.data is None or asked.overwrite or known == now.digest:
        return
    if known is None:
        raise StaleFile(
            f"{place.shown} is there already, and this session has not read it: read it first, then write it or "
            "edit a part of it. To replace it unread, set overwrite.",
            parameter="path",
        )
    raise StaleFile(
        f"{place.shown} changed since this session read it: read it again, then repeat the change with what is "
        "there now.",
        parameter="path",
        expected=known,
        found=now.digest,
    )


def _not_expected(place: Place, expected: str, now: State) -> StaleFile:
    what = "is not the file whose hash was expected" if now.digest else "is not there any more"
    return StaleFile(
        f"{place.shown} {what}: read it again, then repeat the change with what is there now.",
        parameter="expect_hash",
        expected=expected,
        found=now.digest,
    )


def _encoded(content: str, now: State, place: Place) -> tuple[bytes, tuple[str, ...]]:
    """As the file that is there was written; line endings as given."""
    like = _coding(now)
    body = content.removeprefix("\ufeff") if like.bom else content
    try:
        return encode(like, body), ()
    except InvalidArgument as error:
        if like.encoding.startswith("utf"):
            raise
        note = (
            f"{place.shown} was {like.encoding}, which has no {error.context['character']}: it is UTF-8 now."
        )
        return encode(Decoded(""), body), (note,)


def _coding(now: State) -> Decoded:
    try:
        old = decode(now.data or b"")
    except NotText:
        return Decoded("")
    return structs.replace(old, text="", line_ending="mixed")
