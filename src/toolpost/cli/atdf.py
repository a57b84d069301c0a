"""`toolpost atdf`: tool descriptions checked, converted without loss, completed and searched."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from toolpost.cli import documents, options, show
from toolpost.cli.exits import Exit
from toolpost.cli.trouble import Trouble

if TYPE_CHECKING:
    from toolpost.convert import Card, Conversion, Example

FORMATS = (
    "spec", "1", "2", "ardf", "mcp", "openapi", "openapi-3.0", "functions", "responses", "anthropic",
)  # fmt: skip
EVERY_CALL = (  # what any call may come back with, whatever the tool
    "INVALID_ARGUMENT", "UNKNOWN_PARAMETER", "MISSING_PARAMETER", "DENIED", "NEEDS_APPROVAL", "BUDGET_EXCEEDED",
    "TIMEOUT", "CANCELLED", "TOOL_FAILED",
)  # fmt: skip
EXAMPLES_A_TOOL = 3
EXAMPLES = options.examples(
    "toolpost atdf validate tools.json",
    "toolpost atdf convert tools.json openapi.json --to openapi --check",
    "toolpost atdf enrich tools.json --write",
    "toolpost atdf search catalogue/ 'book a table' --lang es",
)


@click.group("atdf", epilog=EXAMPLES)
def group() -> None:
    """Check, convert and search tool descriptions.

    In ATDF, ARDF, MCP, OpenAPI and the function-calling formats.
    """


@group.command("validate")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--as", "form", type=click.Choice([*FORMATS, "error"]), help="The format; else it is detected.")
@click.option("--lax", is_flag=True, help="Forgive unknown keys, formats and examples that do not fit.")
@options.with_json
def validate(files: tuple[str, ...], form: str | None, *, lax: bool, as_json: bool) -> int:
    """Check descriptions: every fault with its place and what to do. Exits 1 when there is one."""
    told = [_validated(name, form, lax=lax) for name in files]
    if as_json:
        show.as_json(told)
    else:
        for one in told:
            _print_faults(one)
    return Exit.FAILED if any(one["faults"] for one in told) else Exit.OK


def _validated(name: str, form: str | None, *, lax: bool) -> dict[str, Any]:
    from toolpost.convert import ConvertError, detect
    from toolpost.convert.check import check

    value = documents.read(name)
    try:
        found = form or detect(value)
    except ConvertError as error:
        raise Trouble(f"{name}: {error.message}", f"--as FORMAT: {error.fix}") from None
    return {"file": name, "format": found, "faults": check(value, found, lax=lax)}


def _print_faults(told: dict[str, Any]) -> None:
    faults = told["faults"]
    show.out(show.one_line(f"{told['file']} ({told['format']}): {len(faults) or 'no'} faults"))
    if faults:
        rows = [(fault.pointer or "/", fault.message, fault.fix) for fault in faults]
        show.table(("where", "what", "what to do"), rows)


@group.command("convert")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--to", "to", type=click.Choice(FORMATS), required=True, help="The format to write.")
@click.option("--from", "from_", type=click.Choice(FORMATS), help="The format of IN; else it is detected.")
@click.option(
    "--check", "prove", is_flag=True, help="Convert back in memory; what is not the same is a loss."
)
@click.option("--bare", is_flag=True, help="Write nothing beside the tools, whatever that loses.")
@click.option("--lossy", is_flag=True, help="Write OUT also when something is lost.")
@click.option("--json", "as_json", is_flag=True, help="The report on stderr as JSON.")
def convert(source: str, target: str, **given: Any) -> int:
    """Convert IN into another format and write it to OUT; - is stdin or stdout.

    What the format cannot say travels beside the tools, under x-toolpost, and comes back with them. A
    loss is an error, and nothing is written, unless --lossy allows it.
    """
    value = documents.read(source)
    made = _converted(source, value, given)
    lost = _lost(value, made, given)
    if not lost or given["lossy"]:
        documents.write(target, made.value)
    _report(made, lost, as_json=given["as_json"])
    if lost and not given["lossy"]:
        raise Trouble(
            f"{len(lost)} values would be lost, so nothing was written.", "--lossy writes it.", Exit.FAILED
        )
    return Exit.OK


def _converted(source: str, value: Any, given: dict[str, Any]) -> "Conversion":
    from toolpost.convert import ConvertError
    from toolpost.convert import convert as converted

    try:
        return converted(value, given["to"], given["from_"], bare=given["bare"])
    except ConvertError as error:
        raise Trouble(f"{source}{error.pointer}: {error.message}", error.fix, Exit.FAILED) from None


def _lost(value: Any, made: "Conversion", given: dict[str, Any]) -> list[str]:
    from toolpost.convert import round_trip_losses

    if not given["prove"]:
        return made.lost
    back = round_trip_losses(value, given["to"], given["from_"], bare=given["bare"])
    return list(dict.fromkeys([*made.lost, *back]))


def _report(made: "Conversion", lost: list[str], *, as_json: bool) -> None:
    """On stderr, since stdout may be the converted file."""
    from toolpost import codec

    told = {"from": made.source, "to": made.target, "carried": made.carried, "derived": made.derived}
    if as_json:
        show.err(codec.encode({**told, "lost": lost}).decode("utf-8"))
        return
    show.note(f"{made.source} -> {made.target}")
    for name, places in (
        ("carried beside the tools", made.carried),
        ("derived", made.derived),
        ("lost", lost),
    ):
        if places:
            show.note(f"{name}: {', '.join(places)}")


@group.command("enrich")
@click.argument("file")
@click.option("--as", "form", type=click.Choice(FORMATS), help="The format; else it is detected.")
@click.option("--examples", metavar="RECORD.jsonl", help="Take examples from calls recorded in this file.")
@click.option("--no-failures", is_flag=True, help="Leave the failures every call may have out.")
@click.option("--write", "in_place", is_flag=True, help="Change the file; else only the difference is shown.")
def enrich(file: str, form: str | None, examples: str | None, *, no_failures: bool, in_place: bool) -> int:
    """Fill in what is known: versions, metadata, failures, examples from recorded calls. No text is made up."""
    from toolpost.convert import ConvertError
    from toolpost.convert.enrich import Known
    from toolpost.convert.enrich import enrich as enriched

    value = documents.read(file)
    known = Known({} if no_failures else _failures(), _recorded(examples) if examples else {})
    try:
        made = enriched(value, known, form)
    except ConvertError as error:
        raise Trouble(f"{file}{error.pointer}: {error.message}", error.fix, Exit.FAILED) from None
    for line in _difference(file, value, made.value):
        show.out(show.clean(line))
    if not made.filled:
        show.note("There was nothing to fill in.")
    elif in_place:
        documents.write(file, made.value)
    return Exit.OK


def _difference(name: str, before: Any, after: Any) -> Iterator[str]:
    from difflib import unified_diff

    old, new = (documents.dumped(value).split("\n") for value in (before, after))
    return unified_diff(old, new, name, f"{name} (enriched)", lineterm="")


def _failures() -> dict[str, str]:
    from toolpost.errors import named

    return {code: " ".join((named(code).__doc__ or "").split()) for code in EVERY_CALL}


def _recorded(name: str) -> "dict[str, list[Example]]":
    """A few calls of each tool that went well, without those that had a secret or a cut in them."""
    import msgspec

    from toolpost.convert import Example
    from toolpost.redact import HIDDEN

    found: dict[str, list[Example]] = {}
    if not Path(name).exists():
        raise Trouble(f"There is no file {name}.", "toolpost call --record makes one.", Exit.NOT_FOUND)
    try:
        entries = [msgspec.json.decode(line) for line in Path(name).read_bytes().splitlines() if line]
    except (OSError, msgspec.DecodeError) as error:
        raise Trouble(
            f"{name} is no record of calls: {error}.", "toolpost call --record makes one."
        ) from None
    for entry in entries:
        args = entry["args"]
        text = documents.dumped(args)
        of_tool = found.setdefault(entry["said_tool"], [])
        is_new = all(one.input != args for one in of_tool)
        if entry["outcome"] == "succeeded" and is_new and HIDDEN not in text and " characters)" not in text:
            of_tool.append(Example(name=f"recorded {entry['time']}", input=args))
    return {tool: examples[:EXAMPLES_A_TOOL] for tool, examples in found.items()}


@group.command("search")
@click.argument("folder", metavar="DIR", type=click.Path())
@click.argument("goal")
@click.option("--lang", metavar="TAG", help="The language of the goal, such as es or pt-BR.")
@click.option("--limit", type=click.IntRange(min=1), default=10, show_default=True, help="At most so many.")
@options.with_json
def search(folder: str, goal: str, *, lang: str | None, limit: int, as_json: bool) -> int:
    """Find the tools that serve GOAL among the descriptions in DIR, best first. JSON lines in a pipe."""
    from toolpost import codec
    from toolpost.convert.search import search as searched

    if not Path(folder).exists():
        raise Trouble(f"There is no folder {folder}.", "Check the path.", Exit.NOT_FOUND)
    cards = list(_cards(Path(folder)))
    homes = {id(card): home for card, home in cards}
    hits = searched([card for card, _ in cards], goal, language=lang, limit=limit)
    told = [
        {"name": hit.card.name, "score": hit.score, "matched": hit.matched, "file": homes[id(hit.card)]}
        for hit in hits
    ]
    if as_json or not show.on_terminal():
        for one in told:
            show.out(codec.encode(one).decode("utf-8"))
    elif told:
        rows = [
            (hit.card.name, f"{hit.score:g}", ", ".join(hit.matched), homes[id(hit.card)]) for hit in hits
        ]
        show.table(("tool", "score", "matched", "file"), rows)
    if not told:
        show.note(f"None of {len(cards)} tools fits {goal!r}.")
    return Exit.OK if told else Exit.NOT_FOUND


def _cards(place: Path) -> "Iterator[tuple[Card, str]]":
    """Every card in the JSON files below a folder; a file that holds none is passed over, and noted."""
    from toolpost.convert import ConvertError, read

    for path in sorted(place.rglob("*.json")) if place.is_dir() else [place]:
        try:
            cards = read(documents.read(str(path))).cards
        except ConvertError as error:
            show.note(f"{path} was passed over: {error.message}")
        except Trouble as error:
            show.note(f"{error.message} (passed over)")
        else:
            yield from ((card, str(path)) for card in cards)
