import re
from datetime import UTC, datetime, timedelta, timezone

import pytest

from toolpost.clock import Clock, rfc3339
from toolpost.testing import FakeClock


def test_now_is_in_utc() -> None:
    assert Clock().now().tzinfo is UTC


def test_elapsed_time_never_runs_backwards() -> None:
    clock = Clock()
    looks = [clock.monotonic_ns() for _ in range(100)]
    assert looks == sorted(looks)


def test_ids_have_the_contracts_forms_and_are_never_the_same() -> None:
    clock = Clock()
    assert re.fullmatch(r"req-\d{1,19}", clock.request_id())
    assert re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", clock.uuid())
    assert len({clock.request_id() for _ in range(1000)} | {clock.uuid() for _ in range(1000)}) == 2000


@pytest.mark.parametrize(
    ("moment", "written"),
    [
        (datetime(2025, 12, 11, 20, tzinfo=UTC), "2025-12-11T20:00:00Z"),
        (datetime(2025, 12, 11, 20, 0, 0, 45_999, tzinfo=UTC), "2025-12-11T20:00:00.045Z"),
        (datetime(2025, 12, 11, 20, 0, 0, 999, tzinfo=UTC), "2025-12-11T20:00:00Z"),
        (datetime(2025, 12, 11, 20, tzinfo=timezone(timedelta(hours=2))), "2025-12-11T18:00:00Z"),
    ],
)
def test_a_moment_is_written_in_utc_with_milliseconds_only_when_there_are_some(
    moment: datetime, written: str
) -> None:
    assert rfc3339(moment) == written


def test_a_fake_clock_moves_only_when_told() -> None:
    clock = FakeClock(step_ms=2)
    assert (clock.now(), clock.monotonic_ns()) == (datetime(2025, 12, 11, 20, tzinfo=UTC), 2_000_000)
    clock.advance(1.5)
    assert clock.now() == datetime(2025, 12, 11, 20, 0, 1, 500_000, tzinfo=UTC)
    assert clock.monotonic_ns() == 1_504_000_000
    assert (clock.request_id(), clock.uuid()) == ("req-1", "00000000-0000-4000-8000-000000000002")
