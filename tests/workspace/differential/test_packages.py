"""Trees of real packages, with ignore files put in: the walk, the globs and the search against git and ripgrep."""

import os
import tarfile
import zipfile
from pathlib import Path

import pytest
from tests.workspace.differential.repository import (
    begin,
    chosen_by_ripgrep,
    commit,
    counted_by_ripgrep,
    fill,
    ignored,
    listed,
    need_ripgrep,
    seen_by_ripgrep,
)

from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.root import Kind
from toolpost.workspace.walking.globs import Glob
from toolpost.workspace.walking.patterns import Pattern
from toolpost.workspace.walking.scope import Scope
from toolpost.workspace.walking.search import Mode, Question, search
from toolpost.workspace.walking.walk import walk
from toolpost.workspace.workspace import Workspace

HERE = Path(__file__).parent
WHEELS = (HERE / "packages.txt").read_text().splitlines()
TARBALLS = (HERE / "packages-npm.txt").read_text().splitlines()
NAMES = (
    *sorted(line.partition("==")[0].lower() for line in WHEELS if line[0] != "#"),
    *sorted(line.rpartition("@")[0].removeprefix("@").replace("/", "-") for line in TARBALLS),
)
PACKAGES = Path(__file__).parents[3] / ".peers" / "packages"

EVERYDAY = b"""\
# everyday
*.py[cod]
__pycache__/
*.mo
/*.dist-info/*
!/*.dist-info/METADATA
locale/*
!locale/de
**/static/**/*.min.*
templates/**/base*.html
/[a-d]*/**/[!_]*.js
docs\\ \n\
trailing.txt   \n\
\\#notes
\\!important
"""
DEEPER = (
    b"/*.py\n!__init__.py\n",
    b"*\n!*/\n!*.html\n",
    b"!*.mo\n**/tests\n",
    b"/**/*_[a-m]*.py\n!/**/*_base.py\r\n",
    b"**\n!/keep\n",
    b"*.txt\n\n   \n!robots.txt",
)
ODD = (
    "docs ",
    "docs",
    "#notes",
    "!important",
    "trailing.txt",
    "-dash",
    "tab\tname",
    "new\nline",
    "é/ü.txt",
    "{a,b}.c",
)
GLOBS = (
    *(
        "*.py",
        "*.{py,html}",
        "__init__*",
        "[a-m]*.py",
        "[!a-m]*.py",
        "?????.py",
        "*_*_*.py",
        "METADATA",
        ".*",
    ),
    *(
        "**/*.py",
        "**/locale/**",
        "*/*.py",
        "*/*/[_a-c]*.py",
        "**/templates/**/*.html",
        "**/[!_]*/__init__.py",
    ),
    *(
        "/*",
        "/*/*.{py,txt}",
        "**/{forms,lexers,ext}/*.py",
        "{*/*,*/*/*}.py",
        "**/*{a,e}*{b,r}*.py",
        "*/**/base.*",
    ),
    *("{**/util*,**/form*}/**", "**/*\\_*", "*.[!p]*", "**/a*/**/*[0-9]*", "{a,b}.c", "\\{a,b\\}.c", "é/*"),
)
QUERIES = (
    ("import", False),
    ("TODO", False),
    (r"^class \w+\(", True),
    (r"\bself\.\w+ = None$", True),
    ("é", False),
)


@pytest.fixture(scope="module", params=NAMES)
def tree(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package as a repository, with ignore files at its root and in every fifth folder, all committed."""
    need_ripgrep()
    found = sorted(PACKAGES.glob(f"{request.param}-*"))
    if not found:
        pytest.skip(f"{request.param} is not downloaded; to download: scripts/packages")
    folder = tmp_path_factory.mktemp(request.param)
    begin(folder, exclude=b"*.tex_t\n/sphinx/themes/*/theme.toml\n")
    _unpack(found[-1], folder)
    fill(folder, dict.fromkeys(ODD, b"odd\n"))
    folders = sorted(path for path, _, _ in os.walk(folder) if ".git" not in path)[1:]
    fill(folder, {".gitignore": EVERYDAY})
    for number, path in enumerate(folders[::5]):
        fill(Path(path), {".gitignore": DEEPER[number % len(DEEPER)]})
    commit(folder)
    return folder


def _unpack(package: Path, folder: Path) -> None:
    if package.suffix == ".whl":
        with zipfile.ZipFile(package) as wheel:
            wheel.extractall(folder)
    else:
        with tarfile.open(package) as tarball:
            tarball.extractall(folder, filter="data")


def _files(folder: Path, path: str = "") -> list[str]:
    return [entry.path for entry in walk(LocalRoot(folder), path) if entry.kind is Kind.FILE]


def test_the_walk_shows_what_git_lists_in_the_same_order(tree: Path) -> None:
    assert _files(tree) == listed(tree) == seen_by_ripgrep(tree)


def test_every_single_path_is_judged_as_git_does(tree: Path) -> None:
    shown = {entry.path for entry in walk(LocalRoot(tree))}
    every = [entry.path for entry in walk(LocalRoot(tree), ignored=True)]
    assert len(every) > len(shown)
    assert set(every) - shown == ignored(tree, every)


def test_a_walk_from_further_below_shows_the_same(tree: Path) -> None:
    whole = _files(tree)
    for entry in walk(LocalRoot(tree)):
        if entry.is_dir:
            assert _files(tree, entry.path) == [path for path in whole if path.startswith(f"{entry.path}/")]


@pytest.mark.parametrize("pattern", GLOBS)
def test_a_glob_chooses_what_ripgrep_does(tree: Path, pattern: str) -> None:
    glob = Glob(pattern)
    files = [entry.path for entry in walk(LocalRoot(tree), ignored=True) if entry.kind is Kind.FILE]
    assert [path for path in files if glob.matches(path)] == chosen_by_ripgrep(tree, pattern)


@pytest.mark.parametrize("pattern", [glob for glob in GLOBS if "/" in glob and "{" not in glob])
def test_a_glob_of_paths_chooses_what_git_does(tree: Path, pattern: str) -> None:
    glob = Glob(pattern)
    pathspec = f":(glob){pattern.removeprefix('/')}"
    assert [path for path in _files(tree) if glob.matches(path)] == listed(tree, pathspec)


def _is_utf8(file: Path) -> bool:
    """Any other text is searched as it is read, where ripgrep looks at its bytes."""
    try:
        file.read_bytes().decode()
    except UnicodeDecodeError:
        return False
    return True


@pytest.mark.parametrize(("query", "regex"), QUERIES)
def test_a_search_counts_what_ripgrep_does(tree: Path, query: str, *, regex: bool) -> None:
    scope = Scope(Workspace({"tree": LocalRoot(tree)}), "")
    question = Question(pattern=Pattern(query, regex=regex), mode=Mode.COUNT)
    answer = search(scope, question, limit=100_000, patience_s=1_000)
    ours = [(hit.path, hit.count) for hit in answer.hits if _is_utf8(tree / hit.path)]
    theirs = counted_by_ripgrep(tree, query, regex=regex)
    assert ours == [(path, count) for path, count in theirs if _is_utf8(tree / path)]
    assert answer.rest is None


def test_other_ignore_files_count_as_ripgrep_has_it(tree: Path) -> None:
    added = {
        ".ignore": b"!*.mo\n/*/conf/\n*.rst\n",
        f"{_files(tree)[-1].partition('/')[0]}/.ignore": b"*.py\n!__init__.py\n",
    }
    before = _files(tree)
    try:
        fill(tree, added)
        assert _files(tree) == seen_by_ripgrep(tree)
        assert _files(tree) != before
    finally:
        for path in added:
            (tree / path).unlink()
