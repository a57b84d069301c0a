"""`toolpost permissions list` and `revoke`."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from toolpost.authorize.grants import Grant
from toolpost.authorize.rule import Rule
from toolpost.cli import show
from toolpost.cli.exits import Exit
from toolpost.cli.permissions_standing import Standing, standing
from toolpost.cli.settings import settled
from toolpost.cli.trouble import Trouble
from toolpost.clock import Clock, rfc3339
from toolpost.errors import ToolError

_NO_LEVEL = 0  # rules and grants do not hang on the sandbox


def run(*, everything: bool, as_json: bool) -> int:
    here = standing(settled(), level=_NO_LEVEL)
    if here.found.tests:  # what they expect may hang on it
        here = standing(settled())
    if as_json:
        show.as_json(_facts(here))
    else:
        _print(here, everything=everything)
    return Exit.OK


def _facts(here: Standing) -> dict[str, Any]:
    book = here.rights.book
    return {
        "profile": book.profile.name,
        "mode": str(book.mode),
        "rules": [_rule(rule) for rule in (*book.rules, *book.profile.rules)],
        "trust_annotations": sorted(book.servers),
        "grants": [_grant(grant) for grant in here.grants()],
        "notes": list(here.found.notes),
        "warnings": [*here.failures(), *here.found.warnings],
    }


def _rule(rule: Rule) -> dict[str, str]:
    return {"decision": str(rule.decision), "rule": str(rule), "layer": rule.layer}


def _grant(grant: Grant) -> dict[str, Any]:
    return {
        "id": grant.id,
        "decision": str(grant.decision),
        "rule": grant.rule,
        "scope": str(grant.scope),
        "tool": grant.tool,
        "project": grant.project,
        "agent": grant.agent,
        "made": _when(grant.made),
        "expires": _when(grant.expires),
    }


def _when(moment: datetime | None) -> str | None:
    return rfc3339(moment) if moment else None


def _print(here: Standing, *, everything: bool) -> None:
    book = here.rights.book
    show.out(show.one_line(f"profile {book.profile.name}, mode {book.mode}"))
    rules = (*book.rules, *(book.profile.rules if everything else ()))
    _table(("decision", "rule", "layer"), [(str(rule.decision), str(rule), rule.layer) for rule in rules])
    if book.profile.rules and not everything:
        show.out(f"and {len(book.profile.rules)} rules of the profile (--all lists them)")
    now = Clock().now()
    grants = [(*_shown(grant), _ends(grant, now)) for grant in here.grants()]
    _table(("grant", "decision", "rule", "scope", "agent", "made", "expires"), grants)
    for text in (*here.failures(), *here.found.notes, *here.found.warnings):
        show.note(text)


def _table(columns: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    if rows:
        show.out("")
        show.table(columns, rows)


def _shown(grant: Grant) -> tuple[str, ...]:
    made = f"{grant.made.astimezone():%Y-%m-%d %H:%M}" if grant.made else ""
    return grant.id, str(grant.decision), grant.rule, str(grant.scope), grant.agent, made


def _ends(grant: Grant, now: datetime) -> str:
    if grant.expires is None:
        return "never"
    return "expired" if grant.expires <= now else f"{grant.expires.astimezone():%Y-%m-%d %H:%M}"


def revoke(named: str, *, as_json: bool) -> int:
    """An id means that very grant; a rule or a tool those of this project and user; nothing all of these."""
    here = standing(settled(), level=_NO_LEVEL)

    def is_meant(grant: Grant) -> bool:
        is_named = not named or named in {grant.rule, grant.tool}
        return grant.id == named or (is_named and here.is_ours(grant))

    try:
        gone = here.kept.drop(is_meant)
    except ToolError as error:
        raise Trouble(error.detail, error.fix) from None
    if not gone:
        what = f"There is no grant {named!r}." if named else "There are no grants here."
        raise Trouble(what, "toolpost permissions list", Exit.NOT_FOUND)
    _told(gone, as_json=as_json)
    return Exit.OK


def _told(gone: Iterable[Grant], *, as_json: bool) -> None:
    if as_json:
        show.as_json([_grant(grant) for grant in gone])
        return
    for grant in gone:
        show.out(show.one_line(f"revoked {grant.id}: {grant.decision} {grant.rule} ({grant.scope})"))
