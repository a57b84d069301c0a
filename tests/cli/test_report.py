"""What `toolpost report` adds up, after real calls and from a folder."""

from pathlib import Path
from typing import Any

import pytest
from tests.cli.desk import Run


@pytest.fixture(autouse=True)
def standard(monkeypatch: pytest.MonkeyPatch, work: Path) -> None:
    monkeypatch.setenv("TOOLPOST_STANDARD_TOOLS", "on")
    (work / "README.md").write_text("# Shop\n")


@pytest.fixture
def called(run: Run) -> None:
    run("call", "fs.read", "path=README.md", "--component", "Button")
    run("call", "fs.read", "path=nope.md", "--component", "Button")
    run("call", "fs.list", "--component", "Card")
    run("call", "code.search", "query=Shop")


def without_times(report: dict[str, Any]) -> dict[str, Any]:
    for tool in report["tools"]:
        assert 0 < tool.pop("p50_ms") <= tool.pop("p95_ms")
    return report


NOTHING = {
    "query_index_calls": 0,
    "read_file_calls": 0,
    "read_file_bytes": 0,
    "list_files_calls": 0,
    "other_calls": 0,
    "cache_hits": 0,
    "failed_calls": 0,
    "is_index_first": False,
}
BUTTON = {**NOTHING, "component": "Button", "read_file_calls": 2, "read_file_bytes": 7, "failed_calls": 1}


@pytest.mark.usefixtures("called")
def test_calls_are_added_up_by_component_and_by_tool(run: Run) -> None:
    assert without_times(run("report").json) == {
        "components": [
            {**NOTHING, "component": "", "other_calls": 1},
            BUTTON,
            {**NOTHING, "component": "Card", "list_files_calls": 1},
        ],
        "aggregate": {
            "components": 3,
            "total_query_calls": 0,
            "total_file_reads": 2,
            "avg_reads_per_component": 0.67,
            "index_first_ratio": 0.0,
            "cache_hits": 0,
            "failed_calls": 1,
        },
        "tools": [
            {"tool": "code.search", "calls": 1, "failed_calls": 0},
            {"tool": "listFiles", "calls": 1, "failed_calls": 0},
            {"tool": "readFile", "calls": 2, "failed_calls": 1},
        ],
    }


@pytest.mark.usefixtures("called")
def test_one_component_is_told_alone(run: Run) -> None:
    assert run("report", "--component", "Button").json["components"] == [BUTTON]


@pytest.mark.usefixtures("called")
def test_people_get_tables(run: Run) -> None:
    lines = [line.split() for line in run("report", "--text").out.splitlines()]

    assert lines[:4] == [
        ["component", "queries", "reads", "bytes", "lists", "others", "cached", "failed", "index", "first"],
        ["(none)", "0", "0", "0", "0", "1", "0", "0", "no"],
        ["Button", "0", "2", "7", "0", "0", "0", "1", "no"],
        ["Card", "0", "0", "0", "1", "0", "0", "0", "no"],
    ]
    assert [line[:3] for line in lines[5:9]] == [
        ["tool", "calls", "failed"],
        ["code.search", "1", "0"],
        ["listFiles", "1", "0"],
        ["readFile", "2", "1"],
    ]
    said = "0 index queries, 2 file reads, 0.67 reads a component, 0 % index first"
    assert lines[10] == said.split()


@pytest.mark.usefixtures("called")
def test_a_component_nobody_named_is_answered_with_those_there_are(run: Run) -> None:
    shown = run("report", "--component", "Buton")

    assert shown.code == 4
    assert shown.err == (
        "error: Component 'Buton' has no metrics.\n  next: Those that have some: Button, Card.\n"
    )


@pytest.mark.usefixtures("called")
def test_it_is_drawn_on_a_terminal(run: Run) -> None:
    out = run("report", "--plot", "--component", "Button").out

    assert out.startswith(f"\nfile reads\nButton  {'█' * 40}  2\n\nbytes read\nButton  {'█' * 40}  7\n")
    assert "\nindex queries\nButton    0\n" in out


@pytest.mark.usefixtures("called")
def test_it_is_drawn_into_a_file(run: Run, work: Path) -> None:
    drawn = run("report", "--plot", "--out", "report.svg")

    assert (drawn.code, drawn.out, drawn.err) == (0, "", "note: drawn to report.svg\n")
    assert "</svg>" in (work / "report.svg").read_text()
    assert run("report", "--plot", "--out", "report.PNG").code == 0
    assert (work / "report.PNG").read_bytes().startswith(b"\x89PNG\r\n")


def test_a_file_is_for_drawing(run: Run) -> None:
    shown = run("report", "--out", "report.svg")

    assert shown.code == 2
    assert shown.err.startswith("error: --out says where --plot draws: give both.\n")


def test_by_contract_the_metrics_lie_in_the_workspace(
    run: Run, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOOLPOST_WORKSPACE_METRICS", "contract")
    run("call", "fs.read", "path=README.md", "--component", "Button")

    assert (work / "superconnect" / "Button" / "tool-metrics.jsonl").is_file()
    monkeypatch.setenv("TOOLPOST_WORKSPACE_METRICS", "state")
    elsewhere = run("report")
    assert (elsewhere.code, elsewhere.err.startswith("error: There are no metrics in ")) == (4, True)
    assert run("report", "--from", ".").json["components"] == [
        {**BUTTON, "read_file_calls": 1, "failed_calls": 0}
    ]


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("TOOLPOST_WORKSPACE_METRICS", "off", "No metrics are kept."),
        ("TOOLPOST_WORKSPACE_ROOTS", "github:", "A workspace without a root has no metrics."),
    ],
)
def test_where_no_metrics_are_kept_it_says_so(
    run: Run, monkeypatch: pytest.MonkeyPatch, variable: str, value: str, said: str
) -> None:
    monkeypatch.setenv(variable, value)
    run("call", "fs.list", "--component", "Button")
    shown = run("report")

    assert shown.code == 2
    assert shown.err.startswith(f"error: {said}\n")


def test_before_the_first_call_the_first_call_is_named(run: Run) -> None:
    shown = run("report")

    assert shown.code == 4
    assert shown.err.endswith("next: Make a call first, such as: toolpost call fs.list --component demo\n")
