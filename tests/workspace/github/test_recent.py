from toolpost.workspace.github.recent import Recent


def test_what_was_not_used_for_longest_goes_first() -> None:
    recent = Recent(max_bytes=10)
    recent.keep("a", b"aaaa")
    recent.keep("b", b"bbbb")
    assert recent.get("a") == b"aaaa"
    recent.keep("c", b"cccc")
    assert [recent.get(key) for key in "abc"] == [b"aaaa", None, b"cccc"]


def test_what_is_kept_twice_counts_once() -> None:
    recent = Recent(max_bytes=8)
    for _ in range(3):
        recent.keep("a", b"aaaa")
    recent.keep("b", b"bbbb")
    assert [recent.get(key) for key in "ab"] == [b"aaaa", b"bbbb"]


def test_what_alone_is_larger_than_the_room_drives_nothing_out() -> None:
    recent = Recent(max_bytes=4)
    recent.keep("a", b"aaaa")
    recent.keep("b", b"bbbbb")
    assert [recent.get(key) for key in "ab"] == [b"aaaa", None]


def test_after_clearing_there_is_room_again() -> None:
    recent = Recent(max_bytes=4)
    recent.keep("a", b"aaaa")
    recent.clear()
    recent.keep("b", b"bbbb")
    assert [recent.get(key) for key in "ab"] == [None, b"bbbb"]
