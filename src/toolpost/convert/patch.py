"""The difference between two JSON values, as the JSON that travels beside a tool.

`derived` names the keys the target format made up, to be dropped on the way back; `set` holds what it
could not say; `at` goes one level down; `order` keeps the key order. Arrays of equal length are patched
by index.
"""

import msgspec
from msgspec import Struct

from toolpost.convert.errors import BadPatch
from toolpost.convert.wire import JsonObject, alike, parts, pointer


class Patch(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    derived: list[str] = []
    set: dict[str, object] = {}
    at: dict[str, "Patch"] = {}
    order: list[str] = []


def diff(base: JsonObject, target: JsonObject) -> Patch:
    """What turns `base` into `target`; empty when they are alike."""
    derived = [key for key in base if key not in target]
    changed = [key for key, value in target.items() if key not in base or not alike(base[key], value)]
    at = {
        key: _deeper(base[key], target[key])
        for key in changed
        if key in base and _paired(base[key], target[key])
    }
    patch = Patch(derived=derived, set={key: target[key] for key in changed if key not in at}, at=at)
    if list(_patched(base, patch)) == list(target):
        return patch
    return msgspec.structs.replace(patch, order=list(target))


def diff_records(base: JsonObject, target: JsonObject) -> Patch:
    """`diff` for two records of fields, whose own key order means nothing."""
    return msgspec.structs.replace(diff(base, target), order=[])


def apply(base: JsonObject, patch: Patch) -> JsonObject:
    """The base with the patch; where the base was edited since, the edit stands and the rest applies."""
    made = _patched(base, patch)
    return {**{key: made[key] for key in patch.order if key in made}, **made}


def encode(patch: Patch) -> JsonObject:
    built: JsonObject = msgspec.to_builtins(patch)
    return built


def decode(value: object) -> Patch:
    try:
        return msgspec.convert(value, Patch)
    except msgspec.ValidationError as error:
        raise BadPatch(
            f"not a toolpost patch: {error}", fix="remove the toolpost data beside the tool"
        ) from None


def carried(patch: Patch, at: str) -> list[str]:
    """Pointers to what the patch holds and the target format cannot say."""
    found = [at + pointer(key) for key in patch.set]
    for key, inner in patch.at.items():
        found += carried(inner, at + pointer(key))
    return found if found or not patch.order else [at]


def derived(patch: Patch, at: str) -> list[str]:
    """Pointers to what the target format demanded and the source lacks."""
    found = [at + pointer(key) for key in patch.derived if key != "extra"]
    for key, inner in patch.at.items():
        found += derived(inner, at + pointer(key))
    return found


def _paired(base: object, target: object) -> bool:
    if isinstance(base, dict) and isinstance(target, dict):
        return bool(base)
    return isinstance(base, list) and isinstance(target, list) and len(base) == len(target)


def _deeper(base: object, target: object) -> Patch:
    return diff(parts(base) or {}, parts(target) or {})


def _patched(base: JsonObject, patch: Patch) -> JsonObject:
    kept = {key: value for key, value in base.items() if key not in patch.derived}
    inner = {key: _apply_inside(base[key], one) for key, one in patch.at.items() if key in kept}
    return {**kept, **inner, **patch.set}


def _apply_inside(base: object, patch: Patch) -> object:
    held = parts(base)
    if held is None:
        return base
    made = apply(held, patch)
    return list(made.values()) if isinstance(base, list) else made
