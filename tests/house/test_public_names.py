"""What `from toolpost import …` gives is exactly this; the rest lives in its own module."""

import subprocess
import sys
from inspect import isclass
from pathlib import Path
from typing import get_type_hints

import pytest

import toolpost

PUBLIC = [
    "Bench",
    "BudgetExceeded",
    "Call",
    "Caller",
    "Data",
    "Decision",
    "Denied",
    "Diff",
    "Effect",
    "Image",
    "InvalidArgument",
    "Limits",
    "NotFound",
    "Problem",
    "Profile",
    "Provenance",
    "Ref",
    "Result",
    "Rule",
    "Text",
    "Tool",
    "ToolError",
    "Workspace",
    "tool",
]


def test_the_public_names_are_exactly_these() -> None:
    assert sorted(toolpost.__all__) == sorted(PUBLIC)
    assert dir(toolpost) == sorted([*PUBLIC, "__version__"])


@pytest.mark.parametrize("name", PUBLIC)
def test_each_can_be_imported_and_is_typed(name: str) -> None:
    value = getattr(toolpost, name)
    assert value.__name__ == name
    assert value.__module__.startswith("toolpost.")
    if isclass(value):
        assert get_type_hints(value) is not None


def test_what_is_not_public_is_not_there() -> None:
    with pytest.raises(AttributeError, match="module 'toolpost' has no attribute 'nothing'"):
        _ = toolpost.nothing


def test_the_names_a_type_checker_sees_are_the_names_there_are() -> None:
    source = Path(toolpost.__file__ or "").read_text(encoding="utf-8")
    seen = {
        line.split(" as ")[1].strip() for line in source.splitlines() if line.startswith("    from toolpost.")
    }
    assert seen == set(PUBLIC)


def test_importing_the_package_loads_none_of_its_modules() -> None:
    script = (
        "import sys, toolpost; print(sorted(name for name in sys.modules if name.startswith('toolpost.')))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    assert loaded.stdout == "['toolpost.version']\n"
