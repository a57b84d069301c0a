from pathlib import Path

import pytest
from tests.workspace.repository import git, make

from toolpost.errors import InvalidArgument, NotConfigured
from toolpost.workspace.git.command import Git
from toolpost.workspace.git.person import Person, environment, known_person, parse


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    (tmp_path / "home").mkdir()
    return make(tmp_path / "repository")


def user(folder: Path, text: str) -> None:
    (folder.parent / "home" / ".gitconfig").write_text(text)


@pytest.mark.parametrize(
    ("said", "person"),
    [
        ("Ada Lovelace <ada@example.com>", Person("Ada Lovelace", "ada@example.com")),
        ("  A <a> ", Person("A", "a")),
        ("José Ñ. <j+x@y.z>", Person("José Ñ.", "j+x@y.z")),
    ],
)
def test_a_person_is_a_name_and_an_address(said: str, person: Person) -> None:
    assert parse(said) == person


@pytest.mark.parametrize(
    "said", ["Ada", "<a@b>", "Ada <>", "Ada <a b>", "A\nB <a@b>", "A <a@b> x", "A <a\0@b>", "A << a@b>"]
)
def test_anything_else_is_refused(said: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        parse(said)
    assert caught.value.parameter == "author"


def test_nobody_is_known_where_nothing_says_who(folder: Path) -> None:
    assert known_person(Git(folder)) is None
    with pytest.raises(NotConfigured, match=r"user\.name"):
        environment(Git(folder))


def test_the_users_own_configuration_says_who(folder: Path) -> None:
    user(folder, "[include]\n\tpath = more\n[user]\n\tname = Ada\n")
    (folder.parent / "home" / "more").write_text("[user]\n\temail = ada@home\n")
    assert known_person(Git(folder)) == Person("Ada", "ada@home")


def test_a_condition_of_the_users_holds_for_its_repositories(folder: Path) -> None:
    user(folder, f'[user]\n\tname = Ada\n\temail = a@home\n[includeIf "gitdir:{folder}/"]\n\tpath = work\n')
    (folder.parent / "home" / "work").write_text("[user]\n\temail = ada@work\n")
    assert known_person(Git(folder)) == Person("Ada", "ada@work")


def test_the_repository_goes_before_the_user(folder: Path) -> None:
    user(folder, "[user]\n\tname = Ada\n\temail = ada@home\n")
    git(folder, "config", "user.email", "ada@repository")
    assert known_person(Git(folder)) == Person("Ada", "ada@repository")


def test_an_author_is_not_who_commits(folder: Path) -> None:
    user(folder, "[user]\n\tname = Ada\n\temail = ada@home\n")
    assert environment(Git(folder), "Bob <b@c>") == {
        "GIT_AUTHOR_NAME": "Bob",
        "GIT_AUTHOR_EMAIL": "b@c",
        "GIT_COMMITTER_NAME": "Ada",
        "GIT_COMMITTER_EMAIL": "ada@home",
    }


def test_an_author_also_commits_where_nobody_else_is_known(folder: Path) -> None:
    assert environment(Git(folder), "Bob <b@c>")["GIT_COMMITTER_EMAIL"] == "b@c"
