from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.tools.indexed_desk import LIBRARY, SHOP, Desk, desk, put

from toolpost.limits import OUTLINE_SYMBOLS

RUN = {
    "path": "tools/make.py",
    "line": 4,
    "end_line": 5,
    "kind": "method",
    "name": "run",
    "within": "Maker",
    "signature": "def run(self)",
    "doc": "",
}
MAKER = {
    "path": "tools/make.py",
    "line": 1,
    "end_line": 5,
    "kind": "class",
    "name": "Maker",
    "within": "",
    "signature": "class Maker",
    "doc": "Makes.",
}


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Desk]:
    with desk(tmp_path, {"shop": SHOP}) as made:
        made.build()
        yield made


@pytest.fixture
def both(tmp_path: Path) -> Iterator[Desk]:
    with desk(tmp_path, {"shop": SHOP, "library": LIBRARY}) as made:
        made.build()
        yield made


async def test_a_definition_is_told_with_its_lines_signature_and_documentation(shop: Desk) -> None:
    assert await shop.data("code.symbols", name="Button") == {
        "definitions": [
            {
                "path": "src/Button.tsx",
                "line": 2,
                "end_line": 4,
                "kind": "function",
                "name": "Button",
                "within": "",
                "signature": "function Button()",
                "doc": "A thing to press.",
            }
        ],
        "total": 1,
        "truncated": False,
        "similar": [],
    }
    text = await shop.text("code.symbols", name="Button")
    assert text == "src/Button.tsx:2-4: function Button()  # A thing to press."


async def test_a_name_may_say_what_it_stands_within(shop: Desk) -> None:
    assert (await shop.data("code.symbols", name="Maker.run"))["definitions"] == [RUN]
    assert (await shop.data("code.symbols", name="Button.run"))["definitions"] == []
    assert (await shop.data("code.symbols", name="Maker."))["definitions"] == []


async def test_only_a_kind_or_a_folder_or_a_file_can_be_asked_for(shop: Desk) -> None:
    async def found(**args: Any) -> int:
        total: int = (await shop.data("code.symbols", name="run", **args))["total"]
        return total

    assert [await found(kind=kind) for kind in ("method", "class")] == [1, 0]
    assert [await found(path=path) for path in ("tools", "tools/make.py", "src", ".")] == [1, 1, 0, 1]
    assert await shop.text("code.symbols", name="run", kind="class") == (
        "Nothing defines run as class; a search of the files' text finds mentions."
    )


async def test_names_alike_are_told_where_nothing_has_the_name(shop: Desk) -> None:
    told = await shop.data("code.symbols", name="Buton")
    assert told == {"definitions": [], "total": 0, "truncated": False, "similar": ["Button"]}
    assert await shop.text("code.symbols", name="Buton") == "Nothing defines Buton. Alike are: Button."


async def test_what_is_left_out_by_the_limit_is_counted(shop: Desk) -> None:
    put(shop.folder / "shop", {"many.py": "".join("def many(): pass\n" for _ in range(5))})
    result = await shop("code.symbols", name="many", limit=2)
    assert (len(result.data["definitions"]), result.data["total"], result.data["truncated"]) == (2, 5, True)
    assert result.notes == ("3 more: raise limit, or name a path.",)


async def test_several_roots_are_looked_through(both: Desk) -> None:
    put(both.folder / "library", {"made.py": "class Maker: pass\n"})
    found = await both.data("code.symbols", name="Maker")
    assert [one["path"] for one in found["definitions"]] == ["library/made.py", "shop/tools/make.py"]
    found = await both.data("code.symbols", name="Maker", path="shop")
    assert [one["path"] for one in found["definitions"]] == ["shop/tools/make.py"]


async def test_before_definitions_are_on_disk_files_that_hold_the_name_are_parsed(tmp_path: Path) -> None:
    with desk(tmp_path, {"shop": SHOP}) as shop:
        shop.indexes.build(shop.roots[0], symbols=False)
        result = await shop("code.symbols", name="run")
        assert result.data["definitions"] == [RUN]
        assert result.notes == (
            "Definitions are not indexed yet: the first 200 files that hold the name were looked at.",
        )


@pytest.mark.parametrize(
    ("args", "code", "parameter"),
    [
        ({"name": ""}, "INVALID_ARGUMENT", "name"),
        ({"name": "a", "limit": 201}, "LIMIT_EXCEEDED", "limit"),
        ({"name": "a", "path": "../x"}, "INVALID_PATH", "path"),
        ({"name": "a", "path": "scr"}, "DIRECTORY_NOT_FOUND", "path"),
    ],
)
async def test_what_cannot_be_found_is_refused(
    shop: Desk, args: dict[str, Any], code: str, parameter: str
) -> None:
    problem = await shop.problem("code.symbols", **args)
    assert (problem.code, problem.parameter) == (code, parameter)


async def test_an_outline_lists_what_a_file_defines(shop: Desk) -> None:
    assert await shop.data("code.outline", path="tools/make.py") == {
        "path": "tools/make.py",
        "symbols": [MAKER, RUN],
        "truncated": False,
        "whole": True,
    }
    assert await shop.text("code.outline", path="tools/make.py") == (
        "1-5: class Maker  # Makes.\n4-5:   method def run(self)"
    )


async def test_an_outline_needs_no_index_and_shows_the_file_as_it_is(shop: Desk) -> None:
    put(shop.folder / "shop", {"dist/late.py": "def late(): pass\n"})
    told = await shop.data("code.outline", path="dist/late.py")
    assert [one["name"] for one in told["symbols"]] == ["late"]


async def test_a_file_that_does_not_parse_says_so(shop: Desk) -> None:
    put(shop.folder / "shop", {"broken.py": "def first(: pass\n\ndef second(): pass\n"})
    result = await shop("code.outline", path="broken.py")
    assert [one["name"] for one in result.data["symbols"]] == ["first", "second"]
    assert result.data["whole"] is False
    assert result.notes == ("broken.py does not parse wholly; there may be more.",)


async def test_a_large_file_is_outlined_as_far_as_it_is_looked_at(
    shop: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolpost.tools.symbols.OUTLINE_BYTES", 1_000)
    line = "x = 'größer'\n"
    text = f"def first(): pass\n{line * 100}def last(): pass\n"
    put(shop.folder / "shop", {"large.py": text})
    told = await shop.data("code.outline", path="large.py")
    assert (told["symbols"][0]["name"], told["truncated"], told["whole"]) == ("first", False, False)
    assert "last" not in str(told)


async def test_a_long_outline_is_cut(shop: Desk) -> None:
    many = OUTLINE_SYMBOLS + 1
    put(
        shop.folder / "shop",
        {
            "many.py": "".join(f"def f{at}(): pass\n" for at in range(many)),
            "many.md": "".join(f"# Part {at}\n" for at in range(many)),
        },
    )
    for path in ("many.py", "many.md"):
        result = await shop("code.outline", path=path)
        assert (len(result.data["symbols"]), result.data["truncated"]) == (OUTLINE_SYMBOLS, True)
        assert result.notes == (f"Only the first {OUTLINE_SYMBOLS} are listed.",)


async def test_of_a_language_without_a_grammar_lines_are_listed(shop: Desk) -> None:
    put(shop.folder / "shop", {"README.md": "# Shop\n\nText.\n\n## Buying\n", "notes": "none\n"})
    assert await shop.text("code.outline", path="README.md") == "1-1: line # Shop\n5-5: line ## Buying"
    told = await shop.data("code.outline", path="notes")
    assert told == {"path": "notes", "symbols": [], "truncated": False, "whole": True}
    assert (
        await shop.text("code.outline", path="notes") == "It defines nothing that can be told by its syntax."
    )


async def test_an_outline_that_cannot_be_given_says_why(shop: Desk, both: Desk) -> None:
    problem = await shop.problem("code.outline", path="tools/mak.py")
    assert (problem.code, problem.suggested) == ("FILE_NOT_FOUND", "tools/make.py")
    (shop.folder / "shop/picture").write_bytes(b"\x89PNG\0\1\2")
    assert (await shop.problem("code.outline", path="picture")).code == "NOT_TEXT"
    assert (await shop.problem("code.outline", path="../x")).code == "INVALID_PATH"
    assert (await both.data("code.outline", path="shop/tools/make.py"))["path"] == "shop/tools/make.py"
