"""Policies of every layer: whose word counts, and when none does."""

import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from toolpost.atom import Kind
from toolpost.authorize.layers import Failure, Layers, Places, failing, gather, require_passing
from toolpost.authorize.policy import PolicyError, PolicyTest
from toolpost.authorize.rule import Rule
from toolpost.limits import POLICY_BYTES
from toolpost.result import Decision

ALLOW, ASK, DENY = Decision.ALLOW, Decision.ASK, Decision.DENY
PROJECT = """[permissions]
deny = ["read(a)"]
ask = ["read(b)"]
allow = ["exec(*)"]
trust_annotations = ["evil"]
mode = "yolo"
[[test]]
call = {run_command = "x"}
expect = "allow"
"""
UNREACHABLE = (
    "user:policy.toml:2: allow net(x.org) can never decide: deny net(x.org) at admin:policy.toml:2 "
    "covers all of it. Leave it out, or narrow the other."
)


class Trusted:
    """A trust store of one file, by path and hash."""

    def __init__(self, path: Path, data: bytes) -> None:
        self._path, self._hash = path, sha256(data).hexdigest()

    def knows(self, path: Path) -> bool:
        return path == self._path

    def trusts(self, path: Path, data: bytes) -> bool:
        return path == self._path and sha256(data).hexdigest() == self._hash


def write(path: Path, text: str, mode: int = 0o644) -> Path:
    path.parent.mkdir(mode=0o755, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    return path


def places(tmp_path: Path, **files: Any) -> Places:
    return Places(**{"admin": tmp_path / "absent" / "policy.toml", "admin_owner": os.getuid(), **files})


def test_no_files_say_nothing(tmp_path: Path) -> None:
    assert gather(places(tmp_path)) == Layers()
    assert gather(places(tmp_path, admin=None, user=tmp_path / "x" / "y")) == Layers()


def test_all_layers_count_the_strongest_first(tmp_path: Path) -> None:
    session = Rule(ALLOW, Kind.EXEC, "make", layer="session")
    found = gather(
        places(
            tmp_path,
            admin=write(tmp_path / "etc" / "policy.toml", "[permissions]\ndeny = ['net(x.org)']"),
            user=write(
                tmp_path / "user" / "policy.toml",
                "[permissions]\nallow = ['net(x.org)']\ntrust_annotations = ['w']\nmode = 'edit'",
            ),
            project=write(tmp_path / "repo" / "policy.toml", "[permissions]\nask = ['write(a)']"),
            session=(session,),
        )
    )
    assert found == Layers(
        rules=(
            Rule(DENY, Kind.NET, "x.org", layer="admin:policy.toml:2"),
            Rule(ALLOW, Kind.NET, "x.org", layer="user:policy.toml:2"),
            Rule(ASK, Kind.WRITE, "a", layer="project:policy.toml:2"),
            session,
        ),
        servers=("w",),
        mode="edit",
        warnings=(UNREACHABLE,),
    )


def test_a_repository_may_only_tighten_before_it_is_trusted(tmp_path: Path) -> None:
    """CVE-2025-59536, CVE-2026-25725: settings of a repository that counted before anybody trusted it."""
    file = write(tmp_path / "repo" / "policy.toml", PROJECT)
    found = gather(places(tmp_path, project=file))
    assert [str(rule) for rule in found.rules] == ["read(a)", "read(b)"]
    assert (found.tests, found.servers, found.mode) == ((), (), "")
    why = "a project's policy may only tighten, and it is not trusted."
    assert found.notes == tuple(
        f"{part} does not count: {why} Read it, then: toolpost trust {file}"
        for part in (
            "project:policy.toml:4: allow exec(*)",
            f"{file}: trust_annotations",
            f"{file}: mode = yolo",
            f"{file}: 1 tests",
        )
    )


def test_a_trusted_repository_counts_wholly_until_its_file_changes(tmp_path: Path) -> None:
    file = write(tmp_path / "repo" / "policy.toml", PROJECT)
    trust = Trusted(file, PROJECT.encode())
    found = gather(places(tmp_path, project=file, trust=trust))
    assert [str(rule) for rule in found.rules] == ["read(a)", "read(b)", "exec(*)"]
    assert (len(found.tests), found.servers, found.mode, found.notes) == (1, ("evil",), "yolo", ())
    write(file, PROJECT.replace('"exec(*)"', '"exec(*)", "net"'))
    changed = gather(places(tmp_path, project=file, trust=trust))
    assert [str(rule) for rule in changed.rules] == ["read(a)", "read(b)"]
    assert all("it changed since it was trusted" in note for note in changed.notes)


@pytest.mark.parametrize("mode", [0o664, 0o646, 0o666])
def test_an_admin_file_that_others_can_write_is_refused(tmp_path: Path, mode: int) -> None:
    file = write(tmp_path / "etc" / "policy.toml", "", mode)
    with pytest.raises(PolicyError, match="Others can write it") as refused:
        gather(places(tmp_path, admin=file))
    assert refused.value.fix == f"chmod go-w {file}"


def test_an_admin_file_in_a_folder_that_others_can_write_is_refused(tmp_path: Path) -> None:
    file = write(tmp_path / "etc" / "policy.toml", "")
    file.parent.chmod(0o777)
    with pytest.raises(PolicyError, match="Others can write it") as refused:
        gather(places(tmp_path, admin=file))
    assert refused.value.file == str(file.parent)


def test_an_admin_file_of_somebody_else_is_refused(tmp_path: Path) -> None:
    file = write(tmp_path / "etc" / "policy.toml", "")
    with pytest.raises(PolicyError, match="belongs to somebody else"):
        gather(places(tmp_path, admin=file, admin_owner=os.getuid() + 1))


def test_a_user_file_may_be_writable_by_a_group_and_not_by_all(tmp_path: Path) -> None:
    file = write(tmp_path / "user" / "policy.toml", "", 0o664)
    assert gather(places(tmp_path, user=file)) == Layers()
    file.chmod(0o666)
    with pytest.raises(PolicyError, match="Others can write it"):
        gather(places(tmp_path, user=file))


def test_a_file_that_cannot_be_understood_stops_everything(tmp_path: Path) -> None:
    file = write(tmp_path / "repo" / "policy.toml", "[permissions]\ndeny = ['raed(x)']")
    with pytest.raises(PolicyError, match=r"policy\.toml:2:10: 'raed"):
        gather(places(tmp_path, project=file))


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("fifo", "It is a pipe, a socket or a device, not a file."),
        ("folder", "It is a folder, not a file."),
        ("huge", f"It has {POLICY_BYTES + 1:,} bytes, and may have {POLICY_BYTES:,}."),
        ("loop", "It cannot be read: Too many levels of symbolic links."),
    ],
)
def test_what_is_no_file_of_text_is_refused_and_not_waited_for(tmp_path: Path, kind: str, said: str) -> None:
    path = tmp_path / "policy.toml"
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "huge":
        path.write_bytes(b"#" * (POLICY_BYTES + 1))
    else:
        path.symlink_to(path)
    with pytest.raises(PolicyError, match=said):
        gather(places(tmp_path, project=path))


TESTS = (
    PolicyTest(call={"run_command": "psql"}, expect=DENY, file="/c/policy.toml", line=4),
    PolicyTest(call={"run_command": "make"}, expect=ALLOW, file="/c/policy.toml", line=8),
)


def judge(call: Mapping[str, Any]) -> Decision:
    return DENY if call["run_command"] == "psql" else ASK


def test_a_test_that_fails_refuses_its_file() -> None:
    assert failing(TESTS, judge) == [Failure(TESTS[1], ASK)]
    with pytest.raises(PolicyError) as refused:
        require_passing(TESTS, judge)
    assert (refused.value.file, refused.value.line) == ("/c/policy.toml", 8)
    assert refused.value.message == 'The test {"run_command":"make"} expects allow, and the rules say ask.'


def test_tests_that_pass_are_silent() -> None:
    require_passing(TESTS[:1], judge)
    assert failing(TESTS[:1], judge) == []
