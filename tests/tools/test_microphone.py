import os
import signal
from pathlib import Path
from typing import Any

import pytest
from tests.desktop.processes import WAIT_S, holding
from tests.desktop.sound.answers import output
from tests.desktop.sound.test_microphone import ENDED, Desk, refused

from toolpost import Bench
from toolpost.authorize.profiles import PROFILES
from toolpost.call import Call
from toolpost.content import Text
from toolpost.desktop.ground import DesktopGround
from toolpost.desktop.sound.microphone import Microphone
from toolpost.desktop.sound.processes import Processes, user_name
from toolpost.result import Result
from toolpost.tools.desktop import tools


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


async def _release(desk: Desk, microphone: Microphone | None = None, **args: Any) -> Result:
    ground = DesktopGround(desk.programs.environ, microphone=microphone or desk.microphone())
    bench = Bench(tools(ground), profile=PROFILES["open"])
    return await bench.call(Call(tool="audio.release_mic", args=args))


def _text(result: Result) -> str:
    return "".join(part.text for part in result.content if isinstance(part, Text))


async def test_who_held_the_microphone_is_told_and_what_became_of_it(desk: Desk) -> None:
    with holding(desk.device) as child:
        result = await _release(desk)
        assert child.wait(WAIT_S) == -signal.SIGTERM
    (holder,) = result.data["holders"]
    name, command = holder["name"], holder["command"]
    assert result.data == {
        "holders": [
            {
                "pid": child.pid,
                "name": name,
                "command": command,
                "user": user_name(os.getuid()),
                "device": str(desk.device),
                "via": "device",
                "released": True,
                "why": ENDED,
            }
        ],
        "released": 1,
        "free": True,
        "dry_run": False,
    }
    assert _text(result).startswith(f"{name} (process {child.pid}) on {desk.device}: {ENDED}")
    assert "python" in command


async def test_nobody_may_hold_it(desk: Desk) -> None:
    result = await _release(desk)
    assert result.data == {"holders": [], "released": 0, "free": True, "dry_run": False}
    assert _text(result).startswith("Nobody holds the microphone.")


async def test_one_may_look_first_and_then_choose(desk: Desk) -> None:
    with holding(desk.device) as one, holding(desk.device) as other, desk.device.open():
        looked = await _release(desk, dry_run=True)
        assert {holder["pid"]: holder["why"] for holder in looked.data["holders"]} == {
            one.pid: "It would be ended.",
            other.pid: "It would be ended.",
            os.getpid(): "It would be left alone. It is this server, or one that started it.",
        }
        assert (looked.data["free"], looked.data["dry_run"], looked.data["released"]) == (False, True, 0)
        result = await _release(desk, pids=[other.pid])
        assert [holder["pid"] for holder in result.data["holders"]] == [other.pid]
        assert (result.data["free"], result.data["released"]) == (False, 1)
        assert other.wait(WAIT_S) == -signal.SIGTERM
        assert one.poll() is None


async def test_a_process_that_does_not_hold_it_cannot_be_chosen(desk: Desk) -> None:
    with holding(desk.device) as child, holding(desk.devices / "controlC0") as other:
        (problem,) = (await _release(desk, pids=[other.pid])).problems
        assert (problem.code, problem.parameter, problem.suggested) == (
            "INVALID_ARGUMENT",
            "pids",
            [child.pid],
        )
        assert (child.poll(), other.poll()) == (None, None)


async def test_a_stream_without_a_process_is_told_by_its_name(desk: Desk) -> None:
    desk.programs.pulse(output(7, application_name="In a\nbox"))
    result = await _release(desk)
    assert (result.data["holders"][0]["pid"], result.data["free"]) == (None, True)
    assert _text(result).startswith("In a\\nbox on Built-in Mic: The sound server ended its stream.")


async def test_a_system_that_does_not_tell_is_no_silent_one(desk: Desk, tmp_path: Path) -> None:
    result = await _release(desk, Microphone(desk.programs.servers, proc=tmp_path / "absent"))
    assert result.problems[0].code == "NOT_CONFIGURED"


async def test_processes_that_nobody_may_look_at_are_mentioned(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Processes, "pids", lambda _processes: [1])
    monkeypatch.setattr(Processes, "opened", refused)
    result = await _release(desk)
    assert result.notes == ("Processes of other users that could not be looked at: 1.",)


async def test_it_is_asked_for(desk: Desk) -> None:
    with holding(desk.device) as child:
        bench = Bench(tools(DesktopGround(desk.programs.environ, microphone=desk.microphone())))
        (problem,) = (await bench.call(Call(tool="audio.release_mic", args={}))).problems
        assert (problem.code, child.poll()) == ("NEEDS_APPROVAL", None)
