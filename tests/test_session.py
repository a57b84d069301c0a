from toolpost.session import Sessions


def test_a_session_is_the_same_each_time_it_is_named() -> None:
    sessions = Sessions(most=10)
    assert sessions.get("a") is sessions.get("a")
    assert sessions.get("a") is not sessions.get("b")
    assert sessions.get("a").name == "a"


def test_the_one_unused_longest_is_forgotten() -> None:
    sessions = Sessions(most=2)
    first, second = sessions.get("a"), sessions.get("b")
    assert sessions.get("a") is first
    sessions.get("c")
    assert sessions.get("a") is first
    assert sessions.get("b") is not second
