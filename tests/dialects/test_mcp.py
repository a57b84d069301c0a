from typing import Any

import pytest

from toolpost import Bench, Data, Diff, Image, Ref, Text, Tool
from toolpost.authorize.profiles import PROFILES
from toolpost.define import Output, from_schema, make
from toolpost.dialects.mcp import Mcp, annotations
from toolpost.testing import FakeClock

META = {
    "toolpost/provenance": {
        "location": "local",
        "timestamp": "2025-12-11T20:00:00Z",
        "durationMs": 2.0,
        "requestId": "req-1",
    }
}
SCHEMA = {
    "type": "object",
    "properties": {"n": {"type": "integer", "maximum": 9}},
    "additionalProperties": False,
}


def _answering(raw: Any, **settings: Any) -> Tool:
    return from_schema("work", "Works", SCHEMA, lambda _args: raw, blocking=False, **settings)


def _answer(tool: Tool, message: Any) -> Any:
    bench = Bench([tool], profile=PROFILES["open"], clock=FakeClock(step_ms=2))
    mcp = Mcp(bench.tools)
    return mcp.render(bench.call_sync(mcp.parse(message)))


def _called(raw: Any, **args: Any) -> Any:
    message = {
        "jsonrpc": "2.0",
        "id": "a",
        "method": "tools/call",
        "params": {"name": "work", "arguments": args},
    }
    answer = _answer(_answering(raw), message)
    assert (answer["jsonrpc"], answer["id"]) == ("2.0", "a")
    return answer["result"]


def _text(text: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": text}]


@pytest.mark.parametrize(
    ("raw", "content", "structured"),
    [
        ("hi", _text("hi"), None),
        ({"a": 1}, _text('{"a":1}'), {"a": 1}),
        ([1, 2], _text("[1,2]"), {"result": [1, 2]}),
        (None, _text("null"), {"result": None}),
        (Output(content=(Text("seen"),), data={"a": 1}), _text("seen"), {"a": 1}),
        (Output(), [], None),
        (Image(b"x", "image/gif"), [{"type": "image", "data": "eA==", "mimeType": "image/gif"}], None),
        (Diff("a.py", "1\n", "2\n"), _text("--- a.py\n+++ a.py\n@@ -1 +1 @@\n-1\n+2"), None),
        (
            Ref("file:///w/big.log", 99),
            [
                {
                    "type": "resource_link",
                    "uri": "file:///w/big.log",
                    "name": "big.log",
                    "mimeType": "text/plain",
                    "size": 99,
                }
            ],
            None,
        ),
        ([Data({"a": 1}), Data(2)], _text('{"a":1}'), {"a": 1}),
    ],
)
def test_a_success_has_content_and_structured_content(raw: Any, content: Any, structured: Any) -> None:
    expected = {"content": content, "isError": False, "_meta": META}
    assert _called(raw) == (expected if structured is None else {**expected, "structuredContent": structured})


def test_a_tools_failure_is_a_result_that_says_how_to_mend_it() -> None:
    result = _called(None, n=12)
    assert result["content"] == _text("n must be at most 9; it was 12. Try: 9")
    assert (result["isError"], result["_meta"]["toolpost/suggestedArguments"]) == (True, {"n": 9})
    (problem,) = result["_meta"]["toolpost/problems"]
    assert (problem["code"], problem["parameter"], problem["suggested"]) == ("INVALID_ARGUMENT", "n", 9)


def test_what_was_cut_on_the_way_is_noted() -> None:
    assert _called(Output(notes=("cut at 10 KB",)))["_meta"]["toolpost/notes"] == ["cut at 10 KB"]


def test_an_unknown_tool_is_a_result_too() -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "wrok"}}
    answer = _answer(_answering(None), message)
    assert answer["result"]["content"] == _text("Tool not found: wrok Try: work")


@pytest.mark.parametrize(
    ("message", "ident", "code", "said"),
    [
        (b"{", None, -32700, "The message is not JSON: Input data was truncated."),
        ([], None, -32600, "A JSON-RPC message is an object."),
        ({"id": 5, "method": "tools/call"}, 5, -32600, '`jsonrpc` must be "2.0".'),
        ({"jsonrpc": "2.0", "id": 5, "method": "tools/lost"}, 5, -32601, "Method not found: tools/lost"),
        (
            {"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {}},
            5,
            -32602,
            "`params.name` must be a string.",
        ),
        (
            {"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": []},
            5,
            -32602,
            "`params` must be an object.",
        ),
        (
            {"jsonrpc": "2.0", "id": "token=abcdefgh", "method": "no"},
            "token=abcdefgh",  # an id is given back as it came, whatever it looks like
            -32601,
            "Method not found: no",
        ),
    ],
)
def test_a_message_that_is_no_call_is_a_protocol_error(
    message: Any, ident: Any, code: int, said: str
) -> None:
    assert _answer(_answering(None), message) == {
        "jsonrpc": "2.0",
        "id": ident,
        "error": {"code": code, "message": said},
    }


def test_tools_are_announced_with_schemas_and_hints() -> None:
    tools = [
        _answering(None, title="Work", output_schema={"type": "object"}),
        make(
            name="fs.read", description="Reads", input_schema={"properties": {"path": {}}}, effects=["read"]
        ),
    ]
    hints = {"readOnlyHint": True, "openWorldHint": False}
    assert Mcp(tools).describe() == {
        "tools": [
            {
                "name": "read_file",
                "description": "Reads",
                "inputSchema": {"type": "object", "properties": {"path": {}}},
                "annotations": hints,
            },
            {
                "name": "work",
                "title": "Work",
                "description": "Works",
                "inputSchema": SCHEMA,
                "outputSchema": {"type": "object"},
                "annotations": hints,
            },
        ]
    }


@pytest.mark.parametrize(
    ("effects", "hints"),
    [
        (["net"], {"readOnlyHint": True, "openWorldHint": True}),
        (["write"], {"readOnlyHint": False, "destructiveHint": True, "openWorldHint": False}),
        (["launch"], {"readOnlyHint": False, "destructiveHint": False, "openWorldHint": False}),
    ],
)
def test_hints_follow_from_effects(effects: list[str], hints: dict[str, bool]) -> None:
    assert annotations(make(name="x", effects=effects)) == hints
    assert annotations(make(name="x", effects=effects, idempotent=True)) == {**hints, "idempotentHint": True}
