"""Generated cards and catalogues, as full and as odd as a card can be."""

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from tests.convert.values import (
    Values,
    annotations,
    json_objects,
    json_values,
    names,
    odd_values,
    schemas,
    some,
    words,
)

from toolpost.convert.card import Card, Catalogue, load

optional_fields: dict[str, Values] = {
    "kind": st.just("prompt"),
    **dict.fromkeys(
        ["title", "description", "when_to_use", "success", "version", "category", "author"], words
    ),
    "input_schema": schemas()
    | st.just({"type": "array"})
    | st.just({"$ref": "#/components/x"})
    | st.just({}),
    "output_schema": schemas() | st.just({"type": ["array", "null"]}),
    "failures": st.lists(
        some({"code": words | st.just("404")}, {"description": words, "extra": json_objects.filter(bool)}),
        max_size=2,
    ),
    "annotations": annotations | st.just({"title": 5}),
    "tags": st.lists(words, max_size=2),
    "examples": st.lists(
        some(
            {},
            {
                "name": words,
                "description": words,
                "input": json_values,
                "expected": json_values,
                "extra": json_objects.filter(bool),
            },
        ),
        max_size=2,
    ),
    "prerequisites": json_objects,
    "localization": json_objects,
    "feedback": json_objects,
    "extra": st.dictionaries(
        st.sampled_from(["mcp", "spec", "1", "2", "ardf", "functions", "openapi"]),
        st.dictionaries(
            st.sampled_from(
                [
                    "path",
                    "method",
                    "x-toolpost",
                    "_meta",
                    "unfitted",
                    "id_key",
                    "metadata",
                    "responses",
                    "content",
                ]
            ),
            json_values | st.just("/users") | st.just("get") | odd_values,
            min_size=1,
            max_size=3,
        ),
        max_size=2,
    ),
    "origin": st.dictionaries(st.sampled_from(["mcp", "spec", "1", "openapi"]), json_values, max_size=1),
}
cards: SearchStrategy[Card] = st.fixed_dictionaries({"name": names}, optional=optional_fields).map(load)
card_catalogues: SearchStrategy[Catalogue] = st.builds(
    Catalogue,
    cards=st.lists(cards, max_size=3, unique_by=lambda card: card.name),
    shape=st.sampled_from(["one", "list", "object", "rpc", "resources"]),
    extra=st.dictionaries(
        st.sampled_from(["mcp", "spec", "2"]),
        st.fixed_dictionaries({}, optional={"rest": json_objects, "outer": json_objects}),
        max_size=2,
    ),
)
