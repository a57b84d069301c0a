"""fs.patch: one patch over several files, checked as a whole before anything is written."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from toolpost.call import Call
from toolpost.content import Diff
from toolpost.define import Output, Tool, from_function
from toolpost.errors import BadPatch, FileExists, InvalidArgument
from toolpost.schema import schema_of
from toolpost.tools.altering import Ground, noted, refuse_too_large, undo_note
from toolpost.tools.draft import Draft
from toolpost.workspace.editing import diff, patch
from toolpost.workspace.editing.hunk import FilePatch, PatchKind
from toolpost.workspace.history.states import NOTHING, State
from toolpost.workspace.local.umask import executable
from toolpost.workspace.reading.text import Decoded, as_it_is, decode, digest, encode
from toolpost.workspace.workspace import Place

_EXAMPLE = """\
*** Begin Patch
*** Update File: settings.py
@@
-retries = 3
+retries = 5
*** Add File: notes.md
+# Notes
*** End Patch
"""


class ApplyPatch(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    patch: Annotated[
        str,
        Meta(
            description="A unified diff, or a patch from *** Begin Patch to *** End Patch; paths are relative to "
            "the workspace root.",
            min_length=1,
        ),
    ]
    dry_run: Annotated[bool, Meta(description="Show the diffs and change nothing.")] = False


class FileData(Struct, frozen=True, kw_only=True):
    path: str
    what: str
    """add, update, delete or move."""
    diff: str
    moved_to: str | UnsetType = UNSET
    old_hash: str | UnsetType = UNSET
    hash: str | UnsetType = UNSET


class PatchedData(Struct, frozen=True, kw_only=True):
    files: list[FileData]
    dry_run: bool
    request_id: str | UnsetType = UNSET


class Part(Struct, frozen=True, kw_only=True):
    """One section of a patch, worked out and not yet written."""

    file: FilePatch
    place: Place
    target: Place | None
    now: State
    """What the sections before it leave."""
    old: str | None
    new: str | None
    data: bytes
    """What the patch leaves, at the target if there is one."""
    mode: int | None
    notes: tuple[str, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether the file goes or moves as it is, so that nothing of it need be text."""
        return _is_whole(self.file)


def patch_tools(ground: Ground) -> tuple[Tool, ...]:
    def apply_patch(asked: ApplyPatch, call: Call) -> Output:
        return patched(ground, asked, call)

    tool = from_function(
        apply_patch,
        name="fs.patch",
        title="Apply a patch",
        description=(
            "Apply one patch to several files: change, add, delete and move them, all or none. It takes a unified "
            "diff or the *** Begin Patch form; hunks are found by their lines, and never guessed."
        ),
        effects=("read", "write", "delete"),
        tags=("files",),
        examples=({"name": "two files", "input": {"patch": _EXAMPLE}},),
        aliases={"input": "patch", "diff": "patch", "dryRun": "dry_run"},
        cost={"writes": 1},
        output_schema=schema_of(PatchedData),
        source="toolpost",
    )
    return (tool,)


def patched(ground: Ground, asked: ApplyPatch, call: Call) -> Output:
    draft = Draft(ground)
    parts: list[Part] = []
    for number, file in enumerate(patch.parse(asked.patch), 1):
        part = _part(ground, draft, file, (number, call))
        _put(draft, part, number)
        parts.append(part)
    _refuse_two_roots(parts)
    notes = tuple(note for part in parts for note in part.notes)
    request_id: str | UnsetType = UNSET
    changes = draft.changes()
    if not changes:
        notes = (*notes, "The patch leaves all files as they are.")
    elif not asked.dry_run:
        entry = ground.apply(call, parts[0].place, changes)
        request_id = entry.request_id
        notes = (*notes, undo_note(entry))
    told = PatchedData(files=[_told(part) for part in parts], dry_run=asked.dry_run, request_id=request_id)
    return Output(content=tuple(_shown(part) for part in parts), data=told, notes=notes)


def _part(ground: Ground, draft: Draft, file: FilePatch, at: tuple[int, Call]) -> Part:
    number, call = at
    if not file.path:
        raise BadPatch(
            "The patch names no file: begin each with `--- a/PATH` and `+++ b/PATH`.", parameter="patch"
        )
    place = ground.place(file.path)
    now = draft.look(place) if file.kind is PatchKind.ADD else draft.there(place, number)
    notes = ground.stale_note(place, now, call) if draft.is_first(place) else ()
    old = None if now.data is None or _is_whole(file) else decode(now.data, place.shown)
    text = None if old is None else old.text
    try:
        new = None if _is_whole(file) else patch.apply_file(text, file)
    except BadPatch as error:
        raise noted(error, notes) from None
    data = now.data or b"" if new is None else encode(as_it_is(old or Decoded("")), new)
    refuse_too_large(place, len(data), "patch")
    target = _target(ground, draft, file)
    mode = _mode(file, now)
    if mode != now.mode and file.is_executable is not None:
        is_now = "is executable" if file.is_executable else "is not executable"
        notes = (*notes, f"{(target or place).shown} {is_now} after the patch.")
    return Part(
        file=file, place=place, target=target, now=now, old=text, new=new, data=data, mode=mode, notes=notes
    )


def _mode(file: FilePatch, now: State) -> int | None:
    """That of the file, with or without the right to execute it if the patch says so; None for the usual one."""
    if file.is_executable:
        return executable(now.mode)
    if file.is_executable is None or now.mode is None:
        return now.mode
    return now.mode & ~0o111


def _put(draft: Draft, part: Part, number: int) -> None:
    after = State(part.data, part.mode)
    if part.target:
        draft.put(part.target, after, number)  # first, so that a crash leaves one of the two
        after = NOTHING
    elif part.file.kind is PatchKind.DELETE:
        after = NOTHING
    draft.put(part.place, after, number)


def _is_whole(file: FilePatch) -> bool:
    return file.kind in {PatchKind.DELETE, PatchKind.MOVE} and not file.hunks


def _target(ground: Ground, draft: Draft, file: FilePatch) -> Place | None:
    if file.new_path is None:
        return None
    target = ground.place(file.new_path)
    if draft.is_taken(target):
        raise FileExists(
            f"There already is something at {target.shown}.", parameter="patch", path=target.shown
        )
    return target


def _refuse_two_roots(parts: list[Part]) -> None:
    places = [place for part in parts for place in (part.place, part.target) if place]
    if len({place.root.key for place in places}) > 1:
        raise InvalidArgument(
            "The patch changes files of two roots; send a patch for each.", parameter="patch"
        )


def _told(part: Part) -> FileData:
    is_gone = part.file.kind is PatchKind.DELETE
    return FileData(
        path=part.place.shown,
        what=part.file.kind,
        diff="" if part.is_whole else diff.unified(part.place.shown, part.old, part.new),
        moved_to=part.target.shown if part.target else UNSET,
        old_hash=part.now.digest or UNSET,
        hash=UNSET if is_gone else digest(part.data),
    )


def _shown(part: Part) -> Diff:
    hunks = diff.hunks(part.old, part.new).removesuffix("\n")
    return Diff((part.target or part.place).shown, part.old or "", part.new or "", hunks)
