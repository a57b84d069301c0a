"""A report as a picture: bars on a terminal, or a file drawn by matplotlib, which the extra `plot` brings."""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from toolpost.cli import show
from toolpost.cli.trouble import Trouble

if TYPE_CHECKING:
    from toolpost.record.report import Report

WIDTH = 40
KINDS = (".svg", ".png")
Series = list[tuple[str, float]]


def series(report: "Report") -> dict[str, Series]:
    """What is drawn: a title, and a value for each name; a title without values is left out."""
    drawn: dict[str, Series] = {
        "file reads": [(_name(one.component), one.read_file_calls) for one in report.components],
        "bytes read": [(_name(one.component), one.read_file_bytes) for one in report.components],
        "index queries": [(_name(one.component), one.query_index_calls) for one in report.components],
        "p95 ms": [(one.tool, one.p95_ms) for one in report.tools],
    }
    return {title: values for title, values in drawn.items() if values}


def _name(component: str) -> str:
    return component or "(none)"


def on_terminal(report: "Report") -> None:
    for title, values in series(report).items():
        show.out(f"\n{title}")
        show.table(("", "", ""), [(name, _bar(value, values), f"{value:g}") for name, value in values])


def _bar(value: float, values: Series) -> str:
    most = max(other for _, other in values)
    return "█" * (round(WIDTH * value / most) if most else 0)


def to_file(report: "Report", path: Path) -> None:
    if path.suffix.lower() not in KINDS:
        raise Trouble(f"{path} is neither .svg nor .png.", "Name a file that ends in one of the two.")
    if find_spec("matplotlib") is None:
        raise Trouble("Drawing a file needs matplotlib.", "pip install 'toolpost[plot]'")
    from matplotlib.figure import Figure

    drawn = series(report)
    figure = Figure(figsize=(9, 2.4 * len(drawn)), layout="constrained")
    for axes, (title, values) in zip(figure.subplots(len(drawn), 1), drawn.items(), strict=True):
        axes.barh([name for name, _ in values], [value for _, value in values])
        axes.set_title(title, loc="left")
        axes.invert_yaxis()
    try:
        figure.savefig(path)
    except OSError as error:
        raise Trouble(f"{path} cannot be written: {error.strerror}.", "Choose another file.") from None
