"""Rules from every layer, the strongest first: the administrator's, the user's, the project's, the session's.

A project's file comes with the code of strangers. Until the user has trusted its very bytes it may only tighten:
what it denies and asks counts, what it allows does not.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from stat import S_ISDIR, S_ISREG, S_ISVTX, S_IWGRP, S_IWOTH
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from toolpost.authorize.policy import PolicyError, PolicyFile, PolicyTest, read_policy
from toolpost.authorize.rule import Rule
from toolpost.authorize.unreachable import unreachable
from toolpost.limits import POLICY_BYTES
from toolpost.result import Decision

ADMIN = Path("/etc/toolpost/policy.toml")
_ROOT = 0


class Trust(Protocol):
    """Which files the user has let count, by their path and their bytes."""

    def knows(self, path: Path) -> bool: ...

    def trusts(self, path: Path, data: bytes) -> bool: ...


class Nothing:
    """No file is trusted."""

    def knows(self, _path: Path) -> bool:
        return False

    def trusts(self, _path: Path, _data: bytes) -> bool:
        return False


class Places(Struct, frozen=True, kw_only=True):
    """Where policies lie. A file that is not there says nothing."""

    admin: Path | None = ADMIN
    user: Path | None = None
    project: Path | None = None
    trust: Trust = Nothing()
    session: tuple[Rule, ...] = ()
    admin_owner: int = _ROOT


class Layers(Struct, frozen=True, kw_only=True):
    rules: tuple[Rule, ...] = ()
    tests: tuple[PolicyTest, ...] = ()
    servers: tuple[str, ...] = ()
    """Those whose tool annotations count."""
    mode: str = ""
    """The first that a layer sets; empty when none does."""
    notes: tuple[str, ...] = ()
    """What was left out, and why."""
    warnings: tuple[str, ...] = ()


class Failure(Struct, frozen=True):
    test: PolicyTest
    got: Decision

    def __str__(self) -> str:
        call = msgspec.json.encode(self.test.call).decode("utf-8")
        return f"The test {call} expects {self.test.expect}, and the rules say {self.got}."


def gather(places: Places) -> Layers:
    """Raises PolicyError where a file cannot be read, understood or relied on: then nothing is decided at all."""
    admin = _admin(places)
    user = _user(places)
    project, notes = _project(places)
    files = (admin, user, project)
    rules = (*(rule for file in files for rule in file.rules), *places.session)
    return Layers(
        rules=rules,
        tests=tuple(test for file in files for test in file.tests),
        servers=tuple(dict.fromkeys(server for file in files for server in file.servers)),
        mode=next((file.mode for file in files if file.mode), ""),
        notes=notes,
        warnings=unreachable(rules),
    )


def failing(tests: Sequence[PolicyTest], judge: Callable[[Mapping[str, Any]], Decision]) -> list[Failure]:
    verdicts = ((test, judge(test.call)) for test in tests)
    return [Failure(test, got) for test, got in verdicts if got is not test.expect]


def require_passing(tests: Sequence[PolicyTest], judge: Callable[[Mapping[str, Any]], Decision]) -> None:
    """A file whose own tests fail does not say what its author thinks. Raises PolicyError for the first."""
    for failure in failing(tests, judge):
        raise PolicyError(
            str(failure),
            file=failure.test.file,
            line=failure.test.line,
            column=1,
            fix="Correct the rules or the test; `toolpost permissions explain` shows which rule decides.",
        )


def _admin(places: Places) -> PolicyFile:
    if places.admin is None:
        return PolicyFile()
    data = _read(places.admin, owners={places.admin_owner}, others=S_IWGRP | S_IWOTH)
    return read_policy(data, "admin", str(places.admin))


def _user(places: Places) -> PolicyFile:
    if places.user is None:
        return PolicyFile()
    data = _read(places.user, owners={os.getuid(), _ROOT}, others=S_IWOTH)
    return read_policy(data, "user", str(places.user))


def _project(places: Places) -> tuple[PolicyFile, tuple[str, ...]]:
    if places.project is None:
        return PolicyFile(), ()
    data = _read(places.project)
    policy, path = read_policy(data, "project", str(places.project)), places.project.resolve()
    if not data or places.trust.trusts(path, data):
        return policy, ()
    kept = tuple(rule for rule in policy.rules if rule.decision is not Decision.ALLOW)
    return PolicyFile(rules=kept), _left_out(policy, path, was_trusted=places.trust.knows(path))


def _left_out(policy: PolicyFile, path: Path, *, was_trusted: bool) -> tuple[str, ...]:
    parts = [f"{rule.layer}: allow {rule}" for rule in policy.rules if rule.decision is Decision.ALLOW]
    parts += [f"{path}: trust_annotations"] if policy.servers else []
    parts += [f"{path}: mode = {policy.mode}"] if policy.mode else []
    parts += [f"{path}: {len(policy.tests)} tests"] if policy.tests else []
    why = "it changed since it was trusted" if was_trusted else "it is not trusted"
    return tuple(
        f"{part} does not count: a project's policy may only tighten, and {why}. Read it, then: toolpost trust {path}"
        for part in parts
    )


def _read(path: Path, *, owners: set[int] | None = None, others: int = 0) -> bytes:
    """The file's bytes; none when it is not there. With `owners`, nobody else may be able to change it."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except (FileNotFoundError, NotADirectoryError):
        return b""
    except OSError as error:
        raise PolicyError(
            f"It cannot be read: {error.strerror}.", file=str(path), fix="Mend or remove it."
        ) from None
    try:
        found = os.fstat(handle)
        _refuse_unfit(path, found)
        if owners is not None:
            _refuse_shared(path, found, owners, others)
            _refuse_shared(path.parent, path.parent.stat(), {*owners, _ROOT}, others)
        return os.read(handle, POLICY_BYTES)
    finally:
        os.close(handle)


def _refuse_unfit(path: Path, found: os.stat_result) -> None:
    if not S_ISREG(found.st_mode):
        what = "a folder" if S_ISDIR(found.st_mode) else "a pipe, a socket or a device"
        raise PolicyError(f"It is {what}, not a file.", file=str(path), fix="Remove it, or write a file.")
    if found.st_size > POLICY_BYTES:
        size = f"It has {found.st_size:,} bytes, and may have {POLICY_BYTES:,}."
        raise PolicyError(size, file=str(path), fix="Take rules out: fewer, wider ones say the same.")


def _refuse_shared(path: Path, found: os.stat_result, owners: set[int], others: int) -> None:
    is_sticky = bool(found.st_mode & S_ISVTX)  # in such a folder nobody replaces the file of another
    if found.st_mode & others and not is_sticky:
        raise PolicyError(
            "Others can write it, so nothing in it can be relied on.",
            file=str(path),
            fix=f"chmod go-w {path}",
        )
    if found.st_uid not in owners:
        owner = min(owners)
        raise PolicyError(
            "It belongs to somebody else, so nothing in it can be relied on.",
            file=str(path),
            fix=f"chown {owner} {path}",
        )
