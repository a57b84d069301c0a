"""Patches applied to texts: every hunk at the one place its lines stand, or nowhere.

A hunk is taken where its header says, shifted as the hunk before it was; else where its lines stand once
in what follows that hunk. Lines must be equal but for their line endings; where a hunk has no line numbers,
as in the Codex grammar, blanks at the ends of lines do not count either. What is kept stays as the file
has it, and what is added gets the file's line ending.
"""

from collections.abc import Sequence
from typing import Any

from toolpost.errors import BadPatch, FileExists, FileNotFound, FileTooLarge
from toolpost.limits import MATCH_LINES, OPTIONS_TOLD
from toolpost.workspace.editing import misses
from toolpost.workspace.editing.closest import closest
from toolpost.workspace.editing.codex_patch import BEGIN, parse_codex
from toolpost.workspace.editing.hunk import FilePatch, Hunk, PatchKind
from toolpost.workspace.editing.lines import with_ending, without_ending
from toolpost.workspace.editing.locate import Level, Spot, Target
from toolpost.workspace.editing.unified_patch import parse_unified

__all__ = ["FilePatch", "Hunk", "PatchKind", "apply_file", "parse", "parse_codex", "parse_unified", "updated"]


def parse(text: str, *, parameter: str = "patch") -> list[FilePatch]:
    """A patch in either language. Raises BadPatch."""
    is_codex = f"\n{BEGIN}" in f"\n{text.lstrip()}"  # in a diff a sign would stand before it
    return (parse_codex if is_codex else parse_unified)(text, parameter=parameter)


def apply_file(old: str | None, patch: FilePatch, *, parameter: str = "patch") -> str | None:
    """The text of the file after the patch; None is a file that is not there."""
    if patch.kind is PatchKind.ADD:
        return _added(old, patch, parameter)
    if old is None:
        raise FileNotFound(f"There is no file {patch.path} to patch.", parameter=parameter, path=patch.path)
    text = updated(old, patch, parameter=parameter)
    if patch.kind is not PatchKind.DELETE:
        return text
    if patch.hunks and text:
        raise BadPatch(
            f"The patch deletes {patch.path}, which holds more than the patch takes away.",
            parameter=parameter,
            path=patch.path,
        )
    return None


def _added(old: str | None, patch: FilePatch, parameter: str) -> str:
    if old is not None:
        raise FileExists(
            f"{patch.path} is already there: update it, or delete it first.",
            parameter=parameter,
            path=patch.path,
        )
    lines = [line for hunk in patch.hunks for line in hunk.lines]
    if any(line.sign != "+" for line in lines):
        raise BadPatch(
            f"The patch adds {patch.path} with lines that do not begin with `+`.",
            parameter=parameter,
            path=patch.path,
        )
    return "".join(line.text for line in lines)


def updated(text: str, patch: FilePatch, *, parameter: str = "patch") -> str:
    """The text after every hunk of the patch. Raises BadPatch, with the number of the hunk from 1."""
    if text.count("\n") > MATCH_LINES:
        raise FileTooLarge(
            f"The file has more than {MATCH_LINES} lines: replace text in it instead of patching it.",
            parameter=parameter,
            limit=MATCH_LINES,
        )
    work = _Work(text, patch.path, parameter)
    for hunk in patch.hunks:
        work.take(hunk)
    return work.text()


class _Work:
    """A file on its way through a patch: the lines that are done, and where the rest begins."""

    def __init__(self, text: str, path: str, parameter: str) -> None:
        self._old = text
        self._target = Target(text)
        self._path = path
        self._parameter = parameter
        self._done: list[str] = []
        self._at = 0
        self._drift = 0
        self._number = 0

    def text(self) -> str:
        return "".join((*self._done, *self._target.lines[self._at :]))

    def take(self, hunk: Hunk) -> None:
        self._number += 1
        spot = self._spot(hunk)
        if hunk.start is not None:
            self._drift = spot.line - (hunk.start - 1)
        self._done += self._target.lines[self._at : spot.line]
        self._at = spot.line
        is_literal = self._is_literal(hunk, spot)
        for line in hunk.lines:
            if line.sign == "+":
                self._add(line.text if is_literal else self._fitted(line.text))
                continue
            if line.sign == " ":
                self._add(self._target.lines[self._at])
            self._at += 1
        self._close(hunk)

    def _is_literal(self, hunk: Hunk, spot: Spot) -> bool:
        """Whether the hunk knows the file's line endings, so that those of its new lines are meant."""
        if not hunk.old or spot.level is not Level.NOTHING:
            return False
        return len(hunk.old) > 1 or not self._target.is_open or not hunk.old[0].endswith("\n")

    def _fitted(self, text: str) -> str:
        """A new line with the line ending that is used around here."""
        around = self._target.lines[max(self._at - 2, 0) : self._at + 1]
        ends = [line for line in reversed(around) if line.endswith("\n")]  # the very last may have none
        if not ends or not text.endswith("\n"):
            return text
        return with_ending(text, "\r\n" if ends[0].endswith("\r\n") else "\n")

    def _add(self, line: str) -> None:
        if self._done and not self._done[-1].endswith("\n"):  # the last line of the file is so no more
            self._done[-1] += "\r\n" if line.endswith("\r\n") else "\n"
        self._done.append(line)

    def _close(self, hunk: Hunk) -> None:
        """Mind the end of the file: one without a line ending stays so unless the hunk speaks of it."""
        is_end = self._at == len(self._target.lines)
        if hunk.new and not hunk.new[-1].endswith("\n") and not is_end:
            raise self._bad("says that the file ends without a newline, but more lines follow")
        knows = bool(hunk.old) and not hunk.old[-1].endswith("\n")
        if is_end and self._target.is_open and not knows and self._done:
            self._done[-1] = without_ending(self._done[-1])

    def _spot(self, hunk: Hunk) -> Spot:
        if not hunk.old:
            return self._bare_spot(hunk)
        expected = None if hunk.start is None else hunk.start - 1 + self._drift
        spots = self._target.spots(hunk, self._at, expected)
        if len(spots) == 1:
            return spots[0]
        raise self._ambiguous(spots) if spots else self._lost(hunk)

    def _bare_spot(self, hunk: Hunk) -> Spot:
        """For a hunk that only adds: the end of a file, where the grammar means that; an empty file."""
        if self._target.lines and (hunk.start is not None or hunk.anchors):
            raise self._bad(
                "has only added lines: give some of the lines around them, so that it can be placed"
            )
        return Spot(len(self._target.lines), Level.NOTHING)

    def _ambiguous(self, spots: Sequence[Spot]) -> BadPatch:
        lines = [spot.line + 1 for spot in spots[:OPTIONS_TOLD]]
        told = ", ".join(map(str, lines)) + (", …" if len(spots) > len(lines) else "")
        return self._bad(
            f"fits in {len(spots)} places, at lines {told}: give more lines around the one that is meant",
            lines=lines,
        )

    def _lost(self, hunk: Hunk) -> BadPatch:
        earlier = self._target.spots(hunk, 0, None)
        if earlier:
            return self._bad(
                f"stands at line {earlier[0].line + 1}, before the end of the hunk above it: put hunks in the "
                "order of the file"
            )
        region = closest(self._old, "".join(hunk.old))
        if region is None:
            return self._bad("has lines that are not in the file, nor anything like them")
        return self._bad(f"does not fit. {misses.difference(region)}", closest=misses.facts(region))

    def _bad(self, what: str, **context: Any) -> BadPatch:
        where = f" for {self._path}" if self._path else ""
        end = "" if "\n" in what else "."
        return BadPatch(
            f"Hunk {self._number}{where} {what}{end}",
            parameter=self._parameter,
            hunk=self._number,
            path=self._path,
            **context,
        )
