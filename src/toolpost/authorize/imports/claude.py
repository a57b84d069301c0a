"""Claude Code's settings.json: `permissions` with allow, ask and deny, of which the strictest wins."""

import re
from collections.abc import Callable

from toolpost.atom import Kind
from toolpost.authorize.imports import command_text, jsonc, path_text
from toolpost.authorize.imports.imported import Gathering, Imported, Said, Told
from toolpost.authorize.imports.values import table, texts
from toolpost.result import Decision

_RULE = re.compile(r"([A-Za-z_][\w.-]*)(?:\((.*)\))?", re.DOTALL)
_KINDS = {
    "Bash": Kind.EXEC,
    "Read": Kind.READ,
    **dict.fromkeys(("Edit", "Write", "MultiEdit", "NotebookEdit"), Kind.WRITE),
    "WebFetch": Kind.NET,
}
_READERS = frozenset({"Grep", "Glob", "LS"})
_MODES = {
    "acceptEdits": "edit",
    "plan": "plan",
    "bypassPermissions": "open",
    "dontAsk": "headless",
    "auto": "auto",
}


def read(text: str) -> Imported:
    permissions = table(jsonc.load(text), "permissions")
    found = Gathering()
    for decision in (Decision.DENY, Decision.ASK, Decision.ALLOW):
        for rule in texts(permissions.get(decision)):
            _take(found, Said(decision, rule.strip()))
    for folder in texts(permissions.get("additionalDirectories")):
        _open(found, folder)
    mode = permissions.get("defaultMode")
    if isinstance(mode, str) and mode in _MODES:
        found.note(f"defaultMode {mode}: that is a profile here: toolpost config set profile {_MODES[mode]}")
    return found.imported()


def _take(found: Gathering, said: Said) -> None:
    if said.text.startswith("mcp__"):
        found.take(said, Kind.TOOL, _tool(said.text))
        return
    match = _RULE.fullmatch(said.text)
    name, inside = (match[1], match[2]) if match else ("", None)
    kind = _KINDS.get(name)
    if kind is not None:
        found.take(said, kind, _TELL[kind](inside, said.decision))
    elif name in _READERS:
        found.lose(said, "rules are about what is read, not by which tool: write read(...).", Kind.READ)
    elif not name:
        found.lose(said, "it is no rule that could be read.")
    else:
        found.lose(said, f"there is nothing here that {name} stands for.", Kind.TOOL)


def _command(inside: str | None, decision: Decision) -> Told:
    if inside is None:
        return Told(("exec(*)",))
    return command_text.glob(f"{inside[:-2]} *" if inside.endswith(":*") else inside, decision)


def _path(kind: Kind) -> Callable[[str | None, Decision], Told]:
    def tell(inside: str | None, decision: Decision) -> Told:
        if inside in {None, "", "*"}:
            is_allow = decision is Decision.ALLOW
            less = "outside the workspace it is asked here." if is_allow else ""
            return Told((f"{kind}(**)" if is_allow else f"{kind}(/**)",), less)
        patterns, less = path_text.of_gitignore(inside or "", decision)
        return Told(tuple(f"{kind}({pattern})" for pattern in patterns), less)

    return tell


def _host(inside: str | None, decision: Decision) -> Told:
    if inside in {None, "", "*", "domain:*"}:
        less = "here it would open every host to commands too." if decision is Decision.ALLOW else ""
        return Told(() if less else ("net(*)",), less)
    name, colon, host = (inside or "").partition(":")
    if name != "domain" or not colon:
        return Told(less="only `domain:` is known of WebFetch.")
    return Told((f"net({host})",))


def _tool(text: str) -> Told:
    server, _, tool = text.removeprefix("mcp__").partition("__")
    if "(" in text:
        return Told(less="what a tool is called with cannot be said in a rule.")
    if not server:
        return Told(less="it names no server.")
    return Told((f"tool({server}/{tool or '*'})",))


_TELL: dict[Kind, Callable[[str | None, Decision], Told]] = {
    Kind.EXEC: _command,
    Kind.READ: _path(Kind.READ),
    Kind.WRITE: _path(Kind.WRITE),
    Kind.NET: _host,
}


def _open(found: Gathering, folder: str) -> None:
    said = Said(Decision.ALLOW, f"additionalDirectories: {folder}")
    if not folder.startswith(("/", "~/")):
        found.lose(said, "it begins at a folder that is not known here; write its whole path.")
        return
    patterns, less = path_text.of_gitignore(
        f"/{folder}/" if folder.startswith("/") else f"{folder}/", said.decision
    )
    found.take(said, Kind.READ, Told(tuple(f"read({pattern})" for pattern in patterns), less))
