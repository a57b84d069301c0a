"""mypy agrees with every `assert_type` in api.py."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_typed_api_is_as_pinned() -> None:
    api = Path(__file__).with_name("api.py")
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", str(api)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert checked.stdout == "Success: no issues found in 1 source file\n"
