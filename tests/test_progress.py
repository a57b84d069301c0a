from toolpost import progress
from toolpost.progress import TELL, Progress, tell


def test_nobody_is_told_outside_a_call() -> None:
    tell("unheard")


def test_whoever_listens_here_is_told() -> None:
    told: list[Progress] = []
    token = TELL.set(told.append)
    try:
        tell("linking", done=3, total=7)
        progress.tell()
    finally:
        TELL.reset(token)
    tell("unheard")
    assert told == [Progress("linking", 3, 7), Progress()]
