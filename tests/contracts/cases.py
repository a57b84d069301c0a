"""Contract examples as cases: what is sent, what must come back, and the contract's own text beside it."""

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType, structs
from tests.contracts.ground import Ground, ground
from tests.contracts.scripted import HERE, ContractClock, Script

from toolpost import codec, jsonrpc
from toolpost.authorize.profiles import PROFILES
from toolpost.bench import Bench
from toolpost.call import Call
from toolpost.dialects import Dialect, load
from toolpost.dialects.acp import Acp, telemetry
from toolpost.dialects.atdf import Atdf
from toolpost.dialects.sandra import log
from toolpost.dialects.superconnect import metric
from toolpost.limits import Limits
from toolpost.record.sinks import MemorySink
from toolpost.result import Result

FOLDERS = ("agents", "superconnect", "sandra", "atdf", "acp", "mcp", "functions")
FIRST_ID = 10  # contract 004 shows its client's message number 10
BASE = "https://api.example.com"  # the host of contract 003's error types


class Difference(Struct, forbid_unknown_fields=True):
    """Where we answer otherwise than the example, by which decision, and why."""

    at: str
    decision: str
    why: str


class Shown(Struct, forbid_unknown_fields=True):
    """One example of a contract, verbatim, and the place in this case where it stands."""

    shows: str
    at: str
    """A JSON pointer: `/send/input`, `/answer/output`."""
    example: Any | UnsetType = UNSET
    text: str = ""
    """The example where it is no JSON: a type, a call, JSON with comments."""
    schema: dict[str, Any] | None = None
    """What such a text asks for, as a JSON Schema."""
    differs: list[Difference] = []


class Before(Struct, forbid_unknown_fields=True):
    send: Any
    times: int = 1


class Case(Struct, forbid_unknown_fields=True):
    title: str
    expect: Any
    contract: list[Shown]
    files: dict[str, str | int] | None = None
    """What lies in the folder the real standard tools work in; None: there are only scripted tools."""
    connected: bool = True
    """False: the real tools, and nothing to work in."""
    tool: Script | None = None
    tools: list[Script] = []
    send: Any = None
    before: list[Before] = []
    answered_by: Literal["render", "describe", "tools/list", "metric", "log", "telemetry"] = "render"
    dialect: str = ""
    now: datetime = datetime(2025, 12, 11, 20, tzinfo=UTC)
    duration_ms: float = 0
    uuids: list[str] = []
    scopes: list[str] | None = None
    limits: Limits | None = None
    path: str = ""


def every_case() -> list[Case]:
    return [_load(path, folder) for folder in FOLDERS for path in sorted((HERE / folder).glob("*.json"))]


def _load(path: Path, folder: str) -> Case:
    case = msgspec.json.decode(path.read_bytes(), type=Case)
    return structs.replace(case, dialect=case.dialect or folder, path=f"{folder}/{path.stem}")


class Played(Struct):
    """What came of a case: the decoded answer, and how many calls and records it made."""

    answer: Any
    dialect: Dialect
    calls: int
    records: int


async def play(case: Case) -> Played:
    """Bytes in, bytes out, through the real bench."""
    is_real = case.files is not None or not case.connected
    with ground(case.files or {}, connected=case.connected) if is_real else nullcontext() as real:
        return await _play(case, real)


async def _play(case: Case, real: Ground | None) -> Played:
    sink = MemorySink()
    tools = [script.tool() for script in (case.tool, *case.tools) if script is not None]
    clock = ContractClock(case.now, case.duration_ms, case.uuids)
    bench = Bench(
        [*tools, *(real.tools if real else ())],
        profile=PROFILES["open"],
        limits=case.limits,
        sinks=[sink],
        clock=clock,
    )
    dialect = speak(case.dialect, bench)
    sent = [real.inward(message) if real else message for message in _messages(case)]
    results = [await bench.call(_with_scopes(dialect.parse(message), case)) for message in sent]
    told = codec.encode(_ANSWERED[case.answered_by](dialect, results))
    return Played(codec.decode(real.outward(told) if real else told), dialect, len(sent), len(sink))


def speak(name: str, bench: Bench) -> Dialect:
    kind = load(name)
    dialect = Acp(bench.tools, first_id=FIRST_ID) if kind is Acp else kind(bench.tools)
    if isinstance(dialect, Atdf):
        dialect.base = BASE
    return dialect


def _messages(case: Case) -> Iterator[bytes]:
    for before in case.before:
        for _ in range(before.times):
            yield codec.encode(before.send)
    if case.send is not None:
        yield codec.encode(case.send)


def _with_scopes(call: Call, case: Case) -> Call:
    """Credentials come from the connection, never from the message."""
    if case.scopes is None:
        return call
    return structs.replace(call, caller=structs.replace(call.caller, scopes=tuple(case.scopes)))


_ANSWERED: dict[str, Callable[[Dialect, list[Result]], Any]] = {
    "render": lambda dialect, results: dialect.render(results[-1]),
    "describe": lambda dialect, _: dialect.describe(),
    "tools/list": lambda dialect, _: jsonrpc.answer(2, dialect.describe()),
    "metric": lambda _, results: metric(results[-1]),
    "log": lambda _, results: log(results[-1]),
    "telemetry": lambda _, results: telemetry(results[-1]),
}


def look_up(value: Any, pointer: str) -> Any:
    """The value at a JSON pointer."""
    for raw in pointer.split("/")[1:]:
        step = raw.replace("~1", "/").replace("~0", "~")
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


def differences(example: Any, actual: Any, at: str = "") -> Iterator[str]:
    """Every place where the example is missing from the actual value or not equal to it."""
    if isinstance(example, dict) and isinstance(actual, dict):
        for key, part in example.items():
            here = f"{at}/{key}"
            yield from differences(part, actual[key], here) if key in actual else [here]
    elif isinstance(example, list) and isinstance(actual, list) and len(example) == len(actual):
        for place, part in enumerate(example):
            yield from differences(part, actual[place], f"{at}/{place}")
    elif example != actual or isinstance(example, bool) is not isinstance(actual, bool):
        yield at
