import os
import subprocess
import sys
from collections.abc import Iterator

import pytest
from tests.sandbox.bare import command, plan, tagged, wait_until

from toolpost.errors import LimitExceeded, NotFound
from toolpost.sandbox.background import Commands
from toolpost.sandbox.run import Command, Stop, begin, run


@pytest.fixture
def commands() -> Iterator[Commands]:
    made = Commands(per_session=2, total=3, ended_kept=2)
    yield made
    made.close()


async def started(commands: Commands, session: str, script: str = "sleep 1000") -> Command:
    made = command(script)
    commands.admit(session, made)
    await begin(made)
    return made


async def test_an_id_is_random_and_bound_to_its_session(commands: Commands) -> None:
    made = await started(commands, "ana")
    kept = commands.keep("ana", made)
    assert len(kept.id) == 16
    assert commands.find("ana", kept.id) is kept
    with pytest.raises(NotFound, match="none is kept"):
        commands.find("bob", kept.id)
    with pytest.raises(NotFound, match=f"there are {kept.id}"):
        commands.find("ana", "0" * 16)


async def test_so_many_run_at_once_for_one_session_and_for_all(commands: Commands) -> None:
    for _ in range(2):
        await started(commands, "ana")
    with pytest.raises(LimitExceeded, match="2 commands of this session") as refused:
        commands.admit("ana", command("true"))
    assert refused.value.context == {"used": 2, "limit": 2}
    await started(commands, "bob")
    with pytest.raises(LimitExceeded, match="3 commands of all sessions"):
        commands.admit("cleo", command("true"))


async def test_an_ended_command_makes_room(commands: Commands) -> None:
    for _ in range(4):
        made = command("true")
        commands.admit("ana", made)
        await run(made)


async def test_a_command_that_never_started_makes_room(commands: Commands) -> None:
    for _ in range(4):
        broken = plan("true")
        spawn = type(broken.spawn)(argv=("none-such",), cwd="/", fence=broken.spawn.fence, tag="t")
        made = command(type(broken)(spawn=spawn, timeout_s=1))
        commands.admit("ana", made)
        with pytest.raises(FileNotFoundError):
            await run(made)


async def test_the_oldest_of_the_ended_are_forgotten_and_the_running_are_not(commands: Commands) -> None:
    running = commands.keep("ana", await started(commands, "ana"))
    ids = []
    for _ in range(3):
        made = command("echo x")
        commands.admit("ana", made)
        await run(made)
        ids.append(commands.keep("ana", made).id)
    assert [kept.id for kept in commands.of("ana")] == [running.id, *ids[1:]]


async def test_a_session_takes_its_commands_with_it(commands: Commands) -> None:
    ana, bob = await started(commands, "ana"), await started(commands, "bob")
    kept = commands.keep("ana", ana)
    commands.end_session("ana")
    wait_until(ana.ended.done)
    assert ana.ended.result().stopped is Stop.CLOSED
    assert not bob.ended.done()
    with pytest.raises(NotFound):
        commands.find("ana", kept.id)


async def test_closing_ends_every_command_and_starts_none(commands: Commands) -> None:
    made = [await started(commands, name, "(setsid sleep 1000 &); sleep 1000") for name in ("ana", "bob")]
    commands.keep("ana", made[0])
    commands.close()
    assert [one.ended.result().stopped for one in made] == [Stop.CLOSED, Stop.CLOSED]
    assert [pid for one in made for pid in tagged(one.plan.spawn.tag)] == []
    with pytest.raises(LimitExceeded, match="about to end"):
        commands.admit("ana", command("true"))


SERVER = """
import asyncio
from tests.sandbox.bare import command
from toolpost.sandbox.background import Commands
from toolpost.sandbox.run import begin
commands, made = Commands(), command("(setsid sleep 1000 &); sleep 1000")
commands.admit("", made)
asyncio.run(begin(made))
print(made.plan.spawn.tag, flush=True)
"""


def test_a_server_that_ends_leaves_no_process() -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(["src", "."])}
    ran = subprocess.run(
        [sys.executable, "-c", SERVER], env=environment, capture_output=True, timeout=60, check=True
    )
    tag = ran.stdout.decode().strip()
    assert tag.count(".") == 1
    assert tagged(tag) == []
