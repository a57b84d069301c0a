"""`toolpost permissions import`: another program's rules as a policy of ours."""

import difflib
from importlib import import_module
from pathlib import Path

import click

from toolpost.atomic import replace_file
from toolpost.authorize.imports.imported import Imported, Unreadable
from toolpost.authorize.policy import PolicyError, PolicyFile, read_policy
from toolpost.authorize.rulebook import Rulebook
from toolpost.authorize.trial import verdict_of
from toolpost.cli import documents, permissions_merge, show
from toolpost.cli.exits import Exit
from toolpost.cli.permissions_standing import own_policy, standing
from toolpost.cli.settings import settled
from toolpost.cli.trouble import Trouble
from toolpost.limits import IMPORT_BYTES
from toolpost.result import Decision

_BY_FOLDER = {".claude": "claude", ".codex": "codex", ".gemini": "gemini", "zed": "zed", ".zed": "zed"}
_BY_NAME = {"opencode.json": "opencode", "opencode.jsonc": "opencode", "managed-settings.json": "claude"}
_BY_ENDING = {".rules": "codex"}


def run(file: Path, program: str | None, *, write: bool) -> int:
    text = _read(file)
    name = program or _program(file)
    try:
        imported: Imported = import_module(f"toolpost.authorize.imports.{name}").read(text)
    except Unreadable as error:
        raise Trouble(f"{file}: {error}", "Check the file, and whose it is: --as") from None
    for line in imported.left_out:
        show.note(line)
    if write:
        return _write(imported, file)
    show.out(show.clean(permissions_merge.policy_text(imported.rules, _source(file))))
    return Exit.OK


def _source(file: Path) -> str:
    return show.one_line(f"Imported from {file}")


def _read(file: Path) -> str:
    data = documents.bounded(file, IMPORT_BYTES, "a file of settings or rules")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise Trouble(f"{file} is not UTF-8.", "Name a file of settings or rules.") from None


def _program(file: Path) -> str:
    whole = file.expanduser().absolute()
    folders = [_BY_FOLDER[part] for part in reversed(whole.parts[:-1]) if part in _BY_FOLDER]
    known = _BY_NAME.get(whole.name) or _BY_ENDING.get(whole.suffix) or next(iter(folders), "")
    if not known:
        raise click.UsageError(f"Whose file is {file}? Say it with --as.")
    return known


def _write(imported: Imported, file: Path) -> int:
    path = own_policy()
    before = _own(path)
    known = {(rule.decision, str(rule)) for rule in _policy(before, path).rules}
    new = [rule for rule in imported.rules if (rule.decision, str(rule)) not in known]
    if not new:
        show.note(f"Every rule stands in {path} already.")
        return Exit.OK
    after = permissions_merge.merged(before, new, _source(file))
    policy = _proven(after, path, known | {(rule.decision, str(rule)) for rule in new})
    _require_passing(policy, path)
    _replace(path, after)
    lines = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), str(path), str(path)
    )
    show.out(show.clean("".join(lines)).rstrip("\n"))
    return Exit.OK


def _own(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise Trouble(f"{path} cannot be read: {error}.", "Mend it first.") from None


def _policy(text: str, path: Path) -> PolicyFile:
    try:
        return read_policy(text.encode("utf-8"), "user", str(path))
    except PolicyError as error:
        raise Trouble(str(error), error.fix) from None


def _proven(text: str, path: Path, wanted: set[tuple[Decision, str]]) -> PolicyFile:
    """What would be written is read first; a file laid out in a way we misread is not touched."""
    try:
        policy = read_policy(text.encode("utf-8"), "user", str(path))
    except PolicyError:
        policy = PolicyFile()
    if {(rule.decision, str(rule)) for rule in policy.rules} != wanted:
        said = f"{path} is laid out in a way that we cannot add to, or would have too many rules."
        raise Trouble(said, "Add the rules by hand, without --write.")
    return policy


def _require_passing(policy: PolicyFile, path: Path) -> None:
    """A policy whose own tests fail would stop every command."""
    here = standing(settled())
    book = Rulebook(here.rights.book.profile, policy.rules, frozenset(policy.servers))
    for test in policy.tests:
        verdict = verdict_of(book, here.rights.scene, test.call)
        if verdict.decision is not test.expect:
            said = f"With these rules the test at {path}:{test.line} fails: {verdict.rule} says {verdict.decision}."
            raise Trouble(
                said, "Nothing was written. Correct the test, or add the rules by hand.", Exit.FAILED
            )


def _replace(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace_file(path, text.encode("utf-8"))
    except OSError as error:
        raise Trouble(f"{path} cannot be written: {error.strerror}.", "Check its folder.") from None
