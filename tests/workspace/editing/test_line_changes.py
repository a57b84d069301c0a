from difflib import SequenceMatcher
from itertools import pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from toolpost.workspace.editing.line_changes import Change, _Paths, changes

sides = st.lists(st.sampled_from("abcde"), max_size=30)


def _applied(old: list[str], new: list[str], found: list[Change]) -> list[str]:
    made, at = [], 0
    for change in found:
        made += old[at : change.old_start] + new[change.new_start : change.new_end]
        at = change.old_end
    return made + old[at:]


def _size(found: list[Change]) -> int:
    return sum(change.old_end - change.old_start + change.new_end - change.new_start for change in found)


def _shortest(old: list[str], new: list[str]) -> int:
    """The number of lines a smallest set of changes has, by the textbook table."""
    row = list(range(len(new) + 1))
    for count, line in enumerate(old, 1):
        above, row = row, [count]
        for at, other in enumerate(new):
            row.append(above[at] if line == other else 1 + min(above[at + 1], row[at]))
    return row[-1]


@given(sides, sides)
def test_the_changes_make_the_new_lines_of_the_old_and_are_the_fewest(old: list[str], new: list[str]) -> None:
    found = changes(old, new)
    assert _applied(old, new, found) == new
    assert _size(found) == _shortest(old, new)


@given(sides, sides)
def test_between_two_changes_stands_at_least_one_common_line(old: list[str], new: list[str]) -> None:
    found = changes(old, new)
    assert all(one.old_end < two.old_start for one, two in pairwise(found))
    assert all(_size([change]) for change in found)


@given(sides, sides, st.integers(0, 60))
def test_with_too_few_steps_the_changes_are_coarser_but_right(
    old: list[str], new: list[str], steps: int
) -> None:
    assert _applied(old, new, changes(old, new, steps=steps)) == new


def test_lines_that_occur_once_split_what_is_too_much_at_once() -> None:
    old = [*"xyxyxyxy", "one", *"xxyyxxyy", "two", "xyx"]
    new = [*"yyxxyyxx", "one", *"yxyxyxyx", "two", "xyx"]
    assert changes(old, new, steps=100) == [Change(0, 8, 0, 8), Change(9, 17, 9, 17)]


def test_without_such_lines_and_steps_all_is_one_change() -> None:
    assert changes(list("xyxy"), list("yyxx"), steps=0) == [Change(0, 4, 0, 4)]


def test_the_work_is_bounded_whatever_the_lines() -> None:
    random = Random(7)
    old, new = ([random.randrange(3) for _ in range(3_000)] for _ in range(2))
    paths = _Paths(old, new)
    assert not paths.walk(20_000)
    round_at_most = 3_000 * 2 + 400 * 400  # no round goes further than both sides, nor has more diagonals
    assert paths.steps <= 20_000 + round_at_most


def test_a_large_shuffled_file_keeps_more_than_a_quarter_of_what_can_be_kept() -> None:
    random = Random(3)
    old = [f"line {number}\n" for number in range(2_000)]
    new = random.sample(old, len(old))
    found = changes(old, new, steps=10_000)
    assert _applied(old, new, found) == new
    kept = (len(old) + len(new) - _size(found)) // 2
    best = sum(block.size for block in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks())
    assert kept * 4 > best
