import pytest

from toolpost import Decision
from toolpost.authorize.ask import Answer
from toolpost.authorize.grants import Grants


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        (Answer.ALLOW_ONCE, None),
        (Answer.REJECT_ONCE, None),
        (Answer.ALLOW_ALWAYS, Decision.ALLOW),
        (Answer.REJECT_ALWAYS, Decision.DENY),
    ],
)
def test_only_an_answer_for_good_is_remembered(answer: Answer, kept: Decision | None) -> None:
    grants = Grants()
    grants.remember("write", answer)
    assert (grants.get("write"), grants.get("other")) == (kept, None)


def test_a_grant_is_revoked_once() -> None:
    grants = Grants()
    grants.remember("write", Answer.ALLOW_ALWAYS)
    assert (grants.revoke("write"), grants.get("write"), grants.revoke("write")) == (True, None, False)
