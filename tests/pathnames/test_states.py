"""The row of states itself, against the plainest matcher there is."""

from hypothesis import given
from hypothesis import strategies as st

from toolpost.pathnames.states import Gap, Letters, Mark, Reach, States, Token

NAMES = st.lists(
    st.sampled_from(["a", "b", Mark.ONE, Mark.MANY, Letters((("a", "a"),))]), min_size=1, max_size=3
)
SEGMENTS = st.lists(st.one_of(NAMES, st.just(Mark.DEEP)), max_size=4)
SUBJECTS = st.lists(st.text("ab", min_size=1, max_size=3), max_size=4)


def row(segments: list[list[Token] | Mark]) -> tuple[Token, ...]:
    tokens: list[Token] = []
    for segment in segments:
        if isinstance(segment, list):
            tokens += ["/", *segment]
        elif tokens[-1:] != [Mark.DEEP]:
            tokens.append(Mark.DEEP)
    return tuple(tokens)


def name_fits(tokens: list[Token], name: str) -> bool:
    if not tokens:
        return not name
    first, *rest = tokens
    if first is Mark.MANY:
        return any(name_fits(rest, name[cut:]) for cut in range(len(name) + 1))
    taken = bool(name) and (
        first is Mark.ONE or first == name[0] or (isinstance(first, Letters) and first.holds(name[0]))
    )
    return taken and name_fits(rest, name[1:])


def fits(segments: list[list[Token] | Mark], names: list[str]) -> bool:
    if not segments:
        return not names
    first, *rest = segments
    if not isinstance(first, list):
        return any(fits(rest, names[cut:]) for cut in range(len(names) + 1))
    return bool(names) and name_fits(first, names[0]) and fits(rest, names[1:])


@given(SEGMENTS, SUBJECTS)
def test_it_accepts_what_the_plainest_matcher_does(
    segments: list[list[Token] | Mark], names: list[str]
) -> None:
    subject = "".join(f"/{name}" for name in names)
    assert States(row(segments)).accepts(subject) is fits(segments, names)


@given(SEGMENTS, SUBJECTS, SUBJECTS)
def test_a_tree_is_met_where_something_in_it_is_accepted(
    segments: list[list[Token] | Mark], above: list[str], below: list[str]
) -> None:
    states, folder = States(row(segments)), "".join(f"/{name}" for name in above)
    inside = folder + "".join(f"/{name}" for name in below)
    if states.accepts(inside):
        assert states.meets(Reach(((folder, Gap.NOTHING),), tree=True))
    if states.accepts_below(folder):
        assert states.accepts(inside)


def test_letters_that_come_folded_are_met_in_every_case() -> None:
    assert Letters((("A", "C"),), folded=True).holds("b")
    assert not Letters((("A", "C"),), folded=True).holds("d")
    assert not Letters((("a", "a"), ("A", "A")), negated=True, folded=True).holds("a")
    assert Letters((("A", "A"),), negated=True, folded=True).holds("a")
    assert Letters((("a", "a"),), folded=True).holds("\u00e9")
    assert Letters((("a", "\u00e9"),), folded=True).holds("z")
    assert not Letters((("A", "C"),)).holds("b")
