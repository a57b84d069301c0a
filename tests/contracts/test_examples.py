"""Every example of the five contracts, wire in and wire out, through the real pipeline."""

import jsonschema_rs
import pytest
from msgspec import UNSET
from tests.contracts.cases import Case, Shown, differences, every_case, look_up, play

CASES = every_case()
EXAMPLES = [(case, shown) for case in CASES for shown in case.contract]


def _name(case: Case) -> str:
    return case.path


def _example_name(value: Case | Shown) -> str:
    return value.path if isinstance(value, Case) else value.shows


@pytest.mark.parametrize("case", CASES, ids=_name)
async def test_the_answer_is_exactly_the_expected_one(case: Case) -> None:
    assert (await play(case)).answer == case.expect


@pytest.mark.parametrize("case", CASES, ids=_name)
async def test_every_call_leaves_exactly_one_record(case: Case) -> None:
    played = await play(case)
    assert played.records == played.calls


@pytest.mark.parametrize("case", [case for case in CASES if case.answered_by == "render"], ids=_name)
async def test_the_answer_passes_the_schema_of_its_dialect(case: Case) -> None:
    played = await play(case)
    jsonschema_rs.validator_for(played.dialect.ANSWER, validate_formats=True).validate(played.answer)


@pytest.mark.parametrize(("case", "shown"), EXAMPLES, ids=_example_name)
async def test_the_contracts_own_example_holds_but_where_a_decision_says_otherwise(
    case: Case, shown: Shown
) -> None:
    actual = look_up({"send": case.send, "answer": (await play(case)).answer}, shown.at)
    found = [] if shown.example is UNSET else list(differences(shown.example, actual))
    assert found == [difference.at for difference in shown.differs]


@pytest.mark.parametrize(
    ("case", "shown"), [pair for pair in EXAMPLES if pair[1].schema is not None], ids=_example_name
)
async def test_a_type_of_the_contract_describes_what_is_sent_and_answered(case: Case, shown: Shown) -> None:
    actual = look_up({"send": case.send, "answer": (await play(case)).answer}, shown.at)
    jsonschema_rs.validator_for(shown.schema or {}, validate_formats=True).validate(actual)


@pytest.mark.parametrize(("case", "shown"), EXAMPLES, ids=_example_name)
def test_an_example_stands_in_its_case_as_json_or_as_text_with_its_schema(case: Case, shown: Shown) -> None:
    assert shown.example is not UNSET or (shown.text and shown.schema is not None)


@pytest.mark.parametrize(("case", "shown"), EXAMPLES, ids=_example_name)
def test_every_difference_names_a_decision_and_a_reason(case: Case, shown: Shown) -> None:
    for difference in shown.differs:
        assert difference.decision.startswith("C")
        assert difference.decision[1:].isdigit()
        assert difference.why
