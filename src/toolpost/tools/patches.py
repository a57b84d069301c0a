"""fs.patch: one patch over several files, checked as a whole before anything is written."""

from collections.abc import Iterator
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from toolpost.call import Call
from toolpost.content import Diff
from toolpost.define import Output, Tool, from_function
from toolpost.errors import BadPatch, FileExists, InvalidArgument
from toolpost.schema import schema_of
from toolpost.tools.altering import Ground, noted, refuse_too_large, undo_note
from toolpost.workspace.editing import diff, patch
from toolpost.workspace.editing.hunk import FilePatch, PatchKind
from toolpost.workspace.history.change import Change
from toolpost.workspace.history.journal import Act
from toolpost.workspace.history.states import State, kind, state
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
    """One file of a patch, worked out and not yet written."""

    file: FilePatch
    place: Place
    target: Place | None
    now: State
    old: str | None
    new: str | None
    data: bytes
    """What the patch leaves, at the target if there is one."""

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
    parts = [_part(ground, file, call) for file in patch.parse(asked.patch)]
    _refuse_two_roots(parts)
    notes = tuple(note for part in parts for note in ground.stale_note(part.place, part.now, call))
    request_id: str | UnsetType = UNSET
    if not asked.dry_run:
        entry = ground.apply(call, parts[0].place, [change for part in parts for change in _changes(part)])
        request_id = entry.request_id
        notes = (*notes, undo_note(entry))
    told = PatchedData(files=[_told(part) for part in parts], dry_run=asked.dry_run, request_id=request_id)
    return Output(content=tuple(_shown(part) for part in parts), data=told, notes=notes)


def _part(ground: Ground, file: FilePatch, call: Call) -> Part:
    if not file.path:
        raise BadPatch(
            "The patch names no file: begin each with `--- a/PATH` and `+++ b/PATH`.", parameter="patch"
        )
    place = ground.place(file.path)
    now = state(place.root, place.path) if file.kind is PatchKind.ADD else ground.there(place)
    old = None if now.data is None or _is_whole(file) else decode(now.data, place.shown)
    text = None if old is None else old.text
    try:
        new = None if _is_whole(file) else patch.apply_file(text, file)
    except BadPatch as error:
        raise noted(error, ground.stale_note(place, now, call)) from None
    data = now.data or b"" if new is None else encode(as_it_is(old or Decoded("")), new)
    refuse_too_large(place, len(data), "patch")
    target = _target(ground, file)
    return Part(file=file, place=place, target=target, now=now, old=text, new=new, data=data)


def _is_whole(file: FilePatch) -> bool:
    return file.kind in {PatchKind.DELETE, PatchKind.MOVE} and not file.hunks


def _target(ground: Ground, file: FilePatch) -> Place | None:
    if file.new_path is None:
        return None
    target = ground.place(file.new_path)
    if kind(target.root, target.path):
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


def _changes(part: Part) -> Iterator[Change]:
    path, base = part.place.path, part.now.digest
    if part.target:
        yield Change(path=part.target.path, data=part.data, mode=part.now.mode, base=None, create_dirs=True)
        yield Change(path=path, act=Act.DELETE, base=base)
    elif part.file.kind is PatchKind.DELETE:
        yield Change(path=path, act=Act.DELETE, base=base)
    else:
        yield Change(path=path, data=part.data, base=base, create_dirs=True)


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
