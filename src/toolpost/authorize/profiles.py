"""Profiles: a mode and the rules that come with it, by a name people choose."""

from enum import StrEnum

from msgspec import Struct

from toolpost.atom import Kind
from toolpost.authorize.everyday import EVERYDAY
from toolpost.authorize.rule import Rule
from toolpost.result import Decision


class Mode(StrEnum):
    """What becomes of that which no rule decides."""

    PLAN = "plan"
    """Nothing is written or deleted."""
    ASK = "ask"
    """Reading the workspace is allowed, all else is asked about."""
    EDIT = "edit"
    """Writing in the workspace is allowed too."""
    AUTO = "auto"
    """As edit; and what would be asked is allowed where a sandbox of L2 or more holds it."""
    HEADLESS = "headless"
    """What would be asked is denied: nobody is there."""
    YOLO = "yolo"
    """What would be asked is allowed, but for what a guard holds."""


class Profile(Struct, frozen=True, kw_only=True):
    """Deny beats ask beats allow; what no rule names is the mode's to decide."""

    name: str
    mode: Mode = Mode.ASK
    rules: tuple[Rule, ...] = ()


def _all(decision: Decision, name: str, *kinds: Kind) -> tuple[Rule, ...]:
    return tuple(Rule(decision, kind, layer=f"profile:{name}") for kind in kinds)


def _everyday(name: str) -> tuple[Rule, ...]:
    return tuple(Rule(Decision.ALLOW, Kind.EXEC, text, layer=f"profile:{name}") for text in EVERYDAY)


_NO_LAUNCH = Rule(Decision.DENY, Kind.TOOL, "launch *", layer="profile:read-only")
_ALTERING = (Kind.WRITE, Kind.DELETE, Kind.EXEC, Kind.NET)
PROFILES = {
    profile.name: profile
    for profile in (
        Profile(
            name="read-only",
            mode=Mode.PLAN,
            rules=(*_all(Decision.DENY, "read-only", *_ALTERING), _NO_LAUNCH),
        ),
        Profile(name="plan", mode=Mode.PLAN),
        Profile(name="headless", mode=Mode.HEADLESS),
        Profile(name="ask", mode=Mode.ASK),
        Profile(name="edit", mode=Mode.EDIT),
        Profile(name="workspace", mode=Mode.EDIT, rules=_everyday("workspace")),
        Profile(name="auto", mode=Mode.AUTO, rules=_everyday("auto")),
        Profile(name="open", mode=Mode.YOLO),
    )
}
"""The narrowest first."""
ASK = PROFILES["ask"]
