"""What the permission commands look at: the policies, the profile and the grants, as calls would meet them."""

from pathlib import Path

from msgspec import Struct, structs

from toolpost.authorize.ask import Scope
from toolpost.authorize.gate import Rights
from toolpost.authorize.grants import Grant
from toolpost.authorize.kept import KeptGrants
from toolpost.authorize.layers import Layers, failing
from toolpost.authorize.trial import verdict_of
from toolpost.cli import ground, policies, rights, shell
from toolpost.cli.settings import own_folder
from toolpost.cli.trouble import Trouble
from toolpost.config.load import Settings
from toolpost.errors import ToolError

_REFUSED = "Until that is corrected, every call is refused."


class Standing(Struct, frozen=True):
    found: Layers
    rights: Rights

    @property
    def kept(self) -> KeptGrants:
        """Always there: `rights` makes it."""
        return self.rights.kept or KeptGrants(Path())

    def grants(self) -> tuple[Grant, ...]:
        """Those of the user and of this project. A trouble where the file cannot be understood."""
        try:
            return tuple(grant for grant in self.kept.all() if self.is_ours(grant))
        except ToolError as error:
            raise Trouble(error.detail, error.fix) from None

    def failures(self) -> tuple[str, ...]:
        """The policies' own tests that fail, each with its place."""
        book, scene = self.rights.book, self.rights.scene
        failed = failing(self.found.tests, lambda call: verdict_of(book, scene, call).decision)
        return tuple(f"{one.test.file}:{one.test.line}: {one} {_REFUSED}" for one in failed)

    def is_ours(self, grant: Grant) -> bool:
        return grant.scope is not Scope.PROJECT or grant.project == self.rights.project


def standing(settled: Settings, *, level: int | None = None) -> Standing:
    """Without running the policies' own tests. `level` is the sandbox's, if that need not be found out."""
    found = policies.layers()
    workspace = ground.workspace(settled)
    try:
        place = rights.scene(workspace, shell.level(shell.sandbox(settled)) if level is None else level)
    finally:
        workspace.close()
    return Standing(found, rights.rights(settled, structs.replace(found, tests=()), place))


def own_policy() -> Path:
    return own_folder() / policies.POLICY
