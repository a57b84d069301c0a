"""What every benchmark tells in the end: its figures, their goals, and whether all are met."""

import hashlib
import json
import os
import platform
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

import toolpost

HERE = Path(__file__).parent
Figures = dict[str, float | None]


class Goal(NamedTuple):
    figure: str
    most: float | None = None
    least: float | None = None

    def met(self, figures: Figures) -> bool:
        """A figure that is missing meets nothing."""
        value = figures.get(self.figure)
        if value is None:
            return False
        return (self.most is None or value <= self.most) and (self.least is None or value >= self.least)


def source() -> str:
    """A mark of the code that is measured: rounds of two versions are no figure of either."""
    files = sorted(Path(toolpost.__file__).parent.rglob("*.py"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


def tell(name: str, measure: Callable[[], Figures], goals: Sequence[Goal], **facts: Any) -> dict[str, Any]:
    """Measure, and say how it came out."""
    load, before = round(os.getloadavg()[0], 2), source()
    figures = measure()
    is_steady = source() == before
    return {
        "bench": name,
        "date": datetime.now(UTC).date().isoformat(),
        "machine": {"cores": os.cpu_count(), "python": platform.python_version(), "load_before": load},
        "source": before,
        "source_steady": is_steady,
        **facts,
        "figures": figures,
        "goals": {
            goal.figure: {"most": goal.most, "least": goal.least, "met": goal.met(figures)} for goal in goals
        },
        "ok": is_steady and all(goal.met(figures) for goal in goals),
    }


def end(told: dict[str, Any], *, is_whole: bool) -> None:
    """Only a whole run of one version is kept: any other would stand in for it."""
    if is_whole and told["source_steady"]:
        kept = HERE / f"runs/{told['date']}-{told['bench']}.json"
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(json.dumps(told, indent=2) + "\n")
    if sys.stdout.isatty():
        _show(told)
    print(json.dumps(told))


def _show(told: dict[str, Any]) -> None:
    figures = Table("figure", "value", title=f"scripts/bench {told['bench']}")
    for name, value in told["figures"].items():
        figures.add_row(name, "-" if value is None else f"{value:,.3f}")
    goals = Table("goal", "figure", "wanted", "met")
    for name, goal in told["goals"].items():
        wanted = f"<= {goal['most']}" if goal["least"] is None else f">= {goal['least']}"
        goals.add_row(name, str(told["figures"].get(name)), wanted, "yes" if goal["met"] else "NO")
    for shown in (figures, goals):
        Console().print(shown)
