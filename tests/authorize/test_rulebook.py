from toolpost.atom import Kind
from toolpost.authorize.grammar import parse_rule
from toolpost.authorize.profiles import PROFILES
from toolpost.authorize.rulebook import Rulebook
from toolpost.result import Decision

DENY = parse_rule("read(a/**)", Decision.DENY, "user:1")
OPENS = parse_rule("read!(.env.test)", Decision.ALLOW, "user:2")
ALLOW = parse_rule("read(b)", Decision.ALLOW, "user:3")


def test_rules_are_found_by_what_they_decide_and_about_what() -> None:
    book = Rulebook(PROFILES["ask"], (DENY, OPENS, ALLOW))
    assert (book.of(Decision.DENY, Kind.READ), book.of(Decision.ALLOW, Kind.READ)) == ([DENY], [ALLOW])
    assert (book.opening(Kind.READ), book.opening(Kind.WRITE)) == ([OPENS], [])


def test_more_rules_make_another_book() -> None:
    book = Rulebook(PROFILES["ask"], (DENY,), frozenset({"wiki"}))
    more = book.with_rules((ALLOW,))
    assert (book.rules, more.rules, more.servers) == ((DENY,), (DENY, ALLOW), frozenset({"wiki"}))
