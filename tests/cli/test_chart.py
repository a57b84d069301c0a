from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from toolpost.cli import chart
from toolpost.cli.trouble import Trouble
from toolpost.record.report import Report, report

LINES = {
    "": [{"tool": "readFile", "size_bytes": 10, "duration_ms": 1.5}],
    "Button": [{"tool": "queryIndex", "duration_ms": 3}, {"tool": "readFile", "size_bytes": 40}],
}


@pytest.fixture
def made() -> Report:
    return report(LINES)


def test_every_series_names_what_it_counts(made: Report) -> None:
    assert chart.series(made) == {
        "file reads": [("(none)", 1), ("Button", 1)],
        "bytes read": [("(none)", 10), ("Button", 40)],
        "index queries": [("(none)", 0), ("Button", 1)],
        "p95 ms": [("queryIndex", 3), ("readFile", 1.5)],
    }


def test_bars_are_as_long_as_their_share(made: Report, capsys: pytest.CaptureFixture[str]) -> None:
    chart.on_terminal(made)
    lines = capsys.readouterr().out.splitlines()

    assert lines[4:7] == ["", "bytes read", f"(none)  {'█' * 10}{' ' * 30}  10"]
    assert lines[7] == f"Button  {'█' * 40}  40"


def test_torn_metrics_once_had_no_bars_to_measure(capsys: pytest.CaptureFixture[str]) -> None:
    chart.on_terminal(report({"Button": []}))

    assert "p95 ms" not in capsys.readouterr().out


@pytest.mark.parametrize(("name", "start"), [("r.svg", b"<?xml"), ("r.png", b"\x89PNG")])
def test_a_picture_is_drawn(made: Report, work: Path, name: str, start: bytes) -> None:
    chart.to_file(made, work / name)

    assert (work / name).read_bytes().startswith(start)


def test_without_matplotlib_it_says_what_to_install(
    made: Report, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing(_name: str) -> ModuleSpec | None:
        return None

    monkeypatch.setattr(chart, "find_spec", nothing)
    with pytest.raises(Trouble) as raised:
        chart.to_file(made, work / "r.svg")

    assert (raised.value.message, raised.value.next_step) == (
        "Drawing a file needs matplotlib.",
        "pip install 'toolpost[plot]'",
    )


def test_another_kind_of_file_is_refused(made: Report, work: Path) -> None:
    with pytest.raises(Trouble, match=r"r\.gif is neither \.svg nor \.png"):
        chart.to_file(made, work / "r.gif")


def test_a_file_that_cannot_be_written_is_said(made: Report, work: Path) -> None:
    with pytest.raises(Trouble, match=r"cannot be written: No such file or directory\."):
        chart.to_file(made, work / "nowhere" / "r.svg")
