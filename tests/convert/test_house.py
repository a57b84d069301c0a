"""What convert may lean on."""

import ast
import sys
from pathlib import Path

import pytest

from toolpost import convert

SOURCES = sorted(Path(convert.__file__).parent.glob("*.py"))


def imported(source: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: str(source.stem))
def test_a_module_leans_on_the_standard_library_msgspec_and_its_neighbours_only(source: Path) -> None:
    allowed = {"msgspec"} | ({"jsonschema_rs"} if source.name == "check.py" else set())
    foreign = {
        name
        for name in imported(source)
        if not name.startswith("toolpost.convert")
        and name.split(".", maxsplit=1)[0] not in allowed | sys.stdlib_module_names
    }
    assert foreign == set()
