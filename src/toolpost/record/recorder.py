"""Writes one record a call to every sink."""

from collections.abc import Iterable

from toolpost.errors import RecordFailed
from toolpost.record.entry import entry_of
from toolpost.record.sinks import Sink
from toolpost.result import Result


class Recorder:
    def __init__(self, sinks: Iterable[Sink] = ()) -> None:
        self._sinks = tuple(sinks)

    def record(self, result: Result) -> None:
        if not self._sinks:
            return
        entry = entry_of(result)
        for sink in self._sinks:
            try:
                sink.write(entry)
            except OSError as error:
                raise RecordFailed(f"The call could not be recorded: {error.strerror or error}.") from None
            except Exception as error:
                raise RecordFailed(f"The call could not be recorded: {error}.") from error

    def close(self) -> None:
        for sink in self._sinks:
            sink.close()
