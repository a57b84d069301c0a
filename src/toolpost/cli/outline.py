"""`toolpost outline`: what source files define, and on which lines."""

from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from toolpost.cli import options, show
from toolpost.cli.exits import Exit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolpost.cli.searching.targets import Targets
    from toolpost.index.symbols.find import Symbol

EXAMPLES = options.examples(
    "toolpost outline src/app.py",
    "toolpost outline src/*.ts --text",
    "toolpost outline --json main.go | jq '.[].symbols[].name'",
)


class Line(Struct, frozen=True, kw_only=True):
    """One definition as it is shown."""

    line: int
    end_line: int
    name: str = ""
    kind: str = ""
    signature: str
    doc: str = ""
    parent: str = ""
    depth: int = 0
    """How many definitions it stands within."""


class Outline(Struct, frozen=True, kw_only=True):
    path: str
    is_parsed: bool
    """False for a language without a grammar here: then lines that look like definitions are told."""
    is_whole: bool
    """False where there may be more: the file does not parse to its end, or not without errors."""
    symbols: tuple[Line, ...]


@click.command("outline", epilog=EXAMPLES)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@options.with_json
def command(files: tuple[str, ...], *, as_json: bool) -> int:
    """Show what source files define: kind, lines and signature of each definition, nested as they are.

    Files are parsed as they are now; no index is needed. Of a language without a grammar, lines that look like
    definitions are shown. A file that cannot be read is told, and the others are shown.
    """
    from contextlib import closing

    from toolpost.cli import exits, settings
    from toolpost.cli.searching.targets import Targets
    from toolpost.errors import ToolError

    told: list[Outline] = []
    code = Exit.OK
    with closing(Targets(settings.settled())) as targets:
        for path in files:
            try:
                told.append(_outline(targets, path))
            except ToolError as error:
                show.trouble(error.detail)
                code = exits.of_error(error.code, error.slug)
    if as_json:
        show.as_json([_json(one) for one in told])
    else:
        for number, one in enumerate(told):
            _show(one, is_first=number == 0, is_named=len(files) > 1)
    return code


def _outline(targets: "Targets", path: str) -> Outline:
    from toolpost.errors import NotAFile, NotText
    from toolpost.index.symbols import find
    from toolpost.limits import SEARCH_FILE_BYTES
    from toolpost.workspace.reading import outline
    from toolpost.workspace.walking.plain import plain

    target = targets.named(path)
    if not target.is_file:
        raise NotAFile(f"{path} is a folder: name files, such as {path.rstrip('/')}/*.", parameter="path")
    with target.place.root.open(target.place.path) as source:
        text = plain(source.stream.read(SEARCH_FILE_BYTES))
    if text is None:
        raise NotText(f"{path} is no text.", parameter="path")
    found = find.outline(target.place.path, text)
    if found is not None:
        if not found.whole:
            show.note(f"{path} does not parse wholly; there may be more.")
        return Outline(path=path, is_parsed=True, is_whole=found.whole, symbols=tuple(_nested(found.symbols)))
    lines = outline.outline(text.decode("utf-8", "replace"), target.place.path)
    told = tuple(Line(line=one.line, end_line=one.line, signature=one.text) for one in lines)
    return Outline(path=path, is_parsed=False, is_whole=False, symbols=told)


def _nested(found: "Iterable[Symbol]") -> "Iterator[Line]":
    """Each with how many stand around it: names may hold dots, so that those of its parents do not tell."""
    around: list[int] = []
    for one in found:
        while around and (around[-1] < one.end_line or not one.parent):
            around.pop()
        yield Line(
            line=one.line,
            end_line=one.end_line,
            name=one.name,
            kind=one.kind,
            signature=one.signature,
            doc=one.doc,
            parent=one.parent,
            depth=len(around),
        )
        around.append(one.end_line)


def _json(told: Outline) -> dict[str, Any]:
    from msgspec import to_builtins

    shown: dict[str, Any] = to_builtins(told)
    return shown


def _show(told: Outline, *, is_first: bool, is_named: bool) -> None:
    if is_named:
        show.out(show.one_line(told.path) if is_first else f"\n{show.one_line(told.path)}")
    if not told.symbols:
        show.note(f"{told.path} defines nothing that could be found.")
        return
    places = [_place(one) for one in told.symbols]
    width, kinds = max(map(len, places)), max(len(one.kind) for one in told.symbols)
    for place, one in zip(places, told.symbols, strict=True):
        kind = f"  {one.kind:{kinds}}" if kinds else ""
        show.colored(
            (f"{place:>{width}}", "green"),
            (kind, "cyan"),
            (f"  {'  ' * one.depth}{show.clean(one.signature)}", ""),
        )


def _place(one: Line) -> str:
    return str(one.line) if one.line == one.end_line else f"{one.line}-{one.end_line}"
