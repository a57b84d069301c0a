from pathlib import Path

import pytest
from tests.tools.shell.desk import Desk

from toolpost.errors import SandboxUnavailable
from toolpost.sandbox.model import Level
from toolpost.sandbox.pick import Sandbox


@pytest.mark.parametrize("level", [Level.PROCESS, Level.LANDLOCK, Level.NAMESPACES])
async def test_a_command_runs_and_leaves_nothing_at_every_level(tmp_path: Path, level: Level) -> None:
    sandbox = Sandbox()
    if not sandbox.found(level).works:
        pytest.skip(sandbox.found(level).reason)
    desk = Desk(tmp_path, sandbox=sandbox, level=lambda _call: level)
    try:
        told = await desk.run("(setsid sleep 1000 &); echo hi > made; cat made; exit 3")
        assert (told["stdout"], told["exit_code"], told["sandbox"]["level"]) == ("hi\n", 3, level.label)
        assert (desk.folder / "made").read_text() == "hi\n"
        late = await desk.run("trap 'echo bye; exit 4' TERM; while :; do sleep 0.02; done", timeout_ms=1000)
        assert (late["timed_out"], late["exit_code"], late["stdout"]) == (True, 4, "bye\n")
        killed = await desk.run("kill -9 $$")
        assert (killed["signal"], killed["exit_code"]) == ("SIGKILL", 137)
        terminal = await desk.run("test -t 1 && stty size", terminal=True)
        assert (terminal["stdout"], terminal["exit_code"]) == ("40 120\n", 0)
    finally:
        desk.close()


async def test_a_level_that_is_required_and_missing_runs_nothing(tmp_path: Path) -> None:
    desk = Desk(tmp_path, sandbox=Sandbox("require:L3"), level=lambda _call: Level.PROCESS)
    with pytest.raises(SandboxUnavailable):
        await desk("os.exec", command="touch made")
    assert not (desk.folder / "made").exists()
    desk.close()


def test_the_tools_are_those_that_contracts_name(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    assert {name: sorted(tool.effects) for name, tool in desk.tools.items()} == {
        "os.exec": ["exec"],
        "os.exec.poll": [],
    }
    desk.close()
