"""Where a token for GitHub comes from: the environment, then the system's keyring. Never a repository."""

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Protocol

PUBLIC_NAMES = ("GH_TOKEN", "GITHUB_TOKEN")
ENTERPRISE_NAMES = ("GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN")
_ACCOUNT = "token"
"""A keyring wants a user's name too; the token itself says whose it is."""


class Keyring(Protocol):
    def get_password(self, service: str, account: str) -> str | None: ...


def token_for(host: str, environment: Mapping[str, str], keyring: Keyring | None = None) -> str | None:
    """The token of a host the owner of the workspace named.

    Never ask for a host an agent chose: the Enterprise variables serve every host but GitHub's own.
    """
    for name in variables(host):
        if token := environment.get(name, "").strip():
            return token
    if keyring is None:
        return None
    kept = keyring.get_password(f"toolpost:github:{host}", _ACCOUNT)
    return (kept or "").strip() or None


def variables(host: str) -> tuple[str, ...]:
    """The names GitHub's own command line reads for a host, the first before the second."""
    is_public = host == "github.com" or host.endswith((".github.com", ".ghe.com"))
    return PUBLIC_NAMES if is_public else ENTERPRISE_NAMES


def system_keyring() -> Keyring | None:
    """The system's own, where the `keyring` package is installed."""
    return _SystemKeyring() if find_spec("keyring") else None


class _SystemKeyring:
    """A keyring that is locked, or has no service behind it, holds no token."""

    def get_password(self, service: str, account: str) -> str | None:
        refused = import_module("keyring.errors").KeyringError
        try:
            found: str | None = import_module("keyring").get_password(service, account)
        except refused:
            return None
        return found
