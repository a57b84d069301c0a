"""The workspace and the state folder that the settings name."""

import os
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Literal

from toolpost.authorize.rule import Rule
from toolpost.cli import policies
from toolpost.cli.settings import here
from toolpost.cli.trouble import Trouble
from toolpost.config.load import Origin, Settings
from toolpost.config.places import state_folder
from toolpost.errors import ToolError
from toolpost.workspace.guard import Guard
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.opening import Opener
from toolpost.workspace.workspace import Workspace

HERE = (".",)


def guard(settled: Settings, rules: Iterable[Rule] | None = None) -> Guard:
    """What the settings and the rules of the policy keep from file tools, searches and indexes."""
    given = settled.config.workspace
    secrets: Literal["allow", "deny"] = "allow" if given.secrets == "allow" else "deny"
    plain = Guard(secrets=secrets, readable=given.readable, writable=given.writable)
    return policies.guarded(plain, policies.layers().rules if rules is None else rules)


def opener(settled: Settings, rules: Iterable[Rule] | None = None) -> Opener:
    url = settled.config.workspace.github_url
    return Opener(folder=here(), guard=guard(settled, rules), environment=os.environ, github_url=url)


def workspace(settled: Settings, rules: Iterable[Rule] | None = None) -> Workspace:
    """The roots of the settings; the folder we are in when there are none. `rules` are the policy's, if known already."""
    try:
        return Workspace(opener(settled, rules).open(settled.config.workspace.roots or HERE))
    except ToolError as error:
        origin = settled.values["workspace.roots"].origin
        raise Trouble(f"The workspace cannot be opened: {error.detail}", mend(origin)) from None


def mend(origin: Origin) -> str:
    """What to do about a root that cannot be opened: an error's own advice is for callers, not for owners."""
    if origin.layer == "default":
        return "Work in another folder, or: toolpost config set workspace.roots FOLDER"
    return f"Correct workspace.roots, which comes from {origin}."


def state() -> Path:
    return state_folder(os.environ)


def metrics_folder(settled: Settings, workspace: Workspace) -> Path | None:
    """Where superconnect/ is written; None when the settings want no metrics."""
    wanted = settled.config.workspace.metrics
    if wanted == "off" or not workspace.roots:
        return None
    first = next(iter(workspace.roots.values()))
    if wanted == "contract" and isinstance(first, LocalRoot):
        return Path(first.location)
    return state() / "workspaces" / sha256(first.location.encode()).hexdigest()[:16]
