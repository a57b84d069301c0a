"""`toolpost config`: what is set, where it came from, and how to change it."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_origin

import click

from toolpost.cli import options, show
from toolpost.cli.exits import Exit
from toolpost.cli.trouble import Trouble

if TYPE_CHECKING:
    from toolpost.config.load import Setting


EXAMPLES = options.examples(
    "toolpost config show",
    "toolpost config set profile read-only",
    "toolpost config set limits.run.calls 500 --project",
    "toolpost config where profile",
)


@click.group("config", epilog=EXAMPLES)
def group() -> None:
    """Show and change settings.

    Later ones win: defaults, the user's file, the project's .toolpost/config.toml (which may only
    tighten), TOOLPOST_* variables, options.
    """


@group.command("show")
@click.argument("key", required=False, shell_complete=options.config_keys)
@options.with_json
def show_settings(key: str | None, *, as_json: bool) -> int:
    """Print every setting, or the one of KEY, and where it came from. Secrets are hidden."""
    rows = [_row(setting) for setting in _chosen(key)]
    if as_json:
        show.as_json({row["key"]: {"value": row["value"], "from": row["from"]} for row in rows})
        return Exit.OK
    show.table(("key", "value", "from"), [(row["key"], _written(row["value"]), row["from"]) for row in rows])
    return Exit.OK


@group.command("where")
@click.argument("key", required=False, shell_complete=options.config_keys)
@options.with_json
def where(key: str | None, *, as_json: bool) -> int:
    """Print the files that are read, or where the value of KEY came from."""
    if key:
        told = [{"key": row["key"], "from": row["from"]} for row in map(_row, _chosen(key))]
    else:
        told = [{"file": name, "path": path, "state": state} for name, path, state in _files()]
    if as_json:
        show.as_json(told)
    else:
        show.table(tuple(told[0]), [tuple(one.values()) for one in told])
    return Exit.OK


@group.command("set")
@click.argument("key", shell_complete=options.config_keys)
@click.argument("value", nargs=-1, required=True)
@click.option("--project", "to_project", is_flag=True, help="In the project's file.")
@click.option("--user", "to_user", is_flag=True, help="In your own file; the default.")
@options.with_json
def set_value(key: str, value: tuple[str, ...], *, to_project: bool, to_user: bool, as_json: bool) -> int:
    """Set KEY to VALUE; comments and order stay. A list, such as `tools`, takes several."""
    from toolpost.config import change
    from toolpost.config.model import key_named

    path = _target(to_project=to_project, to_user=to_user)
    known = key_named(key)
    if len(value) > 1 and known is not None and known.kind != tuple[str, ...]:
        raise click.UsageError(f"{key} takes one value.")
    understood = _row_value(key, change.put(path, key, value))
    if as_json:
        show.as_json({"key": key, "value": understood, "file": str(path)})
    else:
        show.out(show.one_line(f"{key} = {_written(understood)}  ({path})"))
    for text in _notes():
        show.note(text)
    return Exit.OK


@group.command("unset")
@click.argument("key", shell_complete=options.config_keys)
@click.option("--project", "to_project", is_flag=True, help="In the project's file.")
@click.option("--user", "to_user", is_flag=True, help="In your own file; the default.")
@options.with_json
def unset(key: str, *, to_project: bool, to_user: bool, as_json: bool) -> int:
    """Take KEY out of a settings file; what stands behind it holds again."""
    from toolpost.config import change

    path = _target(to_project=to_project, to_user=to_user)
    if not change.drop(path, key):
        raise Trouble(f"{key} is not set in {path}.", f"toolpost config where {key}", Exit.NOT_FOUND)
    if as_json:
        show.as_json({"key": key, "value": None, "file": str(path)})
    else:
        show.out(show.one_line(f"{key} is no longer set in {path}"))
    return Exit.OK


def _target(*, to_project: bool, to_user: bool) -> Path:
    from toolpost.cli.settings import here, own_folder
    from toolpost.config.places import FILE, PROJECT, project_folder

    if to_project and to_user:
        raise click.UsageError("--project or --user, not both.")
    if to_user or not to_project:
        return own_folder() / FILE
    return (project_folder(here()) or here() / PROJECT) / FILE


def _notes() -> tuple[str, ...]:
    from toolpost.cli.settings import settled

    return settled().notes


def _chosen(key: str | None) -> "list[Setting]":
    from toolpost.cli.settings import settled
    from toolpost.config.load import unknown_key
    from toolpost.config.model import key_named

    found = settled()
    for text in found.notes:
        show.note(text)
    if key is None:
        return list(found.values.values())
    if key in found.values:
        return [found.values[key]]
    if key_named(key) is None:
        raise unknown_key(key)
    raise Trouble(f"{key} is not set.", f"toolpost config set {key} VALUE", Exit.NOT_FOUND)


def _row(setting: "Setting") -> dict[str, Any]:
    return {
        "key": setting.key,
        "value": _row_value(setting.key, setting.value),
        "from": str(setting.origin),
    }


def _row_value(key: str, value: Any) -> Any:
    from toolpost import redact
    from toolpost.config.model import key_named

    known = key_named(key)
    is_choice = known is not None and get_origin(known.kind) is Literal
    return value if is_choice else redact.value(value, key)


def _written(value: Any) -> str:
    from toolpost.config import toml_text

    return toml_text.written(value)


def _files() -> list[tuple[str, str, str]]:
    from toolpost.cli.settings import settled

    found = settled().files
    return [(name, str(path) if path else ".toolpost/config.toml", _state(path)) for name, path in found]


def _state(path: Path | None) -> str:
    return "read" if path and path.is_file() else "not there"
