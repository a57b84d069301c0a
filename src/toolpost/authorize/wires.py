"""Answers in the words of the protocols that carry them: contract 004's three, and the Agent Client Protocol's four."""

from toolpost.authorize.ask import Answer

CONTRACT_004 = {
    "Allow Once": Answer.ALLOW_ONCE,
    "Always Allow": Answer.ALLOW_ALWAYS,
    "Deny": Answer.REJECT_ALWAYS,
    "once": Answer.ALLOW_ONCE,
    "always": Answer.ALLOW_ALWAYS,
    "never": Answer.REJECT_ALWAYS,
}
"""What its dialog offers, and what its permission manager keeps (C35)."""

OPTIONS_004 = ("Allow Once", "Always Allow", "Deny")


def of_acp(kind: str, lasting: Answer = Answer.ALLOW_SESSION) -> Answer | None:
    """`lasting` is what allow_always means here: this session or this project, never everywhere. None for no kind."""
    return {
        "allow_once": Answer.ALLOW_ONCE,
        "allow_always": lasting,
        "reject_once": Answer.REJECT_ONCE,
        "reject_always": Answer.REJECT_ALWAYS,
    }.get(kind)


def to_acp(answer: Answer | None) -> str:
    """A refusal by rule selects reject_once, never `cancelled`."""
    if answer is None:
        return "reject_once"
    lasting = {Answer.ALLOW_SESSION, Answer.ALLOW_PROJECT, Answer.ALLOW_ALWAYS}
    return "allow_always" if answer in lasting else str(answer)
