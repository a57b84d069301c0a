import pytest

from toolpost.workspace.walking.patterns import expression
from toolpost.workspace.walking.wild import NeverMatches, translate


def _matches(pattern: str, path: str, *, braces: bool = False) -> bool:
    return (
        expression(f"(?s){translate(pattern, braces=braces)}", memory=1 << 20).fullmatch(path.encode())
        is not None
    )


@pytest.mark.parametrize(
    ("pattern", "matching", "other"),
    [
        ("a*c", ["ac", "abc", "a\nc"], ["a/c"]),
        ("**/a", ["a", "x/a", "x/y/a"], ["xa"]),
        ("**\\/a", ["x/a", "x/y/a", "/a"], ["a"]),
        ("a/**", ["a/b", "a/b/c"], ["a"]),
        ("a/**b", ["a/b", "a/xb"], ["a/x/b"]),
        ("a/***/b", ["a/b", "a/x/y/b"], ["a/xb"]),
        ("[]-a]", ["]", "^", "a"], ["b"]),
        ("[!]a-]", ["b"], ["]", "a", "-", "/"]),
        ("[[:]", ["[", ":"], ["a"]),
        ("[[:upper:]-x]", ["A", "-", "x"], ["b"]),
        ("[[:space:]]", [" ", "\t", "\n", "\r"], ["\v", "\f", "a"]),
        ("[a\\-c]", ["a", "-", "c"], ["b"]),
        ("[+-\\9]", ["5"], ["/", "\\"]),
        ("{a,b}", ["{a,b}"], ["a"]),
    ],
)
def test_a_pattern_means_what_it_means_to_git(pattern: str, matching: list[str], other: list[str]) -> None:
    assert [path for path in [*matching, *other] if _matches(pattern, path)] == matching


def test_where_a_name_begins_decides_what_two_stars_mean() -> None:
    assert translate("**/a") == "(?:.*/)?a"
    assert translate("**/a", at_start=False) == "[^/]*\\x{2f}a"


@pytest.mark.parametrize(
    "pattern", ["[", "[]", "[a", "[a-", "[a-\\", "[\\", "[[:", "[[:x:]]", "[[::]]", "[/]", "a\\"]
)
def test_a_broken_pattern_matches_nothing(pattern: str) -> None:
    with pytest.raises(NeverMatches):
        translate(pattern)


def test_braces_are_alternatives_on_demand() -> None:
    assert translate("{a,b{c,d}}/e", braces=True) == "(?:a\\x{2f}|b(?:c\\x{2f}|d\\x{2f}))e"
    assert _matches("{**/x,y}z", "a/b/xz", braces=True)
