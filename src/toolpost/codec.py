"""JSON in and out. What comes in is bounded before anything is built from it."""

import json
from typing import Any

import msgspec

from toolpost.errors import MalformedMessage
from toolpost.limits import MESSAGE_BYTES, MESSAGE_DEPTH, MESSAGE_NODES

Json = Any

_decoder = msgspec.json.Decoder()
_encoder = msgspec.json.Encoder(enc_hook=str, decimal_format="number")


def decode(message: bytes | str) -> Json:
    """One JSON value. NaN, lone surrogates, repeated keys and endless nesting are refused by name."""
    raw = _as_bytes(message)
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
    pairs = measure(value)
    if pairs and raw.count(b":") != pairs:
        _refuse_repeated_keys(raw)
    return value


def encode(value: Json) -> bytes:
    """Compact JSON. A lone surrogate becomes U+FFFD rather than an error."""
    try:
        return _encoder.encode(value)
    except UnicodeEncodeError:
        return _encoder.encode(mend_surrogates(value))


def pretty(value: Json) -> str:
    return msgspec.json.format(encode(value), indent=2).decode("utf-8")


def measure(value: Json) -> int:
    """How many key-value pairs a value holds; refuses one that is too deep or too large."""
    pairs = nodes = 0
    level = [value]
    for _ in range(MESSAGE_DEPTH):
        below: list[Json] = []
        for item in level:
            if isinstance(item, dict):
                pairs += len(item)
                below.extend(item.values())
            elif isinstance(item, list):
                below.extend(item)
        if not below:
            return pairs
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
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {mend_surrogates(key): mend_surrogates(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [mend_surrogates(item) for item in value]
    return value


def _as_bytes(message: bytes | str) -> bytes:
    if isinstance(message, bytes):
        return message
    try:
        return message.encode("utf-8")
    except UnicodeEncodeError:
        raise MalformedMessage("The message holds a lone surrogate, which is not text.") from None


def _why(raw: bytes, error: str) -> str:
    if b"NaN" in raw or b"Infinity" in raw:
        return "The message is not JSON: NaN and Infinity are not JSON numbers."
    if b"\\ud" in raw.lower():
        return "The message is not JSON: a \\u escape names a lone surrogate."
    return f"The message is not JSON: {error}."


def _too_deep() -> MalformedMessage:
    return MalformedMessage(f"The message nests deeper than {MESSAGE_DEPTH} levels.", limit=MESSAGE_DEPTH)


def _refuse_repeated_keys(raw: bytes) -> None:
    def unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        built = dict(pairs)
        if len(built) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise MalformedMessage(f"The key {twice!r} stands twice in one object.", key=twice)
        return built

    json.loads(raw, object_pairs_hook=unique)
