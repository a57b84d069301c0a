import asyncio
import os
from pathlib import Path

from tests.sandbox.bare import command, plan, wait_until

from toolpost.sandbox.run import begin, run
from toolpost.sandbox.terminals import Size, open_terminal, resize


async def test_a_command_has_a_terminal_of_its_own_with_a_size() -> None:
    made = command(
        plan("tty -s && test -t 0 -a -t 1 -a -t 2 && stty size && : > /dev/tty", size=Size(90, 30))
    )
    ran = await run(made)
    assert ran is not None
    assert (made.output.stdout.head(99), ran.exit_code) == (b"30 90\n", 0)


async def test_lines_end_as_everywhere_and_input_is_not_told_back() -> None:
    made = command(plan("read line; printf 'a\\nb\\n'; echo got $line >&2", size=Size()))
    await begin(made)
    made.say(b"this\n")
    assert made.join(30)
    assert made.output.both.head(99) == b"a\nb\ngot this\n"


async def test_a_key_that_interrupts_reaches_the_command() -> None:
    made = command(plan("trap 'echo caught; exit 5' INT; echo on; while :; do sleep 0.02; done", size=Size()))
    await begin(made)
    await asyncio.to_thread(wait_until, lambda: made.output.size_bytes >= 3)
    made.say(b"\x03")
    assert made.join(30)
    said = made.output.stdout.head(99).replace(b"^C", b"")
    assert (said, made.ended.result().exit_code) == (b"on\ncaught\n", 5)


def test_a_terminal_is_resized() -> None:
    terminal = open_terminal(Size())
    try:
        resize(terminal.ours, Size(80, 24))
        assert os.get_terminal_size(terminal.theirs) == (80, 24)
        assert not os.get_inheritable(terminal.ours)
        assert Path(os.ttyname(terminal.theirs)).is_char_device()
    finally:
        os.close(terminal.ours)
        os.close(terminal.theirs)
