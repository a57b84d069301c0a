import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.sandbox.bare import tagged, wait_until
from tests.tools.shell.desk import Desk, data, text

from toolpost.call import Words
from toolpost.errors import InvalidArgument, LimitExceeded, NotFound
from toolpost.limits import EXEC_STDIN_BYTES, EXEC_STDIN_QUEUE


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.close()


async def test_a_background_command_is_polled_fed_and_ends(desk: Desk) -> None:
    answer = await desk(
        "os.exec", words=Words(known=("run_command", "command_output")), command="cat", background=True
    )
    told = data(answer)
    assert (told["running"], told["exit_code"], told["next_cursor"]) == (True, None, 0)
    assert (
        text(answer)
        == f"Still running: command_output with id={told['id']} tells more, sends it input or kills it."
    )
    first = await desk.poll(told["id"], stdin="one\n", wait_ms=30_000)
    assert (first["text"], first["running"], first["next_cursor"]) == ("one\n", True, 4)
    last = await desk.poll(told["id"], stdin="two\n", end_stdin=True, wait_ms=30_000)
    while last["running"]:
        last = await desk.poll(told["id"], cursor=4, wait_ms=30_000)
    again = data(await desk("os.exec.poll", id=told["id"], cursor=0))
    assert (again["text"], again["exit_code"], again["running"]) == ("one\ntwo\n", 0, False)
    with pytest.raises(InvalidArgument, match="has ended"):
        await desk.poll(told["id"], stdin="late")


async def test_without_a_cursor_it_goes_on_where_the_last_answer_ended(desk: Desk) -> None:
    told = await desk.run("echo one; read x; echo two", yield_ms=1500)
    assert (told["running"], told["stdout"], told["next_cursor"]) == (True, "one\n", 4)
    assert (await desk.poll(told["id"], stdin="\n", wait_ms=30_000))["text"] == "two\n"
    ended = await desk("os.exec.poll", id=told["id"], wait_ms=30_000)
    assert (data(ended)["text"], data(ended)["running"], text(ended)) == ("", False, "Exit code 0.")


async def test_killing_ends_the_whole_tree(desk: Desk) -> None:
    told = await desk.run("(setsid sleep 1000 &); echo on; sleep 1000", background=True)
    (command,) = desk.ground.commands._running
    ended = await desk.poll(told["id"], kill=True)
    assert (ended["running"], ended["stopped"], ended["signal"]) == (False, "killed", "SIGTERM")
    assert ended["duration_ms"] > 0
    assert tagged(command.plan.spawn.tag) == []


async def test_another_session_has_no_such_command(desk: Desk) -> None:
    told = await desk.run("sleep 1000", background=True)
    with pytest.raises(NotFound):
        await desk("os.exec.poll", session="bob", id=told["id"])


async def test_a_part_is_shown_and_the_next_cursor_told(desk: Desk) -> None:
    told = await desk.run("printf 'ééé'", max_output_bytes=2)
    part = await desk("os.exec.poll", id=told["id"], cursor=0, max_output_bytes=3)
    assert (data(part)["text"], data(part)["next_cursor"]) == ("é", 2)
    assert "Truncated: bytes 0 to 2 of 6 are shown; continue with cursor=2." in text(part)
    rest = await desk.poll(told["id"], max_output_bytes=10)
    assert (rest["text"], rest["next_cursor"], rest["size_bytes"]) == ("éé", 6, 6)
    past = await desk.poll(told["id"], cursor=99)
    assert (past["text"], past["cursor"]) == ("", 6)


async def test_a_character_that_has_only_begun_waits_for_its_rest(desk: Desk) -> None:
    told = await desk.run(r"printf 'a\303'; read x; printf '\251'", background=True)
    command = desk.ground.commands.find("ana", told["id"]).command
    await asyncio.to_thread(wait_until, lambda: command.output.size_bytes == 2)
    first = await desk.poll(told["id"], cursor=0)
    assert (first["text"], first["next_cursor"]) == ("a", 1)
    await desk.poll(told["id"], stdin="\n", wait_ms=0)
    rest = await desk.poll(told["id"], cursor=3, wait_ms=30_000)
    assert not rest["running"]
    assert (await desk.poll(told["id"], cursor=1))["text"] == "é"


async def test_a_command_without_input_takes_none(desk: Desk) -> None:
    told = await desk.run("seq 10000")
    assert told["truncated"]
    with pytest.raises(InvalidArgument, match="has ended"):
        await desk.poll(told["id"], stdin="x")
    quiet = await desk.run("sleep 1000", background=True)
    kept = desk.ground.commands.find("ana", quiet["id"])
    object.__setattr__(
        kept.command, "plan", type(kept.command.plan)(spawn=kept.command.plan.spawn, timeout_s=1)
    )
    with pytest.raises(InvalidArgument, match="without an input"):
        await desk.poll(quiet["id"], stdin="x")


async def test_input_that_nobody_reads_has_an_end(desk: Desk) -> None:
    told = await desk.run("sleep 1000", background=True)
    with pytest.raises(InvalidArgument, match="at most"):
        await desk.poll(told["id"], stdin="x" * (EXEC_STDIN_BYTES + 1))
    command = desk.ground.commands.find("ana", told["id"]).command
    command.say(b"x" * (EXEC_STDIN_QUEUE + EXEC_STDIN_BYTES))
    await asyncio.to_thread(wait_until, lambda: command.unsaid_bytes <= EXEC_STDIN_QUEUE)
    with pytest.raises(LimitExceeded, match="does not read"):
        await desk.poll(told["id"], stdin="x" * EXEC_STDIN_BYTES, wait_ms=0)


async def test_a_caller_without_a_word_for_it_is_not_sent_there(desk: Desk) -> None:
    answer = await desk("os.exec", words=Words(known=("local.os.exec",)), command="seq 10000")
    assert "continue with" not in text(answer)
    assert data(answer)["truncated"]


async def test_a_begun_character_is_not_told_twice(desk: Desk) -> None:
    told = await desk.run(r"printf 'a\303'; read x; printf '\251'", yield_ms=1500)
    assert (told["stdout"][0], told["next_cursor"]) == ("a", 1)
