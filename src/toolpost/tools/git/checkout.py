"""What a new working tree is filled with: a commit's files, but for those no tool may put on disk.

What may hold secrets, is closed by a rule where it lies now, or configures programs that run by themselves, stays in the index alone: git then takes it for
neither changed nor deleted, and a commit made there keeps it.
"""

import os
from collections.abc import Iterator, Sequence

from msgspec import Struct

from toolpost.errors import Denied, GitFailed, LimitExceeded
from toolpost.limits import GIT_CHECKOUT_S, GIT_TREE_BYTES
from toolpost.pathnames.sensitive import is_protected, is_secret
from toolpost.tools.git.names import counted, nul_ended
from toolpost.tools.git.repository import Repository, visible
from toolpost.workspace.git.command import Git, failed
from toolpost.workspace.guard import Guard

_LINK = b"120000"
_OFF = frozenset({"false", "no", "off", "0"})


class _File(Struct, frozen=True, gc=False):
    path: str
    is_link: bool


class Checkout(Struct, frozen=True):
    """Paths are git's own, relative to the new tree."""

    commit: str
    written: list[str]
    withheld: list[str]

    def notes(self) -> tuple[str, ...]:
        if not self.withheld:
            return ()
        names = ", ".join(map(visible, self.withheld[:3]))
        more = f" and {len(self.withheld) - 3} more" if len(self.withheld) > 3 else ""
        said = (
            f"{counted(len(self.withheld))} withheld, because of secrets they may hold, rules that close them or programs that run by them:"
            f" {names}{more}. They stay committed, and git does not take them for deleted."
        )
        return (said,)


def planned(repository: Repository, commit: str, target: str) -> Checkout:
    """What of a commit may be written below a folder of the root. Nothing is written yet."""
    written: list[str] = []
    withheld: list[str] = []
    for file in _files(repository.git, commit):
        is_denied = repository.hides(file.path) or _is_denied(
            repository.guard, f"{target}/{file.path}", is_link=file.is_link
        )
        (withheld if is_denied else written).append(file.path)
    _refuse_made_active(repository, target, withheld)
    if withheld and repository.git.settings().get("core.sparsecheckout", "off").lower() not in _OFF:
        raise GitFailed(
            f"{visible(withheld[0])} must not be written, and this repository's sparse checkout would bring it back."
            " Name a ref without it, or have the user make the working tree with git.",
            parameter="ref",
            reason="sparse_checkout",
        )
    return Checkout(commit, written, withheld)


def fill(made: Git, checkout: Checkout) -> None:
    """Write the files of a new, still empty working tree: of this commit, wherever its branch has gone since."""
    if checkout.withheld:
        made.ask("read-tree", checkout.commit)
        made.ask("update-index", "--skip-worktree", "-z", "--stdin", stdin=nul_ended(checkout.withheld))
    output = made.run("read-tree", "--reset", "-u", checkout.commit, timeout_s=GIT_CHECKOUT_S)
    if output.exit_code:
        raise failed("worktree add", output)


def _files(git: Git, commit: str) -> Iterator[_File]:
    """`MODE TYPE HASH<tab>PATH`, each ended by NUL."""
    output = git.ask("ls-tree", "-r", "-z", "--full-tree", commit, max_bytes=GIT_TREE_BYTES)
    if output.truncated:
        raise LimitExceeded(
            f"The commit {commit[:10]} holds more files than can be looked over before they are written; have the"
            " user make the working tree with git.",
            parameter="ref",
        )
    for line in output.stdout.split(b"\0")[:-1]:
        facts, _, path = line.partition(b"\t")
        yield _File(os.fsdecode(path), facts.startswith(_LINK))


def _is_denied(guard: Guard, path: str, *, is_link: bool) -> bool:
    """A link is judged as a folder too: one named `.github` brings workflows from wherever it leads."""
    try:
        guard.refuse_read(path)
        (guard.refuse_folder if is_link else guard.refuse_write)(path)
    except Denied:
        return True
    return False


def _refuse_made_active(repository: Repository, target: str, withheld: Sequence[str]) -> None:
    """Files harmless in the commit, and not so below this folder: `workflows/x.yml` in a tree named `.github`."""
    active = [path for path in withheld if _is_sensitive(f"{target}/{path}") and not _is_sensitive(path)]
    if not active:
        return
    first = f"{target}/{active[0]}"
    rule, setting = ("guard:protected", "writable") if is_protected(first) else ("guard:secrets", "readable")
    raise Denied(
        f"A working tree there would write {visible(repository.workspace.shown(repository.place, first))}"
        f" ({counted(len(active))} of this kind), which no tool may. Choose another folder, such as .worktrees/fix.",
        parameter="path",
        rule=rule,
        layer="workspace",
        atom=f"write({first})",
        setting=setting,
    )


def _is_sensitive(path: str) -> bool:
    return is_protected(path) or is_secret(path)
