"""JSON of every kind, and messages that are almost right."""

import copy
from typing import Any

from hypothesis import strategies as st

any_text = st.text(st.characters(), max_size=12)  # lone surrogates too: Python can hold them
numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.just(10**400)
scalars = st.none() | st.booleans() | numbers | any_text


def json_values(leaves: int = 12) -> st.SearchStrategy[Any]:
    return st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(any_text, inner, max_size=4),
        max_leaves=leaves,
    )


def places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every value inside a value, the whole first."""
    found = [at]
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in inside:
        found.extend(places(inner, (*at, key)))
    return found


def put(value: Any, path: tuple[Any, ...], part: Any) -> Any:
    """A copy of the value with one part replaced."""
    if not path:
        return part
    changed = copy.deepcopy(value)
    holder = changed
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = part
    return changed


@st.composite
def mutated(draw: st.DrawFn, value: Any, most: int = 3) -> Any:
    """The value with a few of its parts replaced, removed or joined by others."""
    changed = copy.deepcopy(value)
    for _ in range(draw(st.integers(0, most))):
        path = draw(st.sampled_from(places(changed)))
        if not path:
            continue
        holder = changed
        for step in path[:-1]:
            holder = holder[step]
        match draw(st.sampled_from(["replace", "remove", "join"])):
            case "replace":
                holder[path[-1]] = draw(json_values(4))
            case "remove":
                del holder[path[-1]]
            case "join" if isinstance(holder, dict):
                holder[draw(any_text)] = draw(json_values(4))
    return changed
