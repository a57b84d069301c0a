from datetime import UTC, datetime

import pytest

from toolpost import Call, Provenance, Result
from toolpost.errors import RecordFailed
from toolpost.record.entry import Entry
from toolpost.record.recorder import Recorder
from toolpost.record.sinks import MemorySink

RESULT = Result(
    call=Call(tool="x"), provenance=Provenance("local", datetime(2025, 1, 1, tzinfo=UTC), 1.0, "req-1")
)


class BrokenSink:
    def __init__(self, error: Exception) -> None:
        self._error = error

    def write(self, entry: Entry) -> None:
        raise self._error

    def close(self) -> None: ...


def test_every_sink_gets_every_record() -> None:
    first, second = MemorySink(), MemorySink()
    recorder = Recorder([first, second])
    recorder.record(RESULT)
    recorder.close()
    assert list(first) == list(second)
    assert first.last.request_id == "req-1"


def test_without_a_sink_there_is_nothing_to_do() -> None:
    Recorder().record(RESULT)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(28, "No space left on device"), "No space left on device"),
        (OSError("3 of 9 bytes were written"), "3 of 9 bytes were written"),
        (ValueError("odd"), "ValueError: odd"),
    ],
)
def test_a_sink_that_breaks_fails_the_record(error: Exception, said: str) -> None:
    with pytest.raises(RecordFailed, match=f"The call could not be recorded: {said}"):
        Recorder([BrokenSink(error)]).record(RESULT)
