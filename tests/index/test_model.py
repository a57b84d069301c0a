from toolpost.index.model import Export, names


def test_each_name_is_told_once_in_the_order_of_the_file() -> None:
    assert names((Export("b"), Export("a"), Export("b", kind="type"))) == ["b", "a"]


def test_a_default_export_is_told_by_its_real_name_too() -> None:
    assert names((Export("default", local="Shop"), Export("Shop"))) == ["default", "Shop"]
    assert names((Export("default"),)) == ["default"]
    assert names((Export("outer", local="inner"),)) == ["outer"]
