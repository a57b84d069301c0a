import sys
from pathlib import Path

import pytest

from toolpost.workspace.github.tokens import system_keyring, token_for

ALL = {
    "GH_TOKEN": "gh",
    "GITHUB_TOKEN": "github",
    "GH_ENTERPRISE_TOKEN": "gh-enterprise",
    "GITHUB_ENTERPRISE_TOKEN": "github-enterprise",
}
KEYRING = """
from keyring.errors import NoKeyringError

def get_password(service, account):
    if service == "toolpost:github:locked.example":
        raise NoKeyringError("no backend")
    return {("toolpost:github:github.com", "token"): "kept\\n"}.get((service, account))
"""
ERRORS = """
class KeyringError(Exception): ...
class NoKeyringError(KeyringError, RuntimeError): ...
"""


class Drawer:
    """A keyring that is a dict."""

    def __init__(self, **kept: str) -> None:
        self.kept = {f"toolpost:github:{host.replace('_', '.')}": token for host, token in kept.items()}

    def get_password(self, service: str, account: str) -> str | None:
        return self.kept.get(service) if account == "token" else None


@pytest.mark.parametrize(
    ("host", "without", "token"),
    [
        ("github.com", [], "gh"),
        ("github.com", ["GH_TOKEN"], "github"),
        ("github.com", ["GH_TOKEN", "GITHUB_TOKEN"], "kept"),
        ("corp.ghe.com", [], "gh"),
        ("git.corp.example", [], "gh-enterprise"),
        ("git.corp.example", ["GH_ENTERPRISE_TOKEN"], "github-enterprise"),
        ("git.corp.example", ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"], None),
        ("evil-github.com", ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"], None),
        ("github.com.example", ["GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"], None),
    ],
)
def test_the_environment_comes_before_the_keyring_and_each_host_has_its_own(
    host: str, without: list[str], token: str | None
) -> None:
    environment = {name: value for name, value in ALL.items() if name not in without}
    assert token_for(host, environment, Drawer(github_com="kept")) == token


def test_a_variable_that_is_blank_is_not_set() -> None:
    assert token_for("github.com", {"GH_TOKEN": " \n", "GITHUB_TOKEN": " used\n"}) == "used"
    assert token_for("github.com", {}) is None
    assert token_for("github.com", {}, Drawer(github_com=" ")) is None


@pytest.fixture
def keyring_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real package is no dependency: one with its two names stands in."""
    package = tmp_path / "keyring"
    package.mkdir()
    (package / "__init__.py").write_text(KEYRING)
    (package / "errors.py").write_text(ERRORS)
    for name in ("keyring", "keyring.errors"):
        monkeypatch.setitem(sys.modules, name, sys.modules.get(name))
        del sys.modules[name]
    monkeypatch.syspath_prepend(tmp_path)


@pytest.mark.usefixtures("keyring_package")
def test_the_systems_keyring_is_asked_where_its_package_is_installed() -> None:
    keyring = system_keyring()
    assert keyring is not None
    assert token_for("github.com", {}, keyring) == "kept"
    assert token_for("locked.example", {}, keyring) is None


def test_without_the_package_there_is_no_keyring(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    monkeypatch.setattr(
        sys, "modules", {k: v for k, v in sys.modules.items() if k.partition(".")[0] != "keyring"}
    )
    assert system_keyring() is None
