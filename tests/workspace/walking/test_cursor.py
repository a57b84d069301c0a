import pytest

from toolpost.errors import InvalidArgument
from toolpost.workspace.walking.cursor import START, WHOLE, Cursor, pack, unpack

QUESTION = ("code.search", "TODO", None, True)


@pytest.mark.parametrize(
    "cursor", [START, Cursor(b"a/b.py", 7, 3), Cursor(b"a:b:c\xff\n", WHOLE), Cursor("ä/".encode(), 1)]
)
def test_a_cursor_comes_back_as_it_was(cursor: Cursor) -> None:
    packed = pack(cursor, QUESTION)
    assert unpack(packed, QUESTION) == cursor
    assert packed.replace("-", "").replace("_", "").isalnum()


@pytest.mark.parametrize(
    "text", ["x", "not a cursor", "ééé", "AAAA", "=" * 9, "YWJjZGVmeDp5Onpw", "A" * 9_999]
)
def test_what_is_no_cursor_is_refused(text: str) -> None:
    with pytest.raises(InvalidArgument, match="no cursor") as refused:
        unpack(text, QUESTION, parameter="after")
    assert refused.value.parameter == "after"


def test_a_cursor_of_another_question_is_refused() -> None:
    packed = pack(Cursor(b"a", 1, 1), QUESTION)
    with pytest.raises(InvalidArgument, match="another search"):
        unpack(packed, ("code.search", "FIXME \udcff", None, True))
