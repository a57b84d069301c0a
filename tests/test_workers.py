import threading
from queue import SimpleQueue

import pytest

from toolpost.workers import Workers

PATIENCE_S = 20


def _ignored(_answer: object) -> None: ...


def named(workers: Workers) -> str:
    """The thread that does a piece of work, once it has done it."""
    answer: SimpleQueue[str] = SimpleQueue()
    workers.do(lambda: answer.put(str(threading.get_ident())))
    return answer.get(timeout=PATIENCE_S)


def settled(workers: Workers, idle: int) -> None:
    """Until so many threads wait: handing over an answer is not yet having put oneself back."""
    tick = threading.Event()
    for _ in range(PATIENCE_S * 100):
        if len(workers._idle) == idle:
            return
        tick.wait(0.01)
    pytest.fail(f"{len(workers._idle)} threads wait, not {idle}")


def test_a_thread_is_used_again() -> None:
    workers = Workers(2)
    first = named(workers)
    settled(workers, 1)
    assert named(workers) == first


def test_work_that_hangs_keeps_no_other_waiting() -> None:
    workers, go = Workers(2), threading.Event()
    workers.do(lambda: _ignored(go.wait(PATIENCE_S)))
    assert named(workers)
    go.set()
    settled(workers, 2)


def test_no_more_threads_are_kept_than_wanted() -> None:
    workers, together = Workers(1), threading.Barrier(4, timeout=PATIENCE_S)
    for _ in range(3):
        workers.do(lambda: _ignored(together.wait()))
    together.wait()
    settled(workers, 1)


def test_a_thread_that_has_nothing_to_do_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolpost.workers.WORKER_IDLE_S", 0.01)
    workers = Workers(2)
    named(workers)
    settled(workers, 0)


def test_one_that_is_given_work_at_the_last_moment_does_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolpost.workers.WORKER_IDLE_S", 0.01)
    workers = Workers(2)
    named(workers)
    settled(workers, 0)
    assert not workers._leaves(SimpleQueue())
    assert named(workers)
