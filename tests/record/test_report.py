from typing import Any

from toolpost.record.report import Aggregate, ComponentReport, ToolReport, report

Line = dict[str, Any]


def query(ms: float = 1) -> Line:
    return {"tool": "queryIndex", "query_type": "exports", "results": 3, "duration_ms": ms}


def read(size: int = 100, **rest: Any) -> Line:
    return {"tool": "readFile", "path": "a.ts", "size_bytes": size, "duration_ms": 2, **rest}


def listing() -> Line:
    return {"tool": "listFiles", "directory": "src", "results": 1, "duration_ms": 3}


def test_a_components_calls_are_counted_by_tool() -> None:
    (one,) = report(
        {"Button": [query(), read(10), read(20, cached=True), listing(), {"tool": "x"}]}
    ).components
    assert one == ComponentReport(
        component="Button",
        query_index_calls=1,
        read_file_calls=2,
        read_file_bytes=30,
        list_files_calls=1,
        other_calls=1,
        cache_hits=1,
        is_index_first=True,
    )


def test_failed_calls_count_as_calls_and_as_failures() -> None:
    (one,) = report({"Button": [read(0, error="FILE_NOT_FOUND")]}).components
    assert (one.read_file_calls, one.failed_calls, one.is_index_first) == (1, 1, False)


def test_the_whole_run_is_added_up() -> None:
    made = report({"A": [query(), read()], "B": [read(), query()], "C": [listing()]})
    assert made.aggregate == Aggregate(
        components=3,
        total_query_calls=2,
        total_file_reads=2,
        avg_reads_per_component=0.67,
        index_first_ratio=50.0,
        cache_hits=0,
        failed_calls=0,
    )


def test_no_lines_at_all_give_zeros_and_no_division() -> None:
    assert report({}).aggregate == Aggregate(
        components=0,
        total_query_calls=0,
        total_file_reads=0,
        avg_reads_per_component=0.0,
        index_first_ratio=0.0,
        cache_hits=0,
        failed_calls=0,
    )


def test_percentiles_are_values_that_were_measured() -> None:
    made = report({"A": [query(ms) for ms in range(1, 21)]})
    assert made.tools == (ToolReport(tool="queryIndex", calls=20, failed_calls=0, p50_ms=10, p95_ms=19),)


def test_a_figure_that_is_no_number_counts_as_none() -> None:
    (one,) = report({"A": [read(0) | {"size_bytes": "much"}]}).components
    assert one.read_file_bytes == 0
