import pytest
from msgspec import UNSET

from toolpost import errors
from toolpost.errors import Denied, FileNotFound, InvalidArgument, Several, ToolError, every_error, named
from toolpost.problem import HTTP_STATUS, Problem

OWN = [
    error
    for error in every_error()
    if error.__module__.startswith("toolpost.errors.") and error is not Several
]


def test_an_error_tells_everything_it_knows() -> None:
    error = FileNotFound("No such file.", parameter="path", suggested="a.py", sentence="r", tried="b.py")
    assert error.problem() == Problem(
        code="FILE_NOT_FOUND",
        slug="not-found",
        title="File Not Found",
        detail="No such file.",
        sentence="r",
        parameter="path",
        suggested="a.py",
        context={"tried": "b.py"},
        retryable=True,
    )
    assert str(error) == "No such file."


def test_an_error_without_a_detail_says_its_title() -> None:
    assert (Denied().detail, Denied().problem().suggested) == ("Permission Denied", UNSET)


def test_several_errors_are_all_told() -> None:
    problems = (InvalidArgument("a").problem(), InvalidArgument("b").problem())
    several = Several(problems, {"x": 1})
    assert (several.problems(), several.repaired, several.detail) == (problems, {"x": 1}, "a")


@pytest.mark.parametrize("error", OWN, ids=lambda error: error.code)
def test_every_error_is_complete(error: type[ToolError]) -> None:
    assert error.code.isupper()
    assert error.slug in HTTP_STATUS
    assert error.title
    assert error.fix.endswith(".")
    assert error.__doc__
    assert error.__doc__.strip().endswith(".")


def test_no_two_errors_share_a_code() -> None:
    assert len({error.code for error in OWN}) == len(OWN)


def test_the_tree_in_the_docstring_names_every_error() -> None:
    assert [error.__name__ for error in OWN if error.__name__ not in (errors.__doc__ or "")] == []


def test_a_code_leads_to_its_class() -> None:
    assert named("FILE_NOT_FOUND") is FileNotFound
    assert named("NO_SUCH_CODE") is ToolError
