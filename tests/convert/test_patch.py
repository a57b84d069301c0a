"""The difference that travels beside a tool."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.convert.values import json_objects, json_values, words

from toolpost.convert.errors import BadPatch
from toolpost.convert.patch import Patch, apply, carried, decode, derived, diff, diff_records, encode
from toolpost.convert.wire import JsonObject, alike

near = st.dictionaries(
    st.sampled_from(["a", "b", "c"]), json_values | json_objects | st.lists(json_objects), max_size=3
)


@given(base=near, target=near)
def test_a_patch_turns_the_base_into_the_target_to_the_letter(base: JsonObject, target: JsonObject) -> None:
    patch = decode(encode(diff(base, target)))
    assert alike(apply(base, patch), target)


@given(value=st.dictionaries(words, json_values))
def test_like_values_need_no_patch(value: JsonObject) -> None:
    assert diff(value, value) == Patch()


def test_a_patch_says_only_what_differs() -> None:
    base: JsonObject = {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "made": 1,
        "list": [{"x": 1}, 2],
    }
    target: JsonObject = {
        "properties": {"a": {"type": "string"}},
        "type": "object",
        "list": [{"x": 1, "y": 2}, 2],
    }
    assert encode(diff(base, target)) == {
        "derived": ["made"],
        "at": {"list": {"at": {"0": {"set": {"y": 2}}}}},
        "order": ["properties", "type", "list"],
    }


def test_pointers_tell_what_is_carried_from_what_was_made_up() -> None:
    patch = Patch(derived=["when"], set={"a/b": 1}, at={"in": Patch(order=["x"]), "ex": Patch(derived=["0"])})
    assert carried(patch, "/tools/0") == ["/tools/0/a~1b", "/tools/0/in"]
    assert derived(patch, "") == ["/when", "/ex/0"]


@pytest.mark.parametrize("value", [5, {"set": []}, {"unknown": 1}, {"order": "name"}, {"at": {"name": 5}}])
def test_a_foreign_patch_is_refused(value: object) -> None:
    with pytest.raises(BadPatch):
        decode(value)


def test_a_patch_still_applies_where_the_base_was_edited_since() -> None:
    patch = Patch(
        derived=["gone"], set={"b": 2}, at={"gone": Patch(), "a": Patch(set={"x": 1})}, order=["b", "gone"]
    )
    assert alike(apply({"a": 5, "new": 1}, patch), {"b": 2, "a": 5, "new": 1})


def test_the_order_of_fields_in_a_record_is_no_difference() -> None:
    assert diff_records({"a": 1, "b": 2}, {"b": 2, "a": 1}) == Patch()
