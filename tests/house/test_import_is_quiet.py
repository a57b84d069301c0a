"""Importing any module of ours does no work: no socket, no file written, no thread, no program."""

import json
import os
import subprocess
import sys
from pathlib import Path

WATCHED_IMPORT = """
import json, os, sys

seen = []
LOUD = {"os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.truncate", "os.chmod", "os.chown", "os.link",
        "os.symlink", "os.utime", "os.system", "os.exec", "os.fork", "os.posix_spawn", "subprocess.Popen",
        "os.putenv", "os.unsetenv", "shutil.rmtree", "tempfile.mkstemp", "tempfile.mkdtemp", "signal.pthread_kill"}
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC

def watch(event, args):
    if event in LOUD or event.startswith(("socket.", "http.", "urllib.", "ftplib.", "smtplib.", "sqlite3.")):
        seen.append([event, str(args)])
    if event == "open" and isinstance(args[2], int) and args[2] & WRITES:
        seen.append([event, str(args)])

import pkgutil, threading, toolpost
import numpy  # sets a variable while it loads, and takes it back
sys.addaudithook(watch)
names = [module.name for module in pkgutil.walk_packages(toolpost.__path__, "toolpost.")]
for name in names:
    if not name.endswith("__main__"):
        __import__(name)
print(json.dumps({"modules": len(names), "seen": seen, "threads": threading.active_count()}))
"""


def test_importing_every_module_opens_no_socket_writes_nothing_and_starts_no_thread(tmp_path: Path) -> None:
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path),
        "TMPDIR": str(tmp_path),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(
        [sys.executable, "-c", WATCHED_IMPORT],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    told = json.loads(done.stdout)
    assert told["modules"] > 50
    assert (told["seen"], told["threads"], done.stderr) == ([], 1, "")
    assert list(tmp_path.iterdir()) == []
