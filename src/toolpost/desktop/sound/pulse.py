"""What PulseAudio, or PipeWire in its place, says of those who record: answers of `pactl -f json`."""

from typing import Any

import msgspec

from toolpost.desktop.sound.holder import Stream, Via
from toolpost.visible import visible

LIST = ("pactl", "-f", "json", "list", "source-outputs")
SOURCES = ("pactl", "-f", "json", "list", "sources")


def end(stream: Stream) -> tuple[str, ...]:
    return ("pactl", "kill-source-output", str(stream.number))


def streams(outputs: bytes, sources: bytes) -> list[Stream]:
    """Those that take sound from a microphone now. Raises ValueError for answers that cannot be read.

    Recording what the machine plays, from a `monitor`, holds no microphone; neither does a stream that pauses.
    """
    microphones = {source.get("index"): source for source in _objects(sources) if not _is_monitor(source)}
    return [
        _stream(output, microphones[output.get("source")])
        for output in _objects(outputs)
        if output.get("source") in microphones
        and not output.get("corked")
        and _is_number(output.get("index"))
    ]


def _stream(output: dict[str, Any], source: dict[str, Any]) -> Stream:
    known = _properties(output)
    pid = str(known.get("application.process.id", ""))
    return Stream(
        via=Via.PULSE,
        number=output["index"],
        device=_text(source.get("description")) or _text(source.get("name")),
        pid=int(pid) if pid.isascii() and pid.isdigit() else 0,
        name=_text(known.get("application.name")) or _text(known.get("media.name")),
        program=_text(known.get("application.process.binary")) or "?",
    )


def _is_monitor(source: dict[str, Any]) -> bool:
    is_said = _properties(source).get("device.class") == "monitor"
    return is_said or str(source.get("name", "")).endswith(".monitor")


def _objects(answer: bytes) -> list[dict[str, Any]]:
    text = answer.decode(errors="replace").strip() or "[]"
    return [one for one in msgspec.json.decode(text, type=list[Any]) if isinstance(one, dict)]


def _properties(one: dict[str, Any]) -> dict[str, Any]:
    found = one.get("properties")
    return found if isinstance(found, dict) else {}


def _text(value: Any) -> str:
    return visible(value) if isinstance(value, str) else ""


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
