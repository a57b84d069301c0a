import pytest

from toolpost.workspace.github.dial import Reply
from toolpost.workspace.github.rate import Pause, is_refusal, pause

NOW = 1_765_483_200.0
LEFT = {"x-ratelimit-limit": "60", "x-ratelimit-remaining": "12", "x-ratelimit-reset": f"{NOW + 900:.0f}"}
SPENT = {**LEFT, "x-ratelimit-remaining": "0"}


@pytest.mark.parametrize(
    ("status", "headers", "body", "asked"),
    [
        (200, {}, b"", None),
        (200, LEFT, b"", None),
        (200, SPENT, b"", Pause(NOW + 900, 60, 0)),
        (200, {**SPENT, "x-ratelimit-reset": f"{NOW - 1:.0f}"}, b"", None),
        (200, {"retry-after": "9"}, b"", None),
        (403, SPENT, b"", Pause(NOW + 900, 60, 0)),
        (403, {**SPENT, "x-ratelimit-reset": "99999999999"}, b"", Pause(NOW + 3_600, 60, 0)),
        (403, {**LEFT, "retry-after": "30"}, b"", Pause(NOW + 30, 60, 12)),
        (429, {**SPENT, "retry-after": "30"}, b"", Pause(NOW + 30, 60, 0)),
        (403, {}, b'{"message": "You have exceeded a secondary rate limit."}', Pause(NOW + 60)),
        (429, {}, b"", Pause(NOW + 60)),
        (429, {"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}, b"", Pause(NOW + 60)),
        (429, {"retry-after": "9" * 30}, b"", Pause(NOW + 60)),
        (429, {"retry-after": "0"}, b"", Pause(NOW + 60)),
        (403, {**SPENT, "x-ratelimit-reset": f"{NOW - 9:.0f}"}, b"", Pause(NOW + 60, 60, 0)),
        (403, LEFT, b'{"message": "Resource not accessible by personal access token"}', None),
        (404, LEFT, b"rate limit", None),
    ],
)
def test_an_answer_says_how_long_to_wait(
    status: int, headers: dict[str, str], body: bytes, asked: Pause | None
) -> None:
    assert pause(Reply(status, headers, body), NOW) == asked


@pytest.mark.parametrize(
    ("status", "headers", "body", "refused"),
    [
        (200, SPENT, b"", False),
        (403, LEFT, b"", False),
        (403, SPENT, b"", True),
        (403, {"retry-after": "1"}, b"", True),
        (403, {}, b"API Rate Limit exceeded", True),
        (429, {}, b"", True),
    ],
)
def test_a_refusal_for_its_rate_is_told_from_one_for_its_rights(
    status: int, headers: dict[str, str], body: bytes, *, refused: bool
) -> None:
    assert is_refusal(Reply(status, headers, body)) is refused


def test_the_error_says_until_when_and_what_helps() -> None:
    problem = Pause(NOW, 60, 0).refuse("api.github.com", has_token=False).problem()
    assert (problem.code, problem.context) == (
        "RATE_LIMITED",
        {"host": "api.github.com", "reset": "2025-12-11T20:00:00Z", "limit": 60, "remaining": 0},
    )
    assert problem.detail == (
        "api.github.com takes no more requests until 2025-12-11T20:00:00Z."
        " Wait until then, or connect with a token, which raises the limit."
    )
    alone = Pause(NOW).refuse("git.corp", has_token=True).problem()
    assert alone.context == {"host": "git.corp", "reset": "2025-12-11T20:00:00Z"}
    assert alone.detail == "git.corp takes no more requests until 2025-12-11T20:00:00Z. Wait until then."
