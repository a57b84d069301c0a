import os
import resource
import subprocess
from pathlib import Path

import pytest

from toolpost.sandbox.caps import as_limits, limited, owning
from toolpost.sandbox.model import Caps

SMALL = Caps(
    memory_bytes=2**30, address_bytes=2**31, file_bytes=2**20, open_files=64, processes=4000, cpu_s=7
)
_ASK = "ulimit -c; ulimit -n; ulimit -f; ulimit -t; ulimit -d; ulimit -v"
_TOLD = b"0\n64\n2048\n7\n1048576\n2097152\n"


def _said(argv: tuple[str, ...]) -> bytes:
    return subprocess.run(argv, capture_output=True, check=True).stdout


def test_words_get_their_limits_by_a_shell_that_becomes_them() -> None:
    assert _said(limited(("/bin/sh", "-c", _ASK, "more"), SMALL)) == _TOLD


def test_a_line_gets_them_in_its_own_shell() -> None:
    argv = limited(("/bin/sh", "-c", _ASK), SMALL)
    assert (len(argv), _said(argv)) == (3, _TOLD)


def test_a_lines_faults_are_its_own() -> None:
    done = subprocess.run(limited(("bash", "-c", "if"), SMALL), capture_output=True, check=False)
    assert done.returncode == 2
    assert b"ulimit" not in done.stderr


_WRITE = "head -c {} /dev/zero > big"
_MIB = 2**20


@pytest.mark.parametrize("posix", [{}, {"POSIXLY_CORRECT": "1"}], ids=["plain", "posix"])
@pytest.mark.parametrize("shell", ["sh", "bash", "dash", "/bin/bash", "as-sh", "words"])
def test_the_largest_file_is_as_large_as_told(tmp_path: Path, shell: str, posix: dict[str, str]) -> None:
    caps = Caps(file_bytes=3 * _MIB)

    def is_written(size: int) -> bool:
        line = _WRITE.format(size)
        argv = limited((shell, "-c", line) if shell != "words" else ("bash", "-c", line, "x"), caps)
        if shell == "as-sh":  # where /bin/sh is bash
            (tmp_path / "sh").unlink(missing_ok=True)
            (tmp_path / "sh").symlink_to("/bin/bash")
            argv = (str(tmp_path / "sh"), "-c", limited(("sh", "-c", line), caps)[2])
        env = {"PATH": os.environ["PATH"], **posix}
        done = subprocess.run(argv, cwd=tmp_path, env=env, capture_output=True, check=False)
        return done.returncode == 0 and (tmp_path / "big").stat().st_size == size

    assert [is_written(caps.file_bytes + more) for more in (-_MIB, 0, 1, _MIB)] == [True, True, False, False]


def test_words_stay_words() -> None:
    words = ("printf", "%s|", "$HOME", "`id`", "a b", "", "*", "--", "'\"")
    assert _said(limited(words, SMALL)) == b"$HOME|`id`|a b||*|--|'\"|"


def test_a_limit_that_is_already_lower_stays() -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    wide = Caps(open_files=hard * 2 if hard > 0 else 10**6)
    assert int(_said(limited(("sh", "-c", "ulimit -n"), wide))) == (hard if hard > 0 else 10**6)


def test_without_a_terminal_nothing_is_put_in_front() -> None:
    assert owning("", ("ls",)) == ("ls",)


def test_the_report_has_every_number() -> None:
    assert as_limits(SMALL) == {
        "memory_bytes": 2**30,
        "address_bytes": 2**31,
        "file_bytes": 2**20,
        "open_files": 64,
        "processes": 4000,
        "cpu_s": 7,
    }
