"""One policy file: what it says, on which line, and what is said about one that cannot be used."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.atom import Kind
from toolpost.authorize.policy import PolicyError, PolicyFile, PolicyTest, read_policy
from toolpost.authorize.rule import Rule
from toolpost.limits import POLICY_RULES
from toolpost.result import Decision

ALLOW, ASK, DENY = Decision.ALLOW, Decision.ASK, Decision.DENY


def policy(text: str) -> PolicyFile:
    return read_policy(text.encode(), "user", "/c/policy.toml")


def test_a_file_is_read_with_the_line_of_every_rule() -> None:
    found = policy(
        """[permissions]
deny = [
  "exec(psql *)",
  'read(customers/**)',  # "exec(psql *)"
]
ask = ["exec(docker push *)"]
allow = ["exec(make lint)", "read!(.env.test)"]
trust_annotations = ["wiki"]
mode = "edit"

[[test]]
call = {run_command = "make lint && psql -l"}
expect = "deny"
"""
    )
    assert found == PolicyFile(
        rules=(
            Rule(DENY, Kind.EXEC, "psql *", layer="user:policy.toml:3"),
            Rule(DENY, Kind.READ, "customers/**", layer="user:policy.toml:4"),
            Rule(ASK, Kind.EXEC, "docker push *", layer="user:policy.toml:6"),
            Rule(ALLOW, Kind.EXEC, "make lint", layer="user:policy.toml:7"),
            Rule(ALLOW, Kind.READ, ".env.test", opens=True, layer="user:policy.toml:7"),
        ),
        tests=(
            PolicyTest(
                call={"run_command": "make lint && psql -l"}, expect=DENY, file="/c/policy.toml", line=11
            ),
        ),
        servers=("wiki",),
        mode="edit",
    )


@pytest.mark.parametrize(
    "text",
    [
        '\npermissions = {deny = ["read(a)"]}',
        '\npermissions.deny = ["read(a)"]',
        '["permissions"]\n"deny" = ["read(a)"]',
        "[permissions]\ndeny = ['''read(a)''']",
        '[permissions]\r\ndeny = ["read(\\u0061)"]',
    ],
)
def test_a_rule_has_its_line_however_the_file_is_laid_out(text: str) -> None:
    assert policy(text).rules == (Rule(DENY, Kind.READ, "a", layer="user:policy.toml:2"),)


def test_the_same_rule_twice_has_two_lines_and_a_warning() -> None:
    found = policy('[permissions]\ndeny = ["read(a)",\n"read(a)"]')
    assert [rule.layer for rule in found.rules] == ["user:policy.toml:2", "user:policy.toml:3"]
    assert len(found.warnings) == 1


def test_an_empty_file_says_nothing() -> None:
    assert policy("# nothing") == PolicyFile()


def test_tests_may_be_written_in_one_line() -> None:
    found = policy('test = [{call = {exec = "a"}, expect = "ask"}]')
    assert found.tests == (PolicyTest(call={"exec": "a"}, expect=ASK, file="/c/policy.toml", line=1),)


@pytest.mark.parametrize(
    ("text", "line", "column", "message", "fix"),
    [
        ('[permissions]\ndeny = [\n  "raed(x)"]', 3, 4, "There is no effect 'raed'.", "Did you mean read?"),
        ('[permissions]\nallow = ["read(x)y"]', 2, 18, "stands after the end", "A rule is written as"),
        ('[permissions]\nallow = ["read(\\u0061)y"]', 2, 10, "stands after the end", "A rule is written as"),
        ("[permisions]\n", 1, 1, "There is no key 'permisions'.", "Did you mean permissions?"),
        ("mode = 'edit'", 1, 1, "There is no key 'mode'.", "mode belongs under [permissions]"),
        ("[[test]]\ncall = {fs.raed = 'x'}\nexpect = 'deny'", 1, 1, "the tool 'fs'.", "Known are Bash, exec"),
        ("[[test]]\ncall = {x = {}}\nexpect = 'deny'", 1, 1, "the tool 'x'.", 'and any "server/tool"'),
        ("[permissions]\n\nalow = []", 3, 1, "There is no key 'alow'.", "Did you mean allow?"),
        ("[permissions]\nzzz = 1", 2, 1, "There is no key 'zzz'.", "Known are deny, ask, allow"),
        ("[permissions]\ndeny = 'read(x)'", 2, 1, "deny is no list of texts.", "Write deny = ["),
        ("[permissions]\ndeny = [1]", 2, 1, "deny is no list of texts.", "Write deny = ["),
        ("permissions = 1", 1, 1, "permissions is no table.", "Write [permissions]."),
        ("[permissions]\nmode = 'mad'", 2, 1, "There is no mode 'mad'.", "Known are plan"),
        ("[permissions]\nmode = []", 2, 1, "There is no mode [].", "Known are plan"),
        ("test = 1", 1, 1, "test is no list of tables.", "Write [[test]]."),
        ("[[test]]\ncall = {a = 1}\nexpect = 'maybe'", 1, 1, "cannot expect 'maybe'", "allow, ask, deny"),
        ("[[test]]\ncall = {a = 1}\nexpect = []", 1, 1, "cannot expect []", "allow, ask, deny"),
        ("[[test]]\nexpect = 'deny'", 1, 1, "A test calls one tool.", "Write call ="),
        ("[[test]]\ncall = {a = 1, b = 2}\nexpect = 'deny'", 1, 1, "A test calls one tool.", "Write call ="),
        ("\n[[test]]\nx = 1", 2, 1, "A test has no key 'x'.", "It has call and expect."),
        ("a = \n", 1, 5, "Not TOML: Invalid value.", "Mend the file by hand."),
        ("a = [", 0, 0, "Not TOML", "Mend the file by hand."),
        ("a = " + "[" * 5000, 1, 1, "nested too deeply", "Mend the file by hand."),
    ],
)
def test_what_is_wrong_is_said_with_its_place_and_the_next_step(
    text: str, line: int, column: int, message: str, fix: str
) -> None:
    with pytest.raises(PolicyError) as refused:
        policy(text)
    error = refused.value
    assert (error.file, error.line, error.column) == ("/c/policy.toml", line, column)
    assert message in error.message
    assert fix in error.fix
    assert str(error).startswith(f"/c/policy.toml:{line}:{column}: " if line else "/c/policy.toml: ")


@pytest.mark.parametrize(
    ("call", "read"),
    [
        ('{fs.read = {path = "x"}}', {"fs.read": {"path": "x"}}),
        ('{local.fs.readFile = "x"}', {"local.fs.readFile": "x"}),
        ('{"wiki/edit" = {page = "x"}}', {"wiki/edit": {"page": "x"}}),
        ('{fs.read = {path = "x", limit = 1}}', {"fs.read": {"path": "x", "limit": 1}}),
    ],
)
def test_a_test_names_its_tool_with_or_without_quotes(call: str, read: dict[str, object]) -> None:
    (test,) = policy(f"[[test]]\ncall = {call}\nexpect = 'deny'").tests
    assert test.call == read


def test_a_mark_that_editors_put_in_front_is_no_mistake() -> None:
    assert policy('\ufeff[permissions]\nmode = "edit"') == PolicyFile(mode="edit")


def test_a_long_pattern_is_told_cut_and_what_to_do_not_twice() -> None:
    with pytest.raises(PolicyError) as refused:
        policy(f"[permissions]\ndeny = ['exec({'a' * 10_000})']")
    error = refused.value
    assert len(str(error)) < 400
    assert (error.fix in str(error), error.__notes__) == (False, [error.fix])


def test_bytes_that_are_no_text_are_refused_with_their_line() -> None:
    with pytest.raises(PolicyError) as refused:
        read_policy(b"a = 1\n\xff", "user", "policy.toml")
    assert (refused.value.message, refused.value.line) == ("This is not UTF-8.", 2)


def test_more_rules_than_can_be_judged_by_are_refused() -> None:
    rules = ", ".join(f'"read(a{number})"' for number in range(POLICY_RULES + 1))
    with pytest.raises(PolicyError, match="too many"):
        policy(f"[permissions]\ndeny = [{rules}]")


@given(
    st.text("[permissions]deny=\"'read(x)\n,{}#!", max_size=60).map("[permissions]\ndeny = [".__add__)
    | st.text()
)
def test_any_text_is_a_policy_or_a_policy_error(text: str) -> None:
    try:
        found = read_policy(text.encode("utf-8", "surrogatepass"), "user", "policy.toml")
    except PolicyError:
        return
    assert isinstance(found, PolicyFile)
