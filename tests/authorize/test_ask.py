import pytest

from toolpost import Call, Decision
from toolpost.authorize.ask import Always, Answer, Asker, Asking, Nobody, Question, Scope
from toolpost.define import make
from toolpost.result import Verdict
from toolpost.testing import ScriptedAsker

QUESTION = Question(tool=make(name="x"), call=Call(tool="x"), verdict=Verdict(Decision.ASK))


@pytest.mark.parametrize(
    ("answer", "decision", "scope"),
    [
        (Answer.ALLOW_ONCE, Decision.ALLOW, None),
        (Answer.ALLOW_SESSION, Decision.ALLOW, Scope.SESSION),
        (Answer.ALLOW_PROJECT, Decision.ALLOW, Scope.PROJECT),
        (Answer.ALLOW_ALWAYS, Decision.ALLOW, Scope.USER),
        (Answer.REJECT_ONCE, Decision.DENY, None),
        (Answer.REJECT_ALWAYS, Decision.DENY, Scope.SESSION),
    ],
)
def test_an_answer_decides_as_far_as_it_reaches(
    answer: Answer, decision: Decision, scope: Scope | None
) -> None:
    assert (answer.decision, answer.scope) == (decision, scope)


@pytest.mark.parametrize(
    ("asker", "answer"),
    [
        (Nobody(), None),
        (Always(Answer.ALLOW_ONCE), Answer.ALLOW_ONCE),
        (Asking(lambda asked: Answer.REJECT_ONCE if asked.tool.name == "x" else None), Answer.REJECT_ONCE),
        (ScriptedAsker([Answer.ALLOW_ALWAYS]), Answer.ALLOW_ALWAYS),
        (ScriptedAsker([]), None),
    ],
)
async def test_every_asker_answers(asker: Asker, answer: Answer | None) -> None:
    assert await asker.ask(QUESTION) is answer


async def test_a_scripted_asker_keeps_what_it_was_asked() -> None:
    asker = ScriptedAsker([])
    await asker.ask(QUESTION)
    assert asker.asked == [QUESTION]
