import asyncio
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from tests.sandbox.bare import Bare, tagged, wait_until
from tests.tools.shell.desk import Desk, data, text

from toolpost.atom import Atom, Command, Kind
from toolpost.call import Call, Words
from toolpost.errors import (
    DirectoryNotFound,
    InvalidArgument,
    InvalidDirectory,
    IoFailed,
    LimitExceeded,
    MissingParameter,
    NotConfigured,
)
from toolpost.limits import EXEC_BACKGROUND_S
from toolpost.sandbox.background import Commands
from toolpost.sandbox.model import Fence, Level, Spawn, Started
from toolpost.sandbox.protect import protected
from toolpost.tools.shell.asked import Needs, RunCommand
from toolpost.tools.shell.run_command import timeout_s
from toolpost.workspace.local.root import LocalRoot

KNOWN = Words(known=("run_command", "command_output"))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.close()


async def test_a_command_is_told_as_a_terminal_shows_it_and_as_data(desk: Desk) -> None:
    answer = await desk("os.exec", command="echo out; sleep 0.05; echo err >&2")
    assert text(answer) == "out\nerr\n"
    told = data(answer)
    assert told.pop("duration_ms") > 0
    assert told == {
        "stdout": "out\n",
        "stderr": "err\n",
        "exit_code": 0,
        "timed_out": False,
        "truncated": False,
        "running": False,
        "stdout_bytes": 4,
        "stderr_bytes": 4,
        "sandbox": {
            "level": "L1",
            "fs": "all",
            "net": "all",
            "pids": "sweep",
            "limits": {"time_s": 120.0, "out_bytes": 16384},
            "gaps": [],
            "violations": [],
        },
    }


async def test_a_failing_command_is_an_answer(desk: Desk) -> None:
    answer = await desk("os.exec", command="echo no >&2; exit 3")
    assert (data(answer)["exit_code"], text(answer)) == (3, "no\n\nExit code 3.")


async def test_a_command_that_says_nothing_is_told_so(desk: Desk) -> None:
    assert text(await desk("os.exec", argv=["true"])) == "The command said nothing."


async def test_without_a_shell_words_are_words(desk: Desk) -> None:
    assert (await desk.run(argv=["echo", "$HOME", "; ls", "*"]))["stdout"] == "$HOME ; ls *\n"
    assert (await desk.run(command=["echo", "a b"]))["stdout"] == "a b\n"
    assert (await desk.run(argv='["echo", "json"]'))["stdout"] == "json\n"


async def test_a_line_is_the_shells_also_when_it_begins_with_a_dash(desk: Desk) -> None:
    assert (await desk.run("echo $((1 + 1)) | cat"))["stdout"] == "2\n"
    assert (await desk.run("-x || echo not found"))["stdout"] == "not found\n"


async def test_it_runs_where_it_is_told(desk: Desk) -> None:
    (desk.folder / "src").mkdir()
    (desk.folder / "link").symlink_to("src")
    assert (await desk.run("pwd"))["stdout"].strip() == str(desk.folder)
    for cwd in ("src", "./src/", str(desk.folder / "src"), "link"):
        assert (await desk.run("pwd", cwd=cwd))["stdout"].strip() == str(desk.folder / "src")


@pytest.mark.parametrize(
    ("cwd", "error", "said"),
    [
        ("../", InvalidDirectory, "leaves the root"),
        ("/etc", InvalidDirectory, "below no root"),
        ("out", InvalidDirectory, "out"),
        ("missing", DirectoryNotFound, "Directory not found: missing"),
        ("file", DirectoryNotFound, "Not a directory but a file"),
    ],
)
async def test_a_folder_outside_or_missing_is_refused(
    desk: Desk, cwd: str, error: type[Exception], said: str
) -> None:
    (desk.folder / "out").symlink_to("/etc")
    (desk.folder / "file").write_text("x")
    with pytest.raises(InvalidArgument if error is InvalidDirectory else error, match=said) as refused:
        await desk.run("pwd", cwd=cwd)
    assert getattr(refused.value, "parameter", "") == "cwd"


async def test_with_several_roots_it_runs_in_the_first_of_this_machine(tmp_path: Path) -> None:
    for name in ("x", "y"):
        (tmp_path / name).mkdir()
    desk = Desk(tmp_path, roots={name: LocalRoot(tmp_path / name) for name in ("x", "y")})
    assert (await desk.run("pwd"))["stdout"].strip() == str(tmp_path / "x")
    assert (await desk.run("pwd", cwd="y"))["stdout"].strip() == str(tmp_path / "y")
    desk.close()


class Elsewhere:
    """A root that is no folder of this machine."""

    key = where = location = "github:a/b"

    def close(self) -> None:
        """Nothing to close."""


async def test_a_root_that_is_elsewhere_runs_nothing(tmp_path: Path) -> None:
    far: Any = Elsewhere()
    desk = Desk(tmp_path, roots={"far": far})
    with pytest.raises(InvalidDirectory, match="local roots"):
        await desk.run("pwd")
    desk.ground.commands.close()
    (tmp_path / "two").mkdir()
    desk = Desk(tmp_path / "two", roots={"far": far, "further": far})
    with pytest.raises(NotConfigured):
        await desk.run("pwd")
    desk.ground.commands.close()


@pytest.mark.parametrize(
    ("args", "error", "parameter"),
    [
        ({}, MissingParameter, "command"),
        ({"command": "ls", "argv": ["ls"]}, InvalidArgument, "argv"),
        ({"command": "  "}, InvalidArgument, "command"),
        ({"argv": [""]}, InvalidArgument, "argv"),
        ({"command": "a\0b"}, InvalidArgument, "command"),
        ({"argv": ["ls", "\ud800"]}, InvalidArgument, "argv"),
        ({"command": "x" * 200_000}, InvalidArgument, "command"),
        ({"argv": ["no-such-program"]}, InvalidArgument, "argv"),
        ({"argv": ["./plain"]}, InvalidArgument, "argv"),
    ],
)
async def test_what_cannot_be_run_is_refused_and_the_parameter_named(
    desk: Desk, args: dict[str, Any], error: type[InvalidArgument], parameter: str
) -> None:
    (desk.folder / "plain").write_text("no program")
    with pytest.raises(error) as refused:
        await desk.run(**args)
    assert refused.value.parameter == parameter


class Broken(Bare):
    def start(
        self, spawn: Spawn, *, at: Level | None = None, stdin: int, stdout: int, stderr: int
    ) -> Started:
        raise OSError(12, "Cannot allocate memory")


async def test_a_system_that_refuses_is_told(tmp_path: Path) -> None:
    desk = Desk(tmp_path, sandbox=Broken())
    with pytest.raises(IoFailed, match="Cannot allocate memory"):
        await desk.run("true")
    desk.close()


async def test_a_late_command_tells_what_it_said_and_how_to_give_it_more_time(desk: Desk) -> None:
    answer = await desk("os.exec", command="echo on; sleep 1000", timeoutMs=200)
    told = data(answer)
    assert (told["timed_out"], told["stopped"], told["signal"]) == (True, "timeout", "SIGTERM")
    assert (told["exit_code"], told["stdout"]) == (143, "on\n")
    assert "longer than 0.2 s. Give it more time, at most 600000 ms, or run it in the background" in text(
        answer
    )


def test_a_command_ends_before_its_call() -> None:
    call = Call(tool="os.exec")
    assert timeout_s(RunCommand(command="x"), call) == 120
    assert timeout_s(RunCommand(command="x", timeout_ms=600_000), call) == 595
    assert timeout_s(RunCommand(command="x"), Call(tool="os.exec", timeout_s=10)) == 9
    assert timeout_s(RunCommand(command="x", background=True), call) == EXEC_BACKGROUND_S
    assert timeout_s(RunCommand(command="x", yield_ms=5, timeout_ms=7000), call) == 7


async def test_a_long_output_is_cut_and_can_be_continued_to_the_exact_bytes(desk: Desk) -> None:
    answer = await desk("os.exec", words=KNOWN, command="seq 100000; echo é >&2", max_output_bytes=1000)
    told = data(answer)
    whole = "".join(f"{number}\n" for number in range(1, 100_001)).encode()
    assert told["stdout"].startswith("1\n2\n")
    assert told["stdout"].endswith("\n99999\n100000\n")
    assert " lines left out]" in told["stdout"]
    assert (told["truncated"], told["stdout_bytes"], told["stderr"]) == (True, len(whole), "é\n")
    assert told["output"]["stdout"] == sha256(whole).hexdigest()
    assert desk.blobs.get(told["output"]["stdout"]) == whole
    both = desk.blobs.get(told["output"]["both"])
    assert sorted(both) == sorted(whole + "é\n".encode())
    assert f"continue with command_output, id={told['id']} and cursor={told['next_cursor']}." in text(answer)
    read, cursor = both[: told["next_cursor"]], told["next_cursor"]
    while cursor < len(both):
        part = await desk.poll(told["id"], cursor=cursor, max_output_bytes=200_000)
        assert part["cursor"] == cursor
        read += part["text"].encode()
        cursor = part["next_cursor"]
    assert read == both


async def test_the_first_and_last_lines_keep_the_exit_code(desk: Desk) -> None:
    told = await desk.run("seq 50; exit 7", head_lines=2, tail_lines=1)
    assert (told["exit_code"], told["truncated"]) == (7, True)
    assert told["stdout"] == "1\n2\n[134 bytes in 47 lines left out]\n50\n"
    assert desk.blobs.get(told["output"]["both"]) == "".join(f"{n}\n" for n in range(1, 51)).encode()


async def test_an_output_that_cannot_be_kept_is_told(tmp_path: Path) -> None:
    (tmp_path / "blobs").write_text("in the way")
    desk = Desk(tmp_path)
    answer = await desk("os.exec", command="seq 100000")
    assert "The whole output could not be kept" in text(answer)
    assert "output" not in data(answer)
    desk.close()


async def test_escapes_and_marks_are_made_visible(desk: Desk) -> None:
    answer = await desk("os.exec", command=r"printf '\033[31mred\033[0m \342\200\256x\n10%%\r99%%\n'")
    assert data(answer)["stdout"] == "red <U+202E>x\n10%\r99%\n"
    assert text(answer) == "red <U+202E>x\n99%\n"


async def test_variables_are_passed_and_the_level_is_the_grounds_to_say(tmp_path: Path) -> None:
    bare = Bare("a/b")
    desk = Desk(tmp_path, sandbox=bare, level=lambda _call: Level.LANDLOCK)
    answer = await desk("os.exec", command="echo $WORD", env={"WORD": "hi"})
    assert (data(answer)["stdout"], bare.levels) == ("hi\n", [Level.LANDLOCK])
    assert "The sandbox refused or put back: a/b." in text(answer)
    desk.close()


async def test_needs_reach_the_fence_maker_and_grant_nothing_by_themselves(tmp_path: Path) -> None:
    asked: list[Needs] = []

    def fence(_call: Call, needs: Needs) -> Fence:
        asked.append(needs)
        return Fence(roots=(str(tmp_path),))

    desk = Desk(tmp_path, fence=fence)
    await desk.run("true", needs={"hosts": ["pypi.org"]}, reason="to install")
    await desk.run("true")
    assert asked == [Needs(hosts=["pypi.org"]), Needs()]
    desk.close()


def test_without_a_fence_maker_the_roots_are_the_fence(desk: Desk) -> None:
    root = str(desk.folder)
    made = desk.ground.fence_of(Call(tool="os.exec"), Needs(hosts=["x"], write=["/etc"]))
    assert made == Fence(roots=(root,), protected=protected((root,)))


def test_the_gate_is_told_the_command_and_what_it_needs(desk: Desk) -> None:
    touches = desk.tools["os.exec"].touches
    assert touches is not None
    args = {
        "command": "make",
        "cwd": "src",
        "env": {"A": "b"},
        "needs": {"hosts": ["pypi.org"], "write": ["/opt/x"]},
    }
    assert list(touches(args)) == [
        Command(line="make", cwd=f"{desk.folder}/src", env=(("A", "b"),)),
        Atom(kind=Kind.NET, target="pypi.org"),
        Atom(kind=Kind.WRITE, target="/opt/x"),
    ]
    assert list(touches({"argv": ["ls", "-l"]})) == [Command(argv=("ls", "-l"), cwd=str(desk.folder))]
    with pytest.raises(MissingParameter):
        list(touches({}))


async def test_a_terminal_is_one(desk: Desk) -> None:
    told = await desk.run("test -t 0 && test -t 1 && stty size", tty=True)
    assert (told["stdout"], told["exit_code"]) == ("40 120\n", 0)


async def test_a_cancelled_call_leaves_no_process(desk: Desk) -> None:
    waiting = asyncio.create_task(desk.run("(setsid sleep 1000 &); sleep 1000"))
    await asyncio.sleep(0)
    (command,) = desk.ground.commands._running
    await asyncio.to_thread(wait_until, lambda: len(tagged(command.plan.spawn.tag)) >= 2)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert tagged(command.plan.spawn.tag) == []


async def test_too_many_at_once_are_refused(tmp_path: Path) -> None:
    desk = Desk(tmp_path, commands=Commands(per_session=1))
    await desk.run("sleep 1000", background=True)
    with pytest.raises(LimitExceeded, match="1 commands of this session"):
        await desk.run("true")
    desk.close()


@pytest.mark.parametrize("alias", ["cd", "workdir", "dir_path", "directory", "working_directory"])
async def test_words_of_other_agents_are_understood(desk: Desk, alias: str) -> None:
    (desk.folder / "src").mkdir()
    told = await desk.run(cmd="pwd", **{alias: "src"}, timeout=5000, description="where am I")
    assert told["stdout"] == f"{desk.folder}/src\n"
    assert told["sandbox"]["limits"]["time_s"] == 5
