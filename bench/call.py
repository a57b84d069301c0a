"""What a call costs, next to what it costs elsewhere: `scripts/bench call`.

Every round gives each contestant a process of its own, in an order that rotates, and counts CPU time, so that
what else the machine does spreads over all of them. A ratio is taken within a round; the median is reported.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from bench.contestants import CHECKS, PEERS
from bench.reporting import Goal, end, tell

from toolpost.dialects import NAMES

HERE = Path(__file__).parent
PEERS_PYTHON = HERE.parent / ".peers/bench/call/bin/python"
VERSIONS = ("fastmcp", "mcp", "langchain-core", "pydantic-ai-slim", "pydantic")
OURS_OVER_MCP = "toolpost:mcp"
OURS = tuple(f"toolpost:{name}" for name in NAMES)
TIMES = {  # how often each is repeated for one call of the others: the short more, the long less
    **dict.fromkeys(OURS, 8),  # a window as long as the peers': a short one holds little but the start
    **dict.fromkeys(CHECKS, 10),
    "pydantic_ai_agent": 0.1,
    "pydantic_ai_eleven": 0.1,
    "pydantic_ai_empty": 0.1,
}
IMPORTS = {  # name -> (the code, whether the peers' interpreter runs it)
    "import_toolpost": ("import toolpost", False),
    "import_bench": ("import toolpost; toolpost.Bench", False),
    "import_nothing": ("pass", False),
    "import_mcp": ("import mcp", True),
    "import_nothing_peers": ("pass", True),
}
MEASURED = {
    "toolpost:*": "bytes -> parse -> bench.call -> render -> bytes; memory sink, default profile, session budget",
    "fastmcp": "fastmcp.Client(server).call_tool, in memory: client, protocol and server, as a user calls it",
    "langchain": "StructuredTool.ainvoke of a ToolCall dict to a ToolMessage; no wire, permission or record",
    "pydantic_ai_ratio": "Agent.run with one tool call less a run without, as its users make a call: there is no "
    "public way to make one alone, and each call asked for by itself costs this",
    "pydantic_ai_more": "a tenth of what eleven calls in one turn cost over one: what another call adds to a turn",
    "pydantic_ai_inner": "ToolManager.handle_call of a ToolCallPart: the validate-and-call step inside the loop and "
    "nothing else; no wire, permission, budget or record",
    "validator": "is_valid of an object with ten properties",
    "arguments": "Arguments.check of the same ten, as the pipeline does it",
    "import_*": "a fresh interpreter, start to end",
}

Samples = dict[str, list[float]]


GOALS = (
    Goal("toolpost:mcp_us", most=40),
    Goal("fastmcp_ratio", least=25),
    Goal("langchain_ratio", least=10),
    Goal("pydantic_ai_ratio", least=10),
    Goal("validator_us", most=2),
    Goal("import_ratio", most=1 / 8),
)


def cpu_of_calls(name: str, calls: int) -> float:
    python = PEERS_PYTHON if name in PEERS else sys.executable
    command = [python, HERE / "contestants.py", name, str(int(calls * TIMES.get(name, 1)))]
    return float(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


def cpu_of_import(name: str) -> float:
    """The whole life of an interpreter, in us of CPU."""
    code, by_peers = IMPORTS[name]
    child = subprocess.Popen([PEERS_PYTHON if by_peers else sys.executable, "-c", code])
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise RuntimeError(f"{code!r} failed")
    return (usage.ru_utime + usage.ru_stime) * 1e6


def rotated(names: list[str], rounds: int, measure: Callable[[str], float]) -> Samples:
    samples: Samples = {name: [] for name in names}
    for turn in range(rounds):
        start = turn % len(names)
        for name in names[start:] + names[:start]:
            samples[name].append(measure(name))
    return samples


def gather(options: argparse.Namespace) -> Samples:
    with_peers = PEERS_PYTHON.exists() and not options.no_peers
    names = [*OURS, *CHECKS, *(PEERS if with_peers else ())]
    imports = [name for name, (_, by_peers) in IMPORTS.items() if with_peers or not by_peers]
    rotated(imports, 1, cpu_of_import)  # the first import writes byte code
    calls = rotated(names, options.rounds, lambda name: cpu_of_calls(name, options.calls))
    return {**calls, **rotated(imports, options.imports, cpu_of_import)}


def ratio(samples: Samples, above: str, below: str) -> float | None:
    if above not in samples or below not in samples:
        return None
    return median(top / under for top, under in zip(samples[above], samples[below], strict=True))


def figures_of(samples: Samples) -> dict[str, float | None]:
    figures: dict[str, float | None] = {f"{name}_us": median(taken) for name, taken in samples.items()}
    figures |= {f"{name}_min_us": min(taken) for name, taken in samples.items()}
    figures["toolpost_slowest_dialect_us"] = max(median(samples[name]) for name in OURS)
    for peer in ("fastmcp", "langchain"):
        figures[f"{peer}_ratio"] = ratio(samples, peer, OURS_OVER_MCP)
    figures["import_ratio"] = ratio(samples, "import_toolpost", "import_mcp")
    figures |= pydantic_ai(samples) if "pydantic_ai_agent" in samples else {"pydantic_ai_ratio": None}
    return {name: None if value is None else round(value, 3) for name, value in figures.items()}


def pydantic_ai(samples: Samples) -> dict[str, float | None]:
    """What a tool call costs there, by each of three measures, within each round."""
    one, eleven, empty = (samples[f"pydantic_ai_{run}"] for run in ("agent", "eleven", "empty"))
    alone = [run - none for run, none in zip(one, empty, strict=True)]
    more = [(many - run) / 10 for many, run in zip(eleven, one, strict=True)]
    taken = {**samples, "alone": alone, "more": more}
    return {
        "pydantic_ai_alone_us": median(alone),
        "pydantic_ai_more_us": median(more),
        "pydantic_ai_ratio": ratio(taken, "alone", OURS_OVER_MCP),
        "pydantic_ai_more_ratio": ratio(taken, "more", OURS_OVER_MCP),
        "pydantic_ai_inner_ratio": ratio(taken, "pydantic_ai", OURS_OVER_MCP),
    }


def peer_versions() -> dict[str, str]:
    code = "import sys; from importlib.metadata import version; print(*map(version, sys.argv[1:]))"
    told = subprocess.run([PEERS_PYTHON, "-c", code, *VERSIONS], check=True, capture_output=True, text=True)
    return dict(zip(VERSIONS, told.stdout.split(), strict=True))


def measured(options: argparse.Namespace) -> dict[str, Any]:
    has_peers = PEERS_PYTHON.exists() and not options.no_peers
    return tell(
        "call",
        lambda: figures_of(gather(options)),
        GOALS,
        peers=peer_versions() if has_peers else {},
        rounds=options.rounds,
        calls=options.calls,
        imports=options.imports,
        measured=MEASURED,
    )


def main() -> None:
    options = argparse.ArgumentParser(description="CPU time of a call, next to its peers.")
    options.add_argument("--rounds", type=int, default=7)
    options.add_argument("--calls", type=int, default=2000, help="calls a contestant makes in a round")
    options.add_argument("--imports", type=int, default=15, help="fresh interpreters for each import")
    options.add_argument("--no-peers", action="store_true", help="only our own figures; never `ok`")
    told = measured(options.parse_args())
    end(told, is_whole=bool(told["peers"]))


if __name__ == "__main__":
    main()
