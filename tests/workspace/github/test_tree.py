from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest

from toolpost.errors import RemoteFailed
from toolpost.limits import WALK_ENTRIES
from toolpost.workspace.follow import Node
from toolpost.workspace.github.tree import GitHubTree, Item, Listing
from toolpost.workspace.root import Kind

TOP, SUB, FILE = "a" * 40, "b" * 40, "c" * 40
TREES = {
    TOP: [Item("big", "040000", SUB), Item("link", "120000", FILE, 4), Item("run", "100755", FILE, 9)],
    SUB: [Item("deep", "040000", FILE), Item("module", "160000", FILE), Item("odd", "000000", FILE)],
    FILE: [Item("one", "100644", FILE, 1)],
}
DEEP = [
    *TREES[TOP],
    *(Item(f"big/{item.path}", item.mode, item.sha, item.size) for item in TREES[SUB]),
    Item("big/deep/one", "100644", FILE, 1),
]
ROOT = Node(Kind.DIRECTORY, TOP)


class Lister:
    """Counts what is asked; a deep listing of what is in `too_large` comes truncated."""

    def __init__(self, *too_large: str, flat_truncated: bool = False) -> None:
        self.too_large = too_large
        self.flat_truncated = flat_truncated
        self.asked: list[str] = []

    def deep(self, sha: str) -> Listing:
        self.asked.append(f"deep {sha[0]}")
        if sha in self.too_large:
            return Listing(DEEP[:1], truncated=True)
        return Listing({TOP: DEEP, SUB: self._below_sub()}.get(sha, TREES[sha]))

    def flat(self, sha: str) -> Listing:
        self.asked.append(f"flat {sha[0]}")
        return Listing(TREES[sha], truncated=self.flat_truncated)

    def tree(self) -> GitHubTree:
        return GitHubTree(self.deep, self.flat)

    @staticmethod
    def _below_sub() -> list[Item]:
        return [*TREES[SUB], Item("deep/one", "100644", FILE, 1)]


def everything(tree: GitHubTree, path: str = "", node: Node = ROOT) -> dict[str, tuple[Kind, int]]:
    found: dict[str, tuple[Kind, int]] = {}
    held: Mapping[str, Node] = tree.folder(path, node)
    for name, below in held.items():
        inner = f"{path}/{name}" if path else name
        found[inner] = (below.kind, below.size_bytes)
        if below.kind is Kind.DIRECTORY:
            found |= everything(tree, inner, below)
    return found


ALL = {
    "big": (Kind.DIRECTORY, 0),
    "link": (Kind.LINK, 4),
    "run": (Kind.FILE, 9),
    "big/deep": (Kind.DIRECTORY, 0),
    "big/module": (Kind.OTHER, 0),
    "big/odd": (Kind.OTHER, 0),
    "big/deep/one": (Kind.FILE, 1),
}


@pytest.mark.parametrize(
    ("too_large", "asked"),
    [
        ((), ["deep a"]),
        ((TOP,), ["deep a", "flat a", "deep b"]),
        ((TOP, SUB), ["deep a", "flat a", "deep b", "flat b", "deep c"]),
    ],
)
def test_a_tree_is_listed_whole_or_in_as_large_parts_as_fit(
    too_large: tuple[str, ...], asked: list[str]
) -> None:
    lister = Lister(*too_large)
    tree = lister.tree()
    assert (everything(tree), everything(tree)) == (ALL, ALL)
    assert lister.asked == asked


def test_what_is_not_asked_for_is_not_listed() -> None:
    lister = Lister(TOP)
    assert set(lister.tree().folder("", ROOT)) == {"big", "link", "run"}
    assert lister.asked == ["deep a", "flat a"]


def test_a_name_is_found_or_not() -> None:
    tree = Lister().tree()
    assert tree.child("", "run", ROOT) == Node(Kind.FILE, FILE, 9)
    assert tree.child("", "none", ROOT) is None


def test_files_are_all_known_only_when_all_were_listed_at_once() -> None:
    whole, in_parts = Lister().tree(), Lister(TOP).tree()
    assert whole.file_sizes() is None
    everything(whole)
    everything(in_parts)
    assert (whole.file_sizes(), in_parts.file_sizes()) == ({FILE: 1}, None)


def test_threads_that_come_at_once_share_one_listing() -> None:
    lister = Lister()
    tree = lister.tree()
    with ThreadPoolExecutor(8) as threads:
        assert set(map(len, threads.map(lambda _: tree.folder("", ROOT), range(8)))) == {3}
    assert lister.asked == ["deep a"]


def test_a_folder_too_large_even_alone_is_said() -> None:
    with pytest.raises(RemoteFailed, match="The folder / holds more entries than GitHub lists at once"):
        Lister(TOP, flat_truncated=True).tree().folder("", ROOT)


def test_a_tree_too_large_to_keep_is_said() -> None:
    many = Listing([Item("x", "100644", FILE)] * (WALK_ENTRIES + 1))
    with pytest.raises(RemoteFailed, match="than are kept"):
        GitHubTree(lambda _: many, lambda _: many).folder("", ROOT)


@pytest.mark.parametrize(
    "item",
    [
        '{"path": "a", "mode": "100644", "sha": "../../user"}',
        '{"path": "a", "mode": "100644", "sha": "' + "a" * 39 + '"}',
        '{"path": "a", "mode": "100644", "sha": "' + "a" * 40 + '\\n"}',
        '{"path": "a", "mode": "100644", "sha": "' + "a" * 40 + '", "size": -1}',
        '{"path": 5, "mode": "100644", "sha": "' + "a" * 40 + '"}',
    ],
)
def test_a_line_that_is_not_of_a_tree_is_refused(item: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(f'{{"tree": [{item}]}}', type=Listing)
