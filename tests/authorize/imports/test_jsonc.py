import pytest

from toolpost.authorize.imports import jsonc
from toolpost.authorize.imports.imported import Unreadable


def test_comments_and_commas_too_many_are_passed_over() -> None:
    text = '\ufeff{ // a\n "a": "// no \\" comment, ]", /* b\n */ "b": [1, 2,], }// end'

    assert jsonc.load(text) == {"a": '// no " comment, ]', "b": [1, 2]}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "This is no JSON object."),
        ("{", "This is no JSON: Input data was truncated."),
        ("{} /* open", "This is no JSON: a comment is not closed."),
        ('{"a', "This is no JSON: Input data was truncated."),
    ],
)
def test_what_is_no_object_is_told(text: str, said: str) -> None:
    with pytest.raises(Unreadable) as error:
        jsonc.load(text)
    assert str(error.value) == said


def test_nesting_without_end_is_told() -> None:
    with pytest.raises(Unreadable, match=r"^It is nested too deeply\.$"):
        jsonc.load('{"a":' + "[" * 100_000)


def test_a_long_text_is_read_once() -> None:
    assert jsonc.load("{" + "/**/" * 100_000 + "}") == {}
