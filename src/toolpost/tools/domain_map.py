"""The output contract 000 calls `domain_map`: domains, how they are laid out, and a summary of both.

No domains, or none in the list, is one error and ends the check (C73). Where there are some:

error    a domain is no object, or has no name
error    `layout` or `summary` is no object, or is not there
error    `summary.totalDomains` is not there, or is no whole number
warning  `summary.totalDomains` is not how many domains there are
warning  two domains have one name
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from toolpost.tools.verdict import Verdict

NAME = "domain_map"
NO_DOMAINS = "Missing 'domains' array"


def check(data: Any) -> Verdict:
    domains = data.get("domains") if isinstance(data, dict) else None
    if not isinstance(domains, list) or not domains:
        return Verdict.of([NO_DOMAINS])
    summary = data.get("summary")
    errors = [*_domain_errors(domains), *_missing_objects(data), *_total_errors(summary)]
    return Verdict.of(errors, [*_total_warnings(summary, len(domains)), *_doubles(domains)])


def _domain_errors(domains: list[Any]) -> Iterator[str]:
    for place, domain in enumerate(domains):
        if not isinstance(domain, dict):
            yield f"'domains[{place}]' is not an object"
        elif not _name(domain):
            yield f"Missing 'domains[{place}].name'"


def _missing_objects(data: dict[str, Any]) -> Iterator[str]:
    return (
        f"Missing '{name}' object" for name in ("layout", "summary") if not isinstance(data.get(name), dict)
    )


def _total_errors(summary: Any) -> Iterator[str]:
    if isinstance(summary, dict) and not _is_count(summary.get("totalDomains")):
        yield "Missing 'summary.totalDomains'"


def _total_warnings(summary: Any, count: int) -> Iterator[str]:
    total = summary.get("totalDomains") if isinstance(summary, dict) else None
    if _is_count(total) and total != count:
        yield f"'summary.totalDomains' is {total}, but there are {count} domains"


def _doubles(domains: list[Any]) -> Iterator[str]:
    names = Counter(_name(domain) for domain in domains if isinstance(domain, dict))
    return (f"{count} domains are named {name!r}" for name, count in names.items() if name and count > 1)


def _name(domain: dict[str, Any]) -> str:
    name = domain.get("name")
    return name.strip() if isinstance(name, str) else ""


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
