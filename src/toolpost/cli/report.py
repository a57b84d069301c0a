"""`toolpost report`: what the tools were used for, component by component."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from toolpost.cli import options, show
from toolpost.cli.exits import Exit
from toolpost.cli.trouble import Trouble

if TYPE_CHECKING:
    from toolpost.record.report import Report

EXAMPLES = options.examples(
    "toolpost report",
    "toolpost report --component Button --json",
    "toolpost report --plot",
    "toolpost report --plot --out report.svg",
    "toolpost report --from .",
)


@click.command("report", epilog=EXAMPLES)
@click.option("--component", multiple=True, metavar="NAME", help="Only this component; repeatable.")
@click.option(
    "--from",
    "folder",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="The folder that holds superconnect/, instead of this workspace's own in the state folder.",
)
@click.option("--plot", is_flag=True, help="Draw it: bars on a terminal, a picture with --out.")
@click.option("--out", type=click.Path(path_type=Path), metavar="FILE", help="Where to draw: .svg or .png.")
@options.with_json
def command(
    *, component: tuple[str, ...], folder: Path | None, plot: bool, out: Path | None, as_json: bool
) -> int:
    """Print what every tool call added up to.

    Calls, bytes, cache hits and failures of each component, how many asked the index before they read,
    and how long each tool took. The lines come from tool-metrics.jsonl, which every call writes to.
    """
    from toolpost.cli import chart

    if out is not None and not plot:
        raise click.UsageError("--out says where --plot draws: give both.")
    made = _report(folder or _own_folder(), component)
    if out is not None:
        chart.to_file(made, out)
        show.note(f"drawn to {out}")
    elif plot:
        chart.on_terminal(made)
    elif as_json:
        show.as_json(made)
    else:
        _tables(made)
    return Exit.OK


def _own_folder() -> Path:
    from toolpost.cli import ground, settings

    settled = settings.settled()
    workspace = ground.workspace(settled)
    try:
        folder = ground.metrics_folder(settled, workspace)
    finally:
        workspace.close()
    if folder is not None:
        return folder
    if settled.config.workspace.metrics == "off":
        raise Trouble("No metrics are kept.", "toolpost config set workspace.metrics state")
    raise Trouble("A workspace without a root has no metrics.", "toolpost config set workspace.roots FOLDER")


def _report(folder: Path, wanted: tuple[str, ...]) -> "Report":
    from toolpost.record import metrics, report

    found = dict(metrics.components(folder))
    unknown = [name for name in wanted if name not in found]
    if unknown:
        known = ", ".join(name for name in found if name) or "none"
        raise Trouble(
            f"Component {unknown[0]!r} has no metrics.", f"Those that have some: {known}.", Exit.NOT_FOUND
        )
    if not found:
        raise Trouble(
            f"There are no metrics in {folder}.",
            "Make a call first, such as: toolpost call fs.list --component demo",
            Exit.NOT_FOUND,
        )
    kept = {name: metrics.lines(file) for name, file in found.items() if not wanted or name in wanted}
    try:
        return report.report(kept)
    except OSError as error:
        raise Trouble(f"{error.filename} cannot be read: {error.strerror}.", "Remove it.") from None


def _tables(made: "Report") -> None:
    show.table(
        ("component", "queries", "reads", "bytes", "lists", "others", "cached", "failed", "index first"),
        [
            (
                one.component or "(none)",
                str(one.query_index_calls),
                str(one.read_file_calls),
                str(one.read_file_bytes),
                str(one.list_files_calls),
                str(one.other_calls),
                str(one.cache_hits),
                str(one.failed_calls),
                "yes" if one.is_index_first else "no",
            )
            for one in made.components
        ],
    )
    show.out("")
    show.table(
        ("tool", "calls", "failed", "p50 ms", "p95 ms"),
        [
            (one.tool, str(one.calls), str(one.failed_calls), f"{one.p50_ms:g}", f"{one.p95_ms:g}")
            for one in made.tools
        ],
    )
    show.out("")
    total = made.aggregate
    show.out(
        f"{total.total_query_calls} index queries, {total.total_file_reads} file reads, "
        f"{total.avg_reads_per_component:g} reads a component, {total.index_first_ratio:g} % index first"
    )
