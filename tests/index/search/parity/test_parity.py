"""Packages as they are published: every query finds the lines ripgrep finds."""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.index.search.parity.queries import Query, made
from tests.index.search.trees import based
from tests.workspace.differential.repository import need_ripgrep, run, text
from tests.workspace.differential.test_packages import PACKAGES, _unpack

from toolpost.index.search.engine import answer
from toolpost.index.search.ground import Ground
from toolpost.index.snapshot import Snapshot
from toolpost.limits import SEARCH_PER_FILE
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.root import Kind
from toolpost.workspace.walking.scope import Scope
from toolpost.workspace.walking.search import search
from toolpost.workspace.walking.walk import walk
from toolpost.workspace.walking.within import Answer, Mode
from toolpost.workspace.workspace import Place, Workspace

QUERIES = 180
NAMES = ("sphinx", "pygments", "babel-core")
_EVERY = 1_000_000
Lines = dict[str, list[int]]


class Tree(NamedTuple):
    folder: Path
    ground: Ground
    clean: set[str]
    """Files that are the same to ripgrep, which looks at bytes: UTF-8, without NUL."""
    queries: list[Query]


@contextmanager
def _indexed(folder: Path, seed: int) -> Iterator[Tree]:
    root = LocalRoot(folder)
    files = {
        entry.path: (folder / entry.path).read_bytes() for entry in walk(root) if entry.kind is Kind.FILE
    }
    clean = {path for path, data in files.items() if _is_clean(data)}
    sample = "\n".join(files[path].decode() for path in sorted(clean))
    try:
        with based(files) as base:
            yield Tree(
                folder, Ground(Snapshot(base), Place(root, "", "")), clean, made(sample, seed, QUERIES)
            )
    finally:
        root.close()


def _is_clean(data: bytes) -> bool:
    try:
        return "\0" not in data.decode() and b"\r" not in data
    except UnicodeDecodeError:
        return False


@pytest.fixture(scope="module", params=NAMES)
def tree(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tree]:
    need_ripgrep()
    found = sorted(PACKAGES.glob(f"{request.param}-*"))
    if not found:
        pytest.skip(f"{request.param} is not downloaded; to download: scripts/packages")
    folder = tmp_path_factory.mktemp(request.param)
    _unpack(found[-1], folder)
    with _indexed(folder, NAMES.index(request.param)) as made_tree:
        yield made_tree


def _told(tree: Tree, query: Query) -> Lines:
    """What ripgrep says: the lines of each file, or for `-c` how many, or for `-l` none."""
    shape = (
        "--no-config",
        "--no-ignore",
        "--hidden",
        "--null",
        "--no-heading",
        "--line-number",
        "--color=never",
    )
    said = run(tree.folder, "rg", *shape, *query.flags, "-e", query.text, ".", ends=frozenset({0, 1}))
    found: Lines = defaultdict(list)
    if query.mode is Mode.FILES:
        paths = (text(path).removeprefix("./") for path in said.split(b"\0"))
        return {path: [] for path in paths if path in tree.clean}
    for line in said.splitlines():
        path, _, rest = line.partition(b"\0")
        number = rest.replace(b"-", b":").partition(b":")[0]
        if number.isdigit():
            found[text(path).removeprefix("./")].append(int(number))
    return {path: lines for path, lines in found.items() if path in tree.clean}


def _found(answer_: Answer, query: Query, tree: Tree) -> Lines:
    found: dict[str, set[int]] = defaultdict(set)
    for hit in answer_.hits:
        if query.mode is Mode.COUNT:
            found[hit.path] = {hit.count}
        elif query.mode is Mode.FILES:
            found[hit.path] = set()
        else:
            found[hit.path].update(range(hit.line - len(hit.before), hit.line + 1 + len(hit.after)))
    return {path: sorted(lines) for path, lines in found.items() if path in tree.clean}


def _cut(lines: Lines, query: Query, answer_: Answer) -> Lines:
    """Of a file with more hits than one gives, only as many; with lines around them it cannot be told."""
    if query.mode is not Mode.CONTENT or query.around:
        return lines
    for path, more in answer_.more.items():
        assert path not in lines or len(lines[path]) == SEARCH_PER_FILE + more
    return {path: found[:SEARCH_PER_FILE] for path, found in lines.items()}


def test_every_query_finds_the_lines_ripgrep_finds(tree: Tree) -> None:
    differing = []
    for query in tree.queries:
        got = answer([tree.ground], query.question(), limit=_EVERY, patience_s=1_000)
        ours, theirs = _found(got, query, tree), _cut(_told(tree, query), query, got)
        if query.around:
            ours, theirs = (
                {path: lines[path] for path in lines.keys() - got.more.keys()} for lines in (ours, theirs)
            )
        if ours != theirs:
            differing.append((query.text, query.flags, _difference(ours, theirs)))
    assert differing == []


def _difference(ours: Lines, theirs: Lines) -> list[tuple[str, list[int], list[int]]]:
    paths = sorted(ours.keys() | theirs.keys())
    return [
        (path, ours.get(path, []), theirs.get(path, []))
        for path in paths
        if ours.get(path) != theirs.get(path)
    ][:3]


def test_every_tenth_query_is_answered_as_a_scan_does(tree: Tree) -> None:
    scope = Scope(Workspace({"tree": tree.ground.place.root}), "")
    for query in tree.queries[::10]:
        question = query.question()
        one = answer([tree.ground], question, limit=_EVERY, patience_s=1_000)
        other = search(scope, question, limit=_EVERY, patience_s=1_000)
        assert (one.hits, one.more, one.rest) == (other.hits, other.more, other.rest)
