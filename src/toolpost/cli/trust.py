"""`toolpost trust` and `untrust`: which of a project's own files may run."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from toolpost.cli import options, show
from toolpost.cli.exits import Exit
from toolpost.cli.trouble import Trouble

if TYPE_CHECKING:
    from toolpost.route.trust import Store


EXAMPLES = options.examples(
    "toolpost trust .toolpost/tools/deploy.py",
    "toolpost trust --list",
)


@click.command("trust", epilog=EXAMPLES)
@click.argument("files", nargs=-1, metavar="FILE...")
@click.option(
    "--list", "listing", is_flag=True, help="List what is trusted, and whether it still is the same."
)
@options.with_json
def command(files: tuple[str, ...], *, listing: bool, as_json: bool) -> int:
    """Let a project's own tool FILE run, as it is now. Read it first.

    A file in .toolpost/tools/ runs only once it is trusted, and only with the very bytes it had then:
    changed, it has to be trusted again.
    """
    if listing or not files:
        _list(as_json=as_json)
        return Exit.OK
    store, told = _store(), []
    for name in files:
        path, data = _read(name)
        store = store.adding(path, data)
        told.append({"path": str(path), "state": "trusted", "bytes": len(data)})
    _save(store)
    if as_json:
        show.as_json(told)
        return Exit.OK
    for one in told:
        show.out(show.one_line(f"trusted {one['path']} as it is now ({one['bytes']} bytes)"))
    return Exit.OK


@click.command("untrust")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@options.with_json
def untrust(files: tuple[str, ...], *, as_json: bool) -> int:
    """Take back the trust in a FILE; it need not exist any more."""
    store, told = _store(), []
    for name in files:
        path = Path(name).expanduser().resolve()
        if not store.knows(path):
            raise Trouble(f"{path} is not trusted.", "toolpost trust --list", Exit.NOT_FOUND)
        store = store.removing(path)
        told.append({"path": str(path), "state": "untrusted"})
    _save(store)
    if as_json:
        show.as_json(told)
        return Exit.OK
    for one in told:
        show.out(show.one_line(f"no longer trusted: {one['path']}"))
    return Exit.OK


def _save(store: "Store") -> None:
    """All of it or nothing."""
    from toolpost.cli import workbench
    from toolpost.route import trust

    try:
        trust.write(workbench.trust_file(), store)
    except OSError as error:
        raise Trouble(f"The trust store cannot be written: {error.strerror}.", "Check its folder.") from None


def _store() -> "Store":
    from toolpost.cli import workbench
    from toolpost.route import trust

    try:
        return trust.read(workbench.trust_file())
    except trust.TrustError as error:
        raise Trouble(error.message, error.fix) from None


def _read(name: str) -> tuple[Path, bytes]:
    path = Path(name).expanduser().resolve()
    if not path.is_file():
        raise Trouble(f"There is no file {name}.", "Check the path.", Exit.NOT_FOUND)
    try:
        return path, path.read_bytes()
    except OSError as error:
        raise Trouble(f"{name} cannot be read: {error.strerror}.", "Check who may read it.") from None


def _list(*, as_json: bool) -> None:
    told = [
        {"path": one.path, "sha256": one.sha256, "state": _state(Path(one.path))} for one in _store().files
    ]
    if as_json:
        show.as_json(told)
    elif told:
        show.table(("state", "path", "sha256"), [(one["state"], one["path"], one["sha256"]) for one in told])
    else:
        show.note("No file is trusted yet.")
        show.step("Read it, then: toolpost trust FILE")


def _state(path: Path) -> str:
    if not path.is_file():
        return "gone"
    return "same" if _store().trusts(path, path.read_bytes()) else "changed"
