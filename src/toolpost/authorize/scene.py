"""Where a call takes place: what a path in it means is a question of folders."""

from msgspec import Struct


class Scene(Struct, frozen=True, kw_only=True):
    roots: tuple[str, ...]
    """The workspace: absolute folders, or what stands for one, such as `github:owner/name`. The first is home base."""
    cwd: str = ""
    """Where commands start; empty means the first root."""
    home: str = ""
    """The user's own folder."""
    own: tuple[str, ...] = ()
    """Files and folders of ours: policy, grants, audit. No call changes them."""
    level: int = 0
    """How strong the sandbox is that commands run in: L0 to L3."""

    @property
    def base(self) -> str:
        return self.cwd or (self.roots[0] if self.roots else "/")
