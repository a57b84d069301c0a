import pytest

from toolpost.errors import DirectoryNotFound, FileNotFound, InvalidDirectory, InvalidPath
from toolpost.limits import LINKS_FOLLOWED
from toolpost.workspace.follow import FOR_FOLDERS, Follower, Found, Node
from toolpost.workspace.root import Kind

TOP = Node(Kind.DIRECTORY, "")
FILE = Node(Kind.FILE, "f", 1)


def folder(path: str) -> Node:
    return Node(Kind.DIRECTORY, path)


def link(target: str) -> Node:
    return Node(Kind.LINK, target)


TREE: dict[str, Node] = {
    "file": FILE,
    "a": folder("a"),
    "a/b": folder("a/b"),
    "a/b/file": FILE,
    "a/top": link("../file"),
    "b": link("a/b"),
    "slash": link("file/"),
    "folder": link("a/"),
    "back": link("file/../a"),
    "out": link("../file"),
    "far": link("b/../../.."),
    "self": link("self"),
    "empty": link(""),
    "module": Node(Kind.OTHER, "m"),
    **{f"chain{number}": link(f"chain{number + 1}") for number in range(LINKS_FOLLOWED + 1)},
    f"chain{LINKS_FOLLOWED + 1}": FILE,
}


def child(path: str, name: str, held: Node) -> Node | None:
    assert held.kind is Kind.DIRECTORY
    return TREE.get(f"{path}/{name}" if path else name)


FOLLOWER = Follower(TOP, child, lambda node: node.sha)


@pytest.mark.parametrize(
    ("path", "real"),
    [
        ("", ""),
        ("a/b/file", "a/b/file"),
        ("a/top", "file"),
        ("b/file", "a/b/file"),
        ("b/../top", "file"),
        ("folder/b", "a/b"),
        ("empty", ""),
        ("module", "module"),
        ("chain1", f"chain{LINKS_FOLLOWED + 1}"),
    ],
)
def test_a_path_leads_where_a_kernel_would_go(path: str, real: str) -> None:
    assert FOLLOWER.find(path) == Found(real, TREE.get(real, TOP))


@pytest.mark.parametrize("path", ["out", "far", "self", "chain0", "b/../../../x"])
def test_links_that_leave_or_go_on_too_long_are_refused(path: str) -> None:
    with pytest.raises(InvalidPath) as refused:
        FOLLOWER.find(path)
    assert refused.value.context == {"rule": "outside"}
    with pytest.raises(InvalidDirectory):
        FOLLOWER.find(path, FOR_FOLDERS)


@pytest.mark.parametrize("path", ["none", "a/none", "file/x", "slash", "back", "module/x", "file/..x"])
def test_what_is_not_there_is_said_in_the_callers_terms(path: str) -> None:
    with pytest.raises(FileNotFound) as file:
        FOLLOWER.find(path)
    with pytest.raises(DirectoryNotFound) as directory:
        FOLLOWER.find(path, FOR_FOLDERS)
    assert (file.value.detail, directory.value.detail) == (
        f"There is no file {path}.",
        f"There is no directory {path}.",
    )
