"""`toolpost call`: one call through the whole pipeline, in any contract's own words."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct, structs

from toolpost.cli import exits, options, show
from toolpost.cli.exits import Exit
from toolpost.cli.options import Shared

if TYPE_CHECKING:
    from toolpost.bench import Bench
    from toolpost.call import Call
    from toolpost.config.load import Settings
    from toolpost.define import Tool
    from toolpost.dialects import Dialect
    from toolpost.result import Result


EXAMPLES = options.examples(
    "toolpost --tools weather.py call forecast city=Lisbon days=3",
    'toolpost --tools weather.py call forecast \'{"city": "Lisbon"}\' --as mcp',
    'echo \'{"city": "Lisbon"}\' | toolpost --tools weather.py call forecast -',
    "toolpost --tools weather.py call --as atdf --raw < message.json",
)


class Asked(Struct, frozen=True, kw_only=True):
    tool: str | None
    words: tuple[str, ...]
    dialect: str | None
    form: str | None
    raw: bool
    yes: bool
    wait: float | None
    profile: str | None
    timeout: float | None
    language: str | None
    component: str | None
    scope: tuple[str, ...]
    record: str | None
    as_json: bool
    tool_files: tuple[str, ...]


@click.command("call", epilog=f"{EXAMPLES}\n\n{exits.TABLE}")
@click.argument("tool", required=False)
@click.argument("words", nargs=-1, metavar="['{json}' | key=value ... | -]")
@options.with_dialect
@click.option("--raw", is_flag=True, help="Send the message on stdin as it is, in the contract of --as.")
@click.option("--yes", "-y", is_flag=True, help="Allow whatever would be asked.")
@click.option(
    "--wait",
    type=click.FloatRange(min=0, min_open=True),
    metavar="S",
    help="Without a terminal, wait so many seconds for: toolpost permissions answer.",
)
@click.option(
    "--profile",
    type=click.Choice(["headless", "read-only", "plan", "ask", "edit", "workspace", "auto", "open"]),
    help="What may be done without asking.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="S",
    help="How many seconds the call may take.",
)
@click.option("--language", type=click.Choice(["en", "es", "pt"]), help="The language of error messages.")
@click.option("--component", metavar="NAME", help="The component whose budget the call is counted in.")
@click.option(
    "--scope", multiple=True, metavar="S", help="A scope the caller's credentials carry; repeatable."
)
@click.option("--record", metavar="FILE.jsonl", help="Append a record of the call to this file.")
@options.with_json
@options.with_tools
@click.pass_obj
def command(shared: Shared, /, **given: Any) -> int:
    """Call TOOL and print its answer.

    Arguments are one JSON object, - to read it from stdin, or key=value pairs. A value is read as JSON
    where the tool wants something other than text; key:=json always is JSON; a.b=1 sets b inside a.

    With --as, TOOL and its arguments are in that contract's words, the message is the contract's own and
    so is the answer. Without it, the answer is readable on a terminal and JSON in a pipe.

    What the profile wants to have asked is asked on the terminal; where there is none, it is refused
    unless --yes allows it, or somebody answers it within --wait.
    """
    from toolpost.cli import asking, settings, workbench

    asked = Asked(**given)
    name = options.spoken(asked.dialect, asked.form)
    _check(asked, name)
    settled = settings.settled(profile=asked.profile, language=asked.language, record=asked.record)
    asker = asking.asker(yes=asked.yes, wait_s=asked.wait)
    bench = workbench.bench(settled, workbench.files(shared, asked.tool_files), asker)
    try:
        return _in_dialect(bench, settled, asked, name) if name else _plain(bench, settled, asked)
    finally:
        bench.close()


def _check(asked: Asked, dialect: str) -> None:
    if asked.raw and not dialect:
        raise click.UsageError("--raw needs --as: bytes mean nothing without a contract.")
    if asked.raw and asked.tool:
        raise click.UsageError("--raw takes the whole message from stdin: leave TOOL and its arguments out.")
    if not asked.raw and not asked.tool:
        raise click.UsageError("Which TOOL? `toolpost tools` lists them.")


def _plain(bench: "Bench", settled: "Settings", asked: Asked) -> int:
    from toolpost.call import Call
    from toolpost.cli import answer, arguments

    tool = next((tool for tool in bench.tools if tool.name == asked.tool), None)
    args = arguments.read(asked.words, tool.input_schema if tool else {})
    if tool:
        args = _eased(tool, args)
    call = Call(tool=asked.tool or "", args=args, language=settled.config.language)
    result = _answered(bench, _by_caller(call, asked))
    if asked.as_json:
        show.as_json(answer.facts(result))
    else:
        answer.read_aloud(result)
    answer.complain(result)
    return _code(result)


def _eased(tool: "Tool", args: dict[str, Any]) -> dict[str, Any]:
    """With other agents' words for parameters, and their forms, as in any dialect."""
    taken = tool.input_schema.get("properties", {})
    named = {name if name in taken else tool.aliases.get(name, name): value for name, value in args.items()}
    return tool.ease(named) if tool.ease else named


def _in_dialect(bench: "Bench", settled: "Settings", asked: Asked, name: str) -> int:
    from toolpost.cli import arguments, workbench

    dialect = workbench.dialect(name, asked.form, bench.tools, settled)
    message = arguments.stdin() if asked.raw else _message(dialect, bench.tools, asked)
    result = _answered(bench, _by_caller(dialect.parse(message), asked))
    show.as_json(dialect.render(result))
    return _code(result)


def _answered(bench: "Bench", call: "Call") -> "Result":
    with show.strangers_aside():
        return asyncio.run(bench.call(call))


def _message(dialect: "Dialect", tools: "Sequence[Tool]", asked: Asked) -> bytes:
    """The contract's own message, as it would cross the wire. Our name of a tool serves for its word."""
    from toolpost import codec
    from toolpost.cli import arguments

    vocabulary, said = dialect.vocabulary, asked.tool or ""
    word = vocabulary.word(said) or vocabulary.of_tool(said)
    if word is None:
        return codec.encode(dialect.ask(said, arguments.read(asked.words, {})))
    schema = vocabulary.schema(word, next(tool for tool in tools if tool.name == word.tool))
    return codec.encode(dialect.ask(word.says, arguments.read(asked.words, schema)))


def _by_caller(call: "Call", asked: Asked) -> "Call":
    caller = call.caller
    if asked.component is not None:
        caller = structs.replace(caller, component=asked.component)
    if asked.scope:
        caller = structs.replace(caller, scopes=asked.scope)
    return structs.replace(call, caller=caller, timeout_s=asked.timeout or call.timeout_s)


def _code(result: "Result") -> int:
    problem = result.problem
    return Exit.OK if problem is None else exits.of_error(problem.code, problem.slug)
