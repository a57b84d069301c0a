from pathlib import Path

import pytest
from tests.cli.desk import Run, process


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_a_script_of_its_own(run: Run, shell: str) -> None:
    shown = run("completion", shell)

    assert (shown.code, shown.err) == (0, "")
    assert f"_TOOLPOST_COMPLETE={shell}_complete" in shown.out


def test_the_program_completes_commands_and_choices(work: Path) -> None:
    commands = process(
        folder=work, _TOOLPOST_COMPLETE="bash_complete", COMP_WORDS="toolpost exp", COMP_CWORD="1"
    )
    choices = process(
        folder=work, _TOOLPOST_COMPLETE="bash_complete", COMP_WORDS="toolpost tools --as m", COMP_CWORD="3"
    )
    assert commands.out == "plain,explain\n"
    assert choices.out == "plain,mcp\n"


@pytest.mark.parametrize(
    ("words", "offered"),
    [("explain needs_app", "NEEDS_APPROVAL"), ("config show prof", "profile"), ("config set col", "color")],
)
def test_error_codes_and_keys_were_not_completed(work: Path, words: str, offered: str) -> None:
    shown = process(
        folder=work,
        _TOOLPOST_COMPLETE="bash_complete",
        COMP_WORDS=f"toolpost {words}",
        COMP_CWORD=str(len(words.split())),
    )
    assert shown.out == f"plain,{offered}\n"
