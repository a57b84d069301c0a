"""opencode.json: `permission`, a decision for each tool or for patterns of what it is called with. The last match wins."""

import re
from typing import Any

from toolpost.atom import Kind
from toolpost.authorize.imports import command_text, jsonc, path_text
from toolpost.authorize.imports.imported import Gathering, Imported, Said, Told
from toolpost.result import Decision

_KINDS = {"bash": Kind.EXEC, "edit": Kind.WRITE, "write": Kind.WRITE, "read": Kind.READ, "webfetch": Kind.NET}
_READERS = frozenset({"glob", "grep", "list", "lsp"})
_SERVER = re.compile(r"([A-Za-z0-9-]+)_\*")


def read(text: str) -> Imported:
    permission = jsonc.load(text).get("permission")
    found = Gathering()
    if isinstance(permission, str):
        permission = {"*": permission}
    if isinstance(permission, dict):
        at = 0
        for tool, value in permission.items():
            for pattern, said in (value if isinstance(value, dict) else {"": value}).items():
                at += 1
                _one(found, tool, pattern, _said(said, f"{tool}: {pattern or '*'}", at))
    return found.imported()


def _said(value: Any, text: str, at: int) -> Said:
    """What cannot be read counts as the strictest, so that nothing gets wider by it."""
    known = value if isinstance(value, str) and value in set(Decision) else Decision.DENY
    return Said(Decision(known), text, at)


def _one(found: Gathering, tool: str, pattern: str, said: Said) -> None:
    kind = _KINDS.get(tool)
    if kind is not None:
        found.take(said, kind, _told(kind, pattern, said.decision))
    elif tool in _READERS:
        found.lose(said, "rules are about what is read, not by which tool: write read(...).", Kind.READ)
    elif tool == "*":
        found.lose(said, "it means every tool: choose a profile instead.")
    elif server := _SERVER.fullmatch(tool):
        found.take(said, Kind.TOOL, Told((f"tool({server[1]}/*)",)))
    else:
        found.lose(said, "where the name of a server ends in it is not known.", Kind.TOOL)


def _told(kind: Kind, pattern: str, decision: Decision) -> Told:
    if kind is Kind.EXEC:
        return command_text.glob(pattern, decision, wild="*?")
    if kind is Kind.NET:
        return _host(pattern, decision)
    if not pattern.strip("*"):
        return Told((f"{kind}(**)" if decision is Decision.ALLOW else f"{kind}(/**)",))
    if decision is Decision.ALLOW and pattern.startswith(("/", "~", "$")):
        return Told(less="outside the workspace external_directory decides there too.")
    patterns, less = path_text.of_wildcard(pattern, decision)
    return Told(tuple(f"{kind}({one})" for one in patterns), less)


def _host(pattern: str, decision: Decision) -> Told:
    if pattern.strip("*"):
        return _url(pattern, decision)
    if decision is Decision.ALLOW:
        return Told(less="here it would open every host to commands too.")
    return Told(("net(*)",))


def _url(pattern: str, decision: Decision) -> Told:
    """`https://docs.rs/*`: the host has to be there to its end."""
    scheme, _, rest = pattern.partition("://")
    host, slash, path = rest.partition("/")
    if not slash or path.strip("*") or "*" in host or "?" in host or "*" in scheme:
        return Told(less="only whole hosts can be said here.")
    return Told((f"net({scheme}://{host})" if decision is Decision.ALLOW else f"net({host})",))
