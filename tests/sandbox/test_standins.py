"""What git makes of files that are hidden from a command: real git, in the real sandbox."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.sandbox.ground import USERS, Ground, ground, missing
from tests.workspace.repository import git

from toolpost.limits import SANDBOX_STANDINS_FOLDER
from toolpost.sandbox import standins
from toolpost.sandbox.masks import masked
from toolpost.sandbox.model import Level
from toolpost.sandbox.standins import covered, emptied, is_emptied, trusting
from toolpost.sandbox.tracked import Mark

ANYBODYS = ("-c", "safe.directory=*")
PERSON = "export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b; "
TREE = {
    ".env": "TOKEN=hush\n",
    "customers/list.csv": "hush\n",
    "customers/in/b.csv": "hush hush\n",
    "a.txt": "one\n",
}


@pytest.fixture(name="fenced", params=USERS)
def _fenced(request: pytest.FixtureRequest) -> Iterator[Ground]:
    if reason := missing(request.param, Level.NAMESPACES):
        pytest.skip(reason)
    with ground(request.param, Level.NAMESPACES) as made:
        for name, text in TREE.items():
            made.make(name, text)
        git(made.work, "init", "-q", "-b", "main")
        git(made.work, *ANYBODYS, "add", "-A")
        git(made.work, *ANYBODYS, "commit", "-qm", "one")
        _owned(made)
        found = masked((str(made.work),), _is_denied)[0]
        made.fence = replace(made.fence, masked=found)
        yield made


def _is_denied(path: str) -> bool:
    return path.endswith(("/.env", "/customers"))


def _owned(made: Ground) -> None:
    for folder, folders, names in os.walk(made.work):
        for name in (*folders, *names):
            made.own(Path(folder, name))


def _said(made: Ground, line: str) -> str:
    done = made.shell(f"{PERSON}{line}")
    assert done.code == 0, done.out
    return done.out


def test_right_after_a_commit_git_takes_hidden_files_for_unchanged(fenced: Ground) -> None:
    assert _said(fenced, "git status --porcelain; git diff; git diff HEAD") == ""


def test_a_commit_of_everything_leaves_hidden_files_alone(fenced: Ground) -> None:
    said = _said(
        fenced, "echo two > a.txt; git add -A && git commit -qm two; git show --name-status --format="
    )
    assert said == "M\ta.txt\n"


def test_changes_are_put_aside_and_brought_back_on_another_branch(fenced: Ground) -> None:
    line = "echo two > a.txt; git stash -q; cat a.txt; git switch -qc x; git stash pop -q; git status --porcelain"
    assert _said(fenced, line) == "one\n M a.txt\n"


def test_a_hidden_file_that_was_changed_since_is_not_committed_as_zeros(fenced: Ground) -> None:
    fenced.make(".env", "TOKEN=another one\n")
    assert _said(fenced, "git add -A; git status --porcelain") == ""
    assert (fenced.work / ".env").read_text() == "TOKEN=another one\n"


def test_only_zeros_are_read(fenced: Ground) -> None:
    said = _said(fenced, "cat .env customers/list.csv customers/in/b.csv | od -An -tx1 -v; ls -R customers")
    assert set(said.split("customers:")[0].split()) == {"00"}
    assert said.split("customers:\n")[1] == "in\nlist.csv\n\ncustomers/in:\nb.csv\n"


def test_a_folder_that_holds_too_much_is_told(fenced: Ground) -> None:
    for number in range(SANDBOX_STANDINS_FOLDER):
        fenced.make(f"customers/{number}")
    done = fenced.shell("ls customers; git status --porcelain -- .env a.txt")
    assert (done.out, standins.GAP in done.report.gaps) == ("", True)


def test_nothing_is_written_into_hidden_folders(fenced: Ground) -> None:
    assert fenced.shell("echo x > customers/new").code != 0
    assert fenced.shell("echo x > customers/list.csv").code != 0


def test_the_tree_outside_is_as_it_was(fenced: Ground) -> None:
    _said(fenced, "git status --porcelain")
    assert {name: (fenced.work / name).read_text() for name in TREE} == TREE
    _owned(fenced)
    assert git(fenced.work, *ANYBODYS, "status", "--porcelain") == ""


def test_nobody_is_reached_at_a_socket_of_the_workspace(fenced: Ground) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(fenced.work / "s"))
        listener.listen()
        os.mkfifo(fenced.work / "pipe")
        fenced.own(fenced.work / "s")
        fence = replace(fenced.fence, masked=masked((str(fenced.work),), _is_denied)[0])
        code = "import socket\ntry: socket.socket(socket.AF_UNIX).connect('s')\nexcept OSError as e: print(e.strerror)"
        assert fenced.python(code, fence=fence).out == "Permission denied\n"
        code = "import os\ntry: os.open('pipe', os.O_RDONLY | os.O_NONBLOCK)\nexcept OSError as e: print(e.strerror)"
        assert fenced.python(code, fence=fence).out == "No such device or address\n"
        assert fenced.shell("git status --porcelain", fence=fence).out == ""


def test_files_that_look_alike_share_a_stand_in_and_old_ones_are_thrown_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standins, "SANDBOX_STANDINS_KEPT", 1)
    for name, size in (("a", 3), ("b", 3), ("c", 4)):
        (tmp_path / name).write_bytes(b"x" * size)
        os.utime(tmp_path / name, ns=(5, 5))
    a, b = (list(covered(f"{tmp_path}/{name}", {}))[1] for name in "ab")
    state = Path(a).stat()
    assert (a == b, state.st_size, state.st_mtime_ns, Path(a).read_bytes()) == (True, 3, 5, b"\0" * 3)
    c = list(covered(f"{tmp_path}/c", {f"{tmp_path}/c": Mark(9, 7)}))[1]
    assert (Path(a).exists(), Path(c).stat().st_size, Path(c).stat().st_mtime_ns) == (False, 9, 7)


def test_links_and_what_is_gone_are_not_covered(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("x")
    said = [list(how(path)) for path in (f"{tmp_path}/link", f"{tmp_path}/gone") for how in (emptied, _bare)]
    assert said == [[], [], [], []]


def _bare(path: str) -> Iterator[str]:
    return covered(path, {})


def test_a_folder_keeps_its_links_and_one_that_holds_too_much_is_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "link").symlink_to("in")
    (tmp_path / "gone").symlink_to("nowhere")
    os.mkfifo(tmp_path / "pipe")
    top = str(tmp_path)
    links = ("--symlink", "nowhere", f"{top}/gone", "--symlink", "in", f"{top}/link")
    assert sorted(_bare(top)) == sorted(("--tmpfs", top, *links, "--remount-ro", top))
    assert not is_emptied(top)
    monkeypatch.setattr(standins, "SANDBOX_STANDINS_FOLDER", 1)
    assert list(_bare(top)) == ["--tmpfs", top, "--remount-ro", top]
    assert (is_emptied(top), is_emptied(f"{top}/link"), is_emptied(f"{top}/pipe")) == (True, False, False)


def test_what_git_is_told_is_added_to_what_it_is_told_already() -> None:
    told = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "a.b", "GIT_CONFIG_VALUE_0": "c"}
    assert trusting(told) == {
        **told,
        "GIT_CONFIG_COUNT": "3",
        "GIT_CONFIG_KEY_1": "core.checkStat",
        "GIT_CONFIG_VALUE_1": "minimal",
        "GIT_CONFIG_KEY_2": "core.trustctime",
        "GIT_CONFIG_VALUE_2": "false",
    }
    assert trusting({"GIT_CONFIG_COUNT": "many"}) == {"GIT_CONFIG_COUNT": "many"}
