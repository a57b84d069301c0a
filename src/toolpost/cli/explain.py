"""`toolpost explain`: what an error means and what to do about it."""

from typing import TYPE_CHECKING, Any

import click

from toolpost.cli import exits, options, show
from toolpost.cli.exits import Exit
from toolpost.cli.trouble import Trouble

if TYPE_CHECKING:
    from toolpost.errors import ToolError


EXAMPLES = options.examples(
    "toolpost explain NEEDS_APPROVAL",
    "toolpost explain --json",
)


def _codes(_context: click.Context, _parameter: click.Parameter, begun: str) -> list[str]:
    return [code for code in _known() if code.startswith(_spelled(begun))]


@click.command("explain", epilog=EXAMPLES)
@click.argument("code", required=False, shell_complete=_codes)
@options.with_json
def command(code: str | None, *, as_json: bool) -> int:
    """Say what an error CODE means and what to do.

    Without CODE, list them all.
    """
    known = _known()
    if code is None:
        _all(list(known.values()), as_json=as_json)
        return Exit.OK
    error = known.get(_spelled(code))
    if error is None:
        raise _unknown(code, list(known))
    if as_json:
        show.as_json(facts(error))
    else:
        _one(error)
    return Exit.OK


def _known() -> "dict[str, type[ToolError]]":
    from toolpost.errors import Several, every_error

    known = {error.code: error for error in reversed(list(every_error())) if error is not Several}
    return dict(reversed(known.items()))


def _spelled(code: str) -> str:
    return code.strip().upper().replace("-", "_").replace(" ", "_")


def _unknown(code: str, known: list[str]) -> Trouble:
    from toolpost import suggest

    near = suggest.nearest(code, known, most=1)
    step = f"toolpost explain {near[0]}" if near else "toolpost explain lists them all."
    return Trouble(f"There is no error {code!r}.", step, Exit.NOT_FOUND)


def facts(error: "type[ToolError]") -> dict[str, Any]:
    from toolpost.errors import ToolError
    from toolpost.problem import HTTP_STATUS

    parents = [kind.code for kind in error.__mro__[1:] if issubclass(kind, ToolError)]
    return {
        "code": error.code,
        "title": error.title,
        "meaning": " ".join((error.__doc__ or "").split()),
        "fix": error.fix,
        "retryable": error.retryable,
        "http_status": HTTP_STATUS[error.slug],
        "exit_code": int(exits.of_error(error.code, error.slug)),
        "type": error.slug,
        "parents": list(dict.fromkeys(parents)),
    }


def _all(errors: "list[type[ToolError]]", *, as_json: bool) -> None:
    told = [facts(error) for error in errors]
    if as_json:
        show.as_json(told)
        return
    rows = [(one["code"], str(one["http_status"]), str(one["exit_code"]), one["meaning"]) for one in told]
    show.table(("code", "http", "exit", "meaning"), rows)


def _one(error: "type[ToolError]") -> None:
    told = facts(error)
    show.out(f"{told['code']}: {told['title']}\n\n{told['meaning']}\n")
    again = "yes" if told["retryable"] else "no"
    rows = [
        ("what to do", told["fix"]),
        ("send it again", again),
        ("http status", str(told["http_status"])),
        ("exit code", str(told["exit_code"])),
        ("a kind of", ", ".join(told["parents"]) or "nothing else"),
    ]
    show.table(("", ""), rows)
