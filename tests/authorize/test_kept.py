import os
from pathlib import Path

import pytest

from toolpost import Decision
from toolpost.authorize.ask import Scope
from toolpost.authorize.grants import Grant
from toolpost.authorize.kept import KeptGrants
from toolpost.errors import IoFailed, NotConfigured


def _grant(number: int) -> Grant:
    return Grant(
        id=str(number),
        rule=f"exec(make t{number})",
        decision=Decision.ALLOW,
        scope=Scope.USER,
        tool="os.exec",
    )


def test_a_grant_outlives_whoever_kept_it(tmp_path: Path) -> None:
    path = tmp_path / "config" / "grants.json"
    KeptGrants(path).add(_grant(1))
    KeptGrants(path).add(_grant(2))
    assert KeptGrants(path).all() == (_grant(1), _grant(2))
    assert path.stat().st_mode & 0o077 == 0


def test_what_another_process_keeps_or_drops_is_seen_at_the_next_look(tmp_path: Path) -> None:
    mine, other = KeptGrants(tmp_path / "grants.json"), KeptGrants(tmp_path / "grants.json")
    assert mine.all() == ()
    other.add(_grant(1))
    assert mine.all() == (_grant(1),)
    assert other.drop(lambda grant: grant.id == "1") == [_grant(1)]
    assert mine.all() == ()


def test_a_file_that_nobody_understands_grants_nothing_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "grants.json"
    path.write_text("{not json")
    with pytest.raises(NotConfigured, match="nothing is granted by them"):
        KeptGrants(path).all()


def test_nor_is_it_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "grants.json"
    path.write_text("{not json")
    with pytest.raises(NotConfigured):
        KeptGrants(path).add(_grant(1))
    assert path.read_text() == "{not json"


def test_a_folder_in_the_way_is_told(tmp_path: Path) -> None:
    (tmp_path / "grants.json").mkdir()
    with pytest.raises(IoFailed):
        KeptGrants(tmp_path / "grants.json").all()
    (tmp_path / "file").touch()
    with pytest.raises(IoFailed):
        KeptGrants(tmp_path / "file" / "grants.json").add(_grant(1))


def test_many_processes_keep_grants_at_once_and_none_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "grants.json"
    children = []
    for number in range(8):
        child = os.fork()
        if child == 0:
            KeptGrants(path).add(_grant(number))
            os._exit(0)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 8
    assert sorted(grant.id for grant in KeptGrants(path).all()) == [str(number) for number in range(8)]
