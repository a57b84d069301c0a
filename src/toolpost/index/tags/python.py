"""What Python files are, by what they say and import."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from toolpost.index.model import Extract

_FIXTURES = frozenset(("decorator:pytest.fixture", "decorator:fixture", "decorator:pytest_asyncio.fixture"))
_PLAIN = {"main": "entrypoint", "tests": "test", "shebang": "script"}
_MIGRATING = ("alembic", "django.db.migrations")


def roles(name: str, found: Extract, tags: AbstractSet[str]) -> Iterator[str]:
    """Tags of a file that already has those of its name and its imports."""
    for mark in found.marks:
        if mark in _PLAIN:
            yield _PLAIN[mark]
        elif mark in _FIXTURES and "tests" not in found.marks:
            yield "fixture"
    if "migration" not in tags and _migrates(found):
        yield "migration"
    if name == "__init__.py" and found.exports and all(export.source for export in found.exports):
        yield "barrel"


def _migrates(found: Extract) -> bool:
    if not any(module.startswith(_MIGRATING) for module in found.imports):
        return False
    names = {export.name for export in found.exports}
    return "Migration" in names or {"upgrade", "downgrade"} <= names
