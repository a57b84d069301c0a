"""Many files read by name from one open folder: as safely as one by one."""

import os
import resource
import socket
from collections.abc import Iterator
from contextlib import closing
from errno import ELOOP, EMFILE, ENOENT, ENXIO
from pathlib import Path

import pytest
from tests.workspace.ground import NAMES, WAYS, Ground, open_descriptors, untouched_outside

from toolpost.errors import DirectoryNotFound, InvalidPath
from toolpost.workspace.guard import Guard
from toolpost.workspace.local.bulk import Bulk, Folder
from toolpost.workspace.local.root import LocalRoot


@pytest.fixture
def ground(tmp_path: Path) -> Iterator[Ground]:
    with untouched_outside(tmp_path) as ground:
        yield ground


@pytest.fixture(params=WAYS, ids=NAMES)
def bulk(ground: Ground, request: pytest.FixtureRequest) -> Iterator[Bulk]:
    guard = Guard(readable=(".env",))
    with closing(LocalRoot(ground.root, guard=guard, beneath=request.param)) as root:
        made = Bulk.of(root)
    assert (made.guard, made.beneath, made.key) == (guard, request.param, root.key)
    yield made
    made.close()


def _failure(folder: Folder, name: str) -> int | None:
    with pytest.raises(OSError) as refused:
        folder.read(name, 100)
    return refused.value.errno


def test_a_file_is_read_with_its_stamp_and_no_descriptor_stays(bulk: Bulk, ground: Ground) -> None:
    before = open_descriptors()
    with bulk.within("src") as folder:
        found = folder.read("main.py", 100)
    assert found is not None
    assert found[0] == (ground.root / "src/main.py").stat()
    assert found[1] == b"main"
    assert open_descriptors() == before


def test_of_a_file_that_is_too_large_only_the_stamp_is_told(bulk: Bulk) -> None:
    with bulk.within("src") as folder:
        assert folder.read("main.py", 3) == (folder.status("main.py"), None)
        assert folder.read("main.py", 4) == (folder.status("main.py"), b"main")


def test_what_is_no_regular_file_is_not_read_and_never_waited_for(bulk: Bulk, ground: Ground) -> None:
    os.mkfifo(ground.root / "pipe")
    ground.link("link", "README.md")
    ground.link("out", "../outside/secret.txt")
    with socket.socket(socket.AF_UNIX) as door, bulk.within("") as folder:
        here = Path.cwd()
        os.chdir(ground.root)  # a socket's whole path may be too long to bind
        door.bind("door")
        os.chdir(here)
        assert [folder.read(name, 100) for name in ("pipe", "src")] == [None, None]
        failures = [_failure(folder, name) for name in ("link", "out", "door", "gone")]
    assert failures == [ELOOP, ELOOP, ENXIO, ENOENT]


def test_a_folder_behind_a_link_is_refused(bulk: Bulk, ground: Ground) -> None:
    ground.link("alias", "src")
    ground.link("away", "../outside")
    before = open_descriptors()
    for path, error in (("alias", InvalidPath), ("away", InvalidPath), ("gone", DirectoryNotFound)):
        with pytest.raises(error), bulk.within(path):
            pytest.fail("it was entered")
    assert open_descriptors() == before


def test_a_file_whose_size_the_system_does_not_tell_is_read_to_its_end(tmp_path: Path) -> None:
    handle = os.open("/proc/self", os.O_RDONLY | os.O_DIRECTORY)
    try:
        whole = Folder(handle).read("status", 100_000)
        assert whole is not None
        assert whole[0].st_size == 0
        assert (whole[1] or b"").startswith(b"Name:")
        cut = Folder(handle).read("status", 10)
        assert cut is not None
        assert cut[1] is None
    finally:
        os.close(handle)


def test_a_system_without_descriptors_is_said(bulk: Bulk) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with bulk.within("") as folder:
        resource.setrlimit(resource.RLIMIT_NOFILE, (folder.descriptor + 1, hard))
        try:
            assert _failure(folder, "README.md") == EMFILE
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
