import os
import signal
from pathlib import Path

import pytest
from msgspec import structs
from tests.desktop.apps.folders import Machine
from tests.desktop.processes import WAIT_S, holding
from tests.desktop.sound.answers import client, link, node, output, recorder
from tests.desktop.sound.server_programs import SoundPrograms

from toolpost.desktop.sound.ending import Ending
from toolpost.desktop.sound.holder import Holder, Via
from toolpost.desktop.sound.microphone import Microphone, Outcome
from toolpost.desktop.sound.processes import Processes

PATIENT_S = 15.0
HURRIED_S = 0.2
ENDED = "It was asked to end (SIGTERM) and let go."


class Desk:
    """A machine with capture devices that are files of its own, and sound servers that are scripts."""

    def __init__(self, folder: Path) -> None:
        self.programs = SoundPrograms(Machine(folder))
        self.devices = folder / "snd"
        self.devices.mkdir()
        self.device = self.devices / "pcmC0D0c"
        for name in ("pcmC0D0c", "pcmC0D0p", "controlC0"):
            (self.devices / name).touch()

    def microphone(self, patience_s: float = PATIENT_S, proc: Path = Path("/proc")) -> Microphone:
        return Microphone(self.programs.servers, proc=proc, devices=self.devices, patience_s=patience_s)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def _whys(outcomes: list[Outcome]) -> list[tuple[bool, str]]:
    return [(outcome.released, outcome.why) for outcome in outcomes]


def test_who_holds_a_capture_device_is_found_and_asked_to_end(desk: Desk) -> None:
    microphone = desk.microphone()
    with holding(desk.device) as child, holding(desk.devices / "pcmC0D0p") as player:
        look = microphone.look()
        (holder,) = look.holders
        assert (holder.pid, holder.device, holder.via) == (child.pid, str(desk.device), Via.DEVICE)
        assert (holder.name, look.has_server, microphone.why_not(holder)) == (holder.name, False, "")
        assert _whys(microphone.release([holder])) == [(True, ENDED)]
        assert child.wait(WAIT_S) == -signal.SIGTERM
        assert player.poll() is None
    assert microphone.look().holders == ()
    assert _whys(microphone.release([holder])) == [(True, "It had let go by itself.")]


def test_one_that_closes_the_device_and_stays_has_let_go(desk: Desk) -> None:
    with holding(desk.device, "yielding") as child:
        microphone = desk.microphone()
        assert _whys(microphone.release(microphone.look().holders)) == [(True, ENDED)]
        assert child.poll() is None


def test_one_that_does_not_end_is_left_and_told(desk: Desk) -> None:
    with holding(desk.device, "stubborn") as child:
        microphone = desk.microphone(HURRIED_S)
        assert _whys(microphone.release(microphone.look().holders)) == [
            (False, "It was asked to end (SIGTERM) and has not; close it by hand.")
        ]
        assert child.poll() is None


def test_we_ourselves_are_left_alone(desk: Desk) -> None:
    microphone = desk.microphone()
    with desk.device.open():
        assert _whys(microphone.release(microphone.look().holders)) == [
            (False, "It is this server, or one that started it.")
        ]


def test_another_process_with_the_same_number_gets_no_signal(desk: Desk) -> None:
    with holding(desk.device) as child:
        microphone = desk.microphone()
        (holder,) = microphone.look().holders
        assert holder.process is not None
        former = structs.replace(holder, process=structs.replace(holder.process, began=1))
        assert _whys(microphone.release([former])) == [(True, "It had let go by itself.")]
        with Ending(Processes(Path("/proc"))) as ending:
            assert not ending.ask(structs.replace(holder.process, began=1))
            assert ending.ask(holder.process)
        assert child.wait(WAIT_S) == -signal.SIGTERM
        with Ending(Processes(Path("/proc"))) as ending:
            assert not ending.ask(holder.process)


def test_a_process_that_may_not_be_asked_is_told_so(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "pidfd_open")  # as on a system that has none
    with holding(desk.device) as child:
        microphone = desk.microphone()
        assert _whys(microphone.release(microphone.look().holders)) == [
            (False, "It could not be asked to end; close it by hand.")
        ]
        assert child.poll() is None


def test_the_server_ends_a_stream_and_the_program_stays(desk: Desk) -> None:
    with holding(desk.devices / "controlC0") as child:
        desk.programs.pulse(recorder(7, child.pid, "python"), output(8, source=51))
        microphone = desk.microphone()
        (holder,) = microphone.look().holders
        assert (holder.pid, holder.name, holder.device, holder.via) == (
            child.pid,
            "Recorder",
            "Built-in Mic",
            Via.PULSE,
        )
        assert _whys(microphone.release([holder])) == [(True, "The sound server ended its stream.")]
        assert (desk.programs.asked(), child.poll()) == (["kill-source-output 7"], None)


def test_a_stream_the_server_does_not_end_costs_its_process_only_where_the_name_fits(desk: Desk) -> None:
    desk.programs.refuse()
    with holding(desk.devices / "controlC0") as child:
        process = Processes(Path("/proc")).look(child.pid)
        assert process is not None
        desk.programs.pulse(recorder(7, child.pid, "another"))
        microphone = desk.microphone(HURRIED_S)
        assert _whys(microphone.release(microphone.look().holders)) == [
            (False, "It could not be asked to end; close it by hand.")
        ]
        assert child.poll() is None
        desk.programs.pulse(recorder(7, child.pid, process.program))
        microphone.release(microphone.look().holders)
        assert child.wait(WAIT_S) == -signal.SIGTERM


def test_a_stream_of_pipewire_is_that_of_the_process_it_saw(desk: Desk) -> None:
    desk.programs.refuse()
    with holding(desk.devices / "controlC0", "stubborn") as child:
        desk.programs.pipewire(
            node(30, "Audio/Source", node_name="mic"),
            node(40, "Stream/Input/Audio", client_id=20, node_name="rec"),
            client(20, child.pid),
            link(60, 30, 40),
        )
        microphone = desk.microphone(HURRIED_S)
        assert _whys(microphone.release(microphone.look().holders)) == [
            (False, "It was asked to end (SIGTERM) and has not; close it by hand.")
        ]
        assert desk.programs.asked() == ["destroy 40"]


def test_a_stream_of_a_process_that_cannot_be_seen_is_ended_by_the_server(desk: Desk) -> None:
    desk.programs.pulse(output(7, application_name="In a box"))
    microphone = desk.microphone()
    (holder,) = microphone.look().holders
    assert (holder.pid, holder.process, holder.name) == (0, None, "In a box")
    assert _whys(microphone.release([holder])) == [(True, "The sound server ended its stream.")]


def test_nothing_is_said_to_be_free_when_the_server_stops_to_answer(desk: Desk) -> None:
    desk.programs.pulse(output(7, application_name="In a box"))
    microphone = desk.microphone(HURRIED_S)
    look = microphone.look()
    desk.programs.machine.program("pactl", "#!/bin/sh\nexit 1\n")
    assert _whys(microphone.release(look.holders)) == [
        (False, "It could not be asked to end; close it by hand.")
    ]


def _process(proc: Path, pid: int, *, user: int, device: Path | None = None) -> None:
    place = proc / str(pid)
    (place / "fd").mkdir(parents=True)
    (place / "stat").write_text(f"{pid} (other) S 1 {'0 ' * 17}99 0")
    (place / "status").write_text(f"Name:\tx\nUid:\t{user}\t{user}\t{user}\t{user}\n")
    if device is not None:
        (place / "fd" / "3").symlink_to(device)
        (place / "fd" / "4").symlink_to(device)


def test_a_process_of_another_user_is_told_and_left_alone(desk: Desk, tmp_path: Path) -> None:
    proc = tmp_path / "proc"
    _process(proc, 2_100_000_001, user=os.getuid() + 1, device=desk.device)
    microphone = desk.microphone(proc=proc)
    assert not microphone.can_look()
    (holder,) = microphone.look().holders
    ((released, why),) = _whys(microphone.release([holder]))
    assert (released, why.startswith("It belongs to ")) == (False, True)


def test_processes_that_may_not_be_looked_at_are_counted(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proc = tmp_path / "proc"
    _process(proc, 2_100_000_001, user=os.getuid(), device=desk.device)
    microphone = desk.microphone(proc=proc)
    (holder,) = microphone.look().holders
    monkeypatch.setattr(Processes, "opened", refused)
    assert (microphone.look().holders, microphone.look().unseen) == ((), 1)
    assert _whys(microphone.release([holder])) == [(False, "It could not be asked to end; close it by hand.")]


def refused(_processes: Processes, pid: int) -> list[str]:
    raise PermissionError(pid)


def test_a_holder_without_a_process_or_stream_has_no_name() -> None:
    assert (Holder(device="x", via=Via.DEVICE).name, Holder(device="x", via=Via.DEVICE).pid) == ("", 0)
