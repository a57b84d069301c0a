"""Both ways of opening beneath a root: neither leaves it, and they answer alike."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from errno import EINVAL, ELOOP, ENAMETOOLONG, ENOENT, ENOTDIR, EPERM, EXDEV
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.workspace.ground import NAMES, WAYS, Ground, open_descriptors, untouched_outside

from toolpost.limits import LINKS_FOLLOWED
from toolpost.workspace.local.beneath import Beneath, Descent, Openat2, strongest, works
from toolpost.workspace.local.inside import below, real_path

READ = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


@pytest.fixture(params=WAYS, ids=NAMES)
def way(request: pytest.FixtureRequest) -> Beneath:
    chosen: Beneath = request.param
    return chosen


@pytest.fixture
def ground(tmp_path: Path) -> Iterator[Ground]:
    with untouched_outside(tmp_path) as ground:
        yield ground


@pytest.fixture
def root(ground: Ground) -> Iterator[int]:
    descriptor = os.open(ground.root, os.O_PATH | os.O_DIRECTORY)
    yield descriptor
    os.close(descriptor)


def _read(way: Beneath, root: int, path: str) -> bytes:
    with os.fdopen(way.open(root, path, READ), "rb") as file:
        return file.read()


def _refusal(way: Beneath, root: int, path: str, flags: int = READ) -> int | None:
    before = open_descriptors()
    with pytest.raises(OSError) as refused:
        way.open(root, path, flags)
    assert open_descriptors() == before
    return refused.value.errno


def test_a_file_a_folder_and_the_root_itself_are_opened(way: Beneath, root: int, ground: Ground) -> None:
    assert _read(way, root, "src/main.py") == b"main"
    for path in ("src", ""):
        descriptor = way.open(root, path, os.O_RDONLY | os.O_DIRECTORY)
        assert real_path(descriptor) == str(ground.root / path).rstrip("/")
        os.close(descriptor)


def test_only_what_is_asked_for_stays_open(way: Beneath, root: int, ground: Ground) -> None:
    ground.link("in", "src/../src/main.py")
    before = open_descriptors()
    os.close(way.open(root, "in", READ))
    assert open_descriptors() == before


@pytest.mark.parametrize(
    ("target", "path"),
    [
        ("src", "link/main.py"),
        ("src/main.py", "link"),
        ("./src/../src/./main.py", "link"),
        ("src/", "link/main.py"),
        ("../{root}/src/main.py", "link"),
        ("{outside}/../{root}/src/main.py", "link"),
        ("{above}/{root}/src/main.py", "link"),
        ("{above}/{root}/src", "link/main.py"),
        ("{above}/{root}//src/", "link/main.py"),
    ],
)
def test_a_link_that_ends_inside_is_followed(
    way: Beneath, root: int, ground: Ground, target: str, path: str
) -> None:
    ground.link(
        "link", target.format(root=ground.root.name, above=ground.root.parent, outside=ground.outside)
    )
    assert _read(way, root, path) == b"main"


@pytest.mark.parametrize(
    ("target", "path"),
    [
        ("../outside/secret.txt", "link"),
        ("../outside", "link/secret.txt"),
        ("{outside}/secret.txt", "link"),
        ("{outside}", "link/secret.txt"),
        ("../root2", "link/secret.txt"),
        ("{root}2/secret.txt", "link"),
        ("{root} /secret.txt", "link"),
        ("{root}./secret.txt", "link"),
        ("..", "link/outside/secret.txt"),
        ("/", "link/etc/passwd"),
        ("/proc/self/root/etc/passwd", "link"),
        ("/proc/self/cwd", "link"),
        ("/proc/self/exe", "link"),
        ("/dev/null", "link"),
        ("src/../../outside/secret.txt", "link"),
        ("../{name}/../outside/secret.txt", "link"),
        ("second", "link"),
    ],
)
def test_a_link_that_leaves_is_refused(
    way: Beneath, root: int, ground: Ground, target: str, path: str
) -> None:
    ground.link("second", "third")
    ground.link("third", "src/fourth")
    ground.link("src/fourth", "../../outside/secret.txt")
    ground.link("link", target.format(outside=ground.outside, root=ground.root, name=ground.root.name))
    assert _refusal(way, root, path) == EXDEV


def test_a_magic_link_to_an_open_file_outside_is_refused(way: Beneath, root: int, ground: Ground) -> None:
    with (ground.outside / "secret.txt").open("rb") as outside:
        ground.link("link", f"/proc/self/fd/{outside.fileno()}")
        assert _refusal(way, root, "link") == EXDEV


def test_a_magic_link_is_refused_where_proc_itself_is_inside(way: Beneath) -> None:
    root = os.open("/", os.O_PATH | os.O_DIRECTORY)
    try:
        for path in ("proc/self/root/etc", "proc/self/cwd", "proc/self/exe", f"proc/self/fd/{root}/etc"):
            assert _refusal(way, root, path) == ELOOP
    finally:
        os.close(root)


@pytest.mark.parametrize(
    "path", ["..", "../outside/secret.txt", "src/../../outside/secret.txt", "/etc/passwd"]
)
def test_a_path_that_was_not_cleaned_does_not_leave_either(way: Beneath, root: int, path: str) -> None:
    assert _refusal(way, root, path) == EXDEV


def test_nul_is_refused_and_does_not_open_what_stands_before_it(
    way: Beneath, root: int, ground: Ground
) -> None:
    assert _refusal(way, root, "README.md\0.txt") == EINVAL
    assert _refusal(way, root, "src\0/main.py") == EINVAL


def test_links_without_end_are_refused(way: Beneath, root: int, ground: Ground) -> None:
    ground.link("self", "self")
    ground.link("ping", "pong")
    ground.link("pong", "ping")
    ground.link("here", ".")
    for path in ("self", "ping", "self/x", "/".join(["here"] * (LINKS_FOLLOWED + 1))):
        assert _refusal(way, root, path) == ELOOP


def test_as_many_links_are_followed_as_the_kernel_follows(way: Beneath, root: int, ground: Ground) -> None:
    ground.link("l0", "README.md")
    for number in range(1, LINKS_FOLLOWED + 1):
        ground.link(f"l{number}", f"l{number - 1}")
    assert _read(way, root, f"l{LINKS_FOLLOWED - 1}") == b"read me"
    assert _refusal(way, root, f"l{LINKS_FOLLOWED}") == ELOOP


def test_what_is_not_there_is_told_apart(way: Beneath, root: int, ground: Ground) -> None:
    ground.link("dangling", "nowhere")
    ground.link("far", str(ground.root / "nowhere"))
    for path in ("nothing", "src/nothing", "nothing/below", "dangling", "far", "dangling/x"):
        assert _refusal(way, root, path) == ENOENT
    for path in ("README.md/below", "src/main.py/x/y"):
        assert _refusal(way, root, path) == ENOTDIR
    assert _refusal(way, root, "README.md", os.O_RDONLY | os.O_DIRECTORY) == ENOTDIR
    assert _refusal(way, root, "n" * 300) == ENAMETOOLONG


def test_a_link_itself_is_opened_only_when_not_followed(way: Beneath, root: int, ground: Ground) -> None:
    ground.link("link", "README.md")
    assert _refusal(way, root, "link", READ | os.O_NOFOLLOW) == ELOOP
    for flags, is_link in ((os.O_PATH, False), (os.O_PATH | os.O_NOFOLLOW, True)):
        descriptor = way.open(root, "link", flags)
        assert real_path(descriptor) == str(ground.root / ("link" if is_link else "README.md"))
        os.close(descriptor)


def test_a_file_is_made_beneath_and_never_through_a_link_that_leaves(
    way: Beneath, root: int, ground: Ground
) -> None:
    ground.link("link", "../outside")
    make = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    os.close(way.open(root, "src/new.txt", make, 0o640))
    assert (ground.root / "src/new.txt").stat().st_mode & 0o777 == 0o640
    assert _refusal(way, root, "link/new.txt", make) == EXDEV


def test_fifos_and_sockets_do_not_keep_anybody_waiting(way: Beneath, root: int, ground: Ground) -> None:
    os.mkfifo(ground.root / "fifo")
    signal.alarm(10)  # instead of waiting for ever
    os.close(way.open(root, "fifo", READ))
    signal.alarm(0)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(ground.root / "socket"))
        os.close(way.open(root, "socket", os.O_PATH))


def test_a_link_may_name_what_is_not_utf8(way: Beneath, root: int, ground: Ground) -> None:
    odd = os.fsdecode(b"odd\xff")
    (ground.root / odd).write_bytes(b"odd")
    ground.link("relative", odd)
    ground.link("absolute", ground.root / odd)
    assert (_read(way, root, "relative"), _read(way, root, "absolute")) == (b"odd", b"odd")


NAMES_USED = st.sampled_from(["a", "b", "c", "d", "..", ".", "file", ""])
TARGETS = st.lists(NAMES_USED, min_size=1, max_size=4).map("/".join).filter(bool)
PATHS = st.lists(st.sampled_from(["a", "b", "c", "d", "file"]), min_size=1, max_size=4).map("/".join)


@given(
    folders=st.lists(st.sampled_from(["a", "b", "a/b", "b/c", "c"]), max_size=3),
    links=st.dictionaries(
        PATHS, st.tuples(st.sampled_from(["", "{root}/", "{above}/"]), TARGETS), max_size=5
    ),
    paths=st.lists(PATHS, min_size=1, max_size=6),
    flags=st.sampled_from([READ, os.O_PATH, os.O_PATH | os.O_NOFOLLOW, os.O_RDONLY | os.O_DIRECTORY]),
)
def test_both_ways_answer_alike_whatever_the_tree(
    folders: list[str], links: dict[str, tuple[str, str]], paths: list[str], flags: int
) -> None:
    with TemporaryDirectory() as place:
        above = Path(place).resolve()
        top = above / "root"
        for folder in ("root", "d", *(f"root/{folder}" for folder in folders)):
            (above / folder).mkdir(parents=True, exist_ok=True)
            (above / folder / "file").touch()
        for name, (start, target) in links.items():
            with suppress(OSError):
                (top / name).symlink_to(start.format(root=top, above=above) + target)
        root = os.open(top, os.O_PATH | os.O_DIRECTORY)
        inodes = {path.lstat().st_ino for path in (top, *top.rglob("*"))}
        for path in paths:
            kernel, walk = (_what(way, root, path, flags) for way in WAYS)
            assert kernel == walk
            assert kernel < 0 or kernel in inodes
        os.close(root)


def _what(way: Beneath, root: int, path: str, flags: int) -> int:
    """The inode that was opened, or the error number below zero."""
    try:
        descriptor = way.open(root, path, flags)
    except OSError as refused:
        return -(refused.errno or 0)
    inode = os.fstat(descriptor).st_ino
    os.close(descriptor)
    return inode


def test_a_root_that_was_renamed_is_still_the_root(way: Beneath, root: int, ground: Ground) -> None:
    moved = ground.root.rename(ground.root.with_name("moved"))
    try:
        (moved / "absolute").symlink_to(moved / "src/main.py")
        (moved / "old").symlink_to(ground.root / "src/main.py")
        assert _read(way, root, "absolute") == b"main"
        assert _refusal(way, root, "old") == EXDEV
    finally:
        moved.rename(ground.root)


def test_the_strongest_way_is_the_kernels_where_it_works() -> None:
    assert strongest() is strongest()
    assert strongest().name == "openat2"


def test_a_way_that_cannot_even_open_the_top_does_not_work() -> None:
    class Refused:
        name = "refused"

        def open(self, root: int, path: str, flags: int, mode: int = 0) -> int:
            raise PermissionError(EPERM, os.strerror(EPERM), path)

    assert (works(Refused()), [works(way) for way in WAYS]) == (False, [True, True])


REFUSING = """
import ctypes, os, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_void_p)]
steps = [(0x20, 0, 0, 0), (0x15, 0, 1, 437), (0x06, 0, 0, 0x00050000 | int(sys.argv[1])), (0x06, 0, 0, 0x7FFF0000)]
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
program = Program(len(steps), ctypes.addressof(code))
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, ctypes.byref(program), 0, 0) == 0
from toolpost.workspace.local.beneath import strongest
way = strongest()
root = os.open("/", os.O_PATH | os.O_DIRECTORY)
os.close(way.open(root, "proc", os.O_RDONLY))
print(way.name)
"""


@pytest.mark.parametrize("number", [1, 38], ids=["EPERM", "ENOSYS"])
def test_where_a_filter_refuses_the_kernels_way_the_walk_takes_over(number: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", REFUSING, str(number)], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "descent\n"


def test_below_goes_by_names_and_not_by_letters() -> None:
    assert [below(path, "/srv/app") for path in ("/srv/app", "/srv/app/x", "/srv/app2/x", "/srv", "/")] == [
        "",
        "x",
        None,
        None,
        None,
    ]
    assert (below("/etc", "/"), below("/", "/")) == ("etc", "")


def test_a_removed_file_keeps_its_last_path(tmp_path: Path) -> None:
    with (tmp_path / "gone (deleted)").open("wb") as file:
        assert real_path(file.fileno()) == str(tmp_path / "gone (deleted)")
        (tmp_path / "gone (deleted)").unlink()
        assert real_path(file.fileno()) == str(tmp_path / "gone (deleted)")


def test_both_ways_have_a_name_for_people() -> None:
    assert (Openat2().name, Descent().name) == ("openat2", "descent")
