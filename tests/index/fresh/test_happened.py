from toolpost.index.fresh.happened import Happened, is_within, topmost, upward


def test_what_happened_adds_up() -> None:
    happened = Happened({b"a"})
    happened.merge(Happened({b"b"}, {b"c"}, is_lost=True))
    assert happened == Happened({b"a", b"b"}, {b"c"}, is_lost=True)
    assert happened
    assert not Happened()


def test_of_folders_within_each_other_the_topmost_is_kept() -> None:
    assert topmost({b"a/b", b"a", b"a-b", b"c/d/e", b"c/d"}) == [b"a", b"a-b", b"c/d"]
    assert topmost({b"a", b"", b".x"}) == [b""]
    assert topmost(set()) == []


def test_the_way_up_ends_at_the_tree() -> None:
    assert list(upward(b"a/b")) == [b"a/b", b"a", b""]
    assert is_within(b"a/b/c", {b"a"})
    assert not is_within(b"ab", {b"a"})
