import io
import os
import sys
from pathlib import Path

import pytest
from tests.cli.desk import SHOP, Ran, Run

from toolpost.cli.main import main


@pytest.fixture(autouse=True)
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, a home beside it, and no settings from outside."""
    for name in os.environ:
        if name.startswith("TOOLPOST_") or name in {"NO_COLOR", "FORCE_COLOR"}:
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home" / "xdg"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "home" / "state"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home" / "cache"))
    monkeypatch.setenv("TOOLPOST_STANDARD_TOOLS", "off")
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def user_folder(work: Path) -> Path:
    return work.parent / "home" / "xdg" / "toolpost"


@pytest.fixture
def shop(work: Path) -> str:
    path = work / "shop.py"
    path.write_text(SHOP)
    return str(path)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    def run(*args: str, stdin: bytes = b"") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = main(args)
        shown = capsys.readouterr()
        return Ran(int(code), shown.out, shown.err)

    return run
