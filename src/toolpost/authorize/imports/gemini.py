"""Gemini CLI: `tools.allowed` and `tools.exclude` of settings.json, and the rules of a policy file, by priority."""

import re
import tomllib
from typing import Any

from toolpost.atom import Kind
from toolpost.authorize.imports import command_text, jsonc, regex_text
from toolpost.authorize.imports.imported import Gathering, Imported, Said, Told, Unreadable
from toolpost.authorize.imports.values import table, tables, texts
from toolpost.result import Decision

_RULE = re.compile(r"([^()]+)(?:\((.*)\))?", re.DOTALL)
_SHELL = frozenset({"run_shell_command", "ShellTool"})
_WRITERS = frozenset({"write_file", "replace", "edit", "WriteFileTool", "EditTool"})
_READERS = frozenset(
    {
        *("read_file", "read_many_files", "list_directory", "glob", "search_file_content", "grep_search"),
        *("ReadFileTool", "ReadManyFilesTool", "LSTool", "GlobTool", "GrepTool"),
    }
)
_FETCHERS = frozenset({"web_fetch", "WebFetchTool"})
_DECISIONS = {"allow": Decision.ALLOW, "deny": Decision.DENY, "ask_user": Decision.ASK}
_CONDITIONS = ("modes", "toolAnnotations", "interactive", "subagent")
_COMMAND = '"command":"'


def read(text: str) -> Imported:
    """Either file, by what it holds. Raises Unreadable."""
    try:
        policy = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return _settings(jsonc.load(text))
    except RecursionError:
        raise Unreadable("It is nested too deeply.") from None
    found = Gathering()
    for at, rule in enumerate(tables(policy.get("rule")), 1):
        _rule(found, rule, at)
    return found.imported()


def _settings(settings: dict[str, Any]) -> Imported:
    found = Gathering()
    tools = table(settings, "tools")
    for name in (*texts(tools.get("exclude")), *texts(settings.get("excludeTools"))):
        _named(found, Said(Decision.DENY, f"tools.exclude: {name}"), name)
    for name in (*texts(tools.get("allowed")), *texts(settings.get("allowedTools"))):
        _named(found, Said(Decision.ALLOW, f"tools.allowed: {name}"), name)
    if texts(tools.get("core")) or texts(settings.get("coreTools")):
        found.note("tools.core: which tools are offered is no rule here.")
    for name, server in table(settings, "mcpServers").items():
        for tool in texts(table(server).get("excludeTools")):
            said = Said(Decision.DENY, f"mcpServers.{name}.excludeTools: {tool}")
            found.take(said, Kind.TOOL, Told((f"tool({name}/{tool})",)))
        if table(server).get("trust") is True:
            said = Said(Decision.ALLOW, f"mcpServers.{name}.trust")
            found.take(said, Kind.TOOL, Told((f"tool({name}/*)",)))
    return found.imported()


def _named(found: Gathering, said: Said, name: str) -> None:
    match = _RULE.fullmatch(name.strip())
    tool, inside = (match[1], match[2]) if match else (name, None)
    if tool in _SHELL and inside:
        found.take(said, Kind.EXEC, command_text.text_prefix(inside, said.decision))
    elif inside:
        found.lose(said, "what a tool is called with cannot be said in a rule.", _kind(tool))
    else:
        _whole(found, said, tool, "")


def _rule(found: Gathering, rule: dict[str, Any], at: int) -> None:
    decision, priority = _DECISIONS.get(str(rule.get("decision"))), rule.get("priority", 0)
    strength = priority if isinstance(priority, int) else 0
    names = texts(rule.get("toolName")) or ["*"]
    for name in names:
        said = Said(decision or Decision.DENY, f"rule {at}: {name}", strength)
        condition = next((key for key in _CONDITIONS if key in rule), "")
        if decision is None:
            found.lose(said, "its decision is none that is known.")
        elif condition:
            found.lose(said, f"it holds only under a condition, {condition}.", _kind(name))
        elif name in _SHELL:
            _shell(found, said, rule)
        elif "argsPattern" in rule:
            found.lose(said, "what a tool is called with cannot be said in a rule.", _kind(name))
        else:
            _whole(found, said, name, str(rule.get("mcpName", "")))


def _shell(found: Gathering, said: Said, rule: dict[str, Any]) -> None:
    prefixes, regex, args = (
        texts(rule.get("commandPrefix")),
        rule.get("commandRegex"),
        rule.get("argsPattern"),
    )
    for prefix in prefixes:
        one = Said(said.decision, f"{said.text}, commandPrefix {prefix}", said.strength)
        found.take(one, Kind.EXEC, command_text.text_prefix(prefix, said.decision))
    if isinstance(args, str) and args.startswith(_COMMAND):
        regex = args.removeprefix(_COMMAND)
    if isinstance(regex, str):
        one = Said(said.decision, f"{said.text}, {regex}", said.strength)
        found.take(one, Kind.EXEC, regex_text.command(regex, said.decision, is_anchored=True))
    elif isinstance(args, str):
        found.lose(said, "what a tool is called with cannot be said in a rule.", Kind.EXEC)
    elif not prefixes:
        found.take(said, Kind.EXEC, Told(("exec(*)",)))


def _whole(found: Gathering, said: Said, tool: str, server: str) -> None:
    """A tool, whatever it is called with."""
    kind = _kind(tool)
    if server or "__" in tool:
        name = f"{server}/{tool}" if server else "/".join(tool.removeprefix("mcp__").split("__", 1))
        found.take(said, Kind.TOOL, Told((f"tool({name})",)))
    elif tool in _SHELL:
        found.take(said, Kind.EXEC, Told(("exec(*)",)))
    elif kind is Kind.WRITE:
        found.take(said, kind, Told(("write(**)" if said.decision is Decision.ALLOW else "write(/**)",)))
    elif kind is Kind.NET and said.decision is not Decision.ALLOW:
        found.take(said, kind, Told(("net(*)",)))
    else:
        found.lose(said, _WHY.get(kind, "there is nothing here that it stands for."), kind)


def _kind(tool: str) -> Kind | None:
    kinds = ((_SHELL, Kind.EXEC), (_WRITERS, Kind.WRITE), (_READERS, Kind.READ), (_FETCHERS, Kind.NET))
    known = next((kind for names, kind in kinds if tool in names), None)
    return None if known is None and ("*" in tool or not tool) else known or Kind.TOOL


_WHY: dict[Kind | None, str] = {
    None: "it means every tool: choose a profile instead.",
    Kind.READ: "rules are about what is read, not by which tool: write read(...).",
    Kind.NET: "here it would open every host to commands too.",
}
