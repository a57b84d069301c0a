"""Asking the sound server, through the programs it comes with."""

from collections.abc import Callable, Mapping
from subprocess import SubprocessError

from toolpost.desktop.answered import answered
from toolpost.desktop.apps import programs
from toolpost.desktop.sound import pipewire, pulse
from toolpost.desktop.sound.holder import Stream, Via
from toolpost.limits import MIC_SERVER_S

_END: dict[Via, Callable[[Stream], tuple[str, ...]]] = {Via.PULSE: pulse.end, Via.PIPEWIRE: pipewire.end}


class Servers:
    def __init__(self, environment: Mapping[str, str], timeout_s: float = MIC_SERVER_S) -> None:
        self._environment = {**environment, "LC_ALL": "C"}  # else numbers may come with a comma
        self._search_path = programs.folders(environment)
        self._timeout_s = timeout_s

    def streams(self) -> list[Stream] | None:
        """None when no server answers. Through pactl where it works: it knows those of PipeWire too."""
        outputs, sources = self._ask(pulse.LIST), None
        if outputs is not None:
            sources = self._ask(pulse.SOURCES)
        try:
            if outputs is not None and sources is not None:
                return pulse.streams(outputs, sources)
            dump = self._ask(pipewire.DUMP)
            return None if dump is None else pipewire.streams(dump)
        except ValueError:  # an answer of a version that nobody knows yet
            return None

    def end(self, stream: Stream) -> bool:
        """Whether the server says that it ended the stream."""
        return self._ask(_END[stream.via](stream)) is not None

    def _ask(self, argv: tuple[str, ...]) -> bytes | None:
        program = programs.find(argv[0], self._search_path)
        if not program:
            return None
        try:
            return answered((program, *argv[1:]), self._environment, timeout_s=self._timeout_s)
        except (OSError, SubprocessError):
            return None
