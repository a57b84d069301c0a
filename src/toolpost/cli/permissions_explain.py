"""`toolpost permissions explain`: every part of a call, what decides about it, and what would change that."""

from typing import Any

import click
from msgspec import Struct

from toolpost.atom import Command, Kind
from toolpost.authorize.commands.interpreters import is_interpreter
from toolpost.authorize.commands.patterns import folded
from toolpost.authorize.decide import SANDBOXED, Judged
from toolpost.authorize.gate import Gate, Rights, Ruling
from toolpost.call import Call
from toolpost.cli import arguments, asking, exits, permissions_change, show, workbench
from toolpost.cli.exits import Exit
from toolpost.cli.options import Shared
from toolpost.cli.permissions_standing import Standing, own_policy, standing
from toolpost.cli.settings import settled
from toolpost.cli.trouble import Trouble
from toolpost.clock import Clock
from toolpost.config.load import Settings
from toolpost.define import Effect, Tool, from_schema
from toolpost.errors import ToolError, named
from toolpost.result import Decision
from toolpost.session import Session
from toolpost.validate.arguments import Arguments

EVERYTHING = "below L2 an allow of an interpreter is an allow of everything"
_EXITS = {Decision.ALLOW: Exit.OK, Decision.ASK: Exit.FAILED, Decision.DENY: Exit.DENIED}
_RUN = "os.exec"


class Asked(Struct, frozen=True, kw_only=True):
    words: tuple[str, ...]
    tool: str | None
    profile: str | None
    as_json: bool
    tool_files: tuple[str, ...]


class Tried(Struct, frozen=True):
    ruling: Ruling
    rights: Rights
    failures: tuple[str, ...] = ()
    """Tests of the policies that fail."""


def run(shared: Shared, asked: Asked) -> int:
    settings = settled(profile=asked.profile)
    tried = _tool(settings, shared, asked) if asked.tool else _line(settings, asked.words)
    if asked.as_json:
        show.as_json(_facts(tried))
    else:
        _print(tried)
    return _EXITS[tried.ruling.verdict.decision]


def _line(settings: Settings, words: tuple[str, ...]) -> Tried:
    """No plugin is loaded for it, and no tool is needed."""
    if not words:
        raise click.UsageError("Give CALL, a shell line in quotes, or --tool NAME with its arguments.")
    if len(words) > 1:
        raise click.UsageError("CALL is one shell line: put it in quotes. For a tool there is --tool.")
    return _tried(standing(settings), _stand_in(), {"command": words[0]})


def _stand_in() -> Tool:
    schema = {"type": "object", "properties": {"command": {"type": "string"}}}
    return from_schema(
        _RUN,
        "Run a command line.",
        schema,
        None,
        effects=[Effect.EXEC],
        touches=lambda args: (Command(line=args["command"]),),
    )


def _tool(settings: Settings, shared: Shared, asked: Asked) -> Tried:
    bench = workbench.bench(settings, workbench.files(shared, asked.tool_files))
    try:
        tool = workbench.tool_named(asked.tool or "", bench.tools)
        args = arguments.read(asked.words, tool.input_schema)
        return _tried(standing(settings), tool, tool.ease(args) if tool.ease else args)
    finally:
        bench.close()


def _tried(here: Standing, tool: Tool, args: dict[str, Any]) -> Tried:
    call = Call(tool=tool.name, args=args)
    checking = Arguments()
    try:
        checking.prepare(tool)
        plain = checking.check(tool, call).plain
        _require_touchable(tool, plain)
        ruling = _gate(here.rights).judge(tool, call, plain, Session(""))
        return Tried(ruling, here.rights, here.failures())
    except ToolError as error:
        first = error.problems()[0]
        raise Trouble(error.detail, named(first.code).fix, exits.of_error(first.code, first.slug)) from None


def _require_touchable(tool: Tool, plain: dict[str, Any]) -> None:
    """The gate leaves a path that leads out of the workspace, or is none, to the tool, which is not run here."""
    if tool.touches is not None:
        tuple(tool.touches(plain))


def _gate(rights: Rights) -> Gate:
    return Gate(rights, None, lambda _event: None, Clock())


def _facts(tried: Tried) -> dict[str, Any]:
    verdict = tried.ruling.verdict
    return {
        "verdict": str(verdict.decision),
        "rule": verdict.rule,
        "layer": verdict.layer,
        "atom": verdict.atom,
        "who": verdict.who,
        "atoms": [_atom(one, tried.rights) for one in tried.ruling.judged],
        "profile": tried.rights.book.profile.name,
        "policy": str(own_policy()),
        "sandbox": f"L{tried.rights.scene.level}",
        "notes": _notes(tried),
    }


def _atom(one: Judged, rights: Rights) -> dict[str, Any]:
    verdict = one.verdict
    return {
        "atom": str(one.atom),
        "verdict": str(verdict.decision) if verdict else None,
        "rule": verdict.rule if verdict else None,
        "layer": verdict.layer if verdict else None,
        "who": verdict.who if verdict else None,
        "change": permissions_change.change(one, rights),
    }


def _print(tried: Tried) -> None:
    rows = []
    for one in tried.ruling.judged:
        told = _atom(one, tried.rights)
        said = [told[key] or "-" for key in ("verdict", "atom", "rule", "layer", "who", "change")]
        rows.append([asking.seen(text) for text in said])
    show.table(("verdict", "what", "rule", "layer", "who", "what would change it"), rows)
    verdict = tried.ruling.verdict
    show.out("")
    show.out(asking.seen(f"{verdict.decision}: {verdict.rule} ({verdict.layer}), decided by {verdict.who}"))
    show.out(f"profile {tried.rights.book.profile.name}, sandbox L{tried.rights.scene.level}")
    show.out(show.one_line(f"your policy is {own_policy()}"))
    for text in _notes(tried):
        show.out(asking.seen(text))


def _notes(tried: Tried) -> list[str]:
    is_weak = tried.rights.scene.level < SANDBOXED
    weak = [EVERYTHING] if is_weak and any(map(_lets_interpret, tried.ruling.judged)) else []
    return [*tried.failures, *weak]


def _lets_interpret(one: Judged) -> bool:
    words, verdict = one.atom.words, one.verdict
    if one.atom.kind is not Kind.EXEC or not words or verdict is None:
        return False
    return verdict.decision is Decision.ALLOW and is_interpreter(folded(words[0].text))
