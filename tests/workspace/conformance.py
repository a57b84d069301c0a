"""What every root does alike, whatever it stands on: checks that take a root with known content.

`FILES` and `LINKS` say what must be in it. A test makes such a root its own way and runs every one of `CHECKS`.
"""

from collections.abc import Callable, Iterator

import pytest

from toolpost.errors import (
    Denied,
    DirectoryNotFound,
    FileNotFound,
    InvalidDirectory,
    InvalidPath,
    NotAFile,
    ToolError,
)
from toolpost.workspace.root import Entry, Kind, Root

FILES = {
    "README.md": b"# Shop\n",
    "empty.txt": b"",
    "src/main.py": b"print('hello')\n",
    "src/deep/er/one.bin": bytes(range(256)),
    "src/ñandú ☃.txt": "snow\n".encode("utf-16"),
    "..odd": b"a name\n",
    ".env": b"TOKEN=hidden\n",
    ".env.example": b"TOKEN=\n",
}
LINKS = {
    "read-me": "README.md",
    "sources": "src",
    "src/up": "../README.md",
    "src/deep/twice": "../../sources/main.py",
    "here": ".",
    "dangling": "nowhere.txt",
    "loop": "loop",
    "outside": "../../etc/passwd",
    "absolute": "/etc/passwd",
    "innocent.txt": ".env",
}
"""Links and what they say."""


def a_listing_tells_what_is_there(root: Root) -> None:
    assert _listed(root, "") == {
        **{name: (Kind.FILE, len(FILES[name])) for name in FILES if "/" not in name},
        **{name: (Kind.LINK, 0) for name in LINKS if "/" not in name},
        "src": (Kind.DIRECTORY, 0),
    }
    assert _listed(root, "src/deep") == {
        "src/deep/er": (Kind.DIRECTORY, 0),
        "src/deep/twice": (Kind.LINK, 0),
    }


def a_listing_through_a_link_keeps_the_callers_path(root: Root) -> None:
    through = _listed(root, "sources")
    assert through == {
        f"sources{path.removeprefix('src')}": told for path, told in _listed(root, "src").items()
    }


def every_file_has_its_bytes_and_size(root: Root) -> None:
    for path, content in FILES.items():
        if path != ".env":
            assert (_read(root, path), root.stat(path).size_bytes) == (content, len(content))
            assert root.stat(path).kind is Kind.FILE


def one_stamp_is_one_content(root: Root) -> None:
    with (
        root.open("src/main.py") as first,
        root.open("src/main.py") as second,
        root.open("README.md") as other,
    ):
        assert first.stamp == second.stamp != other.stamp
        assert hash(first.stamp) == hash(second.stamp)
        assert first.entry == root.stat("src/main.py")


def the_root_itself_is_a_directory(root: Root) -> None:
    assert (root.stat("").kind, root.stat("").path) == (Kind.DIRECTORY, "")
    assert root.stat("src").is_dir


def links_inside_are_followed(root: Root) -> None:
    for path, real in {
        "read-me": "README.md",
        "src/up": "README.md",
        "src/deep/twice": "src/main.py",
        "sources/main.py": "src/main.py",
        "here/here/src/main.py": "src/main.py",
    }.items():
        assert _read(root, path) == FILES[real]
        stated = root.stat(path)
        assert (stated.path, stated.kind, stated.size_bytes) == (path, Kind.FILE, len(FILES[real]))


def links_that_leave_or_never_end_are_refused(root: Root) -> None:
    for path in ("outside", "absolute", "loop", "here/outside"):
        assert _refusal(root.open, path) is InvalidPath
        assert _refusal(root.stat, path) is InvalidPath
    assert _refusal(root.scan, "loop") is InvalidDirectory


def what_is_not_there_is_said(root: Root) -> None:
    for path in ("nothing.txt", "src/nothing.txt", "README.md/below", "dangling", "readme.md"):
        assert _refusal(root.open, path) is FileNotFound
        assert _refusal(root.stat, path) is FileNotFound
    for path in ("nothing", "README.md", "README.md/below", "dangling"):
        assert _refusal(root.scan, path) is DirectoryNotFound


def a_folder_is_not_opened_as_a_file(root: Root) -> None:
    for path in ("src", "sources", ""):
        assert _refusal(root.open, path) is NotAFile


def a_secret_is_listed_and_not_read(root: Root) -> None:
    assert root.stat(".env").kind is Kind.FILE
    for path in (".env", "innocent.txt", "here/.env"):
        assert _refusal(root.open, path) is Denied


def a_root_knows_itself(root: Root) -> None:
    assert root.key == root.key
    assert root.key
    assert root.where
    assert not root.location.endswith("/")


CHECKS: tuple[Callable[[Root], None], ...] = (
    a_listing_tells_what_is_there,
    a_listing_through_a_link_keeps_the_callers_path,
    every_file_has_its_bytes_and_size,
    one_stamp_is_one_content,
    the_root_itself_is_a_directory,
    links_inside_are_followed,
    links_that_leave_or_never_end_are_refused,
    what_is_not_there_is_said,
    a_folder_is_not_opened_as_a_file,
    a_secret_is_listed_and_not_read,
    a_root_knows_itself,
)


def _listed(root: Root, path: str) -> dict[str, tuple[Kind, int]]:
    entries: Iterator[Entry] = root.scan(path)
    return {entry.path: (entry.kind, entry.size_bytes) for entry in entries}


def _read(root: Root, path: str) -> bytes:
    with root.open(path) as source:
        return source.stream.read()


def _refusal(action: Callable[[str], object], path: str) -> type[ToolError]:
    with pytest.raises(ToolError) as refused:
        action(path)
    return type(refused.value)
