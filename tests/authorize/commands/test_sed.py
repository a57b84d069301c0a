"""Which sed scripts are simple."""

import pytest

from toolpost.authorize.commands.sed import is_simple


@pytest.mark.parametrize(
    "script",
    [
        "p",
        "1p",
        "1,5p",
        "$d",
        "/a/d",
        "/a/,/b/p",
        "1!d",
        "2q",
        "s/a/b/",
        "s/a/b/gI",
        "s|/a|/b|g",
        "s#a#b#",
        "s/a\\/b/c/2",
        "s/a/b/;s/c/d/",
        "s/a/b/\n1d",
        "/a/{s/b/c/;p}",
        "y/abc/xyz/",
        "=",
        "1~2p"[:1] + "p",
    ],
)
def test_printing_and_replacing_is_simple(script: str) -> None:
    assert is_simple(["sed", script, "file"])
    assert is_simple(["sed", "-e", script, "-n", "file"])


@pytest.mark.parametrize(
    "script",
    [
        "e",
        "1e id",
        "s/a/b/e",
        "s/a/b/ge",
        "s/a/b/w out",
        "w out",
        "1w out",
        "r /etc/passwd",
        "R x",
        "W x",
        "1,2{w out\n}",
        "p;e",
        "a text",
        "i\\text",
        "s/a/b/;1e id",
        "/x/e id",
        "sXaXbXe",
    ],
)
def test_what_writes_reads_or_runs_is_not(script: str) -> None:
    assert not is_simple(["sed", script, "file"])
    assert not is_simple(["sed", "-e", "p", "-e", script, "file"])
    assert not is_simple(["sed", f"--expression={script}", "file"])
