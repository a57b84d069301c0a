from toolpost.atom import Kind
from toolpost.authorize.imports.imported import Gathering, Imported, Said, Told
from toolpost.result import Decision

ALLOW, ASK, DENY = Decision.ALLOW, Decision.ASK, Decision.DENY


def shown(imported: Imported) -> list[str]:
    return [f"{rule.decision} {rule}" for rule in imported.rules]


def test_a_rule_carries_where_it_comes_from() -> None:
    found = Gathering()
    found.take(Said(ALLOW, "Bash(ls)"), Kind.EXEC, Told(("exec(ls)",)))

    assert [(str(rule), rule.layer) for rule in found.imported().rules] == [("exec(ls)", "Bash(ls)")]


def test_the_same_rule_is_taken_once() -> None:
    found = Gathering()
    for text in ("one", "two"):
        found.take(Said(ALLOW, text), Kind.EXEC, Told(("exec(ls)",)))

    assert [rule.layer for rule in found.imported().rules] == ["one"]


def test_a_rule_that_cannot_be_written_is_told() -> None:
    found = Gathering()
    found.take(Said(ALLOW, "x"), Kind.NET, Told(("net(a b)",)))

    assert found.imported().rules == ()
    assert found.imported().left_out[0].startswith("allow x: 'a b' is no host.")


def test_a_lost_deny_takes_the_allows_with_it_that_it_held_back() -> None:
    found = Gathering()
    found.take(Said(ALLOW, "push"), Kind.EXEC, Told(("exec(git push *)",)))
    found.take(Said(ALLOW, "status"), Kind.EXEC, Told(("exec(git status *)",)))
    found.take(Said(ALLOW, "all"), Kind.EXEC, Told(("exec(*)",)))
    found.take(Said(ALLOW, "docs"), Kind.WRITE, Told(("write(docs/**)",)))
    found.take(Said(DENY, "force"), Kind.EXEC, Told(less="no words for it.", start=("git", "push")))
    imported = found.imported()

    assert shown(imported) == ["allow exec(git status *)", "allow write(docs/**)"]
    assert imported.left_out == (
        "deny force: no words for it.",
        "allow push: deny force held some of it back there, and cannot be said wholly here.",
        "allow all: deny force held some of it back there, and cannot be said wholly here.",
    )


def test_a_lost_question_about_anything_takes_every_allow_with_it() -> None:
    found = Gathering()
    found.take(Said(ALLOW, "ls"), Kind.EXEC, Told(("exec(ls)",)))
    found.take(Said(ALLOW, "docs"), Kind.WRITE, Told(("write(docs/**)",)))
    found.lose(Said(ASK, "odd"), "it is odd.")

    assert shown(found.imported()) == []


def test_a_lost_allow_takes_nothing_with_it() -> None:
    found = Gathering()
    found.take(Said(ALLOW, "ls"), Kind.EXEC, Told(("exec(ls)",)))
    found.lose(Said(ALLOW, "odd"), "it is odd.")
    found.note("a word")

    assert found.imported().left_out == ("allow odd: it is odd.", "a word")
    assert shown(found.imported()) == ["allow exec(ls)"]


def test_an_allow_that_was_stronger_outlives_a_lost_deny() -> None:
    found = Gathering()
    found.take(Said(ALLOW, "ls", 2), Kind.EXEC, Told(("exec(ls)",)))
    found.lose(Said(DENY, "odd", 1), "it is odd.", Kind.EXEC)

    assert shown(found.imported()) == ["allow exec(ls)"]


def test_a_ground_that_others_make_exceptions_from_is_left_to_the_profile() -> None:
    for decision in (ASK, DENY):
        found = Gathering()
        found.take(Said(decision, "all", 1), Kind.EXEC, Told(("exec(*)",)))
        found.take(Said(ALLOW, "ls", 2), Kind.EXEC, Told(("exec(ls)",)))

        assert shown(found.imported()) == ["allow exec(ls)"]
        assert f"here {decision} beats allow" in found.imported().left_out[0]


def test_a_question_about_everything_that_comes_last_stays() -> None:
    found = Gathering()
    found.take(Said(ALLOW, "ls", 1), Kind.EXEC, Told(("exec(ls)",)))
    found.take(Said(ASK, "all", 2), Kind.EXEC, Told(("exec(*)",)))

    assert shown(found.imported()) == ["allow exec(ls)", "ask exec(*)"]


def test_where_order_decided_the_stricter_rule_wins_and_that_is_told() -> None:
    found = Gathering()
    found.take(Said(DENY, "git", 1), Kind.EXEC, Told(("exec(git *)",)))
    found.take(Said(ALLOW, "ls", 2), Kind.EXEC, Told(("exec(ls *)",)))
    found.take(Said(ALLOW, "status", 3), Kind.EXEC, Told(("exec(git status *)",)))

    assert found.imported().left_out == (
        "allow status: it won over deny git by order or priority there; here deny beats allow.",
    )
