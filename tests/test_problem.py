import pytest

from toolpost.problem import HTTP_STATUS, Problem


@pytest.mark.parametrize(("slug", "status"), [*HTTP_STATUS.items(), ("of a plugin", 500)])
def test_a_problem_has_the_status_of_its_kind(slug: str, status: int) -> None:
    assert Problem(code="X", slug=slug).http_status == status


def test_problems_compare_by_what_they_say() -> None:
    assert Problem(code="X", context={"a": [1]}) == Problem(code="X", context={"a": [1]})
    assert Problem(code="X", suggested=None) != Problem(code="X")
