from toolpost.authorize.imports.values import table, tables, texts


def test_what_is_of_another_kind_is_as_good_as_absent() -> None:
    assert table({"a": {"b": {"c": 1}}}, "a", "b") == {"c": 1}
    assert table({"a": [1]}, "a", "b") == {}
    assert texts("one") == ["one"]
    assert texts(["one", 2]) == ["one"]
    assert texts({"a": 1}) == []
    assert tables([{"a": 1}, 2]) == [{"a": 1}]
    assert tables({"a": 1}) == []
