"""One rule, and what it covers. Allow is narrow: all that a call may do has to be meant. Deny and ask are wide."""

from msgspec import Struct

from toolpost.atom import Atom, Kind
from toolpost.authorize.commands import matching
from toolpost.authorize.host_pattern import allows_host, catches_host
from toolpost.authorize.scene import Scene
from toolpost.pathnames.pattern import admits, matches_name, reaches
from toolpost.result import Decision

DESTRUCTIVE = "destructiveHint"
MASKING = 2
"""From this level on a sandbox hides from a command what it must not read."""


class Rule(Struct, frozen=True):
    """`str()` of it is the text that may be stored, and that parses to it again."""

    decision: Decision
    kind: Kind
    pattern: str = "*"
    opens: bool = False
    """The `!` form: it opens a guard."""
    hint: str = ""
    """The annotation that a tool must have."""
    layer: str = ""
    """Where it stands: `user:policy.toml:7`."""

    def __str__(self) -> str:
        hint = f"[{self.hint}]" if self.hint else ""
        return f"{self.kind}{'!' * self.opens}({self.pattern}){hint}"


def covers(rule: Rule, atom: Atom, scene: Scene) -> bool:
    """A rule about tools covers only atoms that are tools; for the tool behind another atom, ask `names`."""
    if not _is_about(rule, atom.kind) or (atom.maybe and rule.decision is Decision.ALLOW):
        return False
    if not atom.target and atom.inside:  # all that is known is what the tool does, not to what
        return rule.pattern in _ALL
    if atom.kind is Kind.TOOL:
        return names(rule, atom.target, atom.hints)
    if atom.kind is Kind.EXEC:
        return _covers_command(rule, atom)
    if atom.kind is Kind.NET:
        return _covers_host(rule, atom)
    return _covers_path(rule, atom, scene)


def names(rule: Rule, tool_name: str, hints: frozenset[str]) -> bool:
    """Whether a rule about tools means this one. An allow by wildcard leaves out what says it destroys."""
    if rule.kind is not Kind.TOOL or (rule.hint and rule.hint not in hints):
        return False
    if rule.decision is Decision.ALLOW:
        return _allows_tool(rule, tool_name, hints)
    _, slash, bare = tool_name.partition("/")
    return matches_name(rule.pattern, tool_name) or (
        bool(slash) and "/" not in rule.pattern and matches_name(rule.pattern, bare)
    )


def _is_about(rule: Rule, kind: Kind) -> bool:
    """What must not be written must not be deleted either."""
    denies_change = rule.decision is Decision.DENY and rule.kind is Kind.WRITE
    return rule.kind is kind or (denies_change and kind is Kind.DELETE)


def _allows_tool(rule: Rule, tool_name: str, hints: frozenset[str]) -> bool:
    is_wild = any(mark in rule.pattern for mark in "*?[")
    if is_wild and DESTRUCTIVE in hints:
        return False
    same_depth = rule.pattern == "*" or rule.pattern.count("/") == tool_name.count("/")
    return same_depth and matches_name(rule.pattern, tool_name, folded=False)


def _covers_command(rule: Rule, atom: Atom) -> bool:
    test = matching.allows if rule.decision is Decision.ALLOW else matching.catches
    return test(rule.pattern, atom)


def _covers_host(rule: Rule, atom: Atom) -> bool:
    if rule.decision is Decision.ALLOW:
        return atom.fixed and allows_host(rule.pattern, atom.target)
    return catches_host(rule.pattern, atom.target, fixed=atom.fixed)


def _covers_path(rule: Rule, atom: Atom, scene: Scene) -> bool:
    where = (atom.target, scene.roots, scene.home)
    if rule.decision is Decision.ALLOW:
        return atom.fixed and admits(rule.pattern, *where, tree=atom.tree, glob=atom.glob)
    if atom.fixed:
        return reaches(
            rule.pattern, *where, tree=atom.tree and not _is_masked(rule, atom, scene), glob=atom.glob
        )
    if not atom.target:  # nothing is known: as good as any path, and asked about as such
        return rule.pattern in _ALL
    longer = (f"{atom.target}*", scene.roots, scene.home)
    return reaches(rule.pattern, *where, tree=True) or reaches(rule.pattern, *longer, tree=True, glob=True)


def _is_masked(rule: Rule, atom: Atom, scene: Scene) -> bool:
    """A search may go on through a folder: what is denied below it is hidden from commands, and from our tools."""
    return rule.decision is Decision.DENY and atom.kind is Kind.READ and scene.level >= MASKING


_ALL = frozenset({"*", "/**"})
