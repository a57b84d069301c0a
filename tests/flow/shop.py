"""A bench with a tool of every kind, for tests that send it anything at all."""

from typing import Annotated, Any

import msgspec

from toolpost import Bench, Tool, tool
from toolpost.authorize.profiles import PROFILES
from toolpost.codec import Json
from toolpost.content import Diff, Image, Ref, Text
from toolpost.define import from_schema
from toolpost.record.sinks import MemorySink
from toolpost.testing import FakeClock

FILE = {"path": "a.py", "content": "x = 1\n", "size_bytes": 6, "truncated": False, "encoding": "utf-8"}
ENTRY = {"name": "a.py", "path": "src/a.py", "type": "file", "size_bytes": 6}
CANONICAL: dict[str, Json] = {
    "fs.read": FILE,
    "github.read": FILE,
    "fs.write": {"path": "a.py", "size_bytes": 6},
    "fs.list": {"files": [ENTRY], "directory": "src", "absolute": "/w/src", "total": 1, "truncated": False},
    "fs.dirs": {"dirs": [{"path": "src", "depth": 1}], "truncated": False},
    "code.search": {"matches": [{"path": "a.py", "line": 1, "snippet": "x"}], "truncated": False},
    "os.exec": {"exit_code": 0, "stdout": "hi\n", "stderr": ""},
    "web.search": {"results": [{"title": "T", "url": "https://example.org", "snippet": "s"}]},
    "todo": {"items": [{"id": 1, "text": "a", "status": "open"}], "max_items": 15, "current_item": None},
    "index.query": {"files": [{"path": "a.py"}], "total": 1},
}


@tool(blocking=False)
def greet(name: str, times: Annotated[int, msgspec.Meta(ge=1, le=5)] = 1) -> str:
    """Say hello."""
    return f"Hello {name}! " * times


@tool(blocking=False)
def fail(why: str = "") -> str:
    raise KeyError(why)


@tool(blocking=False)
def show() -> Any:
    return [Text("t"), Image(b"\x89PNG"), Diff("a.py", "1\n", "2\n"), Ref("file:///big", 10, head="b")]


def _look_up(args: Json) -> Json:
    return {"found": args}


LOOK_UP = from_schema(
    "shop.look-up",
    "Finds things",
    {
        "type": "object",
        "properties": {
            "query": {
                "type": "object",
                "properties": {
                    "type": {"enum": ["tag", "path"]},
                    "value": {"type": "string", "maxLength": 8},
                },
                "required": ["type"],
                "additionalProperties": False,
            },
            "when": {"type": "string", "format": "date-time"},
            "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": True, "maxItems": 3},
            "price": {"anyOf": [{"type": "number", "multipleOf": 0.5}, {"type": "null"}]},
        },
        "required": ["query"],
        "additionalProperties": False,
    },
    _look_up,
    blocking=False,
)


def _standard(name: str, canonical: Json) -> Tool:
    """Answers as its contract says, or whatever the caller tells it to answer."""

    def answer(args: Json) -> Json:
        return args.get("answer", canonical)

    return from_schema(name, name, {"type": "object"}, answer, blocking=False)


STANDARD = [_standard(name, canonical) for name, canonical in CANONICAL.items()]
TOOLS = (greet, fail, show, LOOK_UP, *STANDARD)
EXAMPLES: dict[str, Json] = {
    "greet": {"name": "Ada", "times": 2},
    "fail": {"why": "so"},
    "show": {},
    "shop.look-up": {"query": {"type": "tag", "value": "x"}, "tags": ["a"], "price": 1.5},
    **{name: {"answer": canonical} for name, canonical in CANONICAL.items()},
}


def open_bench() -> tuple[Bench, MemorySink]:
    sink = MemorySink()
    return Bench(TOOLS, profile=PROFILES["open"], sinks=[sink], clock=FakeClock(step_ms=1.5)), sink
