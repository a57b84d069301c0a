from toolpost.index.resolve.jsonc import load


def test_comments_and_commas_too_many_are_passed_over_but_not_within_texts() -> None:
    text = b'\xef\xbb\xbf// head\n{"a": "// no, /* text */ ,]", /* c */ "b": [1, 2, /* d */ ], // e\n}'
    assert load(text) == {"a": "// no, /* text */ ,]", "b": [1, 2]}


def test_what_is_no_object_is_an_empty_one() -> None:
    for text in (None, b"", b"[1]", b"{", b"\xff\xfe", b"[" * 100_000):
        assert load(text) == {}
