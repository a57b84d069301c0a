from hypothesis import given
from hypothesis import strategies as st

from toolpost.workspace.editing.line_changes import Change, changes
from toolpost.workspace.editing.slide import slid

sides = st.lists(st.sampled_from(["a\n", "  b\n", "\n", "}\n"]), max_size=15)


def _added(old: str, new: str) -> str:
    before, after = (text.splitlines(keepends=True) for text in (old, new))
    (change,) = slid(before, after, changes(before, after))
    return "".join(after[change.new_start : change.new_end])


@given(sides, sides)
def test_a_change_that_was_moved_means_the_same(old: list[str], new: list[str]) -> None:
    made: list[str] = []
    at = 0
    for change in slid(old, new, changes(old, new)):
        assert at <= change.old_start
        assert old[at : change.old_start] == new[len(made) : len(made) + change.old_start - at]
        made += old[at : change.old_start] + new[change.new_start : change.new_end]
        at = change.old_end
    assert made + old[at:] == new


def test_a_function_put_between_two_is_shown_whole() -> None:
    old = "def a():\n    x\n    return\n\n\ndef c():\n    z\n"
    new = "def a():\n    x\n    return\n\n\ndef b():\n    y\n    return\n\n\ndef c():\n    z\n"
    assert _added(old, new) == "def b():\n    y\n    return\n\n\n"


def test_a_block_that_ends_like_the_one_before_it_is_shown_with_its_own_end() -> None:
    old = "f {\n  a {\n    1\n  }\n}\n"
    new = "f {\n  a {\n    1\n  }\n  b {\n    1\n  }\n}\n"
    assert _added(old, new) == "  b {\n    1\n  }\n"


def test_a_change_moves_to_touch_its_neighbour() -> None:
    old = ["a\n", "x\n", "x\n", "b\n"]
    new = ["q\n", "x\n", "b\n"]
    assert slid(old, new, [Change(0, 1, 0, 1), Change(2, 3, 2, 2)]) == [Change(0, 2, 0, 1)]
    last = ["a\n", "x\n", "x\n", "b\n"], ["a\n", "x\n", "q\n"]
    assert slid(*last, [Change(1, 2, 1, 1), Change(3, 4, 2, 3)]) == [Change(2, 4, 2, 3)]


def test_a_change_at_the_end_of_a_text_of_blank_lines_stays() -> None:
    assert slid(["\n"] * 3, ["\n"] * 4, [Change(3, 3, 3, 4)]) == [Change(3, 3, 3, 4)]
