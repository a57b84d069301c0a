import gc
import os
import subprocess
import sys

import pytest

from toolpost.index.build.alone import load_numpy, uncollected

_LOAD = """
import os, sys, threading
from toolpost.index.build.alone import load_numpy
os.environ.update({told!r})
{before}
load_numpy()
load_numpy()
print("numpy" in sys.modules, len(os.listdir("/proc/self/task")), os.environ.get("OPENBLAS_NUM_THREADS"))
{after}
"""
_ANOTHER = "over = threading.Event(); other = threading.Thread(target=over.wait); other.start()"


def _loaded(told: dict[str, str], before: str = "", after: str = "") -> list[str]:
    code = _LOAD.format(told=told, before=before, after=after)
    env = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    return subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True, timeout=60
    ).stdout.split()


def test_nothing_is_collected_meanwhile_and_everything_after() -> None:
    assert gc.isenabled()
    with uncollected():
        assert not gc.isenabled()
        with uncollected():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_it_is_collected_again_after_a_failure() -> None:
    with pytest.raises(ValueError, match="failed"), uncollected():
        raise ValueError("failed")
    assert gc.isenabled()


def test_numpy_starts_no_threads_and_leaves_the_environment_as_it_was() -> None:
    assert _loaded({}) == ["True", "1", "None"]


def test_how_many_threads_are_wanted_is_left_as_it_is_told() -> None:
    assert _loaded({"OPENBLAS_NUM_THREADS": "1"}) == ["True", "1", "1"]


def test_the_environment_is_left_alone_beside_other_threads() -> None:
    is_there, _, told = _loaded({}, _ANOTHER, "over.set(); other.join()")
    assert (is_there, told) == ("True", "None")


def test_numpy_that_is_there_is_left_alone() -> None:
    load_numpy()
    before = sys.modules["numpy"]
    load_numpy()
    assert sys.modules["numpy"] is before
