"""What a user answered for good, by tool name, as long as the session lasts."""

from toolpost.authorize.ask import Answer
from toolpost.result import Decision


class Grants:
    def __init__(self) -> None:
        self._answers: dict[str, Decision] = {}

    def get(self, tool: str) -> Decision | None:
        return self._answers.get(tool)

    def remember(self, tool: str, answer: Answer) -> None:
        if answer.lasts:
            self._answers[tool] = answer.decision

    def revoke(self, tool: str) -> bool:
        return self._answers.pop(tool, None) is not None
