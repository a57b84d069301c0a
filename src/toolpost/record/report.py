"""What the metrics add up to: contract 001's figures, for each component and over all."""

from collections.abc import Iterable, Mapping
from math import ceil
from typing import Any

from msgspec import Struct


class ComponentReport(Struct, frozen=True, kw_only=True):
    component: str
    query_index_calls: int = 0
    read_file_calls: int = 0
    read_file_bytes: int = 0
    list_files_calls: int = 0
    other_calls: int = 0
    cache_hits: int = 0
    failed_calls: int = 0
    is_index_first: bool = False
    """It asked the index before it read its first file."""


class ToolReport(Struct, frozen=True, kw_only=True):
    tool: str
    calls: int
    failed_calls: int
    p50_ms: float
    p95_ms: float


class Aggregate(Struct, frozen=True, kw_only=True):
    components: int
    total_query_calls: int
    total_file_reads: int
    avg_reads_per_component: float
    index_first_ratio: float
    """Per cent of the components that made any call to these tools."""
    cache_hits: int
    failed_calls: int


class Report(Struct, frozen=True, kw_only=True):
    components: tuple[ComponentReport, ...]
    aggregate: Aggregate
    tools: tuple[ToolReport, ...]


_CALLS = {
    "queryIndex": "query_index_calls",
    "readFile": "read_file_calls",
    "listFiles": "list_files_calls",
}


def report(metrics: Mapping[str, Iterable[Mapping[str, Any]]]) -> Report:
    """`metrics` holds the lines of each component, in the order they were written."""
    kept = {component: list(lines) for component, lines in metrics.items()}
    components = tuple(_component(name, lines) for name, lines in sorted(kept.items()))
    return Report(components=components, aggregate=_aggregate(components), tools=_tools(kept.values()))


def _component(name: str, lines: list[Mapping[str, Any]]) -> ComponentReport:
    counts = dict.fromkeys(("other_calls", *_CALLS.values()), 0)
    for line in lines:
        counts[_CALLS.get(line.get("tool", ""), "other_calls")] += 1
    return ComponentReport(
        component=name,
        read_file_bytes=sum(_number(line, "size_bytes") for line in lines if line.get("tool") == "readFile"),
        cache_hits=sum(line.get("cached") is True for line in lines),
        failed_calls=sum("error" in line for line in lines),
        is_index_first=_is_index_first(lines),
        **counts,
    )


def _is_index_first(lines: list[Mapping[str, Any]]) -> bool:
    for line in lines:
        if line.get("tool") in {"queryIndex", "readFile"}:
            return bool(line["tool"] == "queryIndex")
    return False


def _aggregate(components: tuple[ComponentReport, ...]) -> Aggregate:
    exploring = [one for one in components if one.query_index_calls or one.read_file_calls]
    reads = sum(one.read_file_calls for one in components)
    return Aggregate(
        components=len(components),
        total_query_calls=sum(one.query_index_calls for one in components),
        total_file_reads=reads,
        avg_reads_per_component=_share(reads, len(components)),
        index_first_ratio=_share(100 * sum(one.is_index_first for one in exploring), len(exploring)),
        cache_hits=sum(one.cache_hits for one in components),
        failed_calls=sum(one.failed_calls for one in components),
    )


def _tools(metrics: Iterable[list[Mapping[str, Any]]]) -> tuple[ToolReport, ...]:
    by_tool: dict[str, list[Mapping[str, Any]]] = {}
    for lines in metrics:
        for line in lines:
            by_tool.setdefault(str(line.get("tool", "")), []).append(line)
    return tuple(_tool(name, lines) for name, lines in sorted(by_tool.items()))


def _tool(name: str, lines: list[Mapping[str, Any]]) -> ToolReport:
    took = sorted(_number(line, "duration_ms") for line in lines)
    return ToolReport(
        tool=name,
        calls=len(lines),
        failed_calls=sum("error" in line for line in lines),
        p50_ms=_percentile(took, 50),
        p95_ms=_percentile(took, 95),
    )


def _percentile(ordered: list[float], per_cent: int) -> float:
    """The nearest rank: a value that was really measured."""
    return ordered[max(0, ceil(len(ordered) * per_cent / 100) - 1)]


def _number(line: Mapping[str, Any], key: str) -> Any:
    value = line.get(key, 0)
    return value if isinstance(value, int | float) else 0


def _share(part: float, whole: int) -> float:
    return round(part / whole, 2) if whole else 0.0
