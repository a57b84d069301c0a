"""Plain lines are read without a parser, and just as it reads them."""

from hypothesis import assume, given
from hypothesis import strategies as st

from toolpost.authorize.commands.parse import parse
from toolpost.authorize.commands.plain import plain_script
from toolpost.authorize.commands.script import Simple, Step

WORDS = st.sampled_from(
    [
        "a",
        "git",
        "status",
        "-s",
        "--x=y",
        "./b",
        "x.y",
        "in",
        "do",
        "=x",
        "time",
        "%1",
        "@z",
        "+q",
        "a:b",
        "-",
    ]
)


def _told(steps: tuple[Step, ...]) -> list[object]:
    return [
        ["".join(piece.text for piece in word.pieces) for word in step.words]
        if isinstance(step, Simple)
        else (step.own, step.piped, _told(step.steps))
        for step in steps
    ]


COMMANDS = st.lists(WORDS, max_size=4).map(lambda words: " ".join(["git", *words]))


@given(COMMANDS, st.lists(st.tuples(st.sampled_from(["|", "||", "&&", ";", "; "]), COMMANDS), max_size=5))
def test_a_plain_line_reads_as_the_parser_reads_it(first: str, others: list[tuple[str, str]]) -> None:
    line = first + "".join(f" {joint} {command}" for joint, command in others)
    plain, parsed = plain_script(line), parse(line)
    assume(plain is not None and not parsed.unreadable)
    assert plain is not None
    assert (_flat(_told(plain.steps)), plain.commands) == (_flat(_told(parsed.steps)), parsed.commands)


def _flat(told: list[object]) -> list[object]:
    """Without the groups that only say in which order commands depend on each other."""
    flat: list[object] = []
    for step in told:
        if isinstance(step, tuple) and not step[0]:
            flat.extend(_flat(step[2]))
        else:
            flat.append(step)
    return flat


def test_what_is_not_plain_is_left_to_the_parser() -> None:
    for line in (
        "a 'b'",
        "a $b",
        "a > b",
        "a=b",
        "time a",
        "a & b",
        "a &",
        "a ;; b",
        "| a",
        "~/a",
        "a *",
        "{ a",
    ):
        assert plain_script(line) is None
    assert plain_script("a; b;") is not None
