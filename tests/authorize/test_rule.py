"""What a rule covers: allow narrowly, deny and ask widely."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.atom import Atom, Kind, Word
from toolpost.authorize.grammar import parse_rule
from toolpost.authorize.rule import Rule, covers, names
from toolpost.authorize.scene import Scene
from toolpost.result import Decision

SCENE = Scene(roots=("/ws",), home="/home/u")
DENY, ASK, ALLOW = Decision.DENY, Decision.ASK, Decision.ALLOW
NO_HINTS: frozenset[str] = frozenset()


def read(
    path: str, *, fixed: bool = True, glob: bool = False, tree: bool = False, maybe: bool = False
) -> Atom:
    return Atom(kind=Kind.READ, target=path, fixed=fixed, glob=glob, tree=tree, maybe=maybe)


def rule(decision: Decision, text: str) -> Rule:
    return parse_rule(text, decision)


def test_a_rule_is_written_as_it_may_be_stored() -> None:
    assert str(Rule(ALLOW, Kind.READ, ".env.test", opens=True)) == "read!(.env.test)"
    assert str(Rule(ALLOW, Kind.TOOL, hint="readOnlyHint")) == "tool(*)[readOnlyHint]"


@pytest.mark.parametrize("decision", list(Decision))
def test_a_plain_path_is_covered_by_every_decision(decision: Decision) -> None:
    assert covers(rule(decision, "read(docs/**)"), read("/ws/docs/a"), SCENE)
    assert not covers(rule(decision, "read(docs/**)"), read("/ws/docs2/a"), SCENE)
    assert not covers(rule(decision, "write(docs/**)"), read("/ws/docs/a"), SCENE)


@pytest.mark.parametrize(
    "atom",
    [
        read("/ws/cust", fixed=False),
        read("/ws/", fixed=False),
        read("/ws/customers", fixed=False),
        read("/ws/*", glob=True),
        read("/ws", tree=True),
        read("/ws/customers/x", maybe=True),
        read("/ws/CUSTOMERS/x"),
    ],
)
def test_what_may_touch_a_denied_path_is_denied_and_not_allowed(atom: Atom) -> None:
    assert covers(rule(DENY, "read(customers/**)"), atom, SCENE)
    assert covers(rule(ASK, "read(customers/**)"), atom, SCENE)
    assert not covers(rule(ALLOW, "read(customers/**)"), atom, SCENE)


def test_a_path_of_which_nothing_is_known_meets_only_what_denies_all() -> None:
    atom = read("", fixed=False)
    assert not covers(rule(DENY, "read(customers/**)"), atom, SCENE)
    assert covers(rule(DENY, "read"), atom, SCENE)
    assert covers(rule(ASK, "read(/**)"), atom, SCENE)
    assert not covers(rule(ALLOW, "read(/**)"), atom, SCENE)


def test_a_glob_inside_an_allowed_folder_is_allowed() -> None:
    assert covers(rule(ALLOW, "read(docs/**)"), read("/ws/docs/*.md", glob=True), SCENE)
    assert not covers(rule(ALLOW, "read(docs/**)"), read("/ws/*/a.md", glob=True), SCENE)


def test_what_must_not_be_written_must_not_be_deleted() -> None:
    atom = Atom(kind=Kind.DELETE, target="/ws/a")
    assert covers(rule(DENY, "write(a)"), atom, SCENE)
    assert not covers(rule(ALLOW, "write(a)"), atom, SCENE)
    assert not covers(rule(ASK, "write(a)"), atom, SCENE)
    assert not covers(rule(DENY, "delete(a)"), Atom(kind=Kind.WRITE, target="/ws/a"), SCENE)


def test_the_same_denial_holds_for_every_spelling_of_a_host() -> None:
    for target in ("evil.com", "https://EVIL.com./x", "http://good.org@evil.com", "http://x\\@evil.com"):
        assert covers(rule(DENY, "net(evil.com)"), Atom(kind=Kind.NET, target=target), SCENE)
    assert covers(rule(DENY, "net(evil.com)"), Atom(kind=Kind.NET, target="evil.", fixed=False), SCENE)


def test_a_host_that_is_known_only_when_it_runs_is_not_allowed() -> None:
    assert covers(rule(ALLOW, "net(good.org)"), Atom(kind=Kind.NET, target="good.org"), SCENE)
    assert not covers(
        rule(ALLOW, "net(good.org)"), Atom(kind=Kind.NET, target="good.org", fixed=False), SCENE
    )


def test_a_command_is_covered_by_its_words() -> None:
    atom = Atom(kind=Kind.EXEC, target="psql -l", words=(Word("psql"), Word("-l")))
    assert covers(rule(DENY, "exec(psql *)"), atom, SCENE)
    assert covers(rule(ALLOW, "exec(psql -l)"), atom, SCENE)
    assert not covers(rule(ALLOW, "exec(make *)"), atom, SCENE)


@pytest.mark.parametrize(
    ("decision", "text", "tool", "is_named"),
    [
        (ALLOW, "tool(fs.write)", "fs.write", True),
        (ALLOW, "tool(fs.*)", "fs.write", True),
        (ALLOW, "tool", "wiki/read", True),
        (ALLOW, "tool(wiki/*)", "wiki/read", True),
        (ALLOW, "tool(wiki*)", "wiki-evil/read", False),
        (ALLOW, "tool(read)", "wiki/read", False),
        (ALLOW, "tool(wiki/Read)", "wiki/read", False),
        (DENY, "tool(*/drop_*)", "db/drop_table", True),
        (DENY, "tool(drop_*)", "db/Drop_table", True),
        (DENY, "tool(drop_*)", "db/table", False),
        (DENY, "tool(db/drop_*)", "other/drop_x", False),
    ],
)
def test_tools_are_named_with_their_server(decision: Decision, text: str, tool: str, is_named: bool) -> None:
    assert names(rule(decision, text), tool, NO_HINTS) is is_named
    assert covers(rule(decision, text), Atom(kind=Kind.TOOL, target=tool), SCENE) is is_named


def test_an_annotation_is_needed_where_the_rule_names_one() -> None:
    reading = rule(ALLOW, "tool(*)[readOnlyHint]")
    assert names(reading, "wiki/read", frozenset({"readOnlyHint"}))
    assert not names(reading, "wiki/read", NO_HINTS)


def test_a_wildcard_does_not_allow_a_tool_that_destroys() -> None:
    destroys = frozenset({"destructiveHint"})
    assert not names(rule(ALLOW, "tool(db/*)"), "db/drop", destroys)
    assert names(rule(ALLOW, "tool(db/drop)"), "db/drop", destroys)
    assert names(rule(DENY, "tool(db/*)"), "db/drop", destroys)


def test_a_tool_of_which_only_its_effect_is_known_meets_only_rules_about_all() -> None:
    atom = Atom(kind=Kind.WRITE, target="", inside=True)
    assert covers(rule(ALLOW, "write"), atom, SCENE)
    assert covers(rule(DENY, "write(/**)"), atom, SCENE)
    assert not covers(rule(DENY, "write(a)"), atom, SCENE)


def test_a_search_goes_on_past_what_a_sandbox_hides_from_it() -> None:
    hidden = Scene(roots=("/ws",), home="/home/u", level=2)
    assert not covers(rule(DENY, "read(customers/**)"), read("/ws", tree=True), hidden)
    assert covers(rule(DENY, "read(customers/**)"), read("/ws/customers", tree=True), hidden)
    assert covers(rule(DENY, "write(customers/**)"), Atom(kind=Kind.DELETE, target="/ws", tree=True), hidden)


def test_a_rule_about_tools_covers_no_file_and_one_about_files_names_no_tool() -> None:
    assert not covers(rule(DENY, "tool(*)"), read("/ws/a"), SCENE)
    assert not names(rule(DENY, "read(*)"), "fs.read", NO_HINTS)


RULES = ["read(a/**)", "read", "write(*.b)", "net(a.b)", "net", "tool(a/*)", "tool", "delete(/a)"]


@given(
    st.sampled_from(RULES),
    st.sampled_from([kind for kind in Kind if kind is not Kind.EXEC]),
    st.text(st.characters(codec=None), max_size=20) | st.text("ab/.*", max_size=8).map("/ws/".__add__),
    st.tuples(st.booleans(), st.booleans(), st.booleans(), st.booleans()),
)
def test_every_atom_is_answered_and_what_an_allow_covers_a_deny_does_too(
    text: str, kind: Kind, target: str, flags: tuple[bool, bool, bool, bool]
) -> None:
    fixed, glob, tree, maybe = flags
    atom = Atom(kind=kind, target=target, fixed=fixed, glob=glob, tree=tree, maybe=maybe)
    if covers(rule(ALLOW, text), atom, SCENE):
        assert covers(rule(DENY, text), atom, SCENE)
