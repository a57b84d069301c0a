import pytest

from toolpost.authorize.ask import Answer
from toolpost.authorize.wires import CONTRACT_004, OPTIONS_004, of_acp, to_acp


def test_contract_004_has_three_answers_and_three_kept_words() -> None:
    assert [CONTRACT_004[option] for option in OPTIONS_004] == [
        Answer.ALLOW_ONCE,
        Answer.ALLOW_ALWAYS,
        Answer.REJECT_ALWAYS,
    ]
    assert [CONTRACT_004[word] for word in ("once", "always", "never")] == [
        CONTRACT_004[option] for option in OPTIONS_004
    ]


@pytest.mark.parametrize("kind", ["allow_once", "allow_always", "reject_once", "reject_always"])
def test_the_four_kinds_of_the_agent_client_protocol_come_back_as_they_went(kind: str) -> None:
    answer = of_acp(kind)
    assert answer is not None
    assert to_acp(answer) == kind


def test_what_always_means_there_is_a_setting_and_never_everywhere() -> None:
    assert of_acp("allow_always") is Answer.ALLOW_SESSION
    assert of_acp("allow_always", Answer.ALLOW_PROJECT) is Answer.ALLOW_PROJECT


def test_no_answer_is_a_refusal_and_not_a_cancellation() -> None:
    assert (to_acp(None), of_acp("cancelled")) == ("reject_once", None)
