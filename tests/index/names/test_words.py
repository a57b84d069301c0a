import pytest
from hypothesis import given
from hypothesis import strategies as some

from toolpost.index.limits import EXPORT_CHARS, NAME_WORDS
from toolpost.index.names.words import BEGINS, WHOLE, WITHIN, _split, key, runs, words


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Button", ["button"]),
        ("ZapButtonComponent", ["zap", "button", "component"]),
        ("HTMLElement", ["html", "element"]),
        ("parseHTML", ["parse", "html"]),
        ("innerHTMLOf", ["inner", "html", "of"]),
        ("getX", ["get", "x"]),
        ("XMLHttpRequest", ["xml", "http", "request"]),
        ("html_element", ["html", "element"]),
        ("html-element", ["html", "element"]),
        ("MAX_SIZE", ["max", "size"]),
        ("__private__", ["private"]),
        ("$scope", ["scope"]),
        ("rx$", ["rx"]),
        ("base64Encode", ["base", "64", "encode"]),
        ("Vector3D", ["vector", "3", "d"]),
        ("ɵɵdefineComponent", ["define", "component"]),
        ("caféMenü", ["café", "menü"]),
        ("ÜberGröße", ["über", "grösse"]),
        ("ÄÖÜWert", ["äöü", "wert"]),
        ("Größe2XL", ["grösse", "2", "xl"]),
        ("设置Button", ["设置", "button"]),
        ("", []),
        ("$_", []),
        ("*", []),
    ],
)
def test_a_name_is_split_where_its_words_begin(name: str, expected: list[str]) -> None:
    assert words(name) == expected


@pytest.mark.parametrize(
    "name", ["HTMLElement", "html_element", "htmlElement", "htmlelement", "$HTML_ELEMENT"]
)
def test_all_spellings_of_a_name_have_one_key(name: str) -> None:
    assert key(name) == "htmlelement"


def test_a_name_without_words_is_its_own_key() -> None:
    assert [key(name) for name in ("$", "_", "$$", "*")] == ["$", "_", "$$", "*"]
    assert runs("$") == {"$": WHOLE}


def test_a_name_is_found_by_every_run_of_its_words() -> None:
    assert runs("ZapButtonBox") == {
        "zapbuttonbox": WHOLE,
        "zap": BEGINS,
        "zapbutton": BEGINS,
        "button": WITHIN,
        "buttonbox": WITHIN,
        "box": WITHIN,
    }


def test_a_run_that_also_begins_the_name_counts_as_its_beginning() -> None:
    assert runs("aba") == {"aba": WHOLE}
    assert runs("A_B_A") == {"aba": WHOLE, "a": BEGINS, "ab": BEGINS, "b": WITHIN, "ba": WITHIN}


def test_a_name_of_many_words_is_found_by_the_first_ones_and_by_all() -> None:
    name = "_".join(f"{chr(97 + at) * 2}" for at in range(20))
    found = runs(name)
    assert found[key(name)] == WHOLE
    assert len(found) == NAME_WORDS * (NAME_WORDS + 1) // 2 + 1
    assert found["aabb"] == BEGINS
    assert "tt" not in found


def test_only_the_beginning_of_an_endless_name_is_looked_at() -> None:
    assert key("x" * 100_000) == "x" * EXPORT_CHARS
    assert runs("A" + "x" * 100_000) == {"a" + "x" * (EXPORT_CHARS - 1): WHOLE}


@given(some.text(some.characters(max_codepoint=127), max_size=30))
def test_both_ways_to_split_agree_on_plain_names(name: str) -> None:
    assert [word.casefold() for word in _split(name)] == words(name) if name else not words(name)


@given(some.text(max_size=30))
def test_any_name_has_a_key_it_is_found_by(name: str) -> None:
    found = runs(name)
    assert found[key(name)] == WHOLE
    assert list(found.values()).count(WHOLE) == 1
    assert all(run in key(name) for run in found)
