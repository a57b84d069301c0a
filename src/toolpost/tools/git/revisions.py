"""What a caller says when it compares: two commits, a commit and the files, or what is staged."""

from msgspec import Struct

from toolpost.errors import GitFailed, InvalidArgument
from toolpost.tools.git.repository import Repository

_EMPTY_TREE = {
    40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
}
"""The tree of nothing by the length of a hash; git knows it everywhere."""


class Sides(Struct, frozen=True):
    """What is compared, as git's command for it."""

    command: tuple[str, ...]
    said: str


def sides(repository: Repository, base: str, target: str, *, staged: bool) -> Sides:
    """`base` may hold both, as `main..topic` or `main...topic`, which compares with where topic left main."""
    base, target, is_fork = _split(base, target)
    if staged and target:
        raise InvalidArgument("staged compares with what is staged: leave target out.", parameter="target")
    if not target and not repository.is_tree:
        if not base:
            raise InvalidArgument(
                "There is no working tree here: name the commit to compare with as base.", parameter="base"
            )
        target = repository.at
    if target:
        return _commits(repository, base or repository.at, target, is_fork=is_fork)
    flags = ("--cached",) if staged else ()
    old = (repository.commit(base, "base"),) if base else ()
    new = "what is staged" if staged else "the files"
    return Sides(
        ("diff", *flags, *old), f"{base or ('the last commit' if staged else 'what is staged')} and {new}"
    )


def first_parent(repository: Repository, commit: str) -> str:
    """What a commit is compared with: its first parent, or nothing."""
    said = repository.git.ask("rev-list", "--parents", "--max-count=1", commit).stdout.decode().split()
    return said[1] if len(said) > 1 else _EMPTY_TREE[len(commit)]


def between(base: str, target: str) -> tuple[str, ...]:
    return ("diff-tree", "-r", base, target)


def _split(base: str, target: str) -> tuple[str, str, bool]:
    for dots in ("...", ".."):
        first, found, second = base.partition(dots)
        if found and not target:
            return first or "HEAD", second or "HEAD", dots == "..."
    return base, target, False


def _commits(repository: Repository, base: str, target: str, *, is_fork: bool) -> Sides:
    first, second = repository.commit(base, "base"), repository.commit(target, "target")
    if is_fork:
        output = repository.git.run("merge-base", first, second)
        if output.exit_code:
            raise GitFailed(f"{base} and {target} have no commit in common; compare them with two dots.")
        first = output.stdout.decode().strip()
    return Sides(between(first, second), f"{_short(base)} and {_short(target)}")


def _short(revision: str) -> str:
    return revision[:10] if len(revision) in _EMPTY_TREE else revision
