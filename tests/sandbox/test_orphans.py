import os
import subprocess
import sys
from pathlib import Path

from tests.sandbox.bare import wait_until

from toolpost.sandbox import orphans, processes
from toolpost.sandbox.environment import TAG
from toolpost.sandbox.family import TAGS

SERVER = """
import os, subprocess, sys
from pathlib import Path
from toolpost.sandbox import orphans
from toolpost.sandbox.family import TAGS
orphans.announce(Path(sys.argv[1]))
script = "(setsid sleep 1000 &); sleep 1000 & echo $!; exec >&-; wait"
environment = {"PATH": os.environ["PATH"], "TOOLPOST_TAG": TAGS.issue()}
command = subprocess.Popen(["bash", "-c", script], env=environment, stdout=subprocess.PIPE, start_new_session=True)
print(command.pid, command.stdout.readline().decode().strip(), TAGS.server, flush=True)
sys.stdin.read()
"""


def is_there(pid: int) -> bool:
    process = processes.look(pid)
    return process is not None and not process.is_gone


def test_what_a_killed_server_left_is_ended_by_the_next(tmp_path: Path) -> None:
    argv = [sys.executable, "-c", SERVER, str(tmp_path)]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None
        shell, inner, name = server.stdout.readline().decode().split()
        assert orphans.end_orphans(tmp_path) == 0
        assert is_there(int(shell))
        server.kill()
    assert is_there(int(inner))
    assert orphans.end_orphans(tmp_path) == 3
    wait_until(lambda: not is_there(int(shell)) and not is_there(int(inner)))
    assert not (tmp_path / name).exists()
    assert orphans.end_orphans(tmp_path) == 0


def test_a_server_that_left_nothing_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "running"
    orphans.retire(folder)
    orphans.announce(folder)
    assert [file.name for file in folder.iterdir()] == [TAGS.server]
    orphans.retire(folder)
    assert list(folder.iterdir()) == []


def test_without_a_folder_there_are_no_orphans(tmp_path: Path) -> None:
    assert orphans.end_orphans(tmp_path / "none") == 0


def test_a_file_that_is_not_ours_ends_nothing(tmp_path: Path) -> None:
    (tmp_path / "0123456789abcdef").write_text("no numbers")
    (tmp_path / "readme").write_text("stays")
    with subprocess.Popen(["sleep", "1000"], env={**os.environ, TAG: "fedcba9876543210.1"}) as other:
        assert orphans.end_orphans(tmp_path) == 0
        assert other.poll() is None
        other.kill()
    assert [file.name for file in tmp_path.iterdir()] == ["readme"]
