"""What users install is the wheel, so the wheel is what is tested here."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    into = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", into, ".", cwd=ROOT)
    return next(into.glob("toolpost-*.whl"))


def test_the_wheel_is_typed_licensed_and_holds_only_the_package(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert "toolpost/py.typed" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert {name.split("/", 1)[0].split("-", 1)[0] for name in names} == {"toolpost"}


def test_an_installed_wheel_answers_a_call_from_an_empty_folder(wheel: Path, tmp_path: Path) -> None:
    run(sys.executable, "-m", "venv", tmp_path / "venv", cwd=tmp_path)
    python = tmp_path / "venv/bin/python"
    constraints = ROOT / "constraints.txt"
    run(python, "-m", "pip", "install", "--quiet", "-c", constraints, wheel, cwd=tmp_path)
    (tmp_path / "plugin.py").write_text(
        "from toolpost import tool\n\n@tool\nasync def double(number: int) -> int:\n"
        '    """Double a number."""\n    return number * 2\n'
    )
    command = tmp_path / "venv/bin/toolpost"
    assert run(
        command, "--tools", "plugin.py", "call", "double", "--as", "agents", "number=21", cwd=tmp_path
    ) == ('{"name":"double","input":{"number":21},"output":42}\n')
