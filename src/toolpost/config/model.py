"""What can be set, of which type, and what a project's own file may say about it.

A project's file comes with the code of strangers, so it may only tighten: ask for less, never for more.
"""

import re
from collections.abc import Callable
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from toolpost.limits import UNDO_DAYS, Limits

PROFILES = (
    "headless",
    "read-only",
    "plan",
    "ask",
    "edit",
    "workspace",
    "auto",
    "open",
)  # the narrowest first
SANDBOXES = ("off", "prefer", "require:L1", "require:L2", "require:L3")  # the loosest first
LANGUAGES = ("en", "es", "pt")


class WorkspaceSettings(Struct, frozen=True, kw_only=True):
    roots: tuple[str, ...] = ()
    """Folders, `git:PATH@REVISION`, `github:OWNER/NAME@REF`; none means the folder we are in."""
    github_url: str = ""
    secrets: str = "deny"
    readable: tuple[str, ...] = ()
    writable: tuple[str, ...] = ()
    metrics: str = "state"
    index_first: str = "warn"
    undo_days: int = UNDO_DAYS


class IndexSettings(Struct, frozen=True, kw_only=True):
    folder: str = ""
    """Where indexes are kept; empty means the user's cache."""
    tags: dict[str, dict[str, tuple[str, ...]]] = {}
    """Rules for tags of the project's own: tag -> paths, exports, imports, contains."""


class SandboxSettings(Struct, frozen=True, kw_only=True):
    level: str = "prefer"
    environment: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()


class Config(Struct, frozen=True, kw_only=True):
    profile: str = "ask"
    standard_tools: str = "on"
    language: str = "en"
    tools: tuple[str, ...] = ()
    errors_base: str = ""
    record: str = ""
    color: str = "auto"
    limits: Limits = Limits()
    workspace: WorkspaceSettings = WorkspaceSettings()
    index: IndexSettings = IndexSettings()
    sandbox: SandboxSettings = SandboxSettings()


class ConfigError(ValueError):
    """A setting that cannot be used: `where` names the file and line, the variable or the option."""

    def __init__(self, message: str, *, where: str = "", fix: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.fix = fix


def _never(_current: Any, _wanted: Any) -> bool:
    return False


def _always(_current: Any, _wanted: Any) -> bool:
    return True


def _narrower(current: str, wanted: str) -> bool:
    return PROFILES.index(wanted) <= PROFILES.index(current)


def _tighter(*order: str) -> Callable[[str, str], bool]:
    """The loosest first: a project may go on in this order, never back."""
    return lambda current, wanted: order.index(wanted) >= order.index(current)


def _lower(current: float | None, wanted: float) -> bool:
    return current is None or wanted <= current


class Key(Struct, frozen=True):
    kind: Any
    help: str
    project_may: Callable[[Any, Any], bool]
    """Whether a project's file may turn the current value into the wanted one."""
    is_path: bool = False
    each: str = ""
    """The pattern of each of several texts."""


_Seconds = Annotated[float, Meta(gt=0)]
_Count = Annotated[int, Meta(ge=1)]
_Amount = Annotated[int, Meta(ge=0)]
_HOST = r"!?([A-Za-z]+://)?(\*|(\*\.)?[^\s*/:\[\]?#@%,;!\\]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?(/[^\s*?#]*)?\*{0,2}"
"""What the proxy reads as a host; else it would let nothing through, and nobody would know why."""

KEYS = {
    "profile": Key(
        Literal["headless", "read-only", "plan", "ask", "edit", "workspace", "auto", "open"],
        "What calls may do without asking.",
        _narrower,
    ),
    "language": Key(Literal["en", "es", "pt"], "The language of error messages.", _always),
    "tools": Key(tuple[str, ...], "Python files to load tools from.", _never, is_path=True),
    "errors_base": Key(
        Annotated[str, Meta(pattern=r"^(https?://\S+)?$")], "The base URI of ATDF error types.", _never
    ),
    "record": Key(str, "The file every call is recorded in, one JSON object a line.", _never, is_path=True),
    "standard_tools": Key(
        Literal["on", "off"], "Whether the standard tools are there.", _tighter("on", "off")
    ),
    "workspace.roots": Key(
        tuple[str, ...],
        "What the file tools work on: folders, git:PATH@REVISION, github:OWNER/NAME@REF.",
        _never,
    ),
    "workspace.github_url": Key(
        Annotated[str, Meta(pattern=r"^(https?://\S+)?$")],
        "The REST API of a GitHub Enterprise server, if it is not the repository's host + /api/v3.",
        _never,
    ),
    "workspace.secrets": Key(
        Literal["allow", "deny"],
        "Whether files that look like secrets can be read.",
        _tighter("allow", "deny"),
    ),
    "workspace.readable": Key(tuple[str, ...], "Secret-looking files that may be read all the same.", _never),
    "workspace.writable": Key(tuple[str, ...], "Protected files that may be written all the same.", _never),
    "workspace.metrics": Key(
        Literal["state", "contract", "off"],
        "Where tool-metrics.jsonl goes: the state folder, superconnect/ in the workspace, or nowhere.",
        _never,
    ),
    "workspace.index_first": Key(
        Literal["off", "warn", "strict"],
        "Whether a component must ask the index, or say why not, before it lists or reads on.",
        _tighter("off", "warn", "strict"),
    ),
    "workspace.undo_days": Key(_Count, "How long what was there before a change is kept.", _never),
    "index.folder": Key(
        str, "Where indexes of code are kept; the user's cache if empty.", _never, is_path=True
    ),
    "sandbox.level": Key(
        Literal["off", "prefer", "require:L1", "require:L2", "require:L3"],
        "What commands run in: the strongest sandbox there is, at least one of a level, or none.",
        _tighter(*SANDBOXES),
    ),
    "sandbox.environment": Key(tuple[str, ...], "Variables that commands see beside the usual ones.", _never),
    "sandbox.hosts": Key(
        tuple[str, ...],
        "Hosts that every command may reach, through a filtering proxy.",
        _never,
        each=_HOST,
    ),
    "color": Key(Literal["auto", "never"], "Colors on a terminal, or never.", _always),
    "limits.timeout_s": Key(_Seconds, "How long a call may take, unless it says so itself.", _lower),
    "limits.timeout_max_s": Key(_Seconds, "How long a call may ask for.", _lower),
    "limits.concurrent_calls": Key(_Count, "Calls at once.", _lower),
    "limits.concurrent_threads": Key(_Count, "Blocking tools at once.", _lower),
    "limits.sessions_kept": Key(_Count, "Sessions remembered.", _lower),
}
BUDGETS = ("limits.run", "limits.session", "limits.component")
_UNIT = re.compile(r"limits\.(run|session|component)\.[a-z][a-z0-9_]*")
_AMOUNT = Key(_Amount, "Units one run, session or component may use.", _lower)
_PATTERNS = Key(
    tuple[str, ...], "What files get a tag of your own by: globs, modules or plain text.", _always
)
PATTERNS = ("paths", "exports", "imports", "contains")
_TAG = re.compile(rf"index\.tags\.[a-z0-9][a-z0-9+-]*\.({'|'.join(PATTERNS)})")
NAMES = (*KEYS, *(f"{budget}.UNIT" for budget in BUDGETS), *(f"index.tags.TAG.{kind}" for kind in PATTERNS))


def key_named(name: str) -> Key | None:
    """The key of that name; a budget takes any unit, `limits.run.calls`, and index.tags any tag."""
    open_ended = _AMOUNT if _UNIT.fullmatch(name) else _PATTERNS if _TAG.fullmatch(name) else None
    return KEYS.get(name) or open_ended


def checked(name: str, value: Any, *, strict: bool = True) -> Any:
    """The value in its key's own type. Text from a variable or an option is not `strict`."""
    key = key_named(name)
    if key is None:
        raise ConfigError(f"There is no setting {name!r}.")
    if not strict and key.kind == tuple[str, ...] and isinstance(value, str):
        value = [value]
    try:
        found = msgspec.convert(value, key.kind, strict=strict)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{name} cannot be that: {_plain(key, str(error))}.") from None
    _require_each(name, key, found)
    return found


def _require_each(name: str, key: Key, found: Any) -> None:
    strange = [text for text in found if not re.fullmatch(key.each, text)] if key.each else ()
    if strange:
        said = f"{name} cannot be that: {strange[0]!r} is no host. Write docs.python.org, *.example.org or localhost:8080."
        raise ConfigError(said)


def _plain(key: Key, error: str) -> str:
    """The sentence of msgspec without its full stop and place; for a choice, the choices."""
    choices = getattr(key.kind, "__args__", ()) if not key.is_path else ()
    if choices and all(isinstance(choice, str) for choice in choices):
        return f"it must be one of {', '.join(choices)}"
    return error.partition(" - at ")[0].rstrip(".")
