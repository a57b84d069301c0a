import pytest

from toolpost import Call, Problem, Provenance, Result
from toolpost.call import Words
from toolpost.clock import Clock
from toolpost.dialects import say

PROBLEM = Problem(
    code="INVALID_ARGUMENT",
    title="Validation Error",
    detail="path is long.",
    sentence="maxLength",
    parameter="path",
    suggested="ab",
    context={"limit": 2, "provided_value": "abc"},
    retryable=True,
    instance="i1",
)


def _result(language: str = "en", repaired: dict[str, object] | None = None) -> Result:
    call = Call(tool="x", words=Words(spelling={"path": "dir"}), language=language)
    provenance = Provenance("local", Clock().now(), 1.0, "r")
    problems = (PROBLEM, Problem(code="X", detail="Second.", suggested=None))
    return Result(call=call, provenance=provenance, problems=problems, repaired=repaired)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "dir must have at most 2 characters; it was 'abc'. Try: ab\nSecond."),
        ("es", "dir debe tener como máximo 2 caracteres; era 'abc'. Pruebe: ab\nSecond."),
        ("pt", "dir deve ter no máximo 2 caracteres; era 'abc'. Tente: ab\nSecond."),
        ("fr", "dir must have at most 2 characters; it was 'abc'. Try: ab\nSecond."),
    ],
)
def test_all_that_went_wrong_is_said_in_the_callers_words_and_language(language: str, said: str) -> None:
    assert say.summary(_result(language)) == said


def test_a_problem_is_told_as_open_data() -> None:
    assert say.facts(PROBLEM, "dir", "es") == {
        "code": "INVALID_ARGUMENT",
        "title": "Error de validación",
        "detail": "dir debe tener como máximo 2 caracteres; era 'abc'.",
        "retryable": True,
        "instance": "i1",
        "parameter": "dir",
        "suggested": "ab",
        "context": {"limit": 2, "provided_value": "abc"},
    }
    bare = {"code": "X", "title": "", "detail": "d", "retryable": False, "instance": ""}
    assert say.facts(Problem(code="X", detail="d"), None, "en") == bare
    assert say.facts(Problem(code="X", detail="d", suggested=None), None, "en") == {**bare, "suggested": None}


def test_a_repair_is_spelled_as_the_caller_would() -> None:
    assert say.repair(_result(repaired={"path": "ab", "n": 1})) == {"dir": "ab", "n": 1}
    assert say.repair(_result()) is None


def test_values_are_shown_as_text() -> None:
    assert [say.as_text(value) for value in ("a", 5, {"b": None})] == ["a", "5", '{"b":null}']
    assert [say.number(value) for value in (45.0, 45.5, 45)] == [45, 45.5, 45]
    assert isinstance(say.number(45.0), int)
