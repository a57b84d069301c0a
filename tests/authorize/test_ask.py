import pytest

from toolpost import Call, Decision
from toolpost.authorize.ask import Always, Answer, Asker, Asking, Nobody
from toolpost.define import make
from toolpost.result import Verdict
from toolpost.testing import ScriptedAsker

QUESTION = (make(name="x"), Call(tool="x"), Verdict(Decision.ASK))


@pytest.mark.parametrize(
    ("answer", "decision", "lasts"),
    [
        (Answer.ALLOW_ONCE, Decision.ALLOW, False),
        (Answer.ALLOW_ALWAYS, Decision.ALLOW, True),
        (Answer.REJECT_ONCE, Decision.DENY, False),
        (Answer.REJECT_ALWAYS, Decision.DENY, True),
    ],
)
def test_an_answer_decides_for_once_or_for_good(answer: Answer, decision: Decision, lasts: bool) -> None:
    assert (answer.decision, answer.lasts) == (decision, lasts)


@pytest.mark.parametrize(
    ("asker", "answer"),
    [
        (Nobody(), None),
        (Always(Answer.ALLOW_ONCE), Answer.ALLOW_ONCE),
        (
            Asking(lambda tool, _call, _verdict: Answer.REJECT_ONCE if tool.name == "x" else None),
            Answer.REJECT_ONCE,
        ),
        (ScriptedAsker([Answer.ALLOW_ALWAYS]), Answer.ALLOW_ALWAYS),
        (ScriptedAsker([]), None),
    ],
)
async def test_every_asker_answers(asker: Asker, answer: Answer | None) -> None:
    assert await asker.ask(*QUESTION) is answer


async def test_a_scripted_asker_keeps_what_it_was_asked() -> None:
    asker = ScriptedAsker([])
    await asker.ask(*QUESTION)
    assert asker.asked == [QUESTION]
