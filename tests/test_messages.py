from string import Formatter

import pytest

from toolpost.errors import Several, every_error
from toolpost.messages import LANGUAGES, SENTENCES, TITLES, detail, fill, rule_of, rule_title, title
from toolpost.problem import Problem

CODES = {
    error.code
    for error in every_error()
    if error.__module__.startswith("toolpost.errors") and error is not Several
}


def _blanks(sentence: str) -> list[str]:
    return sorted(name for _, name, _, _ in Formatter().parse(sentence) if name)


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_code_has_a_title_in_spanish_and_portuguese(code: str) -> None:
    assert set(TITLES[code]) == {"es", "pt"}


def test_no_title_is_left_of_a_code_that_went() -> None:
    assert set(TITLES) - CODES == set()


@pytest.mark.parametrize("rule", SENTENCES)
def test_every_sentence_stands_in_all_languages_with_the_same_blanks(rule: str) -> None:
    assert set(SENTENCES[rule]) == set(LANGUAGES)
    assert len({tuple(_blanks(sentence)) for sentence in SENTENCES[rule].values()}) == 1


def test_no_two_languages_say_the_same() -> None:
    for rule, sentences in SENTENCES.items():
        assert len(set(sentences.values())) == len(LANGUAGES), rule


@pytest.mark.parametrize(
    ("rule", "facts", "sentence"),
    [
        ("format", {"format": "email"}, "format:email"),
        ("format", {"format": "uri"}, "format"),
        ("anyOf", {"expected": "integer or null"}, "type"),
        ("oneOf", {"why": "no"}, "schema"),
        ("minimum", {"limit": 1}, "minimum"),
        ("dependentRequired", {"why": "no"}, "schema"),
    ],
)
def test_a_broken_rule_has_its_own_sentence_or_the_general_one(
    rule: str, facts: dict[str, str], sentence: str
) -> None:
    assert rule_of(rule, facts) == sentence


def test_only_formats_have_a_title_of_their_own() -> None:
    assert rule_title("format", {"format": "email"}) == "Invalid Email Format"
    assert rule_title("minimum", {}) == ""


def test_a_title_falls_back_to_english() -> None:
    problem = Problem(code="TIMEOUT", title="Timed Out")
    assert [title(problem, language) for language in ("en", "es", "fr")] == [
        "Timed Out",
        "Tiempo agotado",
        "Timed Out",
    ]


def test_a_detail_is_said_in_the_callers_language_and_spelling() -> None:
    problem = Problem(
        code="INVALID_ARGUMENT",
        sentence="maximum",
        context={"limit": 100, "provided_value": 200},
        parameter="limit",
    )
    assert detail(problem, "límite", "es") == "límite debe ser como máximo 100; era 200."
    assert detail(problem, "limit", "fr") == "limit must be at most 100; it was 200."


def test_free_text_stays_as_it_was_written() -> None:
    assert detail(Problem(code="X", detail="As {it} is."), "path", "es") == "As {it} is."


def test_blanks_are_filled_once_and_what_is_unknown_is_marked() -> None:
    filled = fill("{parameter}: {allowed} {gone}", None, {"allowed": ["{x}", 1]})
    assert filled == "input: '{x}', 1 ?"
