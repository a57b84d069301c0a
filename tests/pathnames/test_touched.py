"""What a glob may come to: never less than a real shell makes of it."""

import os
import shutil
import subprocess
from itertools import product
from pathlib import Path
from random import Random

import pytest

from toolpost.pathnames.pattern import admits, matches, reaches
from toolpost.pathnames.states import Gap, Reach
from toolpost.pathnames.touched import folder_of, is_wild, names_of, touched

PIECES = (
    *(
        "a",
        "b",
        "ab",
        ".",
        "..",
        ".a",
        "*",
        "?",
        "**",
        "[ab]",
        "[!b]",
        "{a,b}",
        "{..,a}",
        "{a/b,b}",
        ".*",
        ".?",
    ),
    *(
        ".{.,a}",
        "@(a|..)",
        "!(a)",
        "a*",
        "*b",
        ".[.]",
        "{.,b}.",
        "+(a)",
        "{../a,..}",
        "{a..c}",
        "a[b]",
        "?(a)b",
    ),
)
PATTERNS = ("a/**", "b/**", "*b", ".a", "a/b", "**/ab", "a/*/b", "[ab]/b", "/**", "ab/.a/**", "b/{a,b}", "**")
BASH = shutil.which("bash")


def test_names_are_resolved_by_the_letter() -> None:
    assert names_of("/a/./b//../c/") == ("a", "c")
    assert names_of("/../..") == ()


@pytest.mark.parametrize(
    ("path", "reach"),
    [
        ("/a/b*c/D", Reach((("/a/b", Gap.NAME), ("c/d", Gap.NOTHING)))),
        ("/a/**/b", Reach((("/a", Gap.PATH), ("/b", Gap.NOTHING)))),
        ("/a/b/.*/c", Reach((("/a", Gap.PATH),))),
        ("/a/b{c/d,e}", Reach((("/a/b", Gap.PATH),))),
        ("/a/{../b,c}", Reach((("", Gap.PATH),))),
        ("/a/b/**/../c", Reach((("", Gap.PATH),))),
        ("/a/\u00e9{c/d,e}", Reach((("/a", Gap.PATH),))),
        ("/a/\u00e9*", Reach((("/a/", Gap.NAME), ("", Gap.NOTHING)))),
        ("/a/b\0c", Reach((("/a/b", Gap.PATH),))),
    ],
)
def test_a_glob_is_known_pieces_and_what_lies_between(path: str, reach: Reach) -> None:
    assert touched(path, tree=False, glob=True, plain=True) == reach


def test_a_path_that_no_shell_reads_is_itself() -> None:
    assert touched("/a/[b]", tree=True, glob=False, plain=True) == Reach(
        (("/a/[b]", Gap.NOTHING),), tree=True
    )
    assert not is_wild("/a/b")


@pytest.mark.parametrize(
    ("glob", "folder"), [("/a/b/*.c", "/a/b"), ("/*", "/"), ("/a/*/../b", None), ("/a/.*", None)]
)
def test_the_folder_of_a_glob_is_known_unless_it_leads_up(glob: str, folder: str | None) -> None:
    assert folder_of(glob) == folder


def expanded(folder: Path, globs: list[str]) -> list[list[str]]:
    """What bash makes of each, with every option on that makes it more."""
    assert BASH is not None
    lines = ["shopt -u globskipdots 2>/dev/null; shopt -s extglob globstar dotglob nullglob"]
    lines += [f"printf '%s\\0' {glob}; printf '\\n\\0'" for glob in globs]
    done = subprocess.run(
        [BASH, "--norc", "-c", "\n".join(lines)],
        cwd=folder,
        capture_output=True,
        timeout=60,
        check=True,
        text=True,
    )
    found = [group.split("\0") for group in done.stdout.split("\n\0")]
    return [[path for path in group if path] for group in found[: len(globs)]]


@pytest.mark.skipif(BASH is None, reason="there is no bash here")
@pytest.mark.parametrize("seed", range(6))
def test_whatever_bash_makes_of_a_glob_is_reached(tmp_path: Path, seed: int) -> None:
    root = tmp_path.joinpath(*"123456789", "ws")  # no glob below leads up out of the test's own folder
    for names in product(("a", "b", "ab", ".a"), repeat=3):
        root.joinpath(*names).mkdir(parents=True)
    random = Random(seed)
    globs = [
        f"{root}/"
        + "/".join(
            "".join(random.choices(PIECES, k=random.choice((1, 1, 2)))) for _ in range(random.randint(1, 4))
        )
        for _ in range(150)
    ]
    roots, touched_paths = (str(root),), 0
    for glob, paths in zip(globs, expanded(root, globs), strict=True):
        resolved = {os.path.normpath(path) for path in paths if Path(path).exists()}
        touched_paths += len(resolved)
        for pattern in PATTERNS:
            meant = {path for path in resolved if matches(pattern, path, roots, "")}
            assert not meant or reaches(pattern, glob, roots, "", glob=True), (pattern, glob, meant)
            assert meant == resolved or not admits(pattern, glob, roots, "", glob=True), (pattern, glob)
    assert touched_paths > 100
