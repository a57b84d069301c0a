import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from threading import Thread

import pytest

from toolpost import Bench, tool
from toolpost.atom import Command
from toolpost.authorize import queue
from toolpost.authorize.ask import Answer
from toolpost.authorize.queue import Approvals, Pending, Shared
from toolpost.clock import Clock
from toolpost.errors import InvalidArgument, IoFailed
from toolpost.limits import APPROVALS_WAITING
from toolpost.result import Result
from toolpost.testing import FakeClock

LONG_S = 60.0
"""Never waited for: every test answers before."""
SOON_S = 0.05


@tool(effects=["write"])
def write_note(text: str) -> str:
    """Keep a note for later."""
    return f"kept {text}"


@tool(effects=["write", "delete"])
def tidy() -> str:
    """Put everything in order."""
    return "tidied"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "state" / "approvals"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


async def asked(approvals: Approvals, act: Callable[[Pending], object], **args: str) -> Result:
    """The call's result, after `act` was done as soon as the question was asked."""

    def once(pending: Pending, answer: Answer | None) -> None:
        if answer is None:
            act(pending)

    approvals.listen(once)
    return await Bench([write_note], asker=approvals).call("write_note", **args)


async def test_an_answer_lets_the_call_go_on() -> None:
    approvals = Approvals(None, LONG_S)
    seen: list[Pending] = []

    def allow(pending: Pending) -> None:
        seen.append(pending)
        assert approvals.pending() == (pending,)
        assert approvals.answer(pending.id, Answer.ALLOW_ONCE)

    result = await asked(approvals, allow, text="abc")

    assert result.text == "kept abc"
    assert approvals.pending() == ()
    assert (seen[0].tool, seen[0].args, seen[0].asks) == (
        "write_note",
        '{"text":"abc"}',
        ("write  (write)",),
    )
    assert seen[0].offers == ("tool(write_note)",)
    assert not approvals.answer(seen[0].id, Answer.ALLOW_ONCE)


async def test_a_no_refuses_the_call() -> None:
    approvals = Approvals(None, LONG_S)
    result = await asked(approvals, lambda one: approvals.answer(one.id, Answer.REJECT_ONCE), text="abc")

    assert result.problem is not None
    assert (result.problem.code, result.problem.detail) == (
        "DENIED",
        "write_note was denied by the user (profile:ask).",
    )


async def test_another_thread_may_answer_and_the_first_answer_counts() -> None:
    approvals = Approvals(None, LONG_S)

    def answer(pending: Pending) -> None:
        for one in (Answer.ALLOW_ONCE, Answer.REJECT_ONCE):
            thread = Thread(target=approvals.answer, args=(pending.id, one))
            thread.start()
            thread.join(timeout=10)

    assert (await asked(approvals, answer, text="abc")).text == "kept abc"


@pytest.mark.parametrize("is_shared", [False, True])
async def test_after_the_deadline_the_call_is_refused_and_says_so(folder: Path, is_shared: bool) -> None:
    approvals = Approvals(folder if is_shared else None, SOON_S)
    result = await Bench([write_note], asker=approvals).call("write_note", text="abc")

    assert result.problem is not None
    assert result.problem.code == "NEEDS_APPROVAL"
    assert result.problem.detail == "write_note needs the user's approval, and nobody answered within 0.05 s."
    assert result.problem.context["rule"] == "write"
    assert approvals.pending() == ()
    assert not is_shared or names(folder) == []


async def test_a_call_that_is_cancelled_withdraws_its_question(folder: Path) -> None:
    approvals = Approvals(folder, LONG_S)
    there = asyncio.Event()
    approvals.listen(lambda _pending, _answer: there.set())
    call = asyncio.ensure_future(Bench([write_note], asker=approvals).call("write_note", text="abc"))
    await asyncio.wait_for(there.wait(), 10)
    assert len(names(folder)) == 1
    call.cancel()

    with pytest.raises(asyncio.CancelledError):
        await call
    assert names(folder) == []
    assert approvals.pending() == ()


async def test_more_questions_than_anybody_reads_are_refused() -> None:
    approvals = Approvals(None, LONG_S)
    bench = Bench([write_note], asker=approvals)
    full = asyncio.Event()
    approvals.listen(
        lambda _one, _answer: full.set() if len(approvals.pending()) == APPROVALS_WAITING else None
    )
    calls = [asyncio.ensure_future(bench.call("write_note", text="abc")) for _ in range(APPROVALS_WAITING)]
    await asyncio.wait_for(full.wait(), 10)
    over = await bench.call("write_note", text="abc")
    for one in approvals.pending():
        approvals.answer(one.id, Answer.ALLOW_ONCE)

    assert over.problem is not None
    assert over.problem.detail.endswith("and 64 other calls wait for one already.")
    assert [(await call).ok for call in calls] == [True] * APPROVALS_WAITING


async def test_secrets_are_not_shown_and_what_nobody_reads_is_cut() -> None:
    approvals = Approvals(None, LONG_S)
    seen: list[Pending] = []

    def deny(pending: Pending) -> None:
        seen.append(pending)
        approvals.answer(pending.id, Answer.REJECT_ONCE)

    await asked(approvals, deny, text="token=ghp_0123456789abcdefghijABCDEFGHIJ " + "x" * 9_000)

    assert "ghp_" not in seen[0].args
    assert len(seen[0].args) < 5_000
    assert "characters)" in seen[0].args


async def test_what_a_call_asks_about_is_counted_where_it_is_too_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(queue, "APPROVAL_SHOWN_ATOMS", 1)
    approvals = Approvals(None, SOON_S)
    seen: list[Pending] = []
    approvals.listen(lambda one, _answer: seen.append(one))
    await Bench([tidy], asker=approvals).call("tidy")

    assert seen[0].asks == ("delete  (delete)", "and 1 more")


async def test_another_process_may_answer_through_the_folder(folder: Path) -> None:
    approvals = Approvals(folder, LONG_S)

    def answer(pending: Pending) -> None:
        assert [one.id for one in Shared(folder).pending()] == [pending.id]
        assert Shared(folder).answer(pending.id, Answer.ALLOW_ONCE)
        assert not Shared(folder).answer(pending.id, Answer.REJECT_ONCE)

    result = await asked(approvals, answer, text="abc")

    assert result.text == "kept abc"
    assert names(folder) == []


def test_the_folder_is_its_owners_alone(folder: Path) -> None:
    Shared(folder).post(pending())

    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / "abc.question").stat().st_mode & 0o777 == 0o600


def pending(**facts: object) -> Pending:
    now = Clock().now()
    fields = {
        "id": "abc",
        "tool": "t",
        "args": "{}",
        "asks": (),
        "rule": "r",
        "layer": "l",
        "asked": now,
        "until": now + timedelta(seconds=LONG_S),
        "pid": os.getpid(),
        **facts,
    }
    return Pending(**fields)  # type: ignore[arg-type]


def test_an_answer_that_would_have_to_be_stored_needs_a_rule_to_store(folder: Path) -> None:
    shared = Shared(folder)
    with shared.posted(pending()):
        with pytest.raises(InvalidArgument) as error:
            shared.answer("abc", Answer.ALLOW_ALWAYS)
        assert error.value.detail == "This call can only be allowed once: no rule may be stored for it."
        assert shared.answer("abc", Answer.REJECT_ALWAYS)
        assert shared.taken(pending()) is Answer.REJECT_ALWAYS


async def test_in_memory_such_an_answer_is_refused_too_and_the_question_stays_open() -> None:
    approvals = Approvals(None, LONG_S)
    said: list[str] = []

    @tool(effects=["exec"], touches=lambda _args: (Command(line="PATH=. ls"),))
    def look() -> str:
        """Look around."""
        return "looked"

    def answer(one: Pending, answered: Answer | None) -> None:
        if answered is None:
            with pytest.raises(InvalidArgument) as error:
                approvals.answer(one.id, Answer.ALLOW_ALWAYS)
            said.append(error.value.detail)
            approvals.answer(one.id, Answer.ALLOW_ONCE)

    approvals.listen(answer)

    assert (await Bench([look], asker=approvals).call("look")).text == "looked"
    assert said == ["This call can only be allowed once: no rule may be stored for it."]


@pytest.mark.parametrize(
    "data",
    [
        b"{}",
        b"not json",
        b'{"id":"other","answer":"allow_once"}',
        b'{"id":"abc","answer":"allow_always"}',
        b'{"id":"abc","answer":"allow_all"}',
    ],
)
def test_what_is_no_answer_to_this_question_is_not_taken(folder: Path, data: bytes) -> None:
    shared = Shared(folder)
    with shared.posted(pending()):
        (folder / "abc.answer").write_bytes(data)

        assert shared.taken(pending()) is None


def test_an_answer_that_is_a_link_or_no_file_is_not_taken(folder: Path, tmp_path: Path) -> None:
    shared = Shared(folder)
    (tmp_path / "x").write_text('{"id":"abc","answer":"allow_once"}')
    with shared.posted(pending()):
        (folder / "abc.answer").symlink_to(tmp_path / "x")
        assert shared.taken(pending()) is None
        (folder / "abc.answer").unlink()
        os.mkfifo(folder / "abc.answer")
        assert shared.taken(pending()) is None


def test_a_folder_that_others_reach_is_not_used(folder: Path) -> None:
    folder.mkdir(parents=True)
    folder.chmod(0o755)

    with pytest.raises(IoFailed) as error:
        Shared(folder).pending()
    assert error.value.detail.endswith(f"chmod 700 {folder}")
    with pytest.raises(IoFailed):
        Shared(folder).post(pending())


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(IoFailed):
        Shared(tmp_path / "file" / "approvals").post(pending())


def test_without_a_folder_nothing_waits(folder: Path) -> None:
    assert Shared(folder).pending() == ()
    assert not Shared(folder).answer("abc", Answer.ALLOW_ONCE)


@pytest.mark.parametrize(
    "facts",
    [{"began": 1}, {"pid": 2**22 + 5}, {"until": FakeClock().now()}],
    ids=["a number taken by another process", "no such process", "too late"],
)
def test_a_question_that_nobody_waits_for_is_swept(folder: Path, facts: dict[str, object]) -> None:
    Shared(folder).post(pending(**facts))
    (folder / "abc.answer").write_text("{}")

    assert Shared(folder).pending() == ()
    assert names(folder) == []


def test_what_cannot_be_read_is_swept_and_so_are_answers_to_nothing(folder: Path) -> None:
    Shared(folder).post(pending())
    (folder / "b.question").write_text("{}")
    (folder / "c.question").write_bytes((folder / "abc.question").read_bytes())
    (folder / "d.question").symlink_to("/etc/passwd")
    (folder / "e.answer").write_text("{}")

    assert [one.id for one in Shared(folder).pending()] == ["abc"]
    assert [path.name for path in folder.iterdir()] == ["abc.question"]


ASKING = """
import asyncio, sys
from pathlib import Path
from toolpost import Bench, tool
from toolpost.authorize.queue import Approvals

@tool(effects=["write"])
def write_note(text: str) -> str:
    "Keep a note for later."
    return text

approvals = Approvals(Path(sys.argv[1]), 60)
approvals.listen(lambda one, answer: print(one.id, flush=True))
print(asyncio.run(Bench([write_note], asker=approvals).call("write_note", text="abc")).text)
"""


def test_a_killed_asker_leaves_nothing_that_could_be_answered(folder: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", ASKING, str(folder)], stdout=subprocess.PIPE, text=True
    ) as asker:
        assert asker.stdout is not None
        named = asker.stdout.readline().strip()
        assert [one.id for one in Shared(folder).pending()] == [named]
        asker.send_signal(signal.SIGKILL)
        asker.wait(timeout=30)

    assert json.loads((folder / f"{named}.question").read_bytes())["id"] == named
    assert not Shared(folder).answer(named, Answer.ALLOW_ONCE)
    assert names(folder) == []


def test_a_process_is_answered_by_another(folder: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", ASKING, str(folder)], stdout=subprocess.PIPE, text=True
    ) as asker:
        assert asker.stdout is not None
        named = asker.stdout.readline().strip()
        assert Shared(folder).answer(named, Answer.ALLOW_ONCE)
        rest, _ = asker.communicate(timeout=30)

    assert rest == f"{named}\nabc\n"
