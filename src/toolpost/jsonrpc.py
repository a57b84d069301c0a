"""JSON-RPC 2.0 without I/O: what a message is, and how it is answered."""

from typing import Any

from msgspec import Struct

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603

Id = str | int | float | None
_IDS = {str, int, float, type(None)}


class Request(Struct, frozen=True, gc=False):
    method: str
    params: dict[str, Any]
    id: Id = None
    is_notification: bool = False


class Fault(Struct, frozen=True):
    """Why a message is no request, and the id to answer it under when it had one."""

    code: int
    message: str
    id: Id = None


def read(message: Any) -> Request | Fault:
    """A decoded message as a request or a notification."""
    if not isinstance(message, dict):
        return Fault(INVALID_REQUEST, "A JSON-RPC message is an object.")
    ident, method, params = message.get("id"), message.get("method"), message.get("params", {})
    is_known = type(ident) in _IDS and message.get("jsonrpc") == "2.0"
    if is_known and isinstance(method, str) and isinstance(params, dict):
        return Request(method, params, ident, "id" not in message)
    return _fault(message, ident)


def _fault(message: dict[str, Any], ident: Any) -> Fault:
    if type(ident) not in _IDS:
        return Fault(INVALID_REQUEST, "`id` is a string, a number or null.")
    if message.get("jsonrpc") != "2.0":
        return Fault(INVALID_REQUEST, '`jsonrpc` must be "2.0".', ident)
    if not isinstance(message.get("method"), str):
        return Fault(INVALID_REQUEST, "`method` must be a string.", ident)
    return Fault(INVALID_PARAMS, "`params` must be an object.", ident)


def answer(ident: Id, result: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": ident, "result": result}


def failure(ident: Id, code: int, message: str, data: Any = None) -> dict[str, Any]:
    error: dict[str, Any] = {"code": code, "message": message}
    if data is not None:
        error["data"] = data
    return {"jsonrpc": "2.0", "id": ident, "error": error}
