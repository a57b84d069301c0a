import asyncio
import time
from pathlib import Path

import pytest
from tests.sandbox.bare import REPORT, Bare, command, plan, tagged, wait_until

from toolpost import progress
from toolpost.errors import SandboxUnavailable, ToolFailed
from toolpost.limits import EXEC_PIPE_S
from toolpost.progress import Progress
from toolpost.sandbox import processes
from toolpost.sandbox.model import Level, Spawn, Started
from toolpost.sandbox.output import Output
from toolpost.sandbox.run import Command, Ran, Stop, begin, run
from toolpost.store.blobs import Blobs

ESCAPE = "(setsid sleep 1000 &) ; setsid -f sleep 1000; sleep 1000 & "
"""By a double fork, by a session of its own, and in the background."""


async def ended(made: Command) -> Ran:
    ran = await run(made)
    assert ran is not None
    return ran


async def test_streams_are_apart_and_the_exit_code_is_told() -> None:
    made = command("echo out; echo err >&2; exit 3")
    ran = await ended(made)
    assert (made.output.stdout.head(99), made.output.stderr.head(99)) == (b"out\n", b"err\n")
    assert ran == Ran(exit_code=3, duration_s=ran.duration_s, report=REPORT)
    assert ran.duration_s > 0


@pytest.mark.parametrize("name", ["TERM", "KILL", "SEGV", "INT"])
async def test_a_signal_is_told_by_its_name_and_as_a_shell_says_it(name: str) -> None:
    ran = await ended(command(f"kill -{name} $$"))
    number = {"TERM": 15, "KILL": 9, "SEGV": 11, "INT": 2}[name]
    assert (ran.exit_code, ran.signal, ran.stopped) == (128 + number, f"SIG{name}", None)


@pytest.mark.parametrize("code", [0, 1, 127, 200, 255])
async def test_an_exit_code_is_no_signal(code: int) -> None:
    ran = await ended(command(f"exit {code}"))
    assert (ran.exit_code, ran.signal) == (code, "")


class Wrapped(Bare):
    """As if something stood around the command and told its signal by a number."""

    def start(
        self, spawn: Spawn, *, at: Level | None = None, stdin: int, stdout: int, stderr: int
    ) -> Started:
        started = super().start(spawn, stdin=stdin, stdout=stdout, stderr=stderr)
        report = type(REPORT)(level="L3", fs="", net="", pids="", limits={}, gaps=())
        return Started(process=started.process, report=report, clean=started.clean)


async def test_what_stands_around_a_command_tells_its_signal() -> None:
    ran = await ended(Command(Wrapped(), plan("exit 137"), Output()))
    assert (ran.exit_code, ran.signal) == (137, "SIGKILL")


async def test_the_command_inside_has_time_to_end_before_what_stands_around_it() -> None:
    script = "bash -c 'trap \"echo bye; exit 4\" TERM; echo on; while :; do sleep 0.02; done'; exit $?"
    made = Command(Wrapped(), plan(script, timeout_s=0.5), Output())
    ran = await ended(made)
    assert (made.output.stdout.head(99), ran.exit_code, ran.timed_out) == (b"on\nbye\n", 4, True)


async def test_a_late_command_ends_with_all_it_started() -> None:
    made = command(plan(f"{ESCAPE} echo on; sleep 1000", timeout_s=0.3))
    ran = await ended(made)
    assert (ran.timed_out, ran.signal, made.output.stdout.head(9)) == (True, "SIGTERM", b"on\n")
    assert tagged(made.plan.spawn.tag) == []


async def test_a_command_that_does_not_heed_is_killed_after_the_grace() -> None:
    made = command(plan(f"trap '' TERM; {ESCAPE} sleep 1000", timeout_s=0.2, grace_s=0.2))
    ran = await ended(made)
    assert (ran.timed_out, ran.signal) == (True, "SIGKILL")
    assert tagged(made.plan.spawn.tag) == []


async def test_what_a_command_leaves_behind_ends_with_it() -> None:
    made = command(f"{ESCAPE} echo done")
    ran = await ended(made)
    assert (ran.exit_code, made.output.stdout.head(9)) == (0, b"done\n")
    assert tagged(made.plan.spawn.tag) == []


async def test_a_grandchild_that_holds_the_pipe_is_not_waited_for() -> None:
    made = command("sleep 1000 & echo done")
    ran = await ended(made)
    assert made.output.stdout.head(9) == b"done\n"
    assert EXEC_PIPE_S <= ran.duration_s < 100


async def test_a_grandchild_is_heard_for_a_little_longer() -> None:
    made = command("(echo late) & echo first")
    await ended(made)
    assert sorted(made.output.stdout.head(99).splitlines()) == [b"first", b"late"]


async def test_no_zombie_is_left() -> None:
    made = command("echo $$; sleep 0.01 & (sleep 0.02 &); sleep 0.1; (setsid sleep 1000 &) ; (sleep 1000 &)")
    await ended(made)
    session = int(made.output.stdout.head(99))
    assert [process for process in processes.every().values() if process.session == session] == []
    assert tagged(made.plan.spawn.tag) == []


async def test_too_much_output_stops_the_command_at_once(tmp_path: Path) -> None:
    output = Output(Blobs(tmp_path), most_bytes=1_000_000)
    made = command("trap '' TERM; yes", output)
    ran = await ended(made)
    assert (ran.stopped, ran.signal, output.size_bytes) == (Stop.OUTPUT, "SIGKILL", 1_000_000)
    assert ran.duration_s < 1.9  # less than the grace: it got none
    assert output.stdout.tail(4) == b"y\ny\n"
    output.close()


async def test_a_cancelled_call_ends_the_tree_before_it_is_told() -> None:
    made = command(f"{ESCAPE} echo on; sleep 1000")
    waiting = asyncio.create_task(run(made))
    await asyncio.to_thread(wait_until, lambda: made.output.size_bytes)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert made.ended.result().stopped is Stop.CANCELLED
    assert tagged(made.plan.spawn.tag) == []


class Slow(Bare):
    def start(
        self, spawn: Spawn, *, at: Level | None = None, stdin: int, stdout: int, stderr: int
    ) -> Started:
        time.sleep(0.2)
        return super().start(spawn, stdin=stdin, stdout=stdout, stderr=stderr)


async def test_a_call_cancelled_while_its_command_starts_leaves_none() -> None:
    made = Command(Slow(), plan("sleep 1000"), Output())
    waiting = asyncio.create_task(run(made))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert made.join(30)
    assert made.ended.result().stopped is Stop.CANCELLED
    assert tagged(made.plan.spawn.tag) == []


async def test_a_command_past_its_yield_time_goes_on() -> None:
    made = command("echo on; sleep 1000")
    assert await run(made, yield_s=0.05) is None
    assert not made.ended.done()
    made.stop(Stop.KILLED)
    assert made.join(30)
    assert made.ended.result().stopped is Stop.KILLED


def test_a_command_outlives_the_loop_that_started_it() -> None:
    made = command(plan("read line; echo got $line", has_input=True))
    asyncio.run(begin(made))
    made.say(b"this\n")
    made.end_input()
    assert made.join(30)
    assert (made.output.stdout.head(99), made.ended.result().exit_code) == (b"got this\n", 0)


async def test_input_larger_than_a_pipe_arrives_whole(tmp_path: Path) -> None:
    made = command(plan("wc -c; exec 0<&-; sleep 0.01", has_input=True))
    await begin(made)
    made.say(b"x" * 300_000)
    made.end_input()
    await asyncio.to_thread(made.join, 30)
    assert made.output.stdout.head(99).strip() == b"300000"
    assert made.unsaid_bytes == 0


async def test_a_command_that_reads_nothing_is_not_waited_for() -> None:
    made = command(plan("exec 0<&-; sleep 0.05; echo done", has_input=True))
    await begin(made)
    made.say(b"x" * 300_000)
    await asyncio.to_thread(made.join, 30)
    assert made.output.stdout.head(99) == b"done\n"


async def test_without_input_there_is_an_end_at_once() -> None:
    made = command("cat; echo over")
    await ended(made)
    assert made.output.stdout.head(99) == b"over\n"


async def test_a_program_that_is_not_there_is_told_by_the_one_who_waits() -> None:
    made = plan("")
    missing = type(made.spawn)(argv=("no-such-program",), cwd="/", fence=made.spawn.fence, tag=made.spawn.tag)
    broken = Command(Bare(), type(made)(spawn=missing, timeout_s=1), Output())
    with pytest.raises(FileNotFoundError):
        await run(broken)
    assert isinstance(broken.ended.exception(), FileNotFoundError)
    broken.say(b"nobody hears")
    broken.stop(Stop.KILLED)


class Refusing(Bare):
    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self._error = error

    def start(
        self, spawn: Spawn, *, at: Level | None = None, stdin: int, stdout: int, stderr: int
    ) -> Started:
        raise self._error


async def test_a_sandbox_that_refuses_is_heard() -> None:
    with pytest.raises(SandboxUnavailable, match="not here"):
        await run(Command(Refusing(SandboxUnavailable("not here")), plan("true"), Output()))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
async def test_a_sandbox_that_breaks_keeps_nobody_waiting() -> None:
    made = Command(Refusing(ZeroDivisionError()), plan("true"), Output())
    with pytest.raises(ToolFailed, match="could not be watched"):
        await run(made)
    assert made.join(30)


async def test_what_the_sandbox_put_back_is_in_the_report() -> None:
    bare = Bare(".git/config")
    ran = await ended(Command(bare, plan("true"), Output()))
    assert (ran.report.violations, bare.finished) == ((".git/config",), 1)


async def test_a_command_that_talks_gives_signs_of_life() -> None:
    told: list[Progress] = []
    token = progress.TELL.set(told.append)
    try:
        await ended(command("echo one; echo -n two; sleep 0.8"))
    finally:
        progress.TELL.reset(token)
    assert told == [Progress("two", done=7)]


async def test_many_commands_at_once_do_not_end_one_another() -> None:
    made = [command(f"{ESCAPE} echo {number}; sleep 0.0{number % 7}; exit {number}") for number in range(24)]
    rans = await asyncio.gather(*(ended(one) for one in made))
    assert [ran.exit_code for ran in rans] == list(range(24))
    assert [one.output.stdout.head(9) for one in made] == [f"{number}\n".encode() for number in range(24)]
    assert [pid for one in made for pid in tagged(one.plan.spawn.tag)] == []
