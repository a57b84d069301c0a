"""`toolpost search`: the lines of files that match, with ripgrep's options and ripgrep's output."""

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from toolpost.cli import options, show
from toolpost.cli.exits import Exit
from toolpost.cli.trouble import Trouble

if TYPE_CHECKING:
    from toolpost.cli.searching.asked import Form, Show, Wanted, Where

EXAMPLES = options.examples(
    "toolpost search 'class \\w+Error'",
    "toolpost search -F 'Button(' src -t ts -t js",
    "toolpost search -i todo -C2 -g '!vendor/'",
    "toolpost search -l '^export default'",
    "toolpost search -U 'import \\{[^}]*useState' -t ts",
    "toolpost search --json main | jq .data.line_number",
)
EXITS = "\b\nExit codes:\n  0    something matched\n  1    nothing matched\n  2    wrong usage, or something could not be searched"
Command = TypeVar("Command", bound=Callable[..., Any])
_Lines = click.IntRange(0)


def _grouped(*decorators: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """Options in the order they are shown."""

    def decorate(command: Command) -> Command:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate


_what = _grouped(
    click.option(
        "-e", "--regexp", "patterns", multiple=True, metavar="PATTERN", help="Look for this; repeatable."
    ),
    click.option(
        "-F",
        "--fixed-strings",
        "fixed",
        is_flag=True,
        help="Take PATTERN as it is, not as a regular expression.",
    ),
    click.option(
        "-s",
        "--case-sensitive",
        "case",
        flag_value="sensitive",
        default="sensitive",
        help="Tell A from a; the default.",
    ),
    click.option("-i", "--ignore-case", "case", flag_value="ignore", help="Take A and a for the same."),
    click.option(
        "-S",
        "--smart-case",
        "case",
        flag_value="smart",
        help="The same, unless PATTERN has a capital letter.",
    ),
    click.option("-w", "--word-regexp", "edges", flag_value="word", default="", help="Only whole words."),
    click.option("-x", "--line-regexp", "edges", flag_value="line", help="Only whole lines."),
    click.option("-v", "--invert-match", "invert", is_flag=True, help="The lines that do not match."),
    click.option("-U", "--multiline", "multiline", is_flag=True, help="Let a match go over several lines."),
    click.option(
        "-m", "--max-count", type=_Lines, metavar="N", help="At most N matching lines of each file."
    ),
    click.option("--limit", type=click.IntRange(1), metavar="N", help="At most N matching lines in all."),
)
_where = _grouped(
    click.option(
        "-g",
        "--glob",
        "globs",
        multiple=True,
        metavar="GLOB",
        help="Only files like this, such as '*.py' or 'src/**'; with ! before it, not these. Repeatable, the last one that matches decides.",
    ),
    click.option(
        "-t", "--type", "types", multiple=True, metavar="TYPE", help="Only files of this type; repeatable."
    ),
    click.option(
        "-T",
        "--type-not",
        "types_not",
        multiple=True,
        metavar="TYPE",
        help="No files of this type; repeatable.",
    ),
    click.option("--type-list", is_flag=True, help="List all types and end."),
    click.option(
        "-.", "--hidden", "hidden", is_flag=True, help="Also files and folders whose names begin with a dot."
    ),
    click.option("--no-ignore", "ignored", is_flag=True, help="Also what .gitignore and its kin leave out."),
    click.option("-u", "--unrestricted", "loose", count=True, help="-u is --no-ignore, -uu also --hidden."),
    click.option(
        "--files",
        "listing",
        is_flag=True,
        help="List the files that would be searched; every argument is a path.",
    ),
    click.option(
        "--sort",
        type=click.Choice(("path",)),
        default="path",
        expose_value=False,
        help="Files come in the order of their paths, always.",
    ),
)
_how = _grouped(
    click.option(
        "-A", "--after-context", "after", type=_Lines, metavar="N", help="Show N lines after each match."
    ),
    click.option(
        "-B", "--before-context", "before", type=_Lines, metavar="N", help="Show N lines before each match."
    ),
    click.option("-C", "--context", "context", type=_Lines, default=0, metavar="N", help="Both."),
    click.option(
        "-c",
        "--count",
        "count",
        is_flag=True,
        help="Only how many lines match in each file; with -o or -U, matches.",
    ),
    click.option(
        "--count-matches", "count_matches", is_flag=True, help="Only how many matches each file has."
    ),
    click.option(
        "-l", "--files-with-matches", "names", is_flag=True, help="Only the names of files that match."
    ),
    click.option(
        "--files-without-match", "without", is_flag=True, help="Only the names of files that do not."
    ),
    click.option("-o", "--only-matching", "only", is_flag=True, help="Only the matching parts of lines."),
    click.option(
        "-n/-N",
        "--line-number/--no-line-number",
        "numbers",
        default=True,
        help="Line numbers; the default, in a pipe too.",
    ),
    click.option(
        "-H/-I",
        "--with-filename/--no-filename",
        "filenames",
        default=None,
        help="The path with each line; the default unless one file is searched.",
    ),
    click.option(
        "--column/--no-column", "column", default=None, help="The column of the first match, in bytes."
    ),
    click.option(
        "--vimgrep", is_flag=True, help="Every match on a line of its own, with path, line and column."
    ),
    click.option(
        "--heading/--no-heading", "heading", default=None, help="Paths above their lines, as on a terminal."
    ),
    click.option(
        "--color", type=click.Choice(("auto", "always", "never")), default="auto", help="auto: on a terminal."
    ),
    click.option(
        "--json",
        "as_json",
        is_flag=True,
        help="JSON lines in ripgrep's shape: begin, match, context, end, summary.",
    ),
    click.option("--stats", is_flag=True, help="At the end, how much was found and searched."),
    click.option(
        "-q",
        "--quiet",
        "quiet",
        is_flag=True,
        help="Print nothing; the exit code says whether there is a match.",
    ),
)


@click.command("search", epilog=f"{EXAMPLES}\n\n{EXITS}")
@click.argument("args", nargs=-1, metavar="PATTERN [PATH]...")
@_what
@_where
@_how
def command(args: tuple[str, ...], **given: Any) -> int:
    """Search files for a regular expression, as ripgrep does.

    Without a PATH the folder you are in is searched. Hidden, ignored, binary and secret files are passed over; a
    file that is named is searched in any case, unless it holds secrets; - is stdin. A glob chooses among the others, and does
    not bring back what is ignored: -u does. The index answers where there is one (toolpost index build), and knows
    of every change; else the files are read. Either way the output is the same.

    Expressions are RE2's: no backreferences, no lookaround, and no pattern takes long. Unlike the other commands
    this one prints text in a pipe, too: `path:line:text`.
    """
    from toolpost.cli.searching import search, types

    if given["type_list"]:
        show.out("\n".join(types.listing()))
        return Exit.OK
    is_listing, patterns = given["listing"], given["patterns"]
    if not is_listing and not patterns:
        if not args:
            raise Trouble("There is nothing to look for.", "toolpost search PATTERN [PATH]...")
        patterns, args = args[:1], args[1:]
    where, form = _where_of(args, given), _form(given)
    if is_listing:
        return search.listed(where, form)
    wanted = _wanted(patterns, given)
    return search.search(_finder(wanted), wanted, where, form)


def _finder(wanted: "Wanted") -> Any:
    from toolpost.cli.searching.matches import finder

    return finder(wanted)


def _wanted(patterns: tuple[str, ...], given: dict[str, Any]) -> "Wanted":
    from toolpost.cli.searching.asked import Wanted

    names = ("fixed", "case", "edges", "multiline", "invert", "max_count", "limit")
    return Wanted(patterns=patterns, **{name: given[name] for name in names})


def _where_of(paths: tuple[str, ...], given: dict[str, Any]) -> "Where":
    from toolpost.cli.searching.asked import Where

    if given["loose"] > 2:
        raise Trouble("-uuu would search binary files; they are passed over.", "toolpost search -uu …")
    return Where(
        paths=paths,
        globs=given["globs"],
        types=given["types"],
        types_not=given["types_not"],
        hidden=given["hidden"] or given["loose"] > 1,
        ignored=given["ignored"] or given["loose"] > 0,
    )


def _form(given: dict[str, Any]) -> "Form":
    from toolpost.cli.searching.asked import Form

    before, after = given["before"], given["after"]
    return Form(
        show=_show(given),
        only=given["only"],
        before=given["context"] if before is None else before,
        after=given["context"] if after is None else after,
        numbers=given["numbers"],
        column=given["vimgrep"] if given["column"] is None else given["column"],
        filenames=True if given["vimgrep"] and given["filenames"] is None else given["filenames"],
        heading=(sys.stdout.isatty() if given["heading"] is None else given["heading"])
        and not given["vimgrep"],
        color=_is_colored(given["color"]),
        stats=given["stats"],
    )


def _show(given: dict[str, Any]) -> "Show":
    """Of several, what tells less wins, as in ripgrep."""
    from toolpost.cli.searching.asked import Show

    ordered = {
        Show.NOTHING: given["quiet"],
        Show.JSON: given["as_json"],
        Show.COUNT_MATCHES: given["count_matches"] or (given["count"] and given["only"]),
        Show.COUNT: given["count"],
        Show.NAME: given["names"],
        Show.WITHOUT: given["without"],
        Show.MATCHES: given["only"] or given["vimgrep"],
    }
    return next((show for show, is_wanted in ordered.items() if is_wanted), Show.LINES)


def _is_colored(told: str) -> bool:
    if told == "auto":
        return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and show.color() != "never"
    return told == "always"
