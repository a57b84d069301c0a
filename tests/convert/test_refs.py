"""Inlining references."""

import pytest

from toolpost.convert.errors import ConvertError
from toolpost.convert.refs import Inliner, has_local_ref
from toolpost.convert.wire import JsonObject

ROOT: JsonObject = {
    "parts": {
        "Name": {"type": "string"},
        "Tree": {
            "type": "object",
            "properties": {"left": {"$ref": "#/parts/Tree"}, "name": {"$ref": "#/parts/Name"}},
        },
        "List": [{"a": 1}],
        "Yes": True,
    }
}


def inlined(schema: object) -> JsonObject:
    return Inliner(ROOT, "#/parts/").schema(schema)


def test_a_reference_is_replaced_and_its_neighbours_win() -> None:
    assert inlined({"$ref": "#/parts/Name", "description": "D"}) == {"type": "string", "description": "D"}
    assert inlined({"items": [{"$ref": "#/parts/List/0"}, {"$ref": "#/parts/Yes"}]}) == {
        "items": [{"a": 1}, True]
    }


def test_a_schema_that_refers_to_itself_moves_into_definitions() -> None:
    assert inlined({"$ref": "#/parts/Tree"}) == {
        "$ref": "#/$defs/Tree",
        "$defs": {
            "Tree": {
                "type": "object",
                "properties": {"left": {"$ref": "#/$defs/Tree"}, "name": {"type": "string"}},
            }
        },
    }


def test_other_references_and_schemas_of_their_own_stay() -> None:
    assert inlined({"$ref": "#/$defs/own"}) == {"$ref": "#/$defs/own"}
    own: JsonObject = {"$id": "urn:x", "$ref": "#/parts/Name"}
    assert inlined(own) == own
    assert inlined(True) == {}


@pytest.mark.parametrize("ref", ["#/parts/None", "#/parts/List/7", "#/parts/List/x", "#/parts/Yes/a"])
def test_a_reference_to_nothing_is_refused(ref: str) -> None:
    with pytest.raises(ConvertError, match="leads nowhere"):
        inlined({"$ref": ref})


def test_references_that_grow_without_end_are_refused() -> None:
    bombs: JsonObject = {"b0": {"type": "string"}}
    for level in range(1, 20):
        bombs[f"b{level}"] = {"allOf": [{"$ref": f"#/b{level - 1}"}] * 4}
    with pytest.raises(ConvertError, match="without end"):
        Inliner(bombs, "#/").schema({"$ref": "#/b19"})


def test_a_local_reference_is_found_at_any_depth() -> None:
    assert has_local_ref({"anyOf": [{"$ref": "#/x"}]})
    assert has_local_ref({"$dynamicRef": "#node"})
    assert not has_local_ref({"$ref": "other.json", "enum": ["#/x"]})
