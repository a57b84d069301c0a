import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.workspace.conformance import CHECKS, FILES, LINKS
from tests.workspace.repository import commit, git, make

from toolpost.errors import Denied, FileTooLarge, GitFailed, InvalidPath, NotAFile, NotFound
from toolpost.workspace.follow import Node
from toolpost.workspace.git import objects as git_objects
from toolpost.workspace.git import root as gitrev
from toolpost.workspace.git import tree as git_tree
from toolpost.workspace.git.root import GitRoot
from toolpost.workspace.git.tree import GitTree
from toolpost.workspace.guard import Guard
from toolpost.workspace.root import Entry, Kind, Root


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GitRoot]:
    folder = make(tmp_path_factory.mktemp("shop"), {})
    for name, data in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    for name, target in LINKS.items():
        (folder / name).symlink_to(target)
    commit(folder, {}, "all")
    root = GitRoot(folder, "main")
    yield root
    root.close()


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_revision_is_a_root_like_any_other(shop: GitRoot, check: Callable[[Root], None]) -> None:
    check(shop)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_tree_too_large_to_list_at_once_is_listed_folder_by_folder(
    shop: GitRoot, check: Callable[[Root], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gitrev, "GitTree", lambda git, tree: GitTree(git, tree, max_bytes=1))
    root = GitRoot(shop.git.home.cwd, "main")
    check(root)
    root.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make(tmp_path / "repository", {"a.txt": "one\n", "src/b.txt": "two\n"})


def read(root: GitRoot, path: str) -> bytes:
    with root.open(path) as source:
        return source.stream.read()


@pytest.fixture
def root(folder: Path) -> Iterator[GitRoot]:
    made = GitRoot(folder, "HEAD")
    yield made
    made.close()


def test_it_shows_its_revision_whatever_is_committed_later(folder: Path, root: GitRoot) -> None:
    commit(folder, {"a.txt": "later\n"}, "second")
    assert read(root, "a.txt") == b"one\n"
    older = GitRoot(folder, "HEAD~1")
    assert read(older, "a.txt") == b"one\n"
    assert older.key == root.key
    older.close()


def test_one_tree_has_one_key_and_another_has_another(folder: Path, root: GitRoot, tmp_path: Path) -> None:
    again = GitRoot(folder, git(folder, "rev-parse", "HEAD"))
    elsewhere = GitRoot(make(tmp_path / "other", {"a.txt": "one\n", "src/b.txt": "two\n"}), "HEAD")
    assert again.key == root.key != elsewhere.key
    commit(folder, {"a.txt": "later\n"}, "second")
    later = GitRoot(folder, "HEAD")
    assert later.key != root.key
    for made in (again, elsewhere, later):
        made.close()


def test_it_says_where_it_is(folder: Path, root: GitRoot) -> None:
    oid = git(folder, "rev-parse", "HEAD")
    assert (root.where, root.location) == (f"{folder}@HEAD", f"git+file://{folder}@{oid}")
    assert not root.location.startswith("/")
    assert root.ignores is False


def test_a_bare_repository_is_read_too(folder: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(folder), "bare.git")
    root = GitRoot(tmp_path / "bare.git", "main")
    assert sorted(entry.path for entry in root.scan("")) == ["a.txt", "src"]
    assert read(root, "src/b.txt") == b"two\n"
    root.close()


def test_a_tag_names_its_commit(folder: Path) -> None:
    git(folder, "tag", "-a", "v1", "-m", "one")
    root = GitRoot(folder, "v1")
    assert root.commit == git(folder, "rev-parse", "HEAD")
    root.close()


@pytest.mark.parametrize("revision", ["nothing", "HEAD~9", "HEAD^{tree}"])
def test_what_names_no_commit_is_refused(folder: Path, revision: str) -> None:
    with pytest.raises(NotFound) as caught:
        GitRoot(folder, revision)
    assert caught.value.parameter == "revision"


def test_a_folder_that_is_no_repository_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GitFailed) as caught:
        GitRoot(tmp_path, "HEAD")
    assert caught.value.context["reason"] == "not_a_repository"


def test_a_submodule_is_shown_and_not_entered(folder: Path) -> None:
    oid = git(folder, "rev-parse", "HEAD")
    git(folder, "update-index", "--add", "--cacheinfo", f"160000,{oid},vendor/sub")
    git(folder, "commit", "-q", "-m", "a submodule")
    root = GitRoot(folder, "HEAD")
    assert list(root.scan("vendor")) == [Entry("vendor/sub", Kind.OTHER)]
    with pytest.raises(NotAFile, match="submodule"):
        root.open("vendor/sub")
    root.close()


def test_a_secret_file_is_not_read_even_when_it_was_committed(tmp_path: Path) -> None:
    folder = make(tmp_path, {".env": "TOKEN=1\n"})
    closed, opened = GitRoot(folder, "HEAD"), GitRoot(folder, "HEAD", guard=Guard(secrets="allow"))
    with pytest.raises(Denied):
        closed.open(".env")
    assert read(opened, ".env") == b"TOKEN=1\n"
    closed.close()
    opened.close()


def test_names_that_are_not_utf_8_are_listed_as_the_system_lists_them(folder: Path) -> None:
    name = os.fsdecode(b"caf\xe9.txt")
    (folder / name).write_bytes(b"latin\n")
    commit(folder, {}, "odd")
    root = GitRoot(folder, "HEAD")
    assert name in [entry.path for entry in root.scan("")]
    assert read(root, name) == b"latin\n"
    root.close()


def test_a_large_file_goes_through_a_file_without_a_name(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git_objects, "GIT_BLOB_MEMORY", 1000)
    large = bytes(range(256)) * 1000
    (folder / "large.bin").write_bytes(large)
    commit(folder, {}, "large")
    root = GitRoot(folder, "HEAD")
    with root.open("large.bin") as source:
        assert os.fstat(source.stream.fileno()).st_nlink == 0
        assert source.stream.read() == large
    assert read(root, "a.txt") == b"one\n"
    root.close()


def test_a_file_larger_than_is_ever_read_is_refused(root: GitRoot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gitrev, "GIT_BLOB_BYTES", 3)
    with pytest.raises(FileTooLarge) as caught:
        root.open("a.txt")
    assert caught.value.context == {"size": 4, "limit": 3}


def test_a_link_as_long_as_no_path_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "link").symlink_to("src/b.txt")
    commit(folder, {}, "a link")
    root = GitRoot(folder, "HEAD")
    monkeypatch.setattr(gitrev, "PATH_BYTES", 5)
    with pytest.raises(InvalidPath):
        root.stat("link")
    root.close()


def test_many_threads_read_at_once(folder: Path) -> None:
    files = {f"many/{number}.txt": f"{number}\n" * 500 for number in range(60)}
    commit(folder, files, "many")
    root = GitRoot(folder, "HEAD")
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda path: read(root, path).decode(), list(files) * 3))
    assert found == list(files.values()) * 3
    root.close()


def test_it_goes_on_when_its_git_was_killed(root: GitRoot) -> None:
    assert read(root, "a.txt") == b"one\n"
    line = root._objects._line
    assert line is not None
    os.kill(line._process.pid, signal.SIGKILL)
    line._process.wait(10)
    assert read(root, "src/b.txt") == b"two\n"


def test_a_file_that_is_missing_in_a_partial_clone_is_said_to_be(folder: Path, root: GitRoot) -> None:
    oid = git(folder, "rev-parse", "HEAD:a.txt")
    (folder / ".git" / "objects" / oid[:2] / oid[2:]).unlink()
    with pytest.raises(GitFailed) as caught:
        root.open("a.txt")
    assert caught.value.context == {"reason": "missing"}
    assert read(root, "src/b.txt") == b"two\n"


def test_a_damaged_file_is_said_to_be(folder: Path, root: GitRoot) -> None:
    oid = git(folder, "rev-parse", "HEAD:a.txt")
    file = folder / ".git" / "objects" / oid[:2] / oid[2:]
    root.stat("a.txt")
    file.chmod(0o644)
    file.write_bytes(b"no object")
    with pytest.raises(GitFailed) as caught:
        root.open("a.txt")
    assert caught.value.context["reason"] in {"damaged", "missing"}
    assert read(root, "src/b.txt") == b"two\n"


def test_closing_ends_its_git(folder: Path) -> None:
    root = GitRoot(folder, "HEAD")
    read(root, "a.txt")
    line = root._objects._line
    assert line is not None
    root.close()
    root.close()
    assert line._process.returncode is not None


def test_a_folder_with_more_entries_than_can_be_listed_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git_tree, "GIT_OUTPUT_BYTES", 1)
    monkeypatch.setattr(gitrev, "GitTree", lambda git, tree: GitTree(git, tree, max_bytes=1))
    root = GitRoot(folder, "HEAD")
    with pytest.raises(GitFailed, match="more entries"):
        root.stat("a.txt")
    root.close()


def test_names_no_path_can_have_are_passed_over() -> None:
    blob = b"100644 blob " + b"a" * 40 + b"       3\t"
    assert git_tree.parse(blob + b"..\0" + blob + b"ok\0" + blob + b"d/.\0") == {
        "": {"ok": Node(Kind.FILE, "a" * 40, 3)}
    }
