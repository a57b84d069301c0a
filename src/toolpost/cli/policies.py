"""The policy files of every layer, and what they close to file tools, searches and indexes."""

from collections.abc import Iterable
from pathlib import Path

from msgspec import structs

from toolpost.atom import Kind
from toolpost.authorize.layers import Layers, Nothing, Places, Trust, gather
from toolpost.authorize.policy import PolicyError
from toolpost.authorize.rule import Rule
from toolpost.cli.settings import here, own_folder
from toolpost.cli.trouble import Trouble
from toolpost.config.places import project_folder
from toolpost.result import Decision
from toolpost.route import trust
from toolpost.workspace.guard import Closed, Guard

POLICY = "policy.toml"
_ALTERING = frozenset({Kind.WRITE, Kind.DELETE})


def layers() -> Layers:
    """Every policy file that is there; a trouble where one cannot be relied on."""
    folder = project_folder(here())
    try:
        return gather(
            Places(
                user=own_folder() / POLICY,
                project=folder / POLICY if folder else None,
                trust=_trusted(),
            )
        )
    except PolicyError as error:
        raise Trouble(str(error), error.fix) from None


def _trusted() -> Trust:
    """A store that cannot be relied on trusts nothing; whoever loads plugins says so."""
    try:
        return trust.read(own_folder() / trust.FILE)
    except trust.TrustError:
        return Nothing()


def guarded(guard: Guard, rules: Iterable[Rule]) -> Guard:
    """The guard by the disk keeps what the rules deny: links, searches and indexes come past it, not past the gate."""
    about = [rule for rule in rules if rule.kind in {Kind.READ, *_ALTERING}]
    if not about:
        return guard
    denied = [rule for rule in about if rule.decision is Decision.DENY]
    opened = [rule for rule in about if rule.opens]
    return structs.replace(
        guard,
        no_read=tuple(Closed(rule.pattern, rule.layer) for rule in denied if rule.kind is Kind.READ),
        no_write=tuple(Closed(rule.pattern, rule.layer) for rule in denied if rule.kind is Kind.WRITE),
        may_read=tuple(rule.pattern for rule in opened if rule.kind is Kind.READ),
        may_write=tuple(rule.pattern for rule in opened if rule.kind in _ALTERING),
        home=str(Path.home()),
    )
