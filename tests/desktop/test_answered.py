import subprocess
import sys

import pytest

from toolpost.desktop.answered import answered

ECHO = "import os, sys; sys.stdout.write(sys.stdin.read() + os.getcwd() + ''.join(sorted(os.environ)))"


def test_a_program_hears_what_it_is_told_and_nothing_else() -> None:
    said = answered(
        (sys.executable, "-I", "-S", "-c", ECHO),
        {"A": "1", "LC_CTYPE": "C.UTF-8"},
        timeout_s=20,
        told=b"hello",
    )
    assert said == b"hello/ALC_CTYPE"


def test_one_that_fails_or_takes_too_long_has_no_answer() -> None:
    with pytest.raises(subprocess.CalledProcessError):
        answered((sys.executable, "-I", "-S", "-c", "raise SystemExit(3)"), {}, timeout_s=20)
    with pytest.raises(subprocess.TimeoutExpired):
        answered((sys.executable, "-I", "-S", "-c", "import signal; signal.pause()"), {}, timeout_s=0.1)
