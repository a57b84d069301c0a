"""Changing files: whole or not at all, beneath the root, and never through a link."""

import os
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from errno import EINVAL, EIO, ENOSPC
from pathlib import Path

import pytest
from tests.workspace.ground import NAMES, SECRET, WAYS, Ground, open_descriptors, untouched_outside

from toolpost.errors import (
    Denied,
    DirectoryNotFound,
    FileExists,
    FileNotFound,
    FileTooLarge,
    InvalidPath,
    IoFailed,
    NotAFile,
    ToolError,
)
from toolpost.limits import TEMP_STALE_S, WRITE_MAX
from toolpost.workspace.guard import Guard
from toolpost.workspace.local import failures, rename, writing
from toolpost.workspace.local.beneath import Beneath
from toolpost.workspace.local.root import LocalRoot, stamp
from toolpost.workspace.root import Entry, Kind, WritableRoot, Written


@pytest.fixture(params=WAYS, ids=NAMES)
def way(request: pytest.FixtureRequest) -> Beneath:
    chosen: Beneath = request.param
    return chosen


@pytest.fixture
def ground(tmp_path: Path) -> Iterator[Ground]:
    with untouched_outside(tmp_path) as ground:
        yield ground


@pytest.fixture
def root(ground: Ground, way: Beneath) -> Iterator[LocalRoot]:
    root = LocalRoot(ground.root, beneath=way)
    yield root
    root.close()


def _refusal(action: Callable[..., object], *args: object) -> ToolError:
    before = open_descriptors()
    with pytest.raises(ToolError) as refused:
        action(*args)
    assert open_descriptors() == before
    return refused.value


def _tree(folder: Path) -> dict[str, bytes | str]:
    """Every path below, with its bytes, what a link says, or "folder"."""
    return {
        str(path.relative_to(folder)): str(path.readlink())
        if path.is_symlink()
        else "folder"
        if path.is_dir()
        else path.read_bytes()
        for path in folder.rglob("*")
    }


def test_a_new_file_is_written_and_told(root: LocalRoot, ground: Ground) -> None:
    changeable: WritableRoot = root
    written = changeable.write("src/new.txt", b"new")
    status = (ground.root / "src/new.txt").stat()
    assert written == Written(Entry("src/new.txt", Kind.FILE, 3, status.st_mtime_ns), stamp(status))
    assert _tree(ground.root) == {
        "src": "folder",
        "src/main.py": b"main",
        "src/new.txt": b"new",
        "README.md": b"read me",
    }


def test_a_read_after_a_write_has_the_stamp_the_write_told(root: LocalRoot) -> None:
    written = root.write("README.md", b"changed")
    with root.open("README.md") as source:
        assert (source.stamp, source.entry, source.stream.read()) == (
            written.stamp,
            written.entry,
            b"changed",
        )


@pytest.mark.parametrize("data", [b"", b"\0" * 100, b"x" * 3_000_000])
def test_any_bytes_are_written(root: LocalRoot, ground: Ground, data: bytes) -> None:
    root.write("README.md", data)
    assert (ground.root / "README.md").read_bytes() == data


def test_a_file_that_would_be_too_large_is_refused(root: LocalRoot, ground: Ground) -> None:
    refused = _refusal(root.write, "README.md", bytes(WRITE_MAX + 1))
    assert (type(refused), refused.context) == (FileTooLarge, {"size": WRITE_MAX + 1, "limit": WRITE_MAX})
    assert (ground.root / "README.md").read_bytes() == b"read me"


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755, 0o777, 0o664])
def test_mode_and_owner_are_kept(root: LocalRoot, ground: Ground, mode: int) -> None:
    file = ground.root / "README.md"
    file.chmod(mode)
    if os.geteuid() == 0:
        os.chown(file, 65534, 65534)
    before = file.stat()
    root.write("README.md", b"changed")
    after = file.stat()
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)


def test_a_setuid_bit_is_not_passed_on_to_new_content(root: LocalRoot, ground: Ground) -> None:
    (ground.root / "README.md").chmod(0o4755)
    root.write("README.md", b"changed")
    assert stat.S_IMODE((ground.root / "README.md").stat().st_mode) == 0o755


def test_a_new_file_has_the_mode_the_umask_leaves(root: LocalRoot, ground: Ground) -> None:
    before = os.umask(0o027)
    try:
        root.write("new.txt", b"")
        root.write("a/b/new.txt", b"", create_dirs=True)
    finally:
        os.umask(before)
    modes = [stat.S_IMODE((ground.root / path).stat().st_mode) for path in ("new.txt", "a", "a/b/new.txt")]
    assert modes == [0o640, 0o750, 0o640]


def test_an_outside_file_with_a_second_name_inside_keeps_its_bytes(root: LocalRoot, ground: Ground) -> None:
    os.link(ground.outside / "secret.txt", ground.root / "hard.txt")
    root.write("hard.txt", b"changed")
    assert ((ground.root / "hard.txt").read_bytes(), (ground.outside / "secret.txt").read_bytes()) == (
        b"changed",
        SECRET,
    )


@pytest.mark.parametrize("target", ["README.md", "nowhere", "../outside/secret.txt", "../outside/new", "src"])
def test_a_link_is_never_written_through(root: LocalRoot, ground: Ground, target: str) -> None:
    ground.link("link", target)
    before = _tree(ground.root)
    refused = _refusal(root.write, "link", b"changed")
    assert (type(refused), refused.context) == (InvalidPath, {"rule": "link"})
    assert _tree(ground.root) == before


@pytest.mark.parametrize("target", ["../outside", "..", "/", "{outside}", "../root2", "/proc/self/cwd"])
def test_nothing_is_changed_through_a_folder_that_leads_outside(
    root: LocalRoot, ground: Ground, target: str
) -> None:
    ground.link("link", target.format(outside=ground.outside))
    before = _tree(ground.root)
    for action in (
        lambda: root.write("link/new.txt", b"x"),
        lambda: root.write("link/a/b/new.txt", b"x", create_dirs=True),
        lambda: root.write("link/secret.txt", b"x"),
        lambda: root.delete("link/secret.txt"),
        lambda: root.move("link/secret.txt", "stolen.txt"),
        lambda: root.move("README.md", "link/planted.txt"),
    ):
        assert type(_refusal(action)) is InvalidPath
    assert _tree(ground.root) == before


def test_a_folder_reached_through_a_link_inside_is_written_to(root: LocalRoot, ground: Ground) -> None:
    ground.link("relative", "src")
    ground.link("absolute", ground.root / "src")
    root.write("relative/a.txt", b"a")
    root.write("absolute/b.txt", b"b")
    assert ((ground.root / "src/a.txt").read_bytes(), (ground.root / "src/b.txt").read_bytes()) == (
        b"a",
        b"b",
    )


@pytest.mark.parametrize("path", ["", ".", "src/..", "src/."])
def test_the_root_itself_is_not_changed(root: LocalRoot, path: str) -> None:
    for action in (
        lambda: root.write(path, b""),
        lambda: root.delete(path),
        lambda: root.move(path, "x"),
        lambda: root.move("src", path),
    ):
        assert _refusal(action).context == {"rule": "root"}


def test_what_is_no_file_is_not_replaced(root: LocalRoot, ground: Ground) -> None:
    os.mkfifo(ground.root / "fifo")
    assert [type(_refusal(root.write, path, b"")) for path in ("src", "fifo")] == [NotAFile, NotAFile]


def test_a_missing_folder_is_made_only_when_asked_for(root: LocalRoot, ground: Ground) -> None:
    refused = _refusal(root.write, "a/b/c.txt", b"c")
    assert (type(refused), "create_dirs" in refused.detail) == (DirectoryNotFound, True)
    root.write("a/b/c.txt", b"c", create_dirs=True)
    root.write("a/b/d.txt", b"d", create_dirs=True)
    assert _tree(ground.root / "a") == {"b": "folder", "b/c.txt": b"c", "b/d.txt": b"d"}


@pytest.mark.parametrize("path", ["README.md/x", "README.md/x/y", "dangling/x", "dangling/x/y"])
def test_no_folder_is_made_in_a_file_or_where_a_link_points_nowhere(
    root: LocalRoot, ground: Ground, path: str
) -> None:
    ground.link("dangling", "nowhere")
    before = _tree(ground.root)
    assert isinstance(_refusal(lambda: root.write(path, b"", create_dirs=True)), DirectoryNotFound)
    assert _tree(ground.root) == before


def test_a_write_that_fails_leaves_no_folders_behind(root: LocalRoot, ground: Ground) -> None:
    before = _tree(ground.root)
    long = "n" * 300
    assert isinstance(_refusal(lambda: root.write(f"a/b/{long}", b"", create_dirs=True)), InvalidPath)
    assert isinstance(_refusal(lambda: root.write(f"a/b/{long}/x", b"", create_dirs=True)), InvalidPath)
    assert isinstance(_refusal(lambda: root.move("nothing", "a/b/c", create_dirs=True)), FileNotFound)
    assert _tree(ground.root) == before


@pytest.mark.parametrize(
    "path",
    [
        ".git/hooks/pre-commit",
        ".GIT/config",
        ".mcp.json",
        "link/hooks/x",
        "link/x",
        "deep/link/x",
        ".vscode/tasks.json",
    ],
)
def test_what_others_execute_is_neither_made_nor_changed(root: LocalRoot, ground: Ground, path: str) -> None:
    (ground.root / ".git").mkdir()
    (ground.root / "deep").mkdir()
    ground.link("link", ".git")
    ground.link("deep/link", ground.root / ".git")
    before = _tree(ground.root)
    for action in (
        lambda: root.write(path, b"", create_dirs=True),
        lambda: root.move("README.md", path, create_dirs=True),
    ):
        assert _refusal(action).context["rule"] == "guard:protected"
    assert _tree(ground.root) == before


def test_what_others_execute_is_neither_deleted_nor_moved(root: LocalRoot, ground: Ground) -> None:
    for path in (".git/config", ".github/workflows/ci.yml"):
        (ground.root / path).parent.mkdir(parents=True)
        (ground.root / path).write_bytes(b"")
    ground.link("link", ".git")
    before = _tree(ground.root)
    for action in (
        lambda: root.delete(".git/config"),
        lambda: root.delete("link/config"),
        lambda: root.move(".git/config", "x"),
        lambda: root.move(".git", "x"),
        lambda: root.move(".github", "x"),
        lambda: root.move("src", ".github"),
        lambda: root.move("src", ".git/modules"),
    ):
        assert isinstance(_refusal(action), Denied)
    assert _tree(ground.root) == before


def test_a_secret_does_not_become_readable_by_moving_it(root: LocalRoot, ground: Ground) -> None:
    for path in (".env", ".aws/credentials"):
        (ground.root / path).parent.mkdir(exist_ok=True)
        (ground.root / path).write_bytes(b"token")
    ground.link("here", ".")
    ground.link("cloud", ".aws")
    for source in (".env", ".aws/credentials", ".aws", "here/.env", "cloud/credentials"):
        assert isinstance(_refusal(root.move, source, "innocent.txt"), Denied)


def test_an_owner_opens_a_protected_file_and_the_folders_it_needs(ground: Ground, way: Beneath) -> None:
    guard = Guard(writable=(".github/workflows/docs.yml",))
    root = LocalRoot(ground.root, guard=guard, beneath=way)
    root.write(".github/workflows/docs.yml", b"on: push", create_dirs=True)
    assert isinstance(_refusal(root.write, ".github/workflows/ci.yml", b""), Denied)
    root.close()


def test_files_links_and_empty_folders_are_deleted(root: LocalRoot, ground: Ground) -> None:
    ground.link("out", "../outside/secret.txt")
    ground.link("dangling", "nowhere")
    ground.link("folder", "src")
    (ground.root / "empty").mkdir()
    os.mkfifo(ground.root / "fifo")
    for path in ("out", "dangling", "folder", "empty", "fifo", "README.md"):
        root.delete(path)
    assert _tree(ground.root) == {"src": "folder", "src/main.py": b"main"}


def test_what_cannot_be_deleted_is_said(root: LocalRoot) -> None:
    refused = [_refusal(root.delete, path) for path in ("src", "nothing", "nothing/x", "README.md/x")]
    assert [type(error) for error in refused] == [
        NotAFile,
        FileNotFound,
        DirectoryNotFound,
        DirectoryNotFound,
    ]


def test_files_and_folders_are_moved(root: LocalRoot, ground: Ground) -> None:
    root.move("README.md", "src/readme.md")
    root.move("src", "sources")
    root.move("sources/main.py", "a/b/main.py", create_dirs=True)
    assert _tree(ground.root) == {
        "sources": "folder",
        "sources/readme.md": b"read me",
        "a": "folder",
        "a/b": "folder",
        "a/b/main.py": b"main",
    }


def test_nothing_is_moved_onto_something(root: LocalRoot, ground: Ground) -> None:
    ground.link("dangling", "nowhere")
    (ground.root / "empty").mkdir()
    before = _tree(ground.root)
    for target in ("src/main.py", "dangling", "empty", "src"):
        assert isinstance(_refusal(root.move, "README.md", target), FileExists)
    assert isinstance(_refusal(root.move, "src", "empty"), FileExists)
    assert _tree(ground.root) == before


def test_a_link_is_not_moved_and_a_folder_not_into_itself(root: LocalRoot, ground: Ground) -> None:
    ground.link("link", "README.md")
    before = _tree(ground.root)
    assert _refusal(root.move, "link", "other").context == {"rule": "link"}
    assert isinstance(_refusal(root.move, "src", "src/below"), InvalidPath)
    assert isinstance(_refusal(root.move, "README.md", "nothing/x"), DirectoryNotFound)
    assert _tree(ground.root) == before


def test_a_folder_renamed_while_it_is_written_to_takes_the_file_along(ground: Ground, tmp_path: Path) -> None:
    class Renaming:
        """Opens, and then somebody renames the folder and puts a link to outside in its place."""

        name = "renaming"

        def open(self, root: int, path: str, flags: int, mode: int = 0) -> int:
            descriptor = WAYS[0].open(root, path, flags, mode)
            (ground.root / "src").rename(ground.root / "renamed")
            ground.link("src", "../outside")
            return descriptor

    root = LocalRoot(ground.root, beneath=Renaming())
    root.write("src/new.txt", b"new")
    assert _tree(ground.root / "renamed") == {"main.py": b"main", "new.txt": b"new"}
    root.close()


def test_a_stale_temporary_file_is_swept_by_the_next_write(root: LocalRoot, ground: Ground) -> None:
    old, fresh, other, folder = (
        ground.root / "src" / name
        for name in (
            f".toolpost-{'0' * 32}.tmp",
            f".toolpost-{'1' * 32}.tmp",
            ".toolpost-mine.tmp",
            f".toolpost-{'2' * 32}.tmp",
        )
    )
    for file in (old, fresh, other):
        file.write_bytes(b"")
    folder.mkdir()
    before = time.time() - TEMP_STALE_S - 60
    for path in (old, other, folder):
        os.utime(path, (before, before))
    root.write("src/new.txt", b"")
    root.write("src/new.txt", b"")
    assert {path.name for path in (ground.root / "src").iterdir()} == {
        "main.py",
        "new.txt",
        fresh.name,
        other.name,
        folder.name,
    }


SMALL = """
import resource, signal, sys
from pathlib import Path
from toolpost.errors import IoFailed
from toolpost.workspace.local.root import LocalRoot

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
root = LocalRoot(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
for path in ("README.md", "new.txt", "a/b/new.txt"):
    try:
        root.write(path, bytes(200_000), create_dirs=True)
    except IoFailed as failed:
        print(failed.context["errno"], failed.context["changed"], "untouched" in failed.detail)
"""


def test_a_file_that_does_not_fit_leaves_what_was_there(ground: Ground) -> None:
    before = _tree(ground.root)
    done = subprocess.run(
        [sys.executable, "-c", SMALL, str(ground.root)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert (done.stdout.splitlines(), _tree(ground.root)) == (["EFBIG False True"] * 3, before)


FULL = """
import ctypes, os, sys
from pathlib import Path
from toolpost.errors import IoFailed
from toolpost.workspace.local.root import LocalRoot

libc = ctypes.CDLL(None, use_errno=True)
new_namespace, private_below, read_only_again = 0x00020000, 0x44000, 0x21
if (
    libc.unshare(new_namespace)
    or libc.mount(b"none", b"/", None, private_below, None)
    or libc.mount(b"small", sys.argv[1].encode(), b"tmpfs", 0, b"size=64k")
):
    sys.exit("this machine mounts no small disk here")
root = LocalRoot(Path(sys.argv[1]))
root.write("kept.txt", b"kept")
for data in (bytes(200_000), b""):
    try:
        root.write("kept.txt", data)
    except IoFailed as failed:
        print(failed.context, sorted(os.listdir(sys.argv[1])), Path(sys.argv[1], "kept.txt").read_bytes())
libc.mount(b"small", sys.argv[1].encode(), None, read_only_again, None)
try:
    root.write("kept.txt", b"new")
except IoFailed as failed:
    print(failed.context)
"""


def test_a_full_and_a_read_only_disk_leave_what_was_there(ground: Ground) -> None:
    (ground.root / "disk").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(ground.root / "disk")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    if done.stderr.startswith("this machine"):
        pytest.skip(done.stderr)
    assert done.stdout.splitlines() == [
        "{'errno': 'ENOSPC', 'changed': False} ['kept.txt'] b'kept'",
        "{'errno': 'EROFS', 'changed': False}",
    ]


def test_a_change_the_disk_did_not_confirm_is_said() -> None:
    unsure = failures.of_change("x", writing.Unconfirmed(EIO, "broken"), "written")
    sure = failures.of_change("x", OSError(ENOSPC, "full"), "written")
    assert isinstance(unsure, IoFailed)
    assert (unsure.context, sure.context) == (
        {"errno": "EIO", "changed": True},
        {"errno": "ENOSPC", "changed": False},
    )


def test_a_folder_that_cannot_be_brought_to_the_disk_is_left_at_that(tmp_path: Path) -> None:
    handle = os.open(tmp_path, os.O_PATH)
    writing.sync(handle)  # fsync answers EBADF
    os.close(handle)
    reading, other = os.pipe()
    writing.sync(other)  # EINVAL
    os.close(reading)
    os.close(other)


def test_what_the_disk_refuses_to_confirm_is_said_or_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(descriptor: int) -> None:
        raise OSError(EIO, os.strerror(EIO))

    (tmp_path / "file").write_bytes(b"")
    root = LocalRoot(tmp_path)
    monkeypatch.setattr(os, "fsync", refused)  # the crash tests make the system itself refuse
    deleted = _refusal(root.delete, "file")
    made = _refusal(lambda: root.write("a/b/new.txt", b"", create_dirs=True))
    assert (deleted.context["changed"], made.context["changed"]) == (True, False)
    assert _tree(tmp_path) == {}
    root.close()


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[int]:
    (tmp_path / "file").write_bytes(b"file")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "inner").write_bytes(b"inner")
    (tmp_path / "taken").mkdir()
    descriptor = os.open(tmp_path, os.O_RDONLY | os.O_DIRECTORY)
    yield descriptor
    os.close(descriptor)


def test_a_write_that_cannot_take_its_place_leaves_nothing(tmp_path: Path, folder: int) -> None:
    before = _tree(tmp_path)
    with pytest.raises(IsADirectoryError) as refused:
        writing.replace(folder, "folder", b"new", None)
    assert isinstance(failures.of_change("folder", refused.value, "written"), NotAFile)
    assert _tree(tmp_path) == before


@pytest.mark.parametrize("move", [rename.rename_new, rename.in_two_steps])
def test_both_ways_of_renaming_move_and_replace_nothing(
    tmp_path: Path, folder: int, move: Callable[[int, str, int, str], None]
) -> None:
    for name in ("file", "folder"):
        with pytest.raises(FileExistsError):
            move(folder, name, folder, "taken")
    with pytest.raises(FileNotFoundError):
        move(folder, "nothing", folder, "new")
    with pytest.raises(OSError) as refused:
        move(folder, "folder", folder, "folder/below")
    assert refused.value.errno == EINVAL
    move(folder, "file", folder, "new")
    move(folder, "folder", folder, "other")
    assert _tree(tmp_path) == {"new": b"file", "other": "folder", "other/inner": b"inner", "taken": "folder"}


def test_where_the_system_cannot_rename_in_one_step_it_takes_two(
    tmp_path: Path, folder: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rename, "_renameat2", None)  # as on macOS
    rename.rename_new(folder, "file", folder, "new")
    assert (tmp_path / "new").read_bytes() == b"file"


def test_nul_does_not_rename_what_stands_before_it(tmp_path: Path, folder: int) -> None:
    for name, new_name in (("file\0x", "new"), ("file", "new\0x")):
        with pytest.raises(OSError) as refused:
            rename.rename_new(folder, name, folder, new_name)
        assert refused.value.errno == EINVAL
    assert (tmp_path / "file").exists()
