"""Zed's settings.json: `agent.tool_permissions`, regular expressions for each tool; deny before confirm before allow."""

from typing import Any

from toolpost.atom import Kind
from toolpost.authorize.imports import jsonc, regex_text
from toolpost.authorize.imports.imported import Gathering, Imported, Said, Told
from toolpost.authorize.imports.regex_text import End, beginning
from toolpost.authorize.imports.values import table, tables
from toolpost.result import Decision

_KINDS = {
    "terminal": Kind.EXEC,
    **dict.fromkeys(
        ("edit_file", "write_file", "create_directory", "save_file", "restore_file_from_disk"), Kind.WRITE
    ),
    "fetch": Kind.NET,
    "delete_path": Kind.DELETE,
}
_LISTS = {"always_deny": Decision.DENY, "always_confirm": Decision.ASK, "always_allow": Decision.ALLOW}
_DEFAULTS = {"deny": Decision.DENY, "confirm": Decision.ASK, "allow": Decision.ALLOW}
_NO_PATH = "paths begin with the name of the project there, and what part of them is meant cannot be told."


def read(text: str) -> Imported:
    permissions = table(jsonc.load(text), "agent", "tool_permissions")
    found = Gathering()
    if permissions.get("default") in {"allow", "deny"}:
        found.note(f"default {permissions['default']}: it means every tool: choose a profile instead.")
    for name, tool in table(permissions, "tools").items():
        _tool(found, name, table(tool))
    return found.imported()


def _tool(found: Gathering, name: str, tool: dict[str, Any]) -> None:
    for key, decision in _LISTS.items():
        for rule in tables(tool.get(key)):
            pattern = rule.get("pattern")
            said = Said(decision, f"{name}.{key}: {pattern}", strength=1)
            if isinstance(pattern, str):
                _pattern(found, name, said, pattern)
            else:
                found.lose(said, "it has no pattern.", _KINDS.get(name, Kind.TOOL))
    decision_of_all = _DEFAULTS.get(str(tool.get("default")))
    if decision_of_all is not None:
        _default(found, name, Said(decision_of_all, f"{name}.default"))


def _pattern(found: Gathering, name: str, said: Said, pattern: str) -> None:
    kind = _KINDS.get(name, Kind.TOOL)
    if kind is Kind.EXEC:
        found.take(said, kind, regex_text.command(pattern, said.decision))
    elif kind is Kind.NET:
        found.take(said, kind, _url(pattern, said.decision))
    elif kind is Kind.TOOL:
        found.lose(said, "what a tool is called with cannot be said in a rule.", kind)
    else:
        found.take(said, kind, _path(kind, pattern, said.decision))


def _path(kind: Kind, pattern: str, decision: Decision) -> Told:
    r"""Only how a name ends can be said: `\.env$`."""
    read = beginning(pattern)
    if read is not None and not any(read.texts) and read.end is End.OPEN:
        return Told((f"{kind}(**)" if decision is Decision.ALLOW else f"{kind}(/**)",))
    if read is None or read.end is not End.WHOLE or read.is_anchored:
        return Told(less=_NO_PATH)
    if any(set(text) & set("/*?[]{}\\ ") for text in read.texts):
        return Told(less=_NO_PATH)
    return Told(tuple(f"{kind}(*{text})" for text in read.texts))


def _url(pattern: str, decision: Decision) -> Told:
    read = beginning(pattern)
    if (
        read is None
        or read.end is not End.OPEN
        or not read.is_anchored
        or not all("://" in text for text in read.texts)
    ):
        return Told(less="only a URL from its beginning to the end of its host can be said here.")
    rules, less = [], ""
    for text in read.texts:
        scheme, _, rest = text.partition("://")
        host, slash, path = rest.partition("/")
        if (path or not slash) and decision is not Decision.ALLOW:
            less = "its last word may go on there."
        rules.append(f"net({scheme}://{host}{slash and path and f'/{path}'})")
    return Told(tuple(rules), less)


def _default(found: Gathering, name: str, said: Said) -> None:
    """The ground that the patterns are exceptions from."""
    kind = _KINDS.get(name)
    if kind is Kind.NET and said.decision is Decision.ALLOW:
        found.lose(said, "here it would open every host to commands too.", kind)
    elif kind is Kind.EXEC or kind is Kind.NET:
        found.take(said, kind, Told((f"{kind}(*)",)))
    elif kind is not None:
        found.take(said, kind, Told((f"{kind}(**)" if said.decision is Decision.ALLOW else f"{kind}(/**)",)))
    elif name.startswith("mcp:") and name.count(":") == 2:
        _, server, tool = name.split(":")
        found.take(said, Kind.TOOL, Told((f"tool({server}/{tool})",)))
    else:
        found.lose(said, "there is nothing here that it stands for.", Kind.TOOL)
