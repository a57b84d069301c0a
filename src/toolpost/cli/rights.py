"""What calls may do here: the policy of every layer, the place, and what the user granted before."""

import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from msgspec import structs

from toolpost.atom import Kind
from toolpost.authorize.gate import Rights
from toolpost.authorize.kept import FILE as GRANTS
from toolpost.authorize.kept import KeptGrants
from toolpost.authorize.layers import ADMIN, Layers, require_passing
from toolpost.authorize.policy import PolicyError
from toolpost.authorize.profiles import PROFILES, Mode, Profile
from toolpost.authorize.rule import Rule
from toolpost.authorize.rulebook import Rulebook
from toolpost.authorize.scene import Scene
from toolpost.authorize.trial import verdict_of
from toolpost.cli import ground
from toolpost.cli.policies import POLICY
from toolpost.cli.settings import own_folder
from toolpost.cli.trouble import Trouble
from toolpost.config.load import Settings
from toolpost.config.model import WorkspaceSettings
from toolpost.config.places import PROJECT
from toolpost.result import Decision
from toolpost.workspace.workspace import Workspace


def scene(workspace: Workspace | None, level: int) -> Scene:
    roots = tuple(root.location for root in workspace.roots.values()) if workspace else ()
    own = (own_folder(), ground.state(), ADMIN.parent)
    in_roots = (f"{root}/{PROJECT}/{POLICY}" for root in roots)
    return Scene(roots=roots, home=str(Path.home()), own=(*map(str, own), *in_roots), level=level)


def rights(settled: Settings, found: Layers, place: Scene) -> Rights:
    """Raises Trouble when a policy's own tests fail: it does not say what its author thinks."""
    rules = (*found.rules, *_settings(settled.config.workspace))
    book = Rulebook(_profile(settled, found), rules, frozenset(found.servers))
    try:
        require_passing(found.tests, lambda call: verdict_of(book, place, call).decision)
    except PolicyError as error:
        raise Trouble(str(error), error.fix) from None
    kept = KeptGrants(own_folder() / GRANTS)
    return Rights(book=book, scene=place, kept=kept, project=project(place))


def _settings(given: WorkspaceSettings) -> Iterator[Rule]:
    """What the owner opened by settings; writing it is still asked about as anything else."""
    if given.secrets == "allow":
        yield Rule(Decision.ALLOW, Kind.READ, opens=True, layer="settings:workspace.secrets")
    for pattern in given.readable:
        yield Rule(Decision.ALLOW, Kind.READ, pattern, opens=True, layer="settings:workspace.readable")
    for pattern in given.writable:
        for kind in (Kind.WRITE, Kind.DELETE):
            yield Rule(Decision.ASK, kind, pattern, opens=True, layer="settings:workspace.writable")


def _profile(settled: Settings, found: Layers) -> Profile:
    """A policy's mode counts where nobody chose a profile."""
    profile = PROFILES[settled.config.profile]
    is_chosen = settled.values["profile"].origin.layer != "default"
    return structs.replace(profile, mode=Mode(found.mode)) if found.mode and not is_chosen else profile


def project(place: Scene) -> str:
    """The first root, wherever it is a work tree of: worktrees of one repository are one project."""
    first = place.roots[0] if place.roots else ""
    return sha256(os.fsencode(_common(Path(first)))).hexdigest()[:32]


def _common(root: Path) -> Path:
    """The folder of the repository that a root is a work tree of, or the root itself."""
    link = root / ".git"
    try:
        said = link.read_text(encoding="utf-8") if link.is_file() else ""
    except (OSError, UnicodeDecodeError):
        return root
    if not said.startswith("gitdir: "):
        return root
    folder = (root / said.removeprefix("gitdir: ").strip()).resolve()
    return folder.parent.parent.parent if folder.parent.name == "worktrees" else root
