from collections.abc import Iterator

import pytest
from tests.sandbox.ground import LEVELS, USERS, Ground, ground, missing


@pytest.fixture(
    name="ground",
    params=[(user, level) for user in USERS for level in LEVELS],
    ids=[f"{level.label}-{user}" for user in USERS for level in LEVELS],
)
def _ground(request: pytest.FixtureRequest) -> Iterator[Ground]:
    """A workspace, tried at L2 and at L3, as root and as an ordinary user."""
    user, level = request.param
    if reason := missing(user, level):
        pytest.skip(reason)
    with ground(user, level) as made:
        yield made
