from pathlib import Path

import pytest
from tests.cli.desk import Run

from toolpost.cli import policies
from toolpost.cli.trouble import Trouble
from toolpost.workspace.guard import Closed, Guard


def _policy(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "policy.toml"
    path.write_text(text)
    return path


def test_rules_close_and_open_files_beside_the_disk(user_folder: Path) -> None:
    _policy(
        user_folder,
        '[permissions]\ndeny = ["read(customers/**)", "write(db/**)", "exec(psql *)"]\nallow = ["read!(.env.test)"]\n',
    )
    guard = policies.guarded(Guard(), policies.layers().rules)
    assert (guard.no_read, guard.no_write, guard.may_read, guard.may_write) == (
        (Closed("customers/**", "user:policy.toml:2"),),
        (Closed("db/**", "user:policy.toml:2"),),
        (".env.test",),
        (),
    )


def test_a_policy_that_cannot_be_understood_stops_everything(user_folder: Path) -> None:
    _policy(user_folder, '[permissions]\ndeny = ["reed(x)"]\n')
    with pytest.raises(Trouble, match="reed"):
        policies.layers()


def test_a_project_may_only_tighten_until_it_is_trusted(work: Path, run: Run) -> None:
    path = _policy(work / ".toolpost", '[permissions]\ndeny = ["read(a)"]\nallow = ["write(**)"]\n')
    assert [str(rule) for rule in policies.layers().rules] == ["read(a)"]
    assert run("trust", str(path)).code == 0
    assert [str(rule) for rule in policies.layers().rules] == ["read(a)", "write(**)"]
    path.write_text(path.read_text() + "# changed\n")
    assert [str(rule) for rule in policies.layers().rules] == ["read(a)"]


def test_a_trust_store_that_others_can_write_trusts_nothing(work: Path, user_folder: Path, run: Run) -> None:
    path = _policy(work / ".toolpost", '[permissions]\nallow = ["write(**)"]\n')
    assert run("trust", str(path)).code == 0
    assert len(policies.layers().rules) == 1
    (user_folder / "trust.json").chmod(0o666)
    assert policies.layers().rules == ()
