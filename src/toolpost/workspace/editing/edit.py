r"""A list of edits applied to one text: all of them or none, each to what the one before it left.

Whatever is outside the places that were found stays as it is. New text goes in literally, but for two
things: it takes the line ending of the place it goes to, and the shift of indent by which that place was
found. A text that ends with a line ending still does afterwards. An edit whose place an earlier one took
away fails, and names both. In a file with `\r` alone for its line endings, `\r` is read as `\n`.
"""

from collections.abc import Callable, Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct, structs

from toolpost.errors import BadPatch, EditNotFound, InvalidArgument, LimitExceeded, MissingParameter
from toolpost.limits import MATCHES_MAX
from toolpost.workspace.editing import misses, patch, splice
from toolpost.workspace.editing.lines import Endings, split
from toolpost.workspace.editing.match import Found, Span, Step, find

Kind = Literal["replace", "insert", "delete", "patch"]


class Edit(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One change of a file."""

    type: Annotated[
        Kind, Meta(description="What to do: replace or delete old_text, insert new_text, or apply a patch.")
    ] = "replace"
    old_text: Annotated[
        str | None, Meta(description="The text to replace or delete, quoted as it stands in the file.")
    ] = None
    new_text: Annotated[str | None, Meta(description="The text to put there, taken literally.")] = None
    line: Annotated[
        Annotated[int, Meta(ge=1)] | None,
        Meta(description="Insert before this line, counted from 1; one past the last line appends."),
    ] = None
    after: Annotated[str | None, Meta(description="Insert after this text, which must occur once.")] = None
    before: Annotated[str | None, Meta(description="Insert before this text, which must occur once.")] = None
    replace_all: Annotated[bool, Meta(description="Change every place where old_text occurs.")] = False
    patch: Annotated[
        str | None, Meta(description="A unified diff of this file; hunks are found by their context.")
    ] = None


class Edited(Struct, frozen=True):
    """The text after all edits, and how each of them found its place."""

    text: str
    steps: tuple[str, ...]
    """One of `match.Step` an edit; `line` or `patch` where nothing was searched for."""


def apply(text: str, edits: Sequence[Edit]) -> Edited:
    """All edits, in order. What is wrong with one is raised with its number in `parameter`, from 0."""
    if "\r" in text and "\n" not in text:
        edited = apply(text.replace("\r", "\n"), [_with_feeds(edit) for edit in edits])
        return Edited(edited.text.replace("\n", "\r"), edited.steps)
    before, steps = text, []
    for number, edit in enumerate(edits):
        _check(edit, f"edits[{number}]")
        try:
            text, step = _MAKE[edit.type](text, edit, f"edits[{number}]")
        except EditNotFound as miss:
            raise _explained(miss, before, edits[: number + 1]) from None
        steps.append(step)
    return Edited(text, tuple(steps))


def _with_feeds(edit: Edit) -> Edit:
    texts = {name: getattr(edit, name) for name in ("old_text", "new_text", "after", "before", "patch")}
    return structs.replace(
        edit,
        **{name: value.replace("\r\n", "\n").replace("\r", "\n") for name, value in texts.items() if value},
    )


def _explained(miss: EditNotFound, text: str, edits: Sequence[Edit]) -> EditNotFound:
    """The same miss; if an earlier edit took away what this one looks for, it says which."""
    *earlier, last = edits
    wanted = last.old_text or last.after or last.before or ""
    was_there = bool(earlier) and bool(find(text, wanted).spans)
    for number, edit in enumerate(earlier):
        if not was_there:
            break
        text, _ = _MAKE[edit.type](text, edit, "")
        if not find(text, wanted).spans:
            return _taken(miss, f"edits[{number}]")
    return miss


def _taken(miss: EditNotFound, taker: str) -> EditNotFound:
    return EditNotFound(
        f"The text of {miss.parameter} was in the file until {taker} changed it: edits are applied in order, "
        "each to what the one before it left. Make one edit of the two, or quote the text as it is by then.",
        parameter=miss.parameter,
        taken_by=taker,
        **miss.context,
    )


def _check(edit: Edit, name: str) -> None:
    """Whether the edit has what its type takes, and nothing else."""
    needed, allowed = _TAKES[edit.type]
    for field in _FIELDS:
        value = getattr(edit, field)
        if field in needed and value is None:
            raise MissingParameter(
                f"{name} is of type {edit.type} and has no {field}.", parameter=f"{name}.{field}"
            )
        if value and field not in needed + allowed:
            raise InvalidArgument(
                f"{name} is of type {edit.type}, which takes no {field}: leave it out.",
                parameter=f"{name}.{field}",
            )
    if edit.old_text == "" and "old_text" in needed:
        raise InvalidArgument(
            f"{name}.old_text is empty: quote the text as it stands in the file; to add text, use type insert.",
            parameter=f"{name}.old_text",
        )


_FIELDS = Edit.__struct_fields__[1:]
_TAKES: dict[Kind, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "replace": (("old_text", "new_text"), ("replace_all",)),
    "insert": (("new_text",), ("line", "after", "before")),
    "delete": (("old_text",), ("replace_all",)),
    "patch": (("patch",), ()),
}


def _replace(text: str, edit: Edit, name: str) -> tuple[str, str]:
    old, new = edit.old_text or "", edit.new_text or ""
    found = _found(text, old, f"{name}.old_text", several=edit.replace_all)
    endings = Endings(text)
    is_literal = found.step is Step.EXACT and "\r" in old  # who quotes line endings means them
    places = []
    for span in found.spans:
        moved = _moved(text, span, new, f"{name}.old_text")
        places.append((span.start, span.end, moved if is_literal else splice.fitted(endings, span, moved)))
    return splice.replaced(text, places), str(found.step)


def _delete(text: str, edit: Edit, name: str) -> tuple[str, str]:
    found = _found(text, edit.old_text or "", f"{name}.old_text", several=edit.replace_all)
    return splice.deleted(text, found.spans), str(found.step)


def _insert(text: str, edit: Edit, name: str) -> tuple[str, str]:
    given = [word for word in ("line", "after", "before") if getattr(edit, word) not in {None, ""}]
    if len(given) != 1:
        raise InvalidArgument(
            f"{name} needs one of line, after and before, not empty, and only one.", parameter=name
        )
    if edit.line is not None:
        return _insert_at(text, edit.line, edit.new_text or "", f"{name}.line"), "line"
    found = _found(text, edit.after or edit.before or "", f"{name}.{given[0]}")
    new = _moved(text, found.spans[0], edit.new_text or "", f"{name}.{given[0]}")
    put = splice.inserted_after if edit.after else splice.inserted_before
    return put(text, found.spans[0], new), str(found.step)


def _insert_at(text: str, line: int, new: str, parameter: str) -> str:
    lines = split(text)
    if not 1 <= line <= len(lines) + 1:
        nearest = 1 if line < 1 else len(lines) + 1
        raise InvalidArgument(
            f"The file has {len(lines)} lines: {parameter} can be 1 to {len(lines) + 1}, which appends.",
            parameter=parameter,
            suggested=nearest,
            lines=len(lines),
        )
    return splice.inserted(text, sum(map(len, lines[: line - 1])), new)


def _patch(text: str, edit: Edit, name: str) -> tuple[str, str]:
    parameter = f"{name}.patch"
    files = patch.parse(edit.patch or "", parameter=parameter)
    if len(files) != 1 or files[0].kind is not patch.PatchKind.UPDATE:
        raise BadPatch(
            f"{parameter} must change this one file: one that adds, moves or deletes files, or changes several, is "
            "a call of the patch tool.",
            parameter=parameter,
        )
    if files[0].is_executable is not None:
        raise BadPatch(
            f"{parameter} changes the mode of the file too: leave its mode lines out, or use the patch tool.",
            parameter=parameter,
        )
    return patch.updated(text, files[0], parameter=parameter), "patch"


_MAKE: dict[Kind, Callable[[str, Edit, str], tuple[str, str]]] = {
    "replace": _replace,
    "insert": _insert,
    "delete": _delete,
    "patch": _patch,
}


def _found(text: str, wanted: str, parameter: str, *, several: bool = False) -> Found:
    """Where the text stands: once, or as often as it likes if several are wanted."""
    found = find(text, wanted)
    if not found.spans:
        raise misses.not_found(text, wanted, parameter)
    if not several and (len(found.spans) > 1 or found.twin):
        raise misses.ambiguous(text, found, parameter)
    if len(found.spans) > MATCHES_MAX:
        raise LimitExceeded(
            f"The text of {parameter} occurs more than {MATCHES_MAX} times: quote more of it.",
            parameter=parameter,
            limit=MATCHES_MAX,
        )
    return found


def _moved(text: str, span: Span, new: str, parameter: str) -> str:
    """New text with the shift of indent its place was found by."""
    if span.shift is None:
        return new
    moved = span.shift.moved(new)
    if moved is None:
        raise misses.no_room(text, span, parameter)
    return moved
