import pytest

from toolpost.define import make
from toolpost.route.router import Lane, choose


@pytest.mark.parametrize(
    ("location", "blocking", "lane"),
    [
        ("local", False, Lane("local", in_thread=False)),
        ("local", True, Lane("local", in_thread=True)),
        ("cloud", False, Lane("remote:in-process", in_thread=False)),
        ("cloud", True, Lane("remote:in-process", in_thread=True)),
    ],
)
def test_a_tool_runs_where_it_says_and_in_a_thread_when_it_blocks(
    location: str, blocking: bool, lane: Lane
) -> None:
    assert choose(make(name="x", location=location, blocking=blocking)) == lane
