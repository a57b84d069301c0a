"""The text of rules, and what is said about one that is none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.atom import Kind
from toolpost.authorize.grammar import RuleError, parse_rule
from toolpost.authorize.rule import Rule
from toolpost.result import Decision

ALLOW = Decision.ALLOW


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("exec(psql *)", Rule(ALLOW, Kind.EXEC, "psql *")),
        ("read", Rule(ALLOW, Kind.READ)),
        ("read!(.env.test)", Rule(ALLOW, Kind.READ, ".env.test", opens=True)),
        ("exec!", Rule(ALLOW, Kind.EXEC, opens=True)),
        ("net(*.readthedocs.io)", Rule(ALLOW, Kind.NET, "*.readthedocs.io")),
        ("tool(*/drop_*)", Rule(ALLOW, Kind.TOOL, "*/drop_*")),
        ("tool(*)[readOnlyHint]", Rule(ALLOW, Kind.TOOL, hint="readOnlyHint")),
        ("tool[readOnlyHint]", Rule(ALLOW, Kind.TOOL, hint="readOnlyHint")),
        ("read(a(b)/[xy])", Rule(ALLOW, Kind.READ, "a(b)/[xy]")),
        (r"exec(echo \))", Rule(ALLOW, Kind.EXEC, r"echo \)")),
    ],
)
def test_a_rule_is_read_and_written(text: str, rule: Rule) -> None:
    assert parse_rule(text, ALLOW) == rule
    assert parse_rule(str(rule), ALLOW) == rule


def test_a_rule_keeps_its_decision_and_its_place() -> None:
    found = parse_rule("write(a)", Decision.DENY, "user:policy.toml:7")
    assert (found.decision, found.layer) == (Decision.DENY, "user:policy.toml:7")


@pytest.mark.parametrize(
    ("text", "column", "message", "fix"),
    [
        ("raed(x)", 1, "There is no effect 'raed'.", "Did you mean read?"),
        ("Bash(ls:*)", 1, "There is no effect 'Bash'.", "Did you mean exec?"),
        ("WebFetch(x)", 1, "There is no effect 'WebFetch'.", "Did you mean net?"),
        ("Read(x)", 1, "There is no effect 'Read'.", "Did you mean read?"),
        ("qqqq", 1, "There is no effect 'qqqq'.", "Known are read, write, delete, exec, net, tool."),
        ("", 1, "names no effect", "Begin it with one of"),
        ("(x)", 1, "names no effect", "Begin it with one of"),
        ("tool(*)[readonlyHint]", 9, "There is no annotation 'readonlyHint'.", "Did you mean readOnlyHint?"),
        ("tool(*)[foo]", 9, "There is no annotation 'foo'.", "Known are readOnlyHint, destructiveHint"),
        ("read(a\u202eb)", 7, "a character that nobody sees: U+202E.", "Write `?` in its place."),
        ("tool(a\u200b)", 7, "a character that nobody sees: U+200B.", "Write `?` in its place."),
        ("read()", 6, "The pattern is empty.", "Leave the parentheses out"),
        ("read( x)", 6, "begins or ends with a blank", "Write (x)."),
        ("read(x", 5, "A `(` is not closed.", "Close it"),
        ("read(x\\)", 5, "A `(` is not closed.", "Close it"),
        ("read(x))", 8, "stands after the end", "A rule is written as"),
        ("read(x)y", 8, "stands after the end", "A rule is written as"),
        ("tool(x)[]", 8, "stands after the end", "A rule is written as"),
        ("read(x)[readOnlyHint]", 8, "Only tools have annotations.", "Leave [readOnlyHint] out"),
        ("read([a)", 6, "no `]` closes", "Correct the pattern."),
        ("net(a b)", 5, "is no host", "Correct the pattern."),
        ("tool(/x)", 6, "nothing before or after a slash", "Correct the pattern."),
        ("exec(a\tb)", 6, "printable text", "Correct the pattern."),
    ],
)
def test_what_is_no_rule_is_refused_with_its_column_and_the_next_step(
    text: str, column: int, message: str, fix: str
) -> None:
    with pytest.raises(RuleError) as refused:
        parse_rule(text, ALLOW)
    assert refused.value.column == column
    assert message in refused.value.message
    assert fix in refused.value.fix


@pytest.mark.parametrize("decision", [Decision.ASK, Decision.DENY])
def test_only_an_allow_opens_a_guard(decision: Decision) -> None:
    with pytest.raises(RuleError) as refused:
        parse_rule("read!(.env)", decision)
    assert refused.value.column == 5


@given(st.text(st.characters(codec=None), max_size=30) | st.text("readxnt!()[]*./ \\", max_size=16))
def test_any_text_is_a_rule_that_can_be_stored_or_a_rule_error(text: str) -> None:
    found = parsed(text)
    if isinstance(found, RuleError):
        assert found.fix
        assert 1 <= found.column <= len(text) + 1
    else:
        assert parse_rule(str(found), ALLOW) == found


def parsed(text: str) -> Rule | RuleError:
    try:
        return parse_rule(text, ALLOW)
    except RuleError as error:
        return error
