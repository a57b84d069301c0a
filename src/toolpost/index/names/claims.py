"""How firmly a file stands by a name: it defines it, it defaults to it, or it passes it on."""

from collections.abc import Iterable

from toolpost.index.model import DEFAULT, Export

OWN, DEFAULTED, PASSED_ON = range(3)


def claims(exports: Iterable[Export]) -> list[tuple[str, int]]:
    """The names `model.names` tells, each with the claim; one that is exported twice comes twice."""
    found = []
    for export in exports:
        name, is_passed = export.name, bool(export.source or export.origin)
        if name:
            found.append((name, PASSED_ON if is_passed else OWN))
        if name == DEFAULT and export.local:
            found.append((export.local, PASSED_ON if is_passed else DEFAULTED))
    return found
