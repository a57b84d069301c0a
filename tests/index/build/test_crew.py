import io
import os
import resource
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from tests.index.build.trees import write
from tests.workspace.ground import open_descriptors

from toolpost.errors import Cancelled, IoFailed
from toolpost.index.build import crew as crews
from toolpost.index.build.crew import Crew, Hand, Worker
from toolpost.index.build.frames import Ended, Setup, asked, receive, send
from toolpost.index.build.listing import Run
from toolpost.index.build.read import blob_id_of
from toolpost.index.build.spool import Spool
from toolpost.index.build.worker import Answer, Done, Failed, serve
from toolpost.index.tags.rules import Rules
from toolpost.workspace.guard import Guard
from toolpost.workspace.local.bulk import Bulk

ODD = os.fsdecode(b"caf\xe9.txt")


@pytest.fixture
def bulk(tmp_path: Path) -> Iterator[Bulk]:
    write(tmp_path / "tree", {"a.ts": b"export const a = 1\n", "b/c.txt": b"c\n", ODD: b"odd", ".env": b"x"})
    made = Bulk(tmp_path / "tree")
    yield made
    made.close()


def _nothing() -> None: ...


def test_parts_come_back_with_their_numbers_and_texts(bulk: Bulk, tmp_path: Path) -> None:
    before = open_descriptors()
    parts = [[Run("", ["a.ts", "gone"])], [Run("b", ["c.txt"]), Run("", [ODD, ".env"])]]
    crew = Crew(2, bulk, {}, tmp_path)
    found = {}
    for number, part, spool in crew.read(parts, _nothing):
        texts, begin = [], part.begin
        for packed in part.files:
            size = max(packed.text_bytes, 0) if packed else 0
            texts.append((packed and packed.passed, packed and packed.blob_id, spool.read(begin, size)))
            begin += size
        found[number] = texts
    crew.close()
    crew.forget()
    a, c, odd = (blob_id_of(data) for data in (b"export const a = 1\n", b"c\n", b"odd"))
    assert found == {
        0: [("", a, b"export const a = 1\n"), (None, None, b"")],
        1: [("", c, b"c\n"), ("not_utf8", odd, b""), ("secret", b"", b"")],
    }
    assert open_descriptors() == before


def test_a_builder_reads_too_and_gathers_what_its_workers_found_meanwhile(
    bulk: Bulk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crews, "INDEX_HAND_FILES", 1)
    hand, crew = Hand(bulk, Rules(), tmp_path), Crew(1, bulk, {}, tmp_path)
    looked = []
    parts = [[Run("", ["a.ts", "gone"]), Run("b", ["c.txt"])]] * 6
    found = {}
    for number, part, spool in crew.read(parts, lambda: looked.append(1), hand):
        sizes = [packed and packed.text_bytes for packed in part.files]
        found[number] = sizes, spool.read(part.begin, 21), spool is hand.spool
    crew.close()
    crew.forget()
    hand.spool.close()
    assert {number: told[:2] for number, told in found.items()} == dict.fromkeys(
        range(6), ([19, None, 2], b"export const a = 1\nc\n")
    )
    assert {by_hand for _, _, by_hand in found.values()} == {True, False}
    assert len(looked) >= 3


def test_a_worker_that_dies_is_an_error_that_says_what_to_do(bulk: Bulk, tmp_path: Path) -> None:
    crew = Crew(2, bulk, {}, tmp_path)
    for worker in crew._workers:
        worker._process.kill()
        worker._process.wait()
    with pytest.raises(IoFailed, match="build again") as refused:
        list(crew.read([[Run("", ["a.ts"])]], _nothing))
    assert refused.value.context["exit_code"] == -signal.SIGKILL
    crew.close()
    crew.forget()


def test_a_worker_that_dies_before_it_answers_is_noticed(bulk: Bulk, tmp_path: Path) -> None:
    crew = Crew(1, bulk, {}, tmp_path)

    def kill() -> None:
        crew._workers[0]._process.kill()

    with pytest.raises(IoFailed):
        list(crew.read([[Run("", ["a.ts"])]] * 3, kill))
    crew.close()
    crew.forget()


def test_a_crew_that_says_nothing_is_given_up(
    bulk: Bulk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crews, "INDEX_WORKER_S", 0.01)
    monkeypatch.setattr(crews, "INDEX_WORKER_POLL_MS", 1)
    crew = Crew(1, bulk, {}, tmp_path)
    crew._workers[0]._process.send_signal(signal.SIGSTOP)
    with pytest.raises(IoFailed, match="one worker"):
        list(crew.read([[Run("", ["a.ts"])]], _nothing))
    crew.close()
    crew.forget()


def test_a_crew_stops_when_it_is_told(bulk: Bulk, tmp_path: Path) -> None:
    def stop() -> None:
        raise Cancelled

    crew = Crew(1, bulk, {}, tmp_path)
    with pytest.raises(Cancelled):
        list(crew.read([[Run("", ["a.ts"])]], stop))
    crew.close()
    crew.forget()


def test_processes_that_cannot_be_started_are_said(bulk: Bulk, tmp_path: Path) -> None:
    before = open_descriptors()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    lowest = os.dup(0)
    os.close(lowest)
    for free in (0, 1):
        resource.setrlimit(resource.RLIMIT_NOFILE, (lowest + free, hard))
        try:
            with pytest.raises(IoFailed):
                Crew(3, bulk, {}, tmp_path)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert open_descriptors() == before


def test_a_worker_finds_no_module_in_the_folder_it_is_started_in(
    bulk: Bulk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(
        tmp_path / "hostile", {"msgspec.py": b"raise SystemExit(3)\n", "signal.py": b"raise SystemExit(3)\n"}
    )
    monkeypatch.chdir(tmp_path / "hostile")
    worker = Worker(tmp_path)
    worker.begin(bulk, {})
    worker.ask(0, [asked(Run("", ["a.ts"]))])
    assert [packed and packed.passed for packed in worker.answer().files] == [""]
    worker.close()
    worker.spool.close()


def _served(bulk: Bulk, spool: int, *runs: Run) -> list[Answer]:
    questions, answers = io.BytesIO(), io.BytesIO()
    send(questions, Setup(bulk.where, Guard(), {"mine": {"paths": ["**"]}}, spool))
    for run in runs:
        send(questions, [asked(run)])
    questions.seek(0)
    serve(questions, answers)
    answers.seek(0)
    decoder = msgspec.msgpack.Decoder(Answer)
    return [receive(answers, decoder) for _ in runs]


def test_a_worker_answers_every_question_until_nobody_asks(bulk: Bulk, tmp_path: Path) -> None:
    with closing(Spool.make(tmp_path)) as spool:
        said = _served(
            bulk, spool.descriptor, Run("", ["a.ts"]), Run("b", ["c.txt"], [], [blob_id_of(b"c\n")])
        )
    parts = [answer.part for answer in said if isinstance(answer, Done)]
    assert [part.begin for part in parts] == [0, 19]
    first, second = (part.files[0] for part in parts)
    assert first is not None
    assert second is not None
    assert "mine" in first.tags
    assert (second.passed, second.text_bytes) == ("same", -1)


def test_a_worker_that_cannot_keep_a_text_says_why(bulk: Bulk, tmp_path: Path) -> None:
    handle = os.open(tmp_path / "read-only", os.O_RDONLY | os.O_CREAT)
    try:
        said = _served(bulk, handle, Run("", ["a.ts"]))
    finally:
        os.close(handle)
    assert len(said) == 1
    assert isinstance(said[0], Failed)
    assert "Make room" in said[0].sentence


def test_what_a_worker_says_is_raised_by_its_builder(bulk: Bulk, tmp_path: Path) -> None:
    worker = Worker(tmp_path)
    worker.answers.close()
    worker.answers = io.BytesIO()
    send(worker.answers, Failed("The disk is full."))
    worker.answers.seek(0)
    with pytest.raises(IoFailed, match="The disk is full"):
        worker.answer()
    worker.close()
    worker.spool.close()


def test_a_message_that_ends_in_the_middle_is_none() -> None:
    stream = io.BytesIO()
    send(stream, "a message")
    cut = io.BytesIO(stream.getvalue()[:-1])
    with pytest.raises(Ended):
        receive(cut, msgspec.msgpack.Decoder(str))
