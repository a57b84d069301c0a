import sys
from pathlib import Path

import pytest
from tests.cli.desk import Run, Screen

from toolpost.cli.main import main


def test_show_has_every_value_and_where_it_came_from(
    run: Run, user_folder: Path, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("config", "set", "language", "es")
    run("config", "set", "limits.run.calls", "500", "--project")
    monkeypatch.setenv("TOOLPOST_LIMITS_TIMEOUT_S", "5")
    told = run("config", "show", "--json").json

    assert told["profile"] == {"value": "ask", "from": "default"}
    assert told["language"] == {"value": "es", "from": f"user file ({user_folder / 'config.toml'}:1)"}
    assert told["limits.run.calls"] == {
        "value": 500,
        "from": f"project file ({work / '.toolpost' / 'config.toml'}:2)",
    }
    assert told["limits.timeout_s"] == {"value": 5.0, "from": "environment (TOOLPOST_LIMITS_TIMEOUT_S)"}


def test_one_key_is_a_table_of_one_row(run: Run) -> None:
    assert run("config", "show", "profile", "--text") == (
        0,
        'key      value  from\nprofile  "ask"  default\n',
        "",
    )


def test_a_key_that_is_not_set_or_not_known_is_said(run: Run) -> None:
    assert run("config", "show", "limits.run.calls", "--text") == (
        4, "", "error: limits.run.calls is not set.\n  next: toolpost config set limits.run.calls VALUE\n"
    )  # fmt: skip
    assert run("config", "show", "profil") == (
        2, "", "error: There is no setting 'profil'.\n  next: Did you mean profile?\n"
    )  # fmt: skip


def test_where_names_the_files_and_where_one_value_came_from(run: Run, user_folder: Path) -> None:
    run("config", "set", "profile", "read-only")

    assert run("config", "where", "--json").json == [
        {"file": "user file", "path": str(user_folder / "config.toml"), "state": "read"},
        {"file": "project file", "path": ".toolpost/config.toml", "state": "not there"},
    ]
    assert run("config", "where", "profile", "--text").out == (
        f"key      from\nprofile  user file ({user_folder / 'config.toml'}:1)\n"
    )


def test_set_keeps_comments_and_unset_takes_back(run: Run, user_folder: Path) -> None:
    user_folder.mkdir(parents=True)
    file = user_folder / "config.toml"
    file.write_text('# mine\nprofile = "ask"  # careful\n')

    assert run("config", "set", "profile", "edit", "--text").out == f'profile = "edit" ({file})\n'
    assert file.read_text() == '# mine\nprofile = "edit"  # careful\n'
    assert run("config", "unset", "profile").code == 0
    assert file.read_text() == "# mine\n"
    assert run("config", "unset", "profile").code == 4


def test_paths_are_written_whole(run: Run, work: Path) -> None:
    assert run("config", "set", "tools", "a.py", "b.py").code == 0
    assert run("config", "show", "tools", "--json").json["tools"]["value"] == [
        str(work / "a.py"), str(work / "b.py")
    ]  # fmt: skip


def test_a_project_cannot_widen_and_is_told_so(run: Run, work: Path) -> None:
    shown = run("config", "set", "profile", "open", "--project")

    assert shown.code == 0
    assert shown.err.startswith(f"note: {work}/.toolpost/config.toml:1: profile is left out")
    assert run("config", "show", "profile", "--json").json["profile"]["value"] == "ask"


def test_secrets_are_never_printed(run: Run) -> None:
    shown = run("config", "set", "errors_base", "https://user:hunter22@example.org")

    assert "hunter22" not in shown.out + run("config", "show").out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["profile", "wide"],
            "error: profile cannot be that: it must be one of headless, read-only, plan, ask, edit, workspace, auto, open.",
        ),
        (["profile", "ask", "edit"], "error: profile takes one value."),
        (["profil", "ask"], "error: There is no setting 'profil'."),
        (["profile", "ask", "--project", "--user"], "error: --project or --user, not both."),
    ],
)
def test_what_cannot_be_set_is_said(run: Run, words: list[str], said: str) -> None:
    shown = run("config", "set", *words)

    assert shown.code == 2
    assert shown.err.startswith(said)


def test_a_broken_file_does_not_stop_an_explanation(
    user_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user_folder.mkdir(parents=True)
    (user_folder / "config.toml").write_text("profile = 5\n")
    screen = Screen()
    monkeypatch.setattr(sys, "stdout", screen)

    assert main(["explain"]) == 0
    assert "TOOL_ERROR" in screen.getvalue()


def test_a_broken_file_stops_every_command_that_needs_it(run: Run, user_folder: Path) -> None:
    user_folder.mkdir(parents=True)
    (user_folder / "config.toml").write_text("profile = 5\n")
    shown = run("tools")

    assert shown.code == 2
    assert shown.err.startswith(f"error: {user_folder}/config.toml:1: profile cannot be that")


def test_set_and_unset_printed_prose_into_a_pipe(run: Run, user_folder: Path) -> None:
    file = str(user_folder / "config.toml")

    assert run("config", "set", "profile", "edit").json == {"key": "profile", "value": "edit", "file": file}
    assert run("config", "unset", "profile").json == {"key": "profile", "value": None, "file": file}
    run("config", "set", "profile", "edit")
    assert run("config", "unset", "profile", "--text").out == f"profile is no longer set in {file}\n"
