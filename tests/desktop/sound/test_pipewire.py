import pytest
from tests.desktop.sound.answers import client, link, node, text

from toolpost.desktop.sound.holder import Stream, Via
from toolpost.desktop.sound.pipewire import end, streams

MIC = node(30, "Audio/Source", node_description="Built-in Mic")
SINK = node(31, "Audio/Sink", node_name="speakers")
RECORDER = node(40, "Stream/Input/Audio", client_id=20, application_name="Recorder", application_process_id=9)
STREAM = Stream(via=Via.PIPEWIRE, number=40, device="Built-in Mic", pid=42, name="Recorder")


def test_a_stream_is_that_of_the_process_the_server_saw() -> None:
    dump = [MIC, SINK, RECORDER, client(20, 42), link(60, 30, 40), link(61, 30, 40)]
    assert streams(text(dump)) == [STREAM]
    assert end(STREAM) == ("pw-cli", "destroy", "40")


def test_what_is_linked_to_no_microphone_holds_none() -> None:
    player = node(41, "Stream/Output/Audio")
    dump = [MIC, SINK, RECORDER, player, link(60, 31, 40), link(61, 30, 41), link(62, 30, 99), {"id": 5}]
    assert streams(text(dump)) == []


def test_a_stream_without_a_known_process_is_told_without_one() -> None:
    dump = [MIC, node(40, "Stream/Input/Audio", node_name="rec"), link(60, 30, 40), client(20, "42")]
    assert streams(text(dump)) == [Stream(via=Via.PIPEWIRE, number=40, device="Built-in Mic", name="rec")]


@pytest.mark.parametrize("answer", [b"", b"no json", b"{}", b'[{"id": "x"}]'])
def test_another_answer_is_an_error(answer: bytes) -> None:
    with pytest.raises(ValueError):
        streams(answer)
