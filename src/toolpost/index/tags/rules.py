"""Tags of a project's own: rules that its settings give.

`[index.tags.design-token]` with `paths = ["**/tokens/**"]`, `exports = ["*Token"]`, `imports = ["@acme/tokens"]`
and `contains = ["createToken("]` tags each file for which every kind of condition given holds, one of its
patterns being enough. `paths` and `exports` are globs; `imports` are modules, with all that lies below
them; `contains` is plain text.
"""

import re
from collections.abc import Mapping
from typing import Any, NoReturn

import msgspec
from msgspec import Struct

from toolpost.errors import InvalidArgument
from toolpost.index.limits import TAG_CHARS, TAG_PATTERNS, TAG_RULES
from toolpost.index.model import Extract, names
from toolpost.workspace.walking.globs import Glob

_NAME = re.compile(r"[a-z0-9][a-z0-9.+-]*")
_KINDS = "`paths`, `exports`, `imports` and `contains`"


class Conditions(Struct, frozen=True, forbid_unknown_fields=True):
    """As settings have them."""

    paths: tuple[str, ...] = ()
    exports: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    contains: tuple[str, ...] = ()


class Rule(Struct, frozen=True):
    tag: str
    paths: tuple[Glob, ...]
    exports: tuple[Glob, ...]
    imports: tuple[str, ...]
    contains: tuple[bytes, ...]

    def holds(self, path: str, text: bytes | None, found: Extract) -> bool:
        """What is cheapest to know is asked first."""
        if self.imports and not any(_is_below(module, self.imports) for module in found.imports):
            return False
        if self.paths and not any(glob.matches(path) for glob in self.paths):
            return False
        if self.exports and not any(
            glob.matches(name) for name in names(found.exports) for glob in self.exports
        ):
            return False
        return not self.contains or (text is not None and any(piece in text for piece in self.contains))


class Rules(Struct, frozen=True):
    rules: tuple[Rule, ...] = ()

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> "Rules":
        """From `index.tags`; raises InvalidArgument, which names the setting and what it may be."""
        if len(settings) > TAG_RULES:
            _refuse(f"There are {len(settings):,} rules; at most {TAG_RULES} are taken.", "index.tags")
        return cls(tuple(_rule(tag, conditions) for tag, conditions in settings.items()))

    def tags(self, path: str, text: bytes | None, found: Extract) -> list[str]:
        return [rule.tag for rule in self.rules if rule.holds(path, text, found)]


def _rule(tag: str, settings: Any) -> Rule:
    where = f"index.tags.{tag}"
    if len(tag) > TAG_CHARS or not _NAME.fullmatch(tag):
        _refuse(f"A tag is at most {TAG_CHARS} small letters, digits and `-`, such as `design-token`.", where)
    try:
        told = msgspec.convert(settings, Conditions)
    except msgspec.ValidationError as error:
        _refuse(f"{error}. A rule has lists of texts under {_KINDS}, and nothing else.", where)
    given = (*told.paths, *told.exports, *told.imports, *told.contains)
    if not given:
        _refuse(f"A rule without conditions would tag every file; give one or more of {_KINDS}.", where)
    if len(given) > TAG_PATTERNS:
        _refuse(f"A rule takes up to {TAG_PATTERNS} patterns, not {len(given):,}.", where)
    for kind in told.__struct_fields__:
        if "" in getattr(told, kind):
            _refuse("An empty pattern says nothing: leave it out.", f"{where}.{kind}")
    return Rule(
        tag,
        _globs(told.paths, f"{where}.paths"),
        _globs(told.exports, f"{where}.exports"),
        told.imports,
        tuple(piece.encode() for piece in told.contains),
    )


def _globs(patterns: tuple[str, ...], where: str) -> tuple[Glob, ...]:
    try:
        return tuple(Glob(pattern, parameter=where) for pattern in patterns)
    except InvalidArgument as error:
        _refuse(error.detail, where)


def _is_below(module: str, wanted: tuple[str, ...]) -> bool:
    return any(module == name or module.startswith((f"{name}/", f"{name}.", f"{name}::")) for name in wanted)


def _refuse(sentence: str, parameter: str) -> NoReturn:
    raise InvalidArgument(f"{parameter}: {sentence}", parameter=parameter)
