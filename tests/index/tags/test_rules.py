from typing import Any

import pytest

from toolpost.errors import InvalidArgument
from toolpost.index.limits import TAG_CHARS, TAG_PATTERNS, TAG_RULES
from toolpost.index.model import Export, Extract
from toolpost.index.tags import tags_of
from toolpost.index.tags.rules import Rules

KINDS = "`paths`, `exports`, `imports` and `contains`"
TOKENS = Rules.of(
    {
        "design-token": {
            "paths": ["**/tokens/**"],
            "exports": ["*Token"],
            "imports": ["@acme/tokens"],
            "contains": ["createToken("],
        },
        "legacy": {"imports": ["jquery", "shop.old"]},
        "colour": {"exports": ["Red", "Blue*"]},
    }
)
FOUND = Extract((Export("redToken", "const"),), ("@acme/tokens/make",))


def own(path: str, text: bytes | None, found: Extract) -> list[str]:
    return TOKENS.tags(path, text, found)


def test_a_file_has_a_tag_when_every_kind_of_condition_holds() -> None:
    assert own("src/tokens/red.ts", b"createToken('red')", FOUND) == ["design-token"]
    assert tags_of("src/tokens/red.ts", b"createToken('red')", FOUND, TOKENS) == (
        "design-token",
        "typescript",
    )


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("src/red.ts", b"createToken('red')", FOUND),
        ("src/tokens/red.ts", b"make('red')", FOUND),
        ("src/tokens/red.ts", None, FOUND),
        ("src/tokens/red.ts", b"createToken('red')", Extract((Export("redToken"),), ("@acme/tokens-old",))),
        ("src/tokens/red.ts", b"createToken('red')", Extract((Export("red"),), ("@acme/tokens",))),
    ],
)
def test_and_none_when_one_of_them_fails(path: str, text: bytes | None, found: Extract) -> None:
    assert own(path, text, found) == []


def test_one_pattern_of_a_kind_is_enough_and_a_module_stands_for_all_below_it() -> None:
    assert own("a.py", b"", Extract(imports=("shop.old.cart",))) == ["legacy"]
    assert own("a.js", b"", Extract(imports=("jquery",))) == ["legacy"]
    assert own("a.js", b"", Extract(imports=("jquery-ui",))) == []
    assert own("a.js", b"", Extract((Export("default", "class", "BlueSky"),))) == ["colour"]


@pytest.mark.parametrize(
    ("settings", "parameter", "sentence"),
    [
        (
            {"Bad Tag": {"paths": ["*"]}},
            "index.tags.Bad Tag",
            f"A tag is at most {TAG_CHARS} small letters, digits and `-`, such as `design-token`.",
        ),
        (
            {"a": {"path": ["*"]}},
            "index.tags.a",
            f"Object contains unknown field `path`. A rule has lists of texts under {KINDS}, and nothing else.",
        ),
        (
            {"a": {}},
            "index.tags.a",
            f"A rule without conditions would tag every file; give one or more of {KINDS}.",
        ),
        (
            {"a": {"contains": [""]}},
            "index.tags.a.contains",
            "An empty pattern says nothing: leave it out.",
        ),
        (
            {"a": {"contains": ["x"] * (TAG_PATTERNS + 1)}},
            "index.tags.a",
            f"A rule takes up to {TAG_PATTERNS} patterns, not {TAG_PATTERNS + 1:,}.",
        ),
        (
            {f"t{number}": {"paths": ["*"]} for number in range(TAG_RULES + 1)},
            "index.tags",
            f"There are {TAG_RULES + 1} rules; at most {TAG_RULES} are taken.",
        ),
    ],
)
def test_a_rule_that_cannot_be_meant_is_refused(
    settings: dict[str, Any], parameter: str, sentence: str
) -> None:
    with pytest.raises(InvalidArgument) as caught:
        Rules.of(settings)
    assert (caught.value.parameter, str(caught.value)) == (parameter, f"{parameter}: {sentence}")


@pytest.mark.parametrize(("kind", "glob"), [("paths", "../x"), ("paths", "["), ("exports", "[")])
def test_a_glob_that_is_none_is_refused_where_it_stands(kind: str, glob: str) -> None:
    with pytest.raises(InvalidArgument, match=rf"^index\.tags\.a\.{kind}: The glob ") as caught:
        Rules.of({"a": {kind: [glob]}})
    assert caught.value.parameter == f"index.tags.a.{kind}"
