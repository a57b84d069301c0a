from threading import Thread

from toolpost.workspace.history.seen import Seen


def test_a_session_knows_what_it_saw_last() -> None:
    seen = Seen()
    seen.saw("ana", "root", "a.txt", "sha256:1")
    seen.saw("ana", "root", "a.txt", "sha256:2")

    assert seen.known("ana", "root", "a.txt") == "sha256:2"


def test_what_one_session_saw_no_other_knows() -> None:
    seen = Seen()
    seen.saw("ana", "root", "a.txt", "sha256:1")

    assert seen.known("rui", "root", "a.txt") is None
    assert seen.known("ana", "other", "a.txt") is None
    assert seen.known("ana", "root", "b.txt") is None


def test_a_file_that_is_gone_is_forgotten_by_every_session() -> None:
    seen = Seen()
    for session in ("ana", "rui"):
        seen.saw(session, "root", "a.txt", "sha256:1")
        seen.saw(session, "root", "b.txt", "sha256:2")
    seen.forget("root", "a.txt")

    assert [seen.known(session, "root", "a.txt") for session in ("ana", "rui")] == [None, None]
    assert [seen.known(session, "root", "b.txt") for session in ("ana", "rui")] == ["sha256:2", "sha256:2"]


def test_the_file_unused_longest_is_forgotten_first() -> None:
    seen = Seen(most=2)
    seen.saw("ana", "root", "a.txt", "sha256:1")
    seen.saw("ana", "root", "b.txt", "sha256:2")
    seen.known("ana", "root", "a.txt")
    seen.saw("ana", "root", "c.txt", "sha256:3")

    known = [seen.known("ana", "root", path) for path in ("a.txt", "b.txt", "c.txt")]
    assert known == ["sha256:1", None, "sha256:3"]


def test_threads_that_see_at_once_never_keep_more_than_the_most() -> None:
    seen = Seen(most=50)

    def look(session: str) -> None:
        for number in range(500):
            seen.saw(session, "root", f"{number}.txt", "sha256:1")
            seen.known(session, "root", f"{number - 1}.txt")
            seen.forget("root", f"{number - 2}.txt")

    threads = [Thread(target=look, args=(f"session {number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert not any(thread.is_alive() for thread in threads)

    sessions = [f"session {number}" for number in range(4)]
    kept = [seen.known(session, "root", f"{number}.txt") for session in sessions for number in range(500)]
    assert 0 < len([digest for digest in kept if digest]) <= 50
