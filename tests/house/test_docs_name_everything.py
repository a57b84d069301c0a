"""The documentation names every error, dialect, command, setting and standard tool there is."""

import json
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import click
import msgspec
import pytest

from toolpost import Limits
from toolpost.cli.main import cli
from toolpost.config.model import Config
from toolpost.dialects import NAMES
from toolpost.dialects.vocabulary import STANDARD
from toolpost.errors import Several, every_error

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "reference"
GENERATOR = ROOT / "docs" / "reference.py"


@cache
def _documentation() -> str:
    pages = [path.read_text(encoding="utf-8") for path in (ROOT / "docs").rglob("*.md")]
    return "\n".join([*pages, (ROOT / "README.md").read_text(encoding="utf-8")])


def _commands(command: click.Command, name: str) -> Iterable[str]:
    yield name
    if isinstance(command, click.Group):
        context = click.Context(command)
        for inner in command.list_commands(context):
            found = command.get_command(context, inner)
            assert found is not None
            yield from _commands(found, f"{name} {inner}")


CODES = sorted(
    {
        error.code
        for error in every_error()
        if error.__module__.startswith("toolpost.errors") and error is not Several
    }
)
SETTINGS = [field.name for model in (Config, Limits) for field in msgspec.structs.fields(model)]


@pytest.mark.parametrize(
    "names",
    [CODES, NAMES, sorted(_commands(cli, "toolpost")), SETTINGS, sorted(STANDARD)],
    ids=["errors", "dialects", "commands", "settings", "standard tools"],
)
def test_the_documentation_names_every_one(names: Iterable[str]) -> None:
    assert [name for name in names if name not in _documentation()] == []


def test_every_dialect_has_a_page_of_its_own() -> None:
    assert [name for name in NAMES if not (ROOT / "docs" / "contracts" / f"{name}.md").exists()] == []


def test_the_reference_is_what_the_code_says_today() -> None:
    script = f"import json, runpy; g = runpy.run_path({str(GENERATOR)!r}); print(json.dumps([g['NOTE'], g['pages']()]))"
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    note, pages = json.loads(ran.stdout)
    assert [
        name for name, text in pages.items() if (REFERENCE / name).read_text("utf-8") != note + text
    ] == []
