from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.tools.indexed_desk import LIBRARY, SHOP, Desk, desk, put

from toolpost.index.limits import MAP_TOKENS_MAX


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


def place(one: dict[str, Any]) -> tuple[str, int]:
    return one["path"], one["line"]


async def test_every_line_that_speaks_of_a_name_is_told(shop: Desk) -> None:
    told = await shop.data("code.references", name="Button")
    assert told["references"][0] == {
        "path": "src/Button.tsx",
        "line": 2,
        "column": 17,
        "snippet": "export function Button() {",
        "is_definition": True,
        "within": "",
        "kind": "",
    }
    assert told["truncated"] is False
    assert "next_cursor" not in told
    assert await shop.text("code.references", name="Button") == (
        "src/Button.tsx:2: export function Button() { [defined here]\n"
        "src/Card.tsx:1: import { Button } from './Button';\n"
        "src/Card.tsx:2: export const Card = () => <Button />; [in Card]\n"
        "src/index.ts:1: export * from './Button';"
    )
    assert await shop.text("code.references", name="Nobody") == "Nothing speaks of Nobody."


async def test_references_are_found_below_a_folder_or_in_a_file(shop: Desk) -> None:
    async def found(path: str) -> list[tuple[str, int]]:
        told = await shop.data("code.references", name="Button", path=path)
        return [place(one) for one in told["references"]]

    assert await found("src/Card.tsx") == [("src/Card.tsx", 1), ("src/Card.tsx", 2)]
    assert await found("tools") == []
    assert len(await found("src/")) == 4


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5, 6, 200])
async def test_pages_of_references_lose_and_repeat_nothing_across_roots(both: Desk, limit: int) -> None:
    put(both.folder / "library", {"a.ts": "Button\nButton\n"})
    whole = await both.data("code.references", name="Button")
    assert len(whole["references"]) == 6
    assert {path.partition("/")[0] for path, _ in map(place, whole["references"])} == {"library", "shop"}
    seen: list[Any] = []
    cursor: dict[str, str] = {}
    for _ in range(10):
        told = await both.data("code.references", name="Button", limit=limit, **cursor)
        seen += told["references"]
        if not told["truncated"]:
            break
        cursor = {"cursor": told["next_cursor"]}
    assert seen == whole["references"]


async def test_a_page_says_how_to_go_on_and_its_cursor_is_of_no_other_question(shop: Desk) -> None:
    result = await shop("code.references", name="Button", limit=1)
    cursor = result.data["next_cursor"]
    assert result.notes == (f"Truncated: continue with cursor={cursor}",)
    problem = await shop.problem("code.references", name="Card", cursor=cursor)
    assert (problem.code, problem.parameter) == ("INVALID_ARGUMENT", "cursor")


@pytest.mark.parametrize(
    ("args", "code", "parameter"),
    [
        ({"name": ""}, "INVALID_ARGUMENT", "name"),
        ({"name": "a", "limit": 201}, "LIMIT_EXCEEDED", "limit"),
        ({"name": "a", "path": "../x"}, "INVALID_PATH", "path"),
        ({"name": "a", "path": "scr"}, "DIRECTORY_NOT_FOUND", "path"),
        ({"name": "a", "path": ".env"}, "DENIED", "path"),
    ],
)
async def test_references_that_cannot_be_found_are_refused(
    shop: Desk, args: dict[str, Any], code: str, parameter: str
) -> None:
    problem = await shop.problem("code.references", **args)
    assert (problem.code, problem.parameter) == (code, parameter)


async def test_imports_are_told_both_ways(shop: Desk) -> None:
    assert await shop.data("code.imports", path="src/Button.tsx") == {
        "path": "src/Button.tsx",
        "direction": "importers",
        "files": ["src/Card.tsx", "src/index.ts"],
    }
    told = await shop.data("code.imports", path="src/index.ts", direction="imports")
    assert told["files"] == ["src/Button.tsx", "src/Card.tsx"]
    assert await shop.text("code.imports", path="src/index.ts") == "Nothing imports it."
    assert (
        await shop.text("code.imports", path="src/Button.tsx", direction="imports")
        == "It imports nothing of the workspace."
    )


async def test_an_import_we_just_wrote_is_told(shop: Desk) -> None:
    await shop.data("fs.write", path="src/New.tsx", content="import { Card } from './Card';\n")
    told = await shop.data("code.imports", path="src/Card.tsx")
    assert told["files"] == ["src/New.tsx", "src/index.ts"]


async def test_with_several_roots_imports_carry_the_roots_name(both: Desk) -> None:
    told = await both.data("code.imports", path="shop/src/Card.tsx")
    assert (told["path"], told["files"]) == ("shop/src/Card.tsx", ["shop/src/index.ts"])


@pytest.mark.parametrize(
    ("path", "code", "detail", "suggested"),
    [
        ("src/Buton.tsx", "FILE_NOT_FOUND", "File not found: src/Buton.tsx", "src/Button.tsx"),
        ("src", "FILE_NOT_FOUND", "src is a directory: name a file.", None),
        ("", "FILE_NOT_FOUND", "The root is a directory: name a file.", None),
        ("../x", "INVALID_PATH", "The path leaves the root by `..`; give one that stays inside.", None),
    ],
)
async def test_a_file_without_imports_to_tell_is_explained(
    shop: Desk, path: str, code: str, detail: str, suggested: str | None
) -> None:
    problem = await shop.problem("code.imports", path=path)
    assert (problem.code, problem.detail, problem.suggested or None) == (code, detail, suggested)


async def test_a_map_stays_within_its_tokens(shop: Desk) -> None:
    told = await shop.data("code.map", tokens=64)
    assert told["tokens"] <= 64
    assert told["tokens"] == -(-len(told["text"]) // 4)
    assert told["total_files"] == 6
    assert await shop.text("code.map", tokens=64) == told["text"]


async def test_a_map_begins_near_its_focus(shop: Desk) -> None:
    assert (
        (await shop.data("code.map", focus=["tools/make.py"]))["text"].split("\n\n")[1].startswith("tools/\n")
    )


async def test_several_roots_share_a_map(both: Desk) -> None:
    told = await both.data("code.map", tokens=200, focus=["library/use.py"])
    assert told["tokens"] <= 200
    assert told["total_files"] == 8
    assert told["text"].startswith("library:\n2 files in 2 folders.\n")
    assert "\nshop:\n6 files in 3 folders.\n" in told["text"]
    one = await both.data("code.map", path="library", focus=["library/use.py"])
    assert one["text"].split("\n\n")[1].startswith("./\n  use.py")
    assert one["total_files"] == 2


@pytest.mark.parametrize(
    ("args", "code", "parameter"),
    [
        ({"tokens": 63}, "INVALID_ARGUMENT", "tokens"),
        ({"tokens": MAP_TOKENS_MAX + 1}, "LIMIT_EXCEEDED", "tokens"),
        ({"path": "src"}, "INVALID_ARGUMENT", "path"),
        ({"path": "../x"}, "INVALID_PATH", "path"),
    ],
)
async def test_a_map_that_cannot_be_drawn_is_refused(
    shop: Desk, args: dict[str, Any], code: str, parameter: str
) -> None:
    problem = await shop.problem("code.map", **args)
    assert (problem.code, problem.parameter) == (code, parameter)


async def test_a_map_of_very_many_roots_needs_more_tokens(tmp_path: Path) -> None:
    trees = {f"root-with-a-long-name-{at}": {"a.py": ""} for at in range(12)}
    with desk(tmp_path, trees) as many:
        problem = await many.problem("code.map", tokens=64)
        assert (problem.code, problem.detail) == (
            "INVALID_ARGUMENT",
            "64 tokens are too few for 12 roots: allow more, or name one root.",
        )
