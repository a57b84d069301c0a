"""JSON in and out. What comes in is bounded before anything is built from it."""

import json
import re
from typing import Any

import msgspec

from toolpost.errors import MalformedMessage
from toolpost.limits import MESSAGE_BYTES, MESSAGE_DEPTH, MESSAGE_NODES

Json = Any

_FLAT_BYTES = 2 * MESSAGE_DEPTH  # each level takes two brackets: in so few bytes none can be too many
_decoder = msgspec.json.Decoder()
_encoder = msgspec.json.Encoder(enc_hook=str, decimal_format="number")


def decode(message: bytes | str) -> Json:
    """One JSON value. NaN, lone surrogates, repeated keys and endless nesting are refused by name."""
    raw = message if isinstance(message, bytes) else _as_bytes(message)
    if len(raw) > MESSAGE_BYTES:
        raise MalformedMessage(
            f"The message has {len(raw)} bytes; at most {MESSAGE_BYTES} are read.",
            limit=MESSAGE_BYTES,
            received=len(raw),
        )
    try:
        value = _decoder.decode(raw)
    except RecursionError:
        raise _too_deep() from None
    except UnicodeDecodeError:
        raise MalformedMessage("The message is not UTF-8.") from None
    except msgspec.DecodeError as error:
        raise MalformedMessage(_why(raw, str(error))) from None
    if len(raw) > _FLAT_BYTES and (
        raw.count(b"{") + raw.count(b"[") > MESSAGE_DEPTH or len(raw) > MESSAGE_NODES
    ):
        measure(value)
    written = _encoder.encode(value)
    if written != raw and (rb"\u" in raw or raw.count(b":") != written.count(b":")):
        _refuse_repeated_keys(raw)  # a key that stands twice leaves a colon less when written back
    return value


def encode(value: Json) -> bytes:
    """Compact JSON. A lone surrogate becomes U+FFFD rather than an error."""
    try:
        return _encoder.encode(value)
    except UnicodeEncodeError:
        plain = msgspec.to_builtins(value, str_keys=True, enc_hook=str)
        return _encoder.encode(mend_surrogates(plain))


def pretty(value: Json) -> str:
    return msgspec.json.format(encode(value), indent=2).decode("utf-8")


def measure(value: Json) -> None:
    """Refuse a value that is too deep or too large."""
    nodes = 0
    level = [value]
    for _ in range(MESSAGE_DEPTH):
        below: list[Json] = []
        for item in level:
            if isinstance(item, dict):
                below.extend(item.values())
            elif isinstance(item, list):
                below.extend(item)
        if not below:
            return
        nodes += len(below)
        if nodes > MESSAGE_NODES:
            raise MalformedMessage(
                f"The message holds more than {MESSAGE_NODES} values.", limit=MESSAGE_NODES
            )
        level = below
    raise _too_deep()


def mend_surrogates(value: Json) -> Json:
    """The same value with every lone surrogate replaced, so that it can be written as UTF-8."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {mend_surrogates(key): mend_surrogates(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [mend_surrogates(item) for item in value]
    return value


def _as_bytes(message: str) -> bytes:
    try:
        return message.encode("utf-8")
    except UnicodeEncodeError:
        raise MalformedMessage("The message holds a lone surrogate, which is not text.") from None


_SURROGATE = re.compile("[\ud800-\udfff]")
_AT = re.compile(r"\(byte (\d+)\)")
_ESCAPED_PAIR = re.compile(rb"\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}")
_ESCAPED_HALF = re.compile(rb"\\u[dD][89a-fA-F]")


def _why(raw: bytes, error: str) -> str:
    if raw.startswith(b"\xef\xbb\xbf"):
        return "The message is not JSON: it begins with a byte order mark."
    if not _is_utf8(raw):
        return "The message is not UTF-8."
    at = _AT.search(error)
    if at and raw.startswith((b"NaN", b"Infinity"), int(at[1])):
        return "The message is not JSON: NaN and Infinity are not JSON numbers."
    if _ESCAPED_HALF.search(_ESCAPED_PAIR.sub(b"", raw.replace(rb"\\", b""))):
        return "The message is not JSON: a \\u escape names a lone surrogate."
    return f"The message is not JSON: {error}."


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _too_deep() -> MalformedMessage:
    return MalformedMessage(f"The message nests deeper than {MESSAGE_DEPTH} levels.", limit=MESSAGE_DEPTH)


def _refuse_repeated_keys(raw: bytes) -> None:
    def unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        built: dict[str, Json] = {}
        for name, inner in pairs:
            if name in built:
                raise MalformedMessage(f"The key {name!r} stands twice in one object.", key=name)
            built[name] = inner
        return built

    json.loads(raw, object_pairs_hook=unique)
