import pytest
from tests.desktop.sound.answers import SOURCES, output, recorder, text

from toolpost.desktop.sound.holder import Stream, Via
from toolpost.desktop.sound.pulse import end, streams

STREAM = Stream(via=Via.PULSE, number=7, device="Built-in Mic", pid=42, name="Recorder", program="arecord")


def test_a_stream_tells_whose_it_is_and_from_which_microphone() -> None:
    assert streams(text([recorder(7, 42, "arecord")]), text(SOURCES)) == [STREAM]
    assert end(STREAM) == ("pactl", "kill-source-output", "7")


def test_monitors_and_pauses_hold_no_microphone() -> None:
    outputs = [output(1, source=51), output(2, source=52), output(3, corked=True), output(4, source=99)]
    assert streams(text(outputs), text(SOURCES)) == []


def test_a_stream_that_says_little_is_told_all_the_same() -> None:
    outputs = [
        output(1, media_name="peak\x1b[1m", application_process_id="-5"),
        {"source": 50},
        "odd",
        {"index": True, "source": 50},
    ]
    sources = [{"index": 50, "name": "mic", "properties": None}]
    assert streams(text(outputs), text(sources)) == [
        Stream(via=Via.PULSE, number=1, device="mic", name="peak", program="?")
    ]
    assert streams(b"", b"[]") == []


@pytest.mark.parametrize("answer", [b"no json", b"{}", b"5"])
def test_another_answer_is_an_error(answer: bytes) -> None:
    with pytest.raises(ValueError):
        streams(answer, text(SOURCES))
