import tomllib
from pathlib import Path
from typing import Any

import pytest

from toolpost.config import change, toml_text
from toolpost.config.model import ConfigError

FILE = """# my settings
profile = "ask"  # not "open" # never
tools = [
  "a.py",  # first
]

[limits]  # all of them
run = { calls = 3 } # a run
timeout_s = 5.0

[limits.session]
calls = 1
"""


@pytest.mark.parametrize(
    ("name", "value", "before", "after"),
    [
        (
            "profile",
            "edit",
            'profile = "ask"  # not "open" # never',
            'profile = "edit"  # not "open" # never',
        ),
        ("tools", ["b.py"], 'tools = [\n  "a.py",  # first\n]', 'tools = ["b.py"]'),
        ("limits.run.calls", 4, "{ calls = 3 } # a run", "{ calls = 4 } # a run"),
        ("limits.run.reads", 2, "{ calls = 3 } # a run", "{ calls = 3, reads = 2 } # a run"),
        ("limits.timeout_s", 9.0, "timeout_s = 5.0", "timeout_s = 9.0"),
        ("limits.session.calls", 2, "calls = 1", "calls = 2"),
        ("limits.session.reads", 2, "calls = 1\n", "calls = 1\nreads = 2\n"),
        ("limits.sessions_kept", 7, "timeout_s = 5.0\n", "timeout_s = 5.0\nsessions_kept = 7\n"),
        ("record", "/x", "]\n\n[limits]", ']\nrecord = "/x"\n\n[limits]'),
        ("limits.component.calls", 1, "calls = 1\n", "calls = 1\n\n[limits.component]\ncalls = 1\n"),
    ],
)
def test_only_the_one_value_changes(name: str, value: Any, before: str, after: str) -> None:
    changed = toml_text.put(FILE, name, value)

    assert before in FILE
    assert changed == after.join(FILE.rsplit(before, 1))


@pytest.mark.parametrize(
    ("text", "name", "value", "after"),
    [
        ("", "profile", "ask", 'profile = "ask"\n'),
        ("", "limits.timeout_s", 1.5, "[limits]\ntimeout_s = 1.5\n"),
        ("# only a comment\n", "profile", "ask", '# only a comment\n\nprofile = "ask"\n'),
        ("[limits]\n", "profile", "ask", 'profile = "ask"\n[limits]\n'),
        (
            "limits.timeout_s = 1.0\n",
            "limits.sessions_kept",
            5,
            "limits.timeout_s = 1.0\nlimits.sessions_kept = 5\n",
        ),
        ('"profile" = "ask"', "profile", "edit", '"profile" = "edit"\n'),
        ('profile = "ask"\r\n', "profile", "edit", 'profile = "edit"\n'),
        ("[[other]]\nx = 1\n", "profile", "ask", 'profile = "ask"\n[[other]]\nx = 1\n'),
    ],
)
def test_a_key_is_put_where_it_belongs(text: str, name: str, value: Any, after: str) -> None:
    assert toml_text.put(text, name, value) == after
    assert tomllib.loads(after)


def test_a_key_is_dropped_alone() -> None:
    assert toml_text.drop(FILE, "limits.timeout_s") == FILE.replace("timeout_s = 5.0\n", "")
    assert toml_text.drop(FILE, "limits.run.calls") == FILE.replace("{ calls = 3 }", "{  }")
    assert toml_text.drop(FILE, "tools") == FILE.replace('tools = [\n  "a.py",  # first\n]\n', "")
    assert toml_text.drop(FILE, "limits.run.reads") is None
    assert toml_text.drop(FILE, "record") is None


def test_a_file_laid_out_in_a_way_that_cannot_be_changed_is_left_alone() -> None:
    with pytest.raises(ConfigError, match="without harm"):
        toml_text.put("limits = 5\n", "limits.timeout_s", 1.0)
    with pytest.raises(ConfigError, match="without harm"):
        toml_text.put("[limits]\n[limits.run]\ncalls = 1\n", "limits.run", 5)


def test_lines_are_found_also_after_values_of_many_lines() -> None:
    assert toml_text.line_of(FILE, "limits.timeout_s") == 9
    assert toml_text.line_of(FILE, "limits.run.calls") == 8
    assert toml_text.line_of(FILE, "nothing") == 0
    assert toml_text.line_of('text = """\nprofile = 1\n"""\nprofile = "ask"', "profile") == 4


def test_a_change_is_whole_and_keeps_the_files_mode(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('profile = "ask"\n')
    path.chmod(0o640)

    assert change.put(path, "profile", ("edit",)) == "edit"
    assert path.read_text() == 'profile = "edit"\n'
    assert path.stat().st_mode & 0o777 == 0o640
    assert [entry.name for entry in tmp_path.iterdir()] == ["config.toml"]


def test_a_linked_file_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.toml").write_text("")
    (tmp_path / "config.toml").symlink_to("real.toml")
    change.put(tmp_path / "config.toml", "profile", ("edit",))

    assert (tmp_path / "config.toml").is_symlink()
    assert (tmp_path / "real.toml").read_text() == 'profile = "edit"\n'


def test_a_key_nobody_knows_can_be_taken_out_but_not_put_in(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("profil = 5\n")

    with pytest.raises(ConfigError, match="There is no setting"):
        change.put(path, "profil", ("ask",))
    assert change.drop(path, "profil") is True
    with pytest.raises(ConfigError, match="There is no setting"):
        change.drop(path, "profil")
    assert change.drop(path, "profile") is False


def test_a_file_that_cannot_be_written_is_said() -> None:
    with pytest.raises(ConfigError, match="cannot be written"):
        change.put(Path("/proc/nowhere/config.toml"), "profile", ("ask",))
