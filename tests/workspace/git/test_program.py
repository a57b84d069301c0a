from collections.abc import Iterator
from pathlib import Path

import pytest

from toolpost.errors import NotConfigured
from toolpost.workspace.git import program as git_program
from toolpost.workspace.git.program import program


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    program.cache_clear()
    yield
    program.cache_clear()


def fake(folder: Path, monkeypatch: pytest.MonkeyPatch, says: str) -> Path:
    file = folder / "git"
    file.write_text(f"#!/bin/sh\necho '{says}'\n")
    file.chmod(0o755)
    monkeypatch.setattr(git_program, "PATH", str(folder))
    return file


def test_it_is_found_in_fixed_places_not_where_the_user_looks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trap = tmp_path / "git"
    trap.write_text("#!/bin/sh\n")
    trap.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert Path(program()).parent != tmp_path
    assert program() in {f"{folder}/git" for folder in git_program.PATH.split(":")}


def test_a_machine_without_git_is_told_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git_program, "PATH", str(tmp_path))
    with pytest.raises(NotConfigured, match="apt install git"):
        program()


@pytest.mark.parametrize("says", ["git version 2.30.2", "git version 1.9", "nothing of use"])
def test_a_git_too_old_to_be_made_safe_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: str
) -> None:
    fake(tmp_path, monkeypatch, says)
    with pytest.raises(NotConfigured, match=r"at least 2\.34"):
        program()


@pytest.mark.parametrize(
    "says", ["git version 2.34.1", "git version 2.39.5 (Apple Git-154)", "git version 3.0.0"]
)
def test_any_newer_git_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: str) -> None:
    assert program.__wrapped__() != str(fake(tmp_path, monkeypatch, says))
    assert program() == str(tmp_path / "git")
