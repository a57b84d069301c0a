"""Rules written into a policy's text, which else stays as it was."""

from collections.abc import Iterable, Sequence

from toolpost.authorize.rule import Rule
from toolpost.authorize.toml_places import Places, Spot
from toolpost.cli import show
from toolpost.config import toml_text
from toolpost.result import Decision

_TABLE = "permissions"
_ORDER = (Decision.DENY, Decision.ASK, Decision.ALLOW)


def policy_text(rules: Sequence[Rule], source: str) -> str:
    """A whole policy; each rule with where it comes from."""
    lists = "".join(_list(decision, _of(rules, decision), "") for decision in _ORDER)
    return f"# {source}\n[{_TABLE}]\n{lists}".rstrip("\n")


def merged(text: str, rules: Sequence[Rule], source: str) -> str:
    """The text with the rules added, each to its list. It has to be read anew: not every layout is known here."""
    for decision in _ORDER:
        chosen = _of(rules, decision)
        text = _added(text, decision, chosen, source) if chosen else text
    return text


def _of(rules: Iterable[Rule], decision: Decision) -> list[Rule]:
    return [rule for rule in rules if rule.decision is decision]


def _added(text: str, decision: Decision, rules: list[Rule], source: str) -> str:
    places = Places(text)
    lists = [one for one in places.statements if one.path == (_TABLE, decision)]
    headers = [one for one in places.statements if one.is_header and one.path == (_TABLE,)]
    if lists:
        start = _offset(text, lists[0].spot)
        at = text.index("[", text.index("=", start)) + 1
        return f"{text[:at]}\n  # {source}\n{_lines(rules)}{text[at:]}"
    if headers:
        at = text.find("\n", _offset(text, headers[0].spot)) + 1 or len(text)
        gap = "" if text[:at].endswith("\n") else "\n"
        return f"{text[:at]}{gap}{_list(decision, rules, source)}{text[at:]}"
    body = f"{text.rstrip()}\n\n" if text.strip() else ""
    return f"{body}[{_TABLE}]\n{_list(decision, rules, source)}"


def _offset(text: str, spot: Spot) -> int:
    lines = text.split("\n")
    return sum(len(line) + 1 for line in lines[: spot.line - 1]) + spot.column - 1


def _list(decision: Decision, rules: list[Rule], source: str) -> str:
    head = f"# {source}\n" if source else ""
    return f"{head}{decision} = [\n{_lines(rules)}]\n" if rules else ""


def _lines(rules: Iterable[Rule]) -> str:
    return "".join(f"  {toml_text.written(str(rule))},  # {show.one_line(rule.layer)}\n" for rule in rules)
