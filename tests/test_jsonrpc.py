from typing import Any

import pytest

from toolpost import jsonrpc
from toolpost.jsonrpc import INVALID_PARAMS, INVALID_REQUEST, Fault, Request, read


@pytest.mark.parametrize(
    ("message", "request_"),
    [
        ({"jsonrpc": "2.0", "id": 1, "method": "m", "params": {"a": 1}}, Request("m", {"a": 1}, 1)),
        ({"jsonrpc": "2.0", "id": "x", "method": "m"}, Request("m", {}, "x")),
        ({"jsonrpc": "2.0", "id": None, "method": "m"}, Request("m", {}, None)),
        ({"jsonrpc": "2.0", "id": 1.5, "method": "m"}, Request("m", {}, 1.5)),
        ({"jsonrpc": "2.0", "method": "m"}, Request("m", {}, None, is_notification=True)),
    ],
)
def test_a_request_or_notification_is_read(message: Any, request_: Request) -> None:
    assert read(message) == request_


@pytest.mark.parametrize(
    ("message", "fault"),
    [
        ([], Fault(INVALID_REQUEST, "A JSON-RPC message is an object.")),
        (
            {"jsonrpc": "2.0", "id": True, "method": "m"},
            Fault(INVALID_REQUEST, "`id` is a string, a number or null."),
        ),
        (
            {"jsonrpc": "2.0", "id": [], "method": "m"},
            Fault(INVALID_REQUEST, "`id` is a string, a number or null."),
        ),
        ({"id": 1, "method": "m"}, Fault(INVALID_REQUEST, '`jsonrpc` must be "2.0".', 1)),
        ({"jsonrpc": "2.0", "id": 1}, Fault(INVALID_REQUEST, "`method` must be a string.", 1)),
        (
            {"jsonrpc": "2.0", "id": 1, "method": "m", "params": [1]},
            Fault(INVALID_PARAMS, "`params` must be an object.", 1),
        ),
    ],
)
def test_any_other_message_is_a_fault_that_keeps_the_id(message: Any, fault: Fault) -> None:
    assert read(message) == fault


def test_answers_and_failures_have_the_protocols_shape() -> None:
    assert jsonrpc.answer(7, {"a": 1}) == {"jsonrpc": "2.0", "id": 7, "result": {"a": 1}}
    assert jsonrpc.failure(None, -32700, "no") == {
        "jsonrpc": "2.0",
        "id": None,
        "error": {"code": -32700, "message": "no"},
    }
    assert jsonrpc.failure(1, -1, "no", {"why": 1})["error"] == {
        "code": -1,
        "message": "no",
        "data": {"why": 1},
    }
