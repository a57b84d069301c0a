"""How tools lie in a file."""

import pytest

from toolpost.convert.envelope import Layout
from toolpost.convert.errors import ConvertError

LAYOUT = Layout(marks=frozenset({"inputSchema"}), answers=True)


@pytest.mark.parametrize(
    ("value", "shape", "pointers"),
    [
        ({"name": "a"}, "one", [""]),
        ([{"name": "a"}], "list", ["/0"]),
        ({"tools": [{"name": "a"}], "next": 1}, "object", ["/tools/0"]),
        (
            {"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "a"}], "next": 1}},
            "rpc",
            ["/result/tools/0"],
        ),
        ({"name": "a", "inputSchema": {}, "tools": [5]}, "one", [""]),
    ],
)
def test_a_file_is_split_and_joined_again(value: object, shape: str, pointers: list[str]) -> None:
    envelope = LAYOUT.split(value)
    assert (envelope.shape, envelope.pointers) == (shape, pointers)
    assert LAYOUT.join(envelope) == value


def test_a_catalogue_may_have_a_name_of_its_own() -> None:
    envelope = LAYOUT.split({"name": "mine", "tools": []})
    assert (envelope.shape, envelope.rest) == ("object", {"name": "mine"})


def test_a_tool_that_is_not_an_object_is_refused_where_it_stands() -> None:
    with pytest.raises(ConvertError) as caught:
        LAYOUT.split({"tools": [{}, 5]})
    assert caught.value.pointer == "/tools/1"


def test_a_number_holds_no_tools() -> None:
    with pytest.raises(ConvertError, match="not a tool"):
        LAYOUT.split(5)
