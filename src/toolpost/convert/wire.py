"""JSON values as they stand on the wire: comparing them and naming places inside them."""

import json
from collections.abc import Iterable
from typing import TypeAlias

JsonObject: TypeAlias = dict[str, object]


def text(value: object) -> str:
    """The value as JSON text; key order shows."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def alike(one: object, other: object) -> bool:
    """Equal as JSON and in key order. Unlike `==`, tells 1 from 1.0 and from true."""
    return text(one) == text(other)


def same(one: object, other: object) -> bool:
    """Equal as JSON, whatever the key order."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def as_object(value: object) -> JsonObject:
    """The value itself when it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def without(value: JsonObject, keys: Iterable[str]) -> JsonObject:
    gone = frozenset(keys)
    return {key: item for key, item in value.items() if key not in gone}


def escape(part: str) -> str:
    return part.replace("~", "~0").replace("/", "~1")


def unescape(part: str) -> str:
    return part.replace("~1", "/").replace("~0", "~")


def pointer(*parts: str | int) -> str:
    return "".join(f"/{escape(str(part))}" for part in parts)


def parts(value: object) -> JsonObject | None:
    """The members of an object or a list by key or index; None for a value that has none."""
    if isinstance(value, dict):
        return value
    if isinstance(value, list):
        return {str(index): item for index, item in enumerate(value)}
    return None


def differences(before: object, after: object, at: str = "") -> list[str]:
    """Pointers to every place where two values differ."""
    left, right = parts(before), parts(after)
    if left is None or right is None or isinstance(before, dict) != isinstance(after, dict):
        return [] if same(before, after) else [at]
    found: list[str] = []
    for key in [*left, *(key for key in right if key not in left)]:
        place = at + pointer(key)
        both = key in left and key in right
        found += differences(left[key], right[key], place) if both else [place]
    return found
