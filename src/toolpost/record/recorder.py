"""Writes one record a call to every sink."""

from collections.abc import Iterable

from toolpost.errors import RecordFailed
from toolpost.record.entry import Entry, entry_of
from toolpost.record.sinks import Sink
from toolpost.result import Result


class Recorder:
    def __init__(self, sinks: Iterable[Sink] = ()) -> None:
        self._sinks = tuple(sinks)

    def record(self, result: Result) -> None:
        if not self._sinks:
            return
        entry = entry_of(result)
        failed = ""
        for sink in self._sinks:
            failure = _written(sink, entry)
            failed = failed or failure
        if failed:
            raise RecordFailed(f"The call could not be recorded: {failed}.")

    def close(self) -> None:
        for sink in self._sinks:
            sink.close()


def _written(sink: Sink, entry: Entry) -> str:
    """Why it could not be written; empty when it was. One broken sink keeps nothing from the others."""
    try:
        sink.write(entry)
    except OSError as error:
        return error.strerror or str(error)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""
