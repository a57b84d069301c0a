"""The doctor's look at the workspace: its roots, git, what can be undone, where tokens and metrics are."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from toolpost.cli import doctor_index, ground
from toolpost.cli.check import Check, can_hold
from toolpost.config.load import Settings
from toolpost.errors import ToolError
from toolpost.limits import GIT_TIMEOUT_S
from toolpost.workspace.git.program import ENVIRONMENT, OLDEST, PATH
from toolpost.workspace.git.root import GitRoot
from toolpost.workspace.github.root import GitHubRoot
from toolpost.workspace.github.tokens import ENTERPRISE_NAMES, PUBLIC_NAMES, system_keyring
from toolpost.workspace.history.journal import FOLDER, Journal
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.opening import NOT_CONNECTED, Opener
from toolpost.workspace.root import Root
from toolpost.workspace.workspace import Workspace

GIT_PURPOSE = "the git tools and roots of the form git:PATH@REVISION"


def checks(settled: Settings) -> Iterator[Check]:
    if settled.config.standard_tools == "off":
        yield Check("ok", "standard tools", "off", "toolpost config set standard_tools on")
    else:
        yield from _roots(settled)
        yield _tokens()
    yield from _state(settled)
    yield doctor_index.index(settled)
    yield git()


def _roots(settled: Settings) -> Iterator[Check]:
    """A root that cannot be opened does not hide what is wrong, or right, with the others."""
    opener, origin = ground.opener(settled), settled.values["workspace.roots"].origin
    sound: list[str] = []
    for spec in settled.config.workspace.roots or ground.HERE:
        failed = _failed(opener, spec)
        if failed:
            yield Check("fail", "root", f"{spec}: {failed.detail}", ground.mend(origin))
        else:
            sound.append(spec)
    yield from _opened(settled, Workspace(opener.open(sound)))


def _failed(opener: Opener, spec: str) -> ToolError | None:
    try:
        Workspace(opener.open((spec,))).close()
    except ToolError as error:
        return error
    return None


def _opened(settled: Settings, workspace: Workspace) -> Iterator[Check]:
    try:
        for name, root in workspace.roots.items():
            yield _root(name, root)
        if not workspace.roots and NOT_CONNECTED in settled.config.workspace.roots:
            step = "toolpost config set workspace.roots github:OWNER/NAME@REF"
            yield Check("warn", "root", "github: alone, which connects nothing yet", step)
        yield _metrics(settled, workspace)
    finally:
        workspace.close()


def _root(name: str, root: Root) -> Check:
    try:
        next(root.scan(""), None)
    except ToolError as error:
        return Check("fail", "root", f"{name}: {root.where} cannot be read: {error.detail}", error.fix)
    return Check("ok", "root", f"{name}: {root.where} ({_kind(root)})")


def _kind(root: Root) -> str:
    match root:
        case LocalRoot():
            return f"folder, paths held by {root.beneath.name}"
        case GitRoot():
            return f"git revision {root.commit[:10]}, read only"
        case GitHubRoot():
            return f"GitHub at {root.commit[:10] or 'no commit yet'}, read only"
    return "root"


def _tokens() -> Check:
    """Only whether there are some: a token's value is nobody's business."""
    given = [name for name in (*PUBLIC_NAMES, *ENTERPRISE_NAMES) if os.environ.get(name)]
    found = f"{', '.join(given) or 'none'} in the environment"
    if system_keyring() is not None:
        return Check("ok", "tokens", f"{found}; then the system's keyring")
    step = f"For private repositories set {PUBLIC_NAMES[0]}, or: pip install 'toolpost[keyring]'"
    return Check("ok", "tokens", f"{found}; no keyring", step)


def _metrics(settled: Settings, workspace: Workspace) -> Check:
    folder = ground.metrics_folder(settled, workspace)
    if settled.config.workspace.metrics == "off":
        return Check("ok", "metrics", "off", "toolpost config set workspace.metrics state")
    if folder is None:
        return Check("ok", "metrics", "none while there is no root")
    if can_hold(folder):
        return Check("ok", "metrics", str(folder), "toolpost report")
    origin = settled.values["workspace.metrics"].origin
    return Check(
        "warn", "metrics", f"{folder} cannot be written", f"Make it writable, or set another; from {origin}."
    )


def _state(settled: Settings) -> Iterator[Check]:
    folder, days = ground.state(), settled.config.workspace.undo_days
    if not can_hold(folder):
        step = "Make it writable, or name another folder in XDG_STATE_HOME: no file is changed without it."
        yield Check("fail", "state", f"{folder} cannot be written", step)
        return
    yield Check("ok", "state", str(folder))
    try:
        yield Check("ok", "undo", *_kept(Journal(folder / FOLDER, days=days), days))
    except ToolError as error:
        yield Check("warn", "undo", error.detail, error.fix)


def _kept(journal: Journal, days: int) -> tuple[str, str]:
    """How much can be undone; a content that several changes keep is counted once."""
    entries = list(journal.entries())
    contents = {step.before for step in chain.from_iterable(entry.steps for entry in entries) if step.before}
    size = sum(journal.blobs.size(content) or 0 for content in contents)
    step = "toolpost undo --list" if entries else ""
    return f"{len(entries):,} changes, {size:,} bytes, kept for {days} days", step


def git() -> Check:
    """The one that the tools run, looked for where they look: PATH may begin with a folder of the workspace."""
    place = shutil.which("git", path=PATH)
    if place is None:
        return Check("warn", "git", f"not in {PATH}", f"Install it if you want {GIT_PURPOSE}.")
    return _judged(place, _version(place))


def _judged(place: str, said: str) -> Check:
    numbers = re.search(r"(\d+)\.(\d+)", said)
    if numbers is None:
        return Check("warn", "git", f"{place} does not say its version", "Install git anew.")
    if tuple(map(int, numbers.groups())) < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        return Check("warn", "git", f"{said} at {place}", f"Install {oldest} or later for {GIT_PURPOSE}.")
    return Check("ok", "git", f"{said} at {place}")


def _version(place: str) -> str:
    """What it says of itself, asked where it finds nothing of the user's or of a repository."""
    try:
        ran = subprocess.run(
            (place, "--version"),
            cwd=Path("/"),
            env=dict(ENVIRONMENT),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=GIT_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return ran.stdout.decode(errors="replace").strip()
