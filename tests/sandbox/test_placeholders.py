import os
from pathlib import Path

from toolpost.sandbox.placeholders import FILES, Placeholders, is_placeholder


def _made(root: Path, *names: str) -> Placeholders:
    return Placeholders(str(root), [f"{root}/{name}" for name in names])


def test_they_stand_while_they_are_used_and_no_longer(tmp_path: Path) -> None:
    made = _made(tmp_path, "a", "b")
    assert [is_placeholder(path) for path in made.made] == [True, True]
    made.remove()
    assert list(tmp_path.iterdir()) == []


def test_some_of_gits_own_are_files_that_mean_the_same_as_none(tmp_path: Path) -> None:
    for folder in (".git/info", ".git/objects/info"):
        (tmp_path / folder).mkdir(parents=True)
    first, second = _made(tmp_path, *FILES), _made(tmp_path, *FILES)
    assert {name: (tmp_path / name).read_bytes() for name in FILES} == FILES
    first.remove()
    (tmp_path / ".git" / "info" / "attributes").chmod(0o600)
    (tmp_path / ".git" / "info" / "attributes").write_text("mine")
    second.remove()
    assert [name for name in FILES if (tmp_path / name).exists()] == [".git/info/attributes"]


def test_the_last_to_leave_removes_them(tmp_path: Path) -> None:
    first, second = _made(tmp_path, "a"), _made(tmp_path, "a", "b")
    first.remove()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]
    second.remove()
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_server_left_goes_with_the_next_command(tmp_path: Path) -> None:
    left = _made(tmp_path, "a")
    os.close(left._lock)
    _made(tmp_path, "a").remove()
    assert list(tmp_path.iterdir()) == []


def test_what_somebody_wrote_meanwhile_stays(tmp_path: Path) -> None:
    made = _made(tmp_path, "a", "b", "c")
    (tmp_path / "a").rmdir()
    (tmp_path / "a").write_text("mine")
    (tmp_path / "b").rmdir()
    (tmp_path / "c").chmod(0o700)
    (tmp_path / "c" / "mine").touch()
    (tmp_path / "c").chmod(0o1500)
    made.remove()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "c"]


def test_what_is_there_or_cannot_be_made_is_no_placeholder(tmp_path: Path) -> None:
    (tmp_path / "there").write_text("")
    made = Placeholders(str(tmp_path), [f"{tmp_path}/there", f"{tmp_path}/no/folder", "/elsewhere"])
    assert made.made == ()
    made.remove()
    assert [path.name for path in tmp_path.iterdir()] == ["there"]
