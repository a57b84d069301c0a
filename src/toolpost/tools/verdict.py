"""What a check of an output comes to (contract 000): warnings never make it invalid."""

from collections.abc import Iterable
from itertools import islice

from msgspec import Struct

from toolpost.limits import FAULTS_COUNTED, FAULTS_TOLD


class Verdict(Struct, frozen=True):
    valid: bool
    errors: list[str]
    warnings: list[str]

    @classmethod
    def of(cls, errors: Iterable[str], warnings: Iterable[str] = ()) -> "Verdict":
        """The first of each, and how many more there are."""
        found = list(islice(errors, FAULTS_COUNTED))
        return cls(not found, _told(found), _told(list(islice(warnings, FAULTS_COUNTED))))


def _told(found: list[str]) -> list[str]:
    if len(found) <= FAULTS_TOLD:
        return found
    at_least = "at least " if len(found) == FAULTS_COUNTED else ""
    return [*found[:FAULTS_TOLD], f"and {at_least}{len(found) - FAULTS_TOLD} more"]
