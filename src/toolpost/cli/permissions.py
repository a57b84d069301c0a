"""`toolpost permissions`: what may be done here, why, what was granted, and what waits for an answer."""

from pathlib import Path
from typing import Any

import click

from toolpost.cli import options
from toolpost.cli.options import Shared

EXAMPLES = options.examples(
    "toolpost permissions list",
    "toolpost permissions explain 'git push --force'",
    "toolpost permissions explain --tool fs.read path=.env",
    "toolpost permissions revoke 'exec(npm run *)'",
    "toolpost permissions test .toolpost/policy.toml",
    "toolpost permissions import ~/.claude/settings.json --write",
)
PROGRAMS = ("claude", "codex", "gemini", "opencode", "zed")
ALIASES = {"claude-code": "claude", "gemini-cli": "gemini"}
ANSWERS = ("once", "session", "project", "always", "deny", "never")


@click.group("permissions", epilog=EXAMPLES)
def group() -> None:
    """Show, explain, test and change what calls may do.

    A call is taken apart into what it reads, writes, deletes, runs and dials; each part meets the rules, and the
    strictest verdict holds: hard, deny, guard, ask, allow, then the mode of the profile.
    """


@group.command("list")
@click.option("--all", "everything", is_flag=True, help="The rules of the profile too, one by one.")
@options.with_json
def list_rules(*, everything: bool, as_json: bool) -> int:
    """Print the rules in force with their file and line, the profile, the grants, and what is wrong with them."""
    from toolpost.cli import permissions_list

    return permissions_list.run(everything=everything, as_json=as_json)


@group.command("explain")
@click.argument("words", nargs=-1, metavar="CALL")
@click.option("--tool", metavar="NAME", help="CALL is for this tool: key=value pairs, or one JSON object.")
@click.option("--profile", metavar="NAME", help="As under this profile.")
@options.with_json
@options.with_tools
@click.pass_obj
def explain(shared: Shared, /, **given: Any) -> int:
    """Say what would be decided about CALL, a shell line in quotes, part by part. Nothing is run.

    Each part comes with its verdict, the rule and the layer that decided, and what would change that.

    Exits 0 when CALL would be allowed, 1 when somebody would be asked, 3 when it would be denied.
    """
    from toolpost.cli import permissions_explain

    return permissions_explain.run(shared, permissions_explain.Asked(**given))


@group.command("revoke")
@click.argument("named", required=False, metavar="[ID | RULE | TOOL]")
@click.option("--all", "everything", is_flag=True, help="Every grant that `list` shows.")
@options.with_json
def revoke(named: str | None, *, everything: bool, as_json: bool) -> int:
    """Take back what was granted, or refused, for good: at once, in every running process."""
    from toolpost.cli import permissions_list

    if bool(named) == everything:
        raise click.UsageError("Name a grant by its ID, RULE or TOOL, or give --all.")
    return permissions_list.revoke(named or "", as_json=as_json)


@group.command("test")
@click.argument("file", required=False, type=click.Path(path_type=Path), metavar="[FILE]")
@options.with_json
def test(file: Path | None, *, as_json: bool) -> int:
    """Run the [[test]] cases of the policies in force, or those of FILE by its own rules. Exits 1 when one fails."""
    from toolpost.cli import permissions_trial

    return permissions_trial.run(file, as_json=as_json)


@group.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--as", "program", type=click.Choice((*PROGRAMS, *ALIASES)), help="Whose file it is; else its name tells."
)
@click.option("--write", is_flag=True, help="Add the rules to your own policy, and show the difference.")
def import_rules(file: Path, *, program: str | None, write: bool) -> int:
    """Print the rules of another program's FILE as a policy.

    Nothing gets wider on the way: what cannot be said exactly is left out or narrower, and told with its reason.
    """
    from toolpost.cli import permissions_import

    return permissions_import.run(file, ALIASES.get(program or "", program), write=write)


@group.command("pending")
@options.with_json
def pending(*, as_json: bool) -> int:
    """Print the calls that wait for an answer."""
    from toolpost.cli import permissions_queue

    return permissions_queue.pending(as_json=as_json)


@group.command("answer")
@click.argument("named", metavar="ID")
@click.argument("answer", type=click.Choice(ANSWERS))
def answer(named: str, answer: str) -> int:
    """Answer a call that waits: allow it once, for its session, in this project or always; deny it, or never ask."""
    from toolpost.cli import permissions_queue

    return permissions_queue.answer(named, answer)
