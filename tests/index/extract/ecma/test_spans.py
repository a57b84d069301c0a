"""Parts within parts, and how much work an answer is."""

import pytest

from toolpost.index.extract import ecma
from toolpost.index.extract.ecma.spans import Spans
from toolpost.index.extract.ecma.tree import Tree


class Asked(int):
    """A place that counts how often it is compared."""

    compared = 0

    def __lt__(self, other: int) -> bool:
        Asked.compared += 1
        return int(self) < other


def spelled(spans: Spans, length: int) -> str:
    return "".join("c" if spans.code(at) else "." for at in range(length))


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ([], "cccccccccc"),
        ([(2, 4, False)], "cc..cccccc"),
        ([(0, 10, False)], ".........."),
        ([(2, 4, False), (4, 6, False)], "cc....cccc"),
        ([(1, 9, False), (3, 6, True), (4, 5, False)], "c..c.c...c"),
        ([(4, 5, False), (3, 6, True), (1, 9, False)], "c..c.c...c"),
        ([(1, 9, False), (1, 3, True), (6, 9, True)], "ccc...cccc"),
        ([(1, 3, False), (2, 2, False)], "c..ccccccc"),
    ],
)
def test_the_innermost_part_tells(parts: list[tuple[int, int, bool]], expected: str) -> None:
    assert spelled(Spans(parts), 10) == expected


def test_a_tree_is_silent_in_every_kind_of_text() -> None:
    text = "a('b', `c${d('e')}f`, /g/i); // h\ntype T = `i${J}`;\n"
    tree = Tree("a.ts", text.encode())
    code = "".join(letter for at, letter in enumerate(text) if tree.code(at) and letter.isalpha())
    assert code == "adtypeTJ"


def test_a_flat_file_takes_a_search_by_halves_for_each_place() -> None:
    line = b"f('x', 'y');\n"
    count = 10_000
    tree = Tree("a.ts", line * count)
    Asked.compared = 0
    assert all(tree.code(Asked(at)) for at in range(0, len(line) * count, len(line)))
    assert 0 < Asked.compared <= count * 18


def test_a_long_list_in_a_broken_file_is_read_whole() -> None:
    text = "if ((\n" + "".join(f"export const name{number} = 'x';\n" for number in range(2_000))
    found = ecma.extract("a.ts", text.encode())
    assert (len(found.exports), found.whole) == (2_000, False)
