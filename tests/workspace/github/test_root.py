import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

import pytest
from tests.fakes.github import Files, GitHubServer, Link, Program, Repository, Submodule
from tests.workspace.conformance import CHECKS, FILES, LINKS

from toolpost.errors import Denied, FileNotFound, FileTooLarge, InvalidPath, NotAFile
from toolpost.limits import REMOTE_BYTES, REMOTE_CACHE_BYTES
from toolpost.workspace.github.remote import Remote
from toolpost.workspace.github.root import GitHubRoot
from toolpost.workspace.github.spec import GitHubSpec
from toolpost.workspace.guard import Guard
from toolpost.workspace.root import Entry, Kind, Root

Opener = Callable[..., GitHubRoot]
KNOWN: Files = {**FILES, **{path: Link(target) for path, target in LINKS.items()}}


@pytest.fixture
def server() -> Iterator[GitHubServer]:
    with GitHubServer() as server:
        server.repository("octo/shop", KNOWN)
        yield server


@pytest.fixture
def shop(server: GitHubServer) -> Repository:
    return server.switches.repositories["octo/shop"]


@pytest.fixture
def opened(server: GitHubServer) -> Iterator[Opener]:
    made: list[GitHubRoot] = []

    def make(ref: str = "HEAD", repo: str = "shop", guard: Guard | None = None) -> GitHubRoot:
        spec = GitHubSpec("github.com", "octo", repo, ref)
        made.append(GitHubRoot(spec, Remote(server.url), guard=guard))
        return made[-1]

    yield make
    for root in made:
        root.close()


def read(root: GitHubRoot, path: str) -> bytes:
    with root.open(path) as source:
        return source.stream.read()


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("deep_entries", [100_000, 4], ids=["at once", "in parts"])
def test_a_repository_is_a_root_like_any_other(
    server: GitHubServer, opened: Opener, check: Callable[[Root], None], deep_entries: int
) -> None:
    server.switches.deep_entries = deep_entries
    check(opened())


def test_the_fake_knows_its_objects_by_the_names_git_gives_them(tmp_path: Path) -> None:
    files: Files = {
        "a/b.txt": b"b\n",
        "a.txt": b"",
        "a-b/c": b"c",
        "run": Program(b"#!/bin/sh\n"),
        "l": Link("a/b.txt"),
    }
    for path, content in files.items():
        place = tmp_path / path
        place.parent.mkdir(exist_ok=True)
        if isinstance(content, Link):
            place.symlink_to(content.target)
        elif isinstance(content, Program):
            place.write_bytes(content.content)
            place.chmod(0o755)
        elif isinstance(content, bytes):
            place.write_bytes(content)

    def git(*arguments: str) -> str:
        command = ["git", "-c", "core.autocrlf=false", *arguments]
        return subprocess.run(
            command, cwd=tmp_path, check=True, capture_output=True, text=True, timeout=60
        ).stdout.strip()

    git("init", "-q")
    git("add", "-A")
    repository = Repository()
    assert repository.commits[repository.commit(files)] == git("write-tree")


def test_making_a_root_asks_nothing(server: GitHubServer, opened: Opener) -> None:
    root = opened("a/b")
    assert (root.where, root.location) == ("octo/shop@a/b", "https://github.com/octo/shop/tree/a/b")
    assert server.log == []


def test_four_questions_lead_to_a_file_and_none_to_it_again(server: GitHubServer, opened: Opener) -> None:
    root = opened()
    for _ in range(3):
        assert read(root, "src/main.py") == FILES["src/main.py"]
        assert root.stat("README.md").size_bytes == 7
        assert len(list(root.scan("src"))) == 4
        assert root.key
    assert [path.rpartition("/")[0] for path in server.paths] == [
        "/repos/octo/shop/commits",
        "/repos/octo/shop/git/commits",
        "/repos/octo/shop/git/trees",
        "/repos/octo/shop/git/blobs",
    ]
    assert server.connections == 1


def test_threads_that_begin_at_once_look_the_ref_up_once(server: GitHubServer, opened: Opener) -> None:
    root = opened()
    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(lambda _: read(root, "README.md"), range(16))) == {FILES["README.md"]}
    assert len([path for path in server.paths if "/blobs/" not in path]) == 3


def test_a_root_stays_at_its_commit_until_it_is_refreshed(shop: Repository, opened: Opener) -> None:
    root = opened()
    before = (root.commit, root.key)
    shop.commit({"new.txt": b"new\n"})
    assert (read(root, "README.md"), (root.commit, root.key)) == (FILES["README.md"], before)
    assert root.refresh()
    assert [entry.path for entry in root.scan("")] == ["new.txt"]
    assert root.key != before[1]
    with pytest.raises(FileNotFound):
        root.open("README.md")


def test_a_refresh_that_finds_nothing_new_keeps_everything(server: GitHubServer, opened: Opener) -> None:
    root = opened()
    assert root.refresh()
    read(root, "README.md")
    asked = len(server.log)
    assert not root.refresh()
    read(root, "README.md")
    assert server.paths[asked:] == ["/repos/octo/shop/commits/HEAD"]


def test_the_key_is_that_of_the_tree_not_of_the_ref(
    server: GitHubServer, shop: Repository, opened: Opener
) -> None:
    commit = shop.refs["main"]
    shop.refs["v1"] = commit
    tree = shop.commits[commit]
    name = sha256(f"{server.url}/octo/shop/{tree}".encode()).hexdigest()[:32]
    assert {opened(ref).key for ref in ("HEAD", "v1", commit)} == {f"github-{name}"}


def test_a_commit_named_whole_never_moves(server: GitHubServer, shop: Repository, opened: Opener) -> None:
    commit = shop.refs["main"]
    root = opened(commit)
    shop.commit({"new.txt": b""})
    assert (root.commit, root.refresh(), read(root, "README.md")) == (commit, False, FILES["README.md"])
    assert not [path for path in server.paths if path.startswith("/repos/octo/shop/commits")]


def test_a_repository_without_a_commit_is_an_empty_root(server: GitHubServer, opened: Opener) -> None:
    server.repository("octo/new")
    root = opened(repo="new")
    assert (list(root.scan("")), root.commit) == ([], "")


def test_an_enterprise_server_is_asked_below_its_prefix(server: GitHubServer, opened: Opener) -> None:
    server.switches.prefix = "/api/v3"
    assert read(opened(), "README.md") == FILES["README.md"]
    assert {path[:21] for path in server.paths} == {"/api/v3/repos/octo/sh"}


def test_a_submodule_is_shown_and_is_no_file(shop: Repository, opened: Opener) -> None:
    shop.commit({"lib": Submodule(), "run.sh": Program(b"#!/bin/sh\n")})
    root = opened()
    assert sorted(root.scan(""), key=lambda entry: entry.path) == [
        Entry("lib", Kind.OTHER),
        Entry("run.sh", Kind.FILE, 10),
    ]
    with pytest.raises(NotAFile, match="lib is a submodule, not a file") as refused:
        root.open("lib")
    assert refused.value.context == {"kind": "submodule"}
    with pytest.raises(FileNotFound):
        root.open("lib/inner.py")


def test_a_file_too_large_to_fetch_is_not_asked_for(
    server: GitHubServer, shop: Repository, opened: Opener
) -> None:
    shop.commit({"big.bin": bytes(REMOTE_BYTES + 1)})
    root = opened()
    with pytest.raises(FileTooLarge) as refused:
        root.open("big.bin")
    assert refused.value.context == {"size": REMOTE_BYTES + 1, "limit": REMOTE_BYTES}
    assert root.stat("big.bin").size_bytes == REMOTE_BYTES + 1
    assert not [path for path in server.paths if "/blobs/" in path]


def test_a_link_that_says_a_book_is_refused_unread(
    server: GitHubServer, shop: Repository, opened: Opener
) -> None:
    shop.commit({"link": Link("a/" * 3_000)})
    with pytest.raises(InvalidPath):
        opened().open("link")
    assert not [path for path in server.paths if "/blobs/" in path]


def test_a_link_that_is_no_text_leads_nowhere(shop: Repository, opened: Opener) -> None:
    shop.commit({"link": Link("\udcff"), "x": b""})
    with pytest.raises(FileNotFound):
        opened().open("link")


def test_what_was_read_long_ago_makes_room(server: GitHubServer, shop: Repository, opened: Opener) -> None:
    size = 12 * 1024 * 1024
    names = [f"{number}.bin" for number in range(REMOTE_CACHE_BYTES // size + 1)]
    shop.commit({name: name.encode() * (size // len(name)) for name in names})
    root = opened()
    for name in names:
        read(root, name)
    asked = len(server.log)
    read(root, names[-1])
    assert len(server.log) == asked
    read(root, names[0])
    assert len(server.log) == asked + 1


def test_whether_a_secret_is_there_is_not_told(server: GitHubServer, opened: Opener) -> None:
    with pytest.raises(Denied):
        opened().open("config/.env.local")
    assert server.log == []


def test_an_owner_may_open_a_secret(opened: Opener) -> None:
    assert read(opened(guard=Guard(readable=(".env",))), "innocent.txt") == FILES[".env"]


def test_without_a_remote_the_specs_own_host_is_asked() -> None:
    root = GitHubRoot(GitHubSpec("git.corp.example", "octo", "shop"))
    assert root._api.remote.base_url == "https://git.corp.example/api/v3"
    assert not root.ignores
