import io
import os
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest
from tests.cli.desk import Run, Screen, process

from toolpost.cli.exits import TABLE
from toolpost.cli.main import COMMANDS, cli, main
from toolpost.version import __version__


def test_the_version_is_one_line(run: Run) -> None:
    assert run("--version") == (0, f"toolpost {__version__}\n", "")


def test_help_names_every_command_the_examples_and_the_exit_codes(run: Run) -> None:
    shown = run("--help")

    assert shown.code == 0
    assert [name for name in COMMANDS if f"\n  {name} " not in shown.out] == []
    assert "toolpost --tools weather.py tools" in shown.out
    assert all(line.strip() in shown.out for line in TABLE.splitlines()[1:])


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_help_worth_reading(run: Run, name: str) -> None:
    shown = run(name, "--help")

    assert shown.code == 0
    assert len(shown.out) > 100


def test_help_imports_no_stage_and_no_rich() -> None:
    heavy = "{'rich', 'jsonschema_rs', 'toolpost.bench', 'toolpost.convert', 'toolpost.dialects'}"
    program = f"import sys; from toolpost.cli.main import main; main(['--help']); assert not {heavy} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, timeout=60)


def test_an_unknown_command_says_the_nearest(run: Run) -> None:
    assert run("tool") == (2, "", "error: There is no command 'tool'.\n  next: toolpost tools\n")
    assert run("zzz").err == "error: There is no command 'zzz'.\n  next: toolpost --help lists them.\n"


def test_a_wrong_option_is_one_line_and_the_next_step(run: Run) -> None:
    shown = run("explain", "--colour")

    assert shown.code == 2
    assert shown.err.startswith("error: No such option '--colour'")
    assert shown.err.endswith("  next: toolpost explain --help\n")


def test_a_name_that_is_no_command_has_none() -> None:
    assert cli.get_command(click.Context(cli), "zzz") is None


def test_an_option_before_any_command_is_refused(run: Run) -> None:
    assert run("--nope").code == 2


def test_no_command_shows_the_help(run: Run) -> None:
    assert run() == (2, "", run("--help").out)
    assert run("config").err == run("config", "--help").out


def test_the_program_runs_as_a_module_and_as_a_script(work: Path) -> None:
    assert process("--version", folder=work).out == f"toolpost {__version__}\n"
    script = Path(sys.executable).parent / "toolpost"
    done = subprocess.run([script, "--version"], capture_output=True, timeout=60, check=True)
    assert done.stdout.decode() == f"toolpost {__version__}\n"


def test_a_reader_that_stops_reading_ends_the_program_quietly(work: Path) -> None:
    command = f"{sys.executable} -m toolpost explain --json; echo $? >&2"
    done = subprocess.run(
        ["/bin/sh", "-c", f"({command}) | true"], capture_output=True, cwd=work, timeout=60, check=True
    )
    assert done.stderr.decode().strip() in {"141", "0"}  # 0 when all of it fitted into the pipe


def test_a_closed_pipe_is_no_error_to_talk_about(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as broken:
        monkeypatch.setattr(sys, "stdout", broken)
        code = main(["explain"])
        monkeypatch.undo()

    assert code == 141
    assert capsys.readouterr().err == ""


def test_a_full_disk_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with Path("/dev/full").open("w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        code = main(["explain"])
        monkeypatch.undo()

    assert code == 1
    assert capsys.readouterr().err.startswith(
        "error: The output cannot be written: No space left on device.\n"
    )


def test_an_interrupt_ends_with_130_and_is_recorded(work: Path) -> None:
    (work / "slow.py").write_text(
        "import time\nfrom toolpost import tool\n@tool\ndef wait_long() -> str:\n"
        "    'Wait for a long time.'\n    print('waiting', flush=True)\n    time.sleep(60)\n    return ''\n"
    )
    started = subprocess.Popen(
        [sys.executable, "-m", "toolpost", "--tools", "slow.py", "call", "wait_long", "--record", "r.jsonl"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=work,
    )
    assert started.stderr is not None
    assert started.stderr.readline() == b"waiting\n"
    started.send_signal(signal.SIGINT)
    _, told = started.communicate(timeout=60)

    assert (started.returncode, told.strip()) == (130, b"")
    assert b'"CANCELLED"' in (work / "r.jsonl").read_bytes()


def test_a_stream_that_is_no_file_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", Screen())
    monkeypatch.setattr(sys, "stderr", io.StringIO())

    assert main(["explain", "DENIED"]) == 0


def test_a_folder_that_is_gone_is_said(run: Run, work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = work / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()

    assert run("tools") == (
        2, "", "error: The folder you are in no longer exists.\n  next: cd to one that does.\n"
    )  # fmt: skip


def test_a_library_in_the_folder_ran_in_place_of_ours(work: Path) -> None:
    (work / "click.py").write_text("print('stolen')\n")
    stray = work / "x-1.dist-info"
    stray.mkdir()
    (stray / "entry_points.txt").write_text("[toolpost.tools]\nx = thief\n")
    (stray / "METADATA").write_text("Name: x\nVersion: 1\n")
    (work / "thief.py").write_text("print('stolen')\n")
    shown = process("tools", folder=work)

    assert (shown.code, shown.out) == (0, "[]\n")
    assert "stolen" not in shown.err
