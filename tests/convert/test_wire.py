"""JSON values on the wire."""

from toolpost.convert.wire import alike, differences, escape, pointer, same, unescape


def test_alike_sees_key_order_and_same_does_not() -> None:
    assert not alike({"a": 1, "b": 2}, {"b": 2, "a": 1})
    assert same({"a": 1, "b": 2}, {"b": 2, "a": 1})


def test_one_is_neither_true_nor_one_point_nought() -> None:
    assert not same(1, True)
    assert not same(1, 1.0)


def test_a_pointer_escapes_its_parts() -> None:
    assert pointer("paths", "/a~b", 0) == "/paths/~1a~0b/0"
    assert unescape(escape("/a~b~1")) == "/a~b~1"


def test_differences_name_every_place() -> None:
    before = {"a": [1, {"b": 2}], "c": 3, "d": {}}
    after = {"a": [1, {"b": 5}, 6], "d": [], "e": None}
    assert differences(before, after) == ["/a/1/b", "/a/2", "/c", "/d", "/e"]
    assert differences(before, before) == []
