"""`toolpost index`: what is known of the code of a workspace, built, asked and kept fresh."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from toolpost.cli import options, show
from toolpost.cli.exits import Exit
from toolpost.index.limits import MAP_TOKENS, QUERY_DEFAULT

if TYPE_CHECKING:
    from toolpost.index.build.build import Built
    from toolpost.index.indexes import Indexes
    from toolpost.workspace.root import Root

EXAMPLES = options.examples(
    "toolpost index build",
    "toolpost index status",
    "toolpost index query exports Button",
    "toolpost index export --out index.json",
    "toolpost index repo-map --tokens 2000",
    "toolpost index watch",
    "toolpost index gc --older-than 30",
)
TYPES = (
    *("exports", "tag", "pathPrefix", "listAll"),
    *("symbols", "references", "importers", "imports", "similar"),
)

QUERY_HELP = """Ask the index; it is built first where there is none.

TYPE is one of these; all but listAll need a VALUE.

\b
  exports NAME       files that export a name, or names made of it
  tag TAG            files with a tag, such as react-component or test
  pathPrefix PREFIX  files whose path begins so
  listAll            all files
  symbols NAME       where a name is defined; A.f is an f within an A
  references NAME    lines that speak of a name, and what they are part of
  importers PATH     files that import a file
  imports PATH       files that a file imports
  similar NAME       exported names like one

Exits 4 when nothing is found."""


@click.group("index", epilog=EXAMPLES)
def group() -> None:
    """Build, ask and keep the index of a workspace's code.

    It lies in your cache folder, never in the tree, and is updated only where files changed.
    """


@group.command(
    "build",
    epilog=options.examples("toolpost index build", "toolpost index build --full --workers 4 --json"),
)
@click.option("--full", is_flag=True, help="Read every file again, not only those that changed.")
@click.option(
    "--workers", type=click.IntRange(1), help="Processes that read; as many as pay off unless told."
)
@click.option(
    "--no-symbols", is_flag=True, help="Leave out where names are defined: it takes most of the time."
)
@options.with_json
def build(*, full: bool, workers: int | None, no_symbols: bool, as_json: bool) -> int:
    """Build the index of every root of the workspace, or bring it up to date.

    Files whose stamps did not change are taken over from the last build. Searches and queries work from the
    moment the first part is written; a build that is stopped changes nothing.
    """
    from toolpost.cli import indexing

    told = []
    with indexing.grounds() as (workspace, indexes):
        for root in workspace.roots.values():
            made = indexing.built(indexes, root, workers=workers, is_full=full, symbols=not no_symbols)
            told.append(_built(root, made))
            if not as_json:
                show.out(_sentence(told[-1]))
    if as_json:
        show.as_json(told)
    return Exit.OK


def _built(root: "Root", made: "Built") -> dict[str, Any]:
    return {
        "root": root.where,
        "files": made.statistics.total_files,
        "exports": made.statistics.total_exports,
        "taken": made.taken,
        "seconds": round(made.seconds, 3),
        "searches_s": round(made.trigrams_s, 3),
        "generation": made.generation.number,
        "repo_hash": made.repo_hash,
    }


def _sentence(one: dict[str, Any]) -> str:
    return show.one_line(
        f"{one['root']}: {one['files']:,} files, {one['exports']:,} exports in "
        f"{one['seconds'] + one['searches_s']:.1f} s ({one['taken']:,} files were known), "
        f"repo_hash {one['repo_hash']}"
    )


@group.command(
    "status", epilog=options.examples("toolpost index status", "toolpost index status --all --json")
)
@click.option(
    "--all", "every", is_flag=True, help="Every index that is kept, not only those of this workspace."
)
@options.with_json
def status(*, every: bool, as_json: bool) -> int:
    """Show what is indexed, how fresh it is and how much room it takes.

    Nothing is built. Exits 4 while a root of the workspace has no index.
    """
    from toolpost.cli import indexing

    with indexing.grounds() as (workspace, indexes):
        told = _kept(indexes) if every else [_state(indexes, root) for root in workspace.roots.values()]
    if as_json:
        show.as_json(told)
    elif every:
        rows = [(one["where"], f"{one['files']:,}", f"{one['size_bytes']:,}", one["used_at"]) for one in told]
        show.table(("tree", "files", "bytes", "last used"), rows)
        for one in told:
            if "trouble" in one:
                show.note(one["trouble"])
    else:
        for one in told:
            show.table(("", ""), [(name, _said(value)) for name, value in one.items()])
    if every or all(one["built"] for one in told):
        return Exit.OK
    if not as_json:
        show.step("toolpost index build")
    return Exit.NOT_FOUND


def _said(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {count:,}" for name, count in value.items())
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _state(indexes: "Indexes", root: "Root") -> dict[str, Any]:
    from msgspec import to_builtins

    if indexes.known(root) is None:
        return {"root": root.where, "built": False}
    told = to_builtins(indexes.state(root))
    return {"root": told.pop("root"), "built": True, **told}


def _kept(indexes: "Indexes") -> list[dict[str, Any]]:
    from datetime import UTC, datetime

    from toolpost.clock import rfc3339

    return [
        {
            "where": listed.where or listed.name,
            "key": listed.key,
            "files": listed.files,
            "size_bytes": listed.size_bytes,
            "used_at": rfc3339(datetime.fromtimestamp(listed.used_at, UTC)),
            **({"trouble": listed.trouble} if listed.trouble else {}),
        }
        for listed in indexes.shelf.all()
    ]


@group.command(
    "query",
    help=QUERY_HELP,
    epilog=options.examples(
        "toolpost index query exports Button",
        "toolpost index query tag react-component --limit 200",
        "toolpost index query pathPrefix src/components/",
        "toolpost index query symbols Button.render",
        "toolpost index query importers src/button.ts",
    ),
)
@click.argument("kind", type=click.Choice(TYPES), metavar="TYPE")
@click.argument("value", required=False)
@click.option("--limit", type=int, default=QUERY_DEFAULT, show_default=True, help="Most to give.")
@click.option("--cursor", help="next_cursor of the answer before, to go on.")
@options.with_json
def query(kind: str, value: str | None, *, limit: int, cursor: str | None, as_json: bool) -> int:
    from toolpost.cli import index_query

    asked = index_query.Asked(kind=kind, value=value or "", limit=limit, cursor=cursor, as_json=as_json)
    return index_query.run(asked)


@group.command(
    "export",
    epilog=options.examples(
        "toolpost index export --out index.json", "toolpost index export | jq .statistics"
    ),
)
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Where to write; else stdout.")
def export(*, out: Path | None) -> int:
    """Write the whole index as JSON: repo_hash, generated_at, files and statistics of contract 001.

    It is built first where there is none.
    """
    from toolpost.cli import exporting, indexing
    from toolpost.index.ask.export import checked

    with indexing.grounds() as (workspace, indexes):
        root = indexing.one_root(workspace)
        indexing.ready(workspace, indexes)
        snapshot = indexes.ask(root, checked)
        if out is None:
            exporting.to_stdout(snapshot)
        else:
            exporting.to_file(snapshot, out)
            show.note(f"written to {out}")
    return Exit.OK


@group.command("watch", epilog=options.examples("toolpost index watch", "toolpost index watch | jq .changed"))
@options.with_json
def watch(*, as_json: bool) -> int:
    """Keep the indexes fresh until interrupted, and tell what changes, a line for each batch.

    While it runs other commands of this user ask it what changed, instead of looking at every file themselves.
    In a pipe, or with --json, every line is JSON.
    """
    from toolpost.cli import indexing, watching

    with indexing.grounds(is_watching=True) as (workspace, indexes):
        indexing.ready(workspace, indexes)
        watching.until_interrupted(workspace, indexes, as_json=as_json)
    return Exit.OK


@group.command(
    "gc",
    epilog=options.examples(
        "toolpost index gc --older-than 30",
        "toolpost index gc --remove .",
        "toolpost index gc --max-bytes 1000000000",
    ),
)
@click.option(
    "--older-than",
    type=click.FloatRange(0),
    metavar="DAYS",
    help="Also indexes that were not used for so long.",
)
@click.option(
    "--max-bytes", type=click.IntRange(0), help="Then the least lately used, until no more than this is left."
)
@click.option(
    "--remove", "removed", metavar="TREE", help="The index of this tree, as `status --all` names it."
)
@options.with_json
def gc(*, older_than: float | None, max_bytes: int | None, removed: str | None, as_json: bool) -> int:
    """Remove what nobody needs: superseded files, and indexes of trees that are gone.

    What is removed can be built again; who reads it at this moment is not disturbed.
    """
    from toolpost.cli import indexing, settings

    shelf = indexing.shelf(settings.settled())
    with indexing.telling():
        freed = indexing.remove(shelf, removed) if removed else 0
        freed += shelf.gc(older_than, max_bytes, tell=show.note)
    if as_json:
        show.as_json({"freed_bytes": freed})
    else:
        show.out(f"{freed:,} bytes freed")
    return Exit.OK


@group.command(
    "repo-map",
    epilog=options.examples(
        "toolpost index repo-map", "toolpost index repo-map --tokens 4000 --focus src/api --focus Button"
    ),
)
@click.option("--tokens", type=int, default=MAP_TOKENS, show_default=True, help="Its budget.")
@click.option("--focus", multiple=True, metavar="WHAT", help="A path or a name that matters; repeatable.")
@options.with_json
def repo_map(*, tokens: int, focus: tuple[str, ...], as_json: bool) -> int:
    """Print an overview of the code for a prompt: what matters most, within a budget of tokens.

    The index is built first where there is none.
    """
    from toolpost.cli import indexing
    from toolpost.index.ask import repo_map as maps

    with indexing.grounds() as (workspace, indexes):
        root = indexing.one_root(workspace)
        indexing.ready(workspace, indexes)
        made = indexes.ask(root, lambda snapshot: maps.repo_map(snapshot, tokens, focus))
    if as_json:
        show.as_json(made)
    else:
        show.out(show.clean(made.text))
    return Exit.OK
