import gzip
import tarfile
from collections.abc import Callable, Iterator
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fakes.github import GitHubServer, Link, Submodule, git_hash

from toolpost.errors import RemoteFailed
from toolpost.limits import REMOTE_AHEAD_AFTER, REMOTE_AHEAD_BYTES
from toolpost.workspace.follow import Node
from toolpost.workspace.github.ahead import Ahead
from toolpost.workspace.github.recent import Recent
from toolpost.workspace.github.remote import Remote
from toolpost.workspace.github.root import GitHubRoot
from toolpost.workspace.github.spec import GitHubSpec
from toolpost.workspace.github.tree import GitHubTree, Item, Listing
from toolpost.workspace.root import Kind

MANY = {f"src/{number}.py": f"number = {number}\n".encode() for number in range(50)}
BEFORE = 3  # requests until the tree is known
Opener = Callable[..., GitHubRoot]


@pytest.fixture
def server() -> Iterator[GitHubServer]:
    with GitHubServer() as server:
        server.repository("octo/shop", {**MANY, "link": Link("src/0.py"), "lib": Submodule()})
        yield server


@pytest.fixture
def opened(server: GitHubServer) -> Iterator[Opener]:
    made: list[GitHubRoot] = []

    def make(token: str | None = None) -> GitHubRoot:
        remote = Remote(server.url, token, sleep=lambda _seconds: None)
        made.append(GitHubRoot(GitHubSpec("github.com", "octo", "shop"), remote))
        return made[-1]

    yield make
    for root in made:
        root.close()


def read_all(root: GitHubRoot) -> dict[str, bytes]:
    found = {}
    for path in MANY:
        with root.open(path) as source:
            found[path] = source.stream.read()
    return found


def blobs(server: GitHubServer) -> int:
    return len([path for path in server.paths if "/blobs/" in path])


def archives(server: GitHubServer) -> int:
    return len([path for path in server.paths if "/tarball/" in path])


def test_files_read_one_after_another_come_as_one_archive_in_the_end(
    server: GitHubServer, opened: Opener
) -> None:
    root = opened()
    assert read_all(root) == MANY
    assert (blobs(server), archives(server)) == (REMOTE_AHEAD_AFTER - 1, 1)
    assert len(server.log) == BEFORE + REMOTE_AHEAD_AFTER - 1 + 2
    assert read_all(root) == MANY
    assert len(server.log) == BEFORE + REMOTE_AHEAD_AFTER - 1 + 2


def test_a_few_files_are_fetched_alone(server: GitHubServer, opened: Opener) -> None:
    root = opened()
    for path in list(MANY)[: REMOTE_AHEAD_AFTER - 1]:
        root.open(path).stream.close()
    assert archives(server) == 0


def test_the_archive_comes_from_another_host_without_the_token(server: GitHubServer, opened: Opener) -> None:
    server.switches.tokens.add("word")
    with GitHubServer() as elsewhere:
        elsewhere.switches.repositories |= server.switches.repositories
        server.switches.archives_at = elsewhere.url
        assert read_all(opened("word")) == MANY
        assert [asked.token for asked in elsewhere.log] == [None]
    assert blobs(server) == REMOTE_AHEAD_AFTER - 1


def test_what_an_archive_changes_or_leaves_out_is_fetched_alone(server: GitHubServer, opened: Opener) -> None:
    def exported(path: str, data: bytes) -> bytes | None:
        return {"src/40.py": None, "src/41.py": b"number = 99\n"}.get(path, data)

    server.switches.exported = exported
    assert read_all(opened()) == MANY
    assert blobs(server) == REMOTE_AHEAD_AFTER - 1 + 2


def test_a_tree_that_came_in_parts_is_read_file_by_file(server: GitHubServer, opened: Opener) -> None:
    server.switches.deep_entries = 51
    assert read_all(opened()) == MANY
    assert (blobs(server), archives(server)) == (len(MANY), 0)


def test_a_large_tree_is_read_file_by_file(server: GitHubServer, opened: Opener) -> None:
    server.switches.repositories["octo/shop"].commit({**MANY, "large": bytes(REMOTE_AHEAD_BYTES)})
    assert read_all(opened()) == MANY
    assert (blobs(server), archives(server)) == (len(MANY), 0)


def plain(data: bytes) -> Callable[[], bytes]:
    return lambda: data


def failing() -> bytes:
    raise RemoteFailed("no")


def packed(*members: tuple[tarfile.TarInfo, bytes]) -> bytes:
    made = BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as archive:
        for member, data in members:
            member.size = len(data)
            archive.addfile(member, BytesIO(data))
    return made.getvalue()


CONTENT = b"content"
SHA = git_hash("blob", CONTENT)
GOOD = packed((tarfile.TarInfo("top/one"), CONTENT))


def kept_of(archive: Callable[[], bytes], *items: Item) -> bytes | None:
    """What is kept of one file after so many misses that the archive was asked for."""
    listing = Listing(list(items) or [Item("one", "100644", SHA, len(CONTENT))])
    tree = GitHubTree(lambda _sha: listing, lambda _sha: listing)
    tree.folder("", Node(Kind.DIRECTORY, "a" * 40))
    kept = Recent(1_000)
    ahead = Ahead(tree, archive, kept)
    for _ in range(REMOTE_AHEAD_AFTER * 2):
        ahead.missed()
    return kept.get(SHA)


def test_a_file_is_kept_by_the_hash_of_its_bytes() -> None:
    assert kept_of(plain(GOOD)) == CONTENT
    assert kept_of(plain(GOOD), Item("two", "100644", "b" * 40, len(CONTENT))) is None
    assert kept_of(plain(GOOD), Item("lib", "160000", "b" * 40)) is None


@pytest.mark.parametrize(
    "archive",
    [
        failing,
        plain(b""),
        plain(b"<html>"),
        plain(GOOD[:-12]),
        plain(gzip.compress(b"x" * 10_000)),
        plain(gzip.compress(bytes(2 * REMOTE_AHEAD_BYTES + 1))),
    ],
    ids=["failing", "empty", "page", "cut", "no archive", "bomb"],
)
def test_an_archive_that_cannot_be_read_is_done_without(archive: Callable[[], bytes]) -> None:
    assert kept_of(archive) is None


def test_a_size_beyond_all_numbers_ends_the_archive() -> None:
    endless = tarfile.TarInfo("top/endless")
    endless.pax_headers = {"size": "9" * 30}
    assert kept_of(plain(packed((endless, b""), (tarfile.TarInfo("top/one"), CONTENT)))) is None


def test_a_sparse_file_is_passed_over() -> None:
    sparse = tarfile.TarInfo("top/one")
    sparse.pax_headers = {
        "GNU.sparse.major": "0",
        "GNU.sparse.minor": "0",
        "GNU.sparse.size": "7",
        "GNU.sparse.map": "0,7",
    }
    assert kept_of(plain(packed((sparse, CONTENT)))) is None


@given(st.integers(0, 10_239), st.binary(min_size=1, max_size=300))
def test_no_archive_breaks_a_read(at: int, noise: bytes) -> None:
    whole = bytearray(gzip.decompress(GOOD))
    whole[at : at + len(noise)] = noise
    assert kept_of(plain(gzip.compress(bytes(whole)))) in {CONTENT, None}
