"""Short files of short functions: the one rule of the house that no linter checks."""

import ast
from pathlib import Path
from statistics import median

import pytest

SOURCE = Path(__file__).parents[2] / "src"
FILES = sorted(SOURCE.rglob("*.py"))
FILE_LINES = 400
FUNCTION_LINES = 50
MEDIAN_LINES = 10

Function = ast.FunctionDef | ast.AsyncFunctionDef


def _functions(file: Path) -> list[Function]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, Function)]


def _length(function: Function) -> int:
    """Lines from `def` to the end, the docstring not counted."""
    whole = (function.end_lineno or function.lineno) - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function, clean=False) is None:
        return whole
    return whole - ((first.end_lineno or first.lineno) - first.lineno + 1)


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(SOURCE)))
def test_a_file_and_its_functions_are_short(file: Path) -> None:
    assert len(file.read_text(encoding="utf-8").splitlines()) <= FILE_LINES
    too_long = {function.name: _length(function) for function in _functions(file)}
    assert {name: lines for name, lines in too_long.items() if lines > FUNCTION_LINES} == {}


def test_half_of_all_functions_are_shorter_still() -> None:
    assert median(_length(function) for file in FILES for function in _functions(file)) <= MEDIAN_LINES
