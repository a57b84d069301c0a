from pathlib import Path

import pytest
from tests.desktop.apps.folders import Machine
from tests.desktop.sound.answers import client, link, node, recorder
from tests.desktop.sound.server_programs import SoundPrograms

from toolpost.desktop.sound.holder import Stream, Via

PULSE = Stream(via=Via.PULSE, number=7, device="Built-in Mic", pid=42, name="Recorder", program="rec")
PIPEWIRE = Stream(via=Via.PIPEWIRE, number=40, device="mic", pid=42, name="rec")
DUMP = (
    node(30, "Audio/Source", node_name="mic"),
    node(40, "Stream/Input/Audio", client_id=20, node_name="rec"),
    client(20, 42),
    link(60, 30, 40),
)


@pytest.fixture
def programs(tmp_path: Path) -> SoundPrograms:
    return SoundPrograms(Machine(tmp_path))


def test_pactl_is_asked_first(programs: SoundPrograms) -> None:
    programs.pipewire(*DUMP)
    programs.pulse(recorder(7, 42, "rec"))
    assert programs.servers.streams() == [PULSE]
    assert programs.servers.end(PULSE)
    assert (programs.servers.streams(), programs.asked()) == ([], ["kill-source-output 7"])


def test_pipewire_is_asked_where_there_is_no_pactl_or_none_that_works(programs: SoundPrograms) -> None:
    programs.pipewire(*DUMP)
    assert programs.servers.streams() == [PIPEWIRE]
    programs.machine.program("pactl", "#!/bin/sh\nexit 1\n")
    assert programs.servers.streams() == [PIPEWIRE]
    assert programs.servers.end(PIPEWIRE)
    assert (programs.servers.streams(), programs.asked()) == ([], ["destroy 40"])


def test_no_server_and_one_that_answers_oddly_say_nothing(programs: SoundPrograms) -> None:
    assert programs.servers.streams() is None
    assert not programs.servers.end(PIPEWIRE)
    programs.pipewire("odd")
    assert programs.servers.streams() is None
