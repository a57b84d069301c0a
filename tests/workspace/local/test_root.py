"""A local folder as a root: read, listed, never left, and never kept waiting."""

import os
import signal
import socket
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from errno import ENOENT
from pathlib import Path

import pytest
from tests.workspace.conformance import CHECKS, FILES, LINKS
from tests.workspace.ground import NAMES, WAYS, Ground, open_descriptors, untouched_outside

from toolpost.errors import (
    Denied,
    DirectoryNotFound,
    FileNotFound,
    InvalidDirectory,
    InvalidPath,
    NotAFile,
    ToolError,
)
from toolpost.workspace.guard import Guard
from toolpost.workspace.local import inside
from toolpost.workspace.local import root as local
from toolpost.workspace.local.beneath import Beneath
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.root import Entry, Kind, Root


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


def _read(root: LocalRoot, path: str) -> bytes:
    with root.open(path) as source:
        return source.stream.read()


def _refusal(action: Callable[..., object], *args: object) -> ToolError:
    before = open_descriptors()
    with pytest.raises(ToolError) as refused:
        action(*args)
    assert open_descriptors() == before
    return refused.value


@pytest.mark.parametrize("check", CHECKS, ids=[check.__name__ for check in CHECKS])
def test_it_does_what_every_root_does(tmp_path: Path, way: Beneath, check: Callable[[Root], None]) -> None:
    for path, content in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    for path, target in LINKS.items():
        (tmp_path / path).symlink_to(target)
    root = LocalRoot(tmp_path, beneath=way)
    check(root)
    root.close()


def test_a_root_knows_itself_by_its_real_folder(ground: Ground, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(ground.root)
    with_alias, plain, other = (
        LocalRoot(folder) for folder in (tmp_path / "alias", ground.root, tmp_path / "root2")
    )
    assert with_alias.key == plain.key != other.key
    assert with_alias.where == with_alias.location == str(ground.root)
    for root in (with_alias, plain, other):
        root.close()
        root.close()
    (tmp_path / "alias").unlink()


def test_the_whole_disk_can_be_a_root() -> None:
    root = LocalRoot(Path("/"))
    assert (root.where, root.location, root.stat("proc").kind) == ("/", "", Kind.DIRECTORY)
    assert isinstance(_refusal(root.open, "proc/self/environ"), Denied)
    assert isinstance(_refusal(root.open, "proc/self/root/etc/hostname"), InvalidPath)
    root.close()


def test_a_folder_that_is_not_there_is_no_root(ground: Ground) -> None:
    assert isinstance(_refusal(LocalRoot, ground.root / "nothing"), DirectoryNotFound)
    assert isinstance(_refusal(LocalRoot, ground.root / "README.md"), DirectoryNotFound)
    ground.link("loop", "loop")
    assert isinstance(_refusal(LocalRoot, ground.root / "loop"), InvalidDirectory)


def test_a_source_tells_what_was_opened(root: LocalRoot, ground: Ground) -> None:
    status = (ground.root / "README.md").stat()
    with root.open("README.md") as source:
        assert source.entry == Entry("README.md", Kind.FILE, 7, status.st_mtime_ns) == root.stat("README.md")
        assert source.stamp == (
            status.st_dev,
            status.st_ino,
            7,
            status.st_mtime_ns,
            status.st_ctime_ns,
        )
        assert (source.links, source.is_racy) == (1, True)
    assert source.stream.closed


def test_a_file_that_has_not_changed_lately_is_not_racy(tmp_path: Path) -> None:
    root = LocalRoot(Path("/"))
    with root.open(str(Path(os.__file__).resolve()).lstrip("/")) as source:
        assert not source.is_racy
    root.close()


def test_a_file_dated_in_the_future_is_racy(root: LocalRoot, ground: Ground) -> None:
    os.utime(ground.root / "README.md", (4_000_000_000, 4_000_000_000))
    with root.open("README.md") as source:
        assert source.is_racy


def test_a_second_name_of_a_file_is_reported(root: LocalRoot, ground: Ground) -> None:
    os.link(ground.outside / "secret.txt", ground.root / "hard.txt")
    with root.open("hard.txt") as source:
        assert source.links == 2


def test_a_stamp_changes_with_the_content(root: LocalRoot, ground: Ground) -> None:
    with root.open("README.md") as before:
        pass
    (ground.root / "README.md").write_bytes(b"read ME")
    os.utime(ground.root / "README.md", ns=(0, before.entry.modified_ns or 0))
    with root.open("README.md") as after:
        assert (after.entry, after.stamp != before.stamp) == (before.entry, True)


def test_what_is_no_file_is_refused_at_once(root: LocalRoot, ground: Ground, way: Beneath) -> None:
    os.mkfifo(ground.root / "fifo")
    devices = LocalRoot(Path("/dev"), beneath=way)
    signal.alarm(10)  # instead of waiting for ever
    refused = [
        _refusal(root.open, path)
        for root, path in ((root, "fifo"), (devices, "zero"), (devices, "full"), (root, "src"), (root, ""))
    ]
    signal.alarm(0)
    assert [(type(error), error.context["kind"]) for error in refused] == [
        (NotAFile, "FIFO"),
        (NotAFile, "device"),
        (NotAFile, "device"),
        (NotAFile, "directory"),
        (NotAFile, "directory"),
    ]
    assert (root.stat("fifo").kind, devices.stat("zero").kind) == (Kind.OTHER, Kind.OTHER)
    devices.close()


def test_a_socket_is_refused_at_once(root: LocalRoot, ground: Ground) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(ground.root / "socket"))
        assert isinstance(_refusal(root.open, "socket"), NotAFile)
        assert root.stat("socket").kind is Kind.OTHER


def test_a_device_behind_a_link_is_outside(root: LocalRoot, ground: Ground) -> None:
    ground.link("zero", "/dev/zero")
    ground.link("stdin", "/dev/stdin")
    for path in ("zero", "stdin"):
        assert _refusal(root.open, path).context == {"rule": "outside"}


def test_a_refusal_tells_nothing_about_outside(root: LocalRoot, ground: Ground) -> None:
    ground.link("there", "../outside/secret.txt")
    ground.link("not-there", "../outside/nothing.txt")
    ground.link("folder", "../outside")
    there, not_there = (_refusal(root.open, path) for path in ("there", "not-there"))
    assert there.detail.replace("there", "X") == not_there.detail.replace("not-there", "X")
    assert isinstance(_refusal(root.scan, "folder"), InvalidDirectory)
    assert isinstance(_refusal(root.stat, "folder/secret.txt"), InvalidPath)


@pytest.mark.parametrize("path", [".env", ".git/config", "server.pem"])
def test_a_secret_is_not_read_under_another_name(root: LocalRoot, ground: Ground, path: str) -> None:
    (ground.root / path).parent.mkdir(exist_ok=True)
    (ground.root / path).write_bytes(b"token")
    ground.link("innocent.txt", path)
    ground.link("absolute.txt", ground.root / path)
    ground.link("here", ".")
    for name in (path, "innocent.txt", "absolute.txt", f"here/{path}", "here/innocent.txt"):
        refused = _refusal(root.open, name)
        assert (type(refused), refused.context["rule"]) == (Denied, "guard:secrets")


def test_a_name_that_looks_secret_is_not_read_even_as_a_link(root: LocalRoot, ground: Ground) -> None:
    ground.link(".env", "README.md")
    assert isinstance(_refusal(root.open, ".env"), Denied)


def test_a_secret_is_refused_whether_or_not_it_is_there(root: LocalRoot) -> None:
    assert isinstance(_refusal(root.open, "nothing/.env"), Denied)


def test_an_owner_opens_a_secret(ground: Ground, way: Beneath) -> None:
    (ground.root / ".env.test").write_bytes(b"open")
    ground.link("link", ".env.test")
    root = LocalRoot(ground.root, guard=Guard(readable=(".env.test",)), beneath=way)
    assert (_read(root, ".env.test"), _read(root, "link")) == (b"open", b"open")
    root.close()


TWINS = [
    "café.txt",
    "cafe\u0301.txt",
    "CAFÉ.TXT",
    "a b.txt",
    "a  b.txt",
    " a.txt",
    "a.txt ",
    "a.txt.",
    "aux.c",
    "new\nline",
]


def test_names_that_look_alike_are_different_files(root: LocalRoot, ground: Ground) -> None:
    for number, name in enumerate(TWINS):
        (ground.root / name).write_bytes(str(number).encode())
    assert [_read(root, name) for name in TWINS] == [str(number).encode() for number in range(len(TWINS))]
    assert {entry.path for entry in root.scan("")} == {*TWINS, "src", "README.md"}


def test_a_name_that_is_not_utf8_is_shown_and_not_opened(root: LocalRoot, ground: Ground) -> None:
    (ground.root / os.fsdecode(b"odd\xff\xfe.txt")).write_bytes(b"")
    (ground.root / os.fsdecode(b"folder\xff")).mkdir()
    odd = sorted((entry.path, entry.kind) for entry in root.scan("") if "\ufffd" in entry.path)
    assert odd == [("folder\ufffd", Kind.OTHER), ("odd\ufffd\ufffd.txt", Kind.OTHER)]
    assert isinstance(_refusal(root.open, "odd\ufffd\ufffd.txt"), FileNotFound)


def test_a_listing_shows_links_and_does_not_follow_them(root: LocalRoot, ground: Ground) -> None:
    ground.link("src/out", "../../outside")
    ground.link("src/in", "main.py")
    os.mkfifo(ground.root / "src" / "fifo")
    assert {entry.path: entry.kind for entry in root.scan("src")} == {
        "src/main.py": Kind.FILE,
        "src/out": Kind.LINK,
        "src/in": Kind.LINK,
        "src/fifo": Kind.OTHER,
    }


def test_temporary_files_of_our_own_are_not_listed(root: LocalRoot, ground: Ground) -> None:
    (ground.root / f".toolpost-{'0' * 32}.tmp").write_bytes(b"")
    (ground.root / ".toolpost-notes.tmp").write_bytes(b"")
    assert {entry.path for entry in root.scan("")} == {"src", "README.md", ".toolpost-notes.tmp"}


def test_a_listing_nobody_begins_or_ends_is_closed(root: LocalRoot) -> None:
    before = open_descriptors()
    root.scan("")
    begun = root.scan("")
    next(begun)
    del begun
    assert open_descriptors() == before


def test_a_long_listing_is_not_held_in_memory(root: LocalRoot, ground: Ground) -> None:
    many = ground.root / "many"
    many.mkdir()
    for number in range(20_000):
        (many / f"{number:05}").touch()
    tracemalloc.start()
    count = sum(1 for _ in root.scan("many"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (count, peak < 200_000) == (20_000, True)


def test_what_goes_while_it_is_listed_is_left_out(root: LocalRoot, ground: Ground) -> None:
    for name in ("one", "two", "three"):
        (ground.root / name).touch()
    listing = root.scan("")
    seen = next(listing).path
    for name in {"one", "two", "three", "README.md"} - {seen}:
        (ground.root / name).unlink()
    assert {seen, *(entry.path for entry in listing)} == {seen, "src"}


def test_a_folder_renamed_under_an_open_file_stays_readable(root: LocalRoot, ground: Ground) -> None:
    with root.open("src/main.py") as source:
        (ground.root / "src").rename(ground.root / "moved")
        assert source.stream.read() == b"main"
    assert isinstance(_refusal(root.open, "src/main.py"), FileNotFound)
    assert _read(root, "moved/main.py") == b"main"


def test_a_root_renamed_while_open_is_read_under_the_same_rules(root: LocalRoot, ground: Ground) -> None:
    moved = ground.root.rename(ground.root.with_name("moved"))
    (moved / ".env").write_bytes(b"token")
    (moved / "innocent.txt").symlink_to(".env")
    assert _read(root, "README.md") == b"read me"
    assert isinstance(_refusal(root.open, "innocent.txt"), Denied)
    moved.rename(ground.root)


def test_a_file_that_was_moved_out_while_it_was_opened_is_refused(ground: Ground, tmp_path: Path) -> None:
    class Moving:
        """Opens, and then somebody moves the file away."""

        name = "moving"

        def open(self, root: int, path: str, flags: int, mode: int = 0) -> int:
            descriptor = WAYS[0].open(root, path, flags, mode)
            (ground.root / path).rename(ground.outside / "moved")
            return descriptor

    root = LocalRoot(ground.root, beneath=Moving())
    assert _refusal(root.open, "README.md").context == {"rule": "outside"}
    (ground.outside / "moved").unlink()
    root.close()


def test_a_closed_root_opens_nothing(root: LocalRoot) -> None:
    root.close()
    assert _refusal(root.open, "README.md").context == {"errno": "EBADF"}


def test_over_long_paths_are_refused(root: LocalRoot) -> None:
    for path in ("n" * 300, "d/" * 2_100 + "x"):
        assert isinstance(_refusal(root.open, path), InvalidPath | FileNotFound)


SCARCE = """
import os, resource, sys
from pathlib import Path
from toolpost.errors import IoFailed
from toolpost.workspace.local.beneath import Descent, Openat2
from toolpost.workspace.local.root import LocalRoot

root = LocalRoot(Path(sys.argv[1]), beneath={"openat2": Openat2, "descent": Descent}[sys.argv[2]]())
root.open("README.md").stream.close()
used = len(os.listdir("/proc/self/fd")) - 1
resource.setrlimit(resource.RLIMIT_NOFILE, (used, used))
for action in (lambda: root.open("README.md"), lambda: root.scan(""), lambda: root.stat("src"),
               lambda: root.write("README.md", b"new"), lambda: root.delete("README.md"),
               lambda: root.move("README.md", "x")):
    try:
        action()
    except IoFailed as failed:
        print(failed.context["errno"])
"""


def test_no_descriptors_left_is_an_error_and_changes_nothing(ground: Ground, way: Beneath) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCARCE, str(ground.root), way.name],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert (done.stdout.split(), (ground.root / "README.md").read_bytes()) == (["EMFILE"] * 6, b"read me")


UNPRIVILEGED = """
import os, sys
from pathlib import Path
from toolpost.errors import ToolError
from toolpost.workspace.local.root import LocalRoot

root = LocalRoot(Path(sys.argv[1]))
if os.geteuid() == 0:
    os.setgroups([])
    os.setresgid(65534, 65534, 65534)
    os.setresuid(65534, 65534, 65534)
for action in (lambda: root.open("closed.txt"), lambda: root.open("shut/x"), lambda: root.scan("shut"),
               lambda: root.write("shut/x", b""), lambda: root.write("fixed/x", b""),
               lambda: root.write("open/fixed.txt", b""), lambda: root.delete("fixed/old"),
               lambda: root.write("entered/new", b"new")):
    try:
        print(type(action()).__name__)
    except ToolError as failed:
        print(failed.code, failed.context.get("errno"), "permission" in failed.detail)
"""


def test_a_missing_right_is_said(ground: Ground) -> None:
    ground.root.chmod(0o755)
    for name, mode in {"shut": 0o000, "fixed": 0o555, "open": 0o777, "entered": 0o733}.items():
        (ground.root / name).mkdir()
        (ground.root / name / "old").write_bytes(b"old")
        (ground.root / name).chmod(mode)
    (ground.root / "closed.txt").write_bytes(b"")
    (ground.root / "closed.txt").chmod(0o000)
    (ground.root / "open/fixed.txt").write_bytes(b"")
    (ground.root / "open/fixed.txt").chmod(0o444)
    done = subprocess.run(
        [sys.executable, "-c", UNPRIVILEGED, str(ground.root)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    no = "IO_FAILED EACCES True"
    assert done.stdout.splitlines() == [no, no, no, no, no, no, no, "Written"]
    (ground.root / "shut").chmod(0o755)


def test_without_proc_the_links_themselves_are_asked(
    root: LocalRoot, ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a chroot or a container that has no /proc; only root could make one here."""

    def no_proc(descriptor: int) -> str:
        raise FileNotFoundError(ENOENT, os.strerror(ENOENT), f"/proc/self/fd/{descriptor}")

    for module in (local, inside):
        monkeypatch.setattr(module, "real_path", no_proc)
    (ground.root / ".env").write_bytes(b"token")
    ground.link("link.txt", ".env")
    ground.link("out", "../outside/secret.txt")
    ground.link("absolute", ground.root / "README.md")
    assert _read(root, "README.md") == b"read me"
    refused = [_refusal(root.open, path).code for path in ("link.txt", "out", "absolute")]
    assert refused == ["DENIED", "INVALID_PATH", "INVALID_PATH"]
