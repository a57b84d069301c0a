"""Codex: `prefix_rule(...)` of a .rules file, and what its config.toml says of tools. The strictest wins.

A .rules file is a program in Starlark. It is read as a syntax tree and never run: what is not written out is left out.
"""

import ast
import tomllib
from itertools import product
from typing import Any

from toolpost.atom import Kind
from toolpost.authorize.imports import command_text
from toolpost.authorize.imports.imported import Gathering, Imported, Said, Told, Unreadable
from toolpost.authorize.imports.values import table, texts
from toolpost.limits import QUOTED_CHARS, RULE_CHOICES
from toolpost.result import Decision

_DECISIONS = {
    "allow": Decision.ALLOW,
    "prompt": Decision.ASK,
    "forbidden": Decision.DENY,
    "deny": Decision.DENY,
    "approve": Decision.ALLOW,
}
_PROFILES = {
    "approval_policy": {"untrusted": "ask", "on-request": "ask", "on-failure": "auto", "never": "headless"},
    "sandbox_mode": {"read-only": "read-only", "workspace-write": "auto", "danger-full-access": "open"},
}
_NOT_WRITTEN = "only prefix_rule(...) and network_rule(...) with plain values can be read, and nothing of the file is run."


def read(text: str) -> Imported:
    """Either file, by what it holds. Raises Unreadable."""
    try:
        return _settings(tomllib.loads(text))
    except tomllib.TOMLDecodeError:
        return _rules(text)
    except RecursionError:
        raise Unreadable("It is nested too deeply.") from None


def _rules(text: str) -> Imported:
    try:
        statements = ast.parse(text).body
    except (RecursionError, MemoryError):
        raise Unreadable("It is nested too deeply.") from None
    except (SyntaxError, ValueError) as error:
        raise Unreadable(f"This is neither TOML nor a .rules file: {error}.") from None
    found = Gathering()
    for statement in statements:
        _statement(found, statement)
    return found.imported()


def _statement(found: Gathering, statement: ast.stmt) -> None:
    value = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(value, ast.Constant):
        return  # a text by itself is a comment
    name = value.func.id if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) else ""
    args = _written(value) if isinstance(value, ast.Call) else None
    line = f"line {statement.lineno}"
    if name == "host_executable":
        found.note(
            f"{line}, host_executable: an allow holds for a bare name and the system's own folders here."
        )
    elif name not in _TAKES or args is None:
        found.doubt(f"{line}, `{_quoted(statement)}`", _NOT_WRITTEN)
    else:
        _TAKES[name](found, args, line)


def _quoted(statement: ast.stmt) -> str:
    try:
        first = ast.unparse(statement).partition("\n")[0]
    except RecursionError:
        return "..."
    return first if len(first) <= QUOTED_CHARS else f"{first[:QUOTED_CHARS]}..."


def _written(call: ast.Call) -> dict[str, Any] | None:
    """The arguments by name; None when one of them would have to be worked out."""
    if call.args or any(keyword.arg is None for keyword in call.keywords):
        return None
    try:
        return {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords}
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None


def _prefix(found: Gathering, args: dict[str, Any], line: str) -> None:
    pattern, decision = args.get("pattern"), _DECISIONS.get(str(args.get("decision", "allow")))
    choices = [_choices(part) for part in pattern] if isinstance(pattern, list | tuple) else []
    if decision is None or not choices or not all(choices):
        found.lose(Said(decision or Decision.DENY, line), "it is no rule that could be read.")
        return
    said = Said(decision, f"{line}: prefix_rule {_shown(choices)}")
    ways = 1
    for choice in choices:
        ways *= len(choice)
    if ways > RULE_CHOICES:
        found.lose(said, f"it comes to more than {RULE_CHOICES} rules.", Kind.EXEC)
        return
    for words in product(*choices):
        found.take(said, Kind.EXEC, command_text.prefix(words))


def _choices(part: Any) -> list[str]:
    """None at all, if one of them is no text: a rule without it would be another."""
    found = texts(part)
    return (
        found if isinstance(part, str) or (isinstance(part, list | tuple) and len(found) == len(part)) else []
    )


def _shown(choices: list[list[str]]) -> str:
    return " ".join("|".join(choice) for choice in choices)


def _network(found: Gathering, args: dict[str, Any], line: str) -> None:
    host, decision = args.get("host"), _DECISIONS.get(str(args.get("decision", "allow")))
    if decision is None or not isinstance(host, str):
        found.lose(Said(decision or Decision.DENY, line), "it is no rule that could be read.")
        return
    protocol = str(args.get("protocol", ""))
    scheme = f"{protocol}://" if protocol in {"http", "https"} and decision is Decision.ALLOW else ""
    told = Told((f"net({scheme}{host})",))
    if host == "*" and decision is Decision.ALLOW:
        told = Told(less="here it would open every host to commands too.")
    found.take(Said(decision, f"{line}: network_rule {protocol} {host}"), Kind.NET, told)


_TAKES = {"prefix_rule": _prefix, "network_rule": _network}


def _settings(settings: dict[str, Any]) -> Imported:
    found = Gathering()
    for key, profiles in _PROFILES.items():
        value = settings.get(key)
        if isinstance(value, str) and value in profiles:
            found.note(
                f"{key} {value}: the nearest profile here is: toolpost config set profile {profiles[value]}"
            )
    if settings.get("sandbox_mode") == "workspace-write":
        for folder in texts(table(settings, "sandbox_workspace_write").get("writable_roots")):
            _writable(found, folder)
    if table(settings, "sandbox_workspace_write").get("network_access") is True:
        found.note("network_access: hosts are named one by one here: toolpost config set sandbox.hosts HOST")
    for name, server in table(settings, "mcp_servers").items():
        _server(found, name, table(server))
    return found.imported()


def _writable(found: Gathering, folder: str) -> None:
    said = Said(Decision.ALLOW, f"writable_roots: {folder}")
    is_whole = folder.startswith("/") and ".." not in folder.split("/") and not set(folder) & set("*?[]{}\\")
    if not is_whole:
        found.lose(said, "it is no plain path from the root of the disk.")
        return
    found.take(said, Kind.WRITE, Told((f"write({folder.rstrip('/')}/**)",)))


def _server(found: Gathering, name: str, server: dict[str, Any]) -> None:
    for tool in texts(server.get("disabled_tools")):
        found.take(
            Said(Decision.DENY, f"mcp_servers.{name}.disabled_tools: {tool}"), Kind.TOOL, _tool(name, tool)
        )
    if texts(server.get("enabled_tools")):
        found.note(f"mcp_servers.{name}.enabled_tools: which tools of a server are offered is no rule here.")
    modes = {"*": server.get("default_tools_approval_mode")}
    modes |= {tool: table(settings).get("approval_mode") for tool, settings in table(server, "tools").items()}
    for tool, mode in modes.items():
        decision = _DECISIONS.get(str(mode))
        if decision is not None:
            strength = 0 if tool == "*" else 1
            said = Said(decision, f"mcp_servers.{name}, {tool}: {mode}", strength)
            found.take(said, Kind.TOOL, _tool(name, tool))


def _tool(server: str, tool: str) -> Told:
    return Told((f"tool({server}/{tool})",))
