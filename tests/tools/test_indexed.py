import asyncio
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.tools.indexed_desk import LIBRARY, SHOP, Desk, at_work, desk, put, put_by_another
from tests.workspace.repository import commit, make

from toolpost.define import Effect
from toolpost.index.disk.shelf import Shelf
from toolpost.index.indexes import Indexes
from toolpost.lint import lint
from toolpost.tools import indexed
from toolpost.tools.standard import standard
from toolpost.workspace.git.root import GitRoot
from toolpost.workspace.guard import Guard
from toolpost.workspace.workspace import Workspace

TOOLS = ["index.query", "code.symbols", "code.outline", "code.references", "code.imports", "code.map"]
BUTTON = {"type": "exports", "value": "Button"}
ALL = {"type": "listAll"}
FILES = [".env", ".gitignore", "src/Button.tsx", "src/Card.tsx", "src/index.ts", "tools/make.py"]


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Desk]:
    with desk(tmp_path, {"shop": SHOP}) as made:
        yield made


@pytest.fixture
def both(tmp_path: Path) -> Iterator[Desk]:
    with desk(tmp_path, {"shop": SHOP, "library": LIBRARY}) as made:
        yield made


def test_nothing_is_wrong_with_the_definitions(shop: Desk) -> None:
    made = indexed.tools(shop.workspace, shop.indexes)
    assert [tool.name for tool in made] == TOOLS
    for tool in made:
        assert lint(tool) == []
        assert tool.effects == {Effect.READ}
        assert tool.idempotent
        assert set(tool.aliases.values()) <= set(tool.input_schema["properties"])


def test_without_indexes_there_are_no_tools_that_ask_one(shop: Desk) -> None:
    names = {tool.name for tool in shop.tools}
    without = {tool.name for tool in standard(shop.workspace, state=shop.folder / "other")}
    assert names - without == set(TOOLS)


async def test_the_file_that_defines_a_name_comes_before_those_that_pass_it_on(shop: Desk) -> None:
    told = await shop.data("index.query", query=BUTTON)
    assert [{**file, "last_modified": "", "size_bytes": 0} for file in told.pop("files")] == [
        {
            "path": "src/Button.tsx",
            "exports": ["Button"],
            "tags": ["react", "react-component", "typescript"],
            "size_bytes": 0,
            "last_modified": "",
        },
        {
            "path": "src/index.ts",
            "exports": ["Button", "Card"],
            "tags": ["barrel", "entrypoint", "typescript"],
            "size_bytes": 0,
            "last_modified": "",
        },
    ]
    assert told == {"total_matches": 2, "truncated": False}
    assert await shop.text("index.query", query=BUTTON) == (
        "src/Button.tsx: Button [react, react-component, typescript]\n"
        "src/index.ts: Button, Card [barrel, entrypoint, typescript]"
    )


async def test_every_type_of_query_is_answered(shop: Desk) -> None:
    assert await shop.paths("tag", "react-component") == ["src/Button.tsx", "src/Card.tsx"]
    assert await shop.paths("pathPrefix", "src/") == ["src/Button.tsx", "src/Card.tsx", "src/index.ts"]
    assert await shop.paths("listAll") == FILES
    assert await shop.paths("listAll", "whatever") == FILES


async def test_many_exports_are_not_all_written_out(shop: Desk) -> None:
    put(shop.folder / "shop", {"many.py": "".join(f"def f{at}(): pass\n" for at in range(14))})
    text = await shop.text("index.query", query={"type": "pathPrefix", "value": "many"})
    assert text == "many.py: f0, f1, f2, f3, f4, f5, f6, f7 and 6 more [python]"


async def test_what_is_only_nearly_so_is_said_to_be(shop: Desk) -> None:
    result = await shop("index.query", query={"type": "exports", "value": "Buton"})
    assert [file["path"] for file in result.data["files"]] == ["src/Button.tsx", "src/index.ts"]
    assert result.notes == ("No export is called 'Buton'; these are spelled nearly so.",)
    text = await shop.text("index.query", query={"type": "tag", "value": "react-componet"})
    assert text.startswith(
        "No file matches.\nNo file has the tag 'react-componet'. The nearest are: react-component"
    )


async def walked(at: Desk, query: dict[str, str], limit: int) -> list[str]:
    """Every path, a page at a time; as many times as there are files at most."""
    paths: list[str] = []
    cursor: dict[str, str] = {}
    for _ in range(20):
        told = await at.data("index.query", query=query, limit=limit, **cursor)
        assert told["truncated"] == ("next_cursor" in told)
        paths += [file["path"] for file in told["files"]]
        if not told["truncated"]:
            return paths
        assert len(told["files"]) == limit
        cursor = {"cursor": told["next_cursor"]}
    raise AssertionError("The pages do not end.")


@pytest.mark.parametrize("query", [ALL, BUTTON, {"type": "tag", "value": "typescript"}], ids=str)
@pytest.mark.parametrize("limit", [1, 2, 3, 200])
async def test_pages_lose_and_repeat_nothing(both: Desk, query: dict[str, str], limit: int) -> None:
    whole = await both.data("index.query", query=query, limit=200)
    paths = [file["path"] for file in whole["files"]]
    assert len(paths) == len(set(paths)) == whole["total_matches"] > 2
    assert await walked(both, query, limit) == paths
    with desk(both.folder / "one", {"shop": SHOP}) as one:
        assert await walked(one, ALL, limit) == FILES


async def test_a_page_says_how_to_go_on(shop: Desk) -> None:
    told = await shop.data("index.query", query=ALL, limit=2)
    assert await shop.text("index.query", query=ALL, limit=2) == (
        f".env []\n.gitignore [config, ignore]\n2 of 6 files; continue with cursor={told['next_cursor']}"
    )


async def test_several_roots_answer_as_one(both: Desk) -> None:
    assert await both.paths("listAll") == [
        "library/src/Button.tsx",
        "library/use.py",
        *(f"shop/{path}" for path in FILES),
    ]
    assert await both.paths("exports", "Button") == [
        "library/src/Button.tsx",
        "shop/src/Button.tsx",
        "shop/src/index.ts",
    ]


@pytest.mark.parametrize(
    ("prefix", "paths"),
    [
        ("shop/src/B", ["shop/src/Button.tsx"]),
        ("./shop/tools/", ["shop/tools/make.py"]),
        ("lib", ["library/src/Button.tsx", "library/use.py"]),
        ("library/", ["library/src/Button.tsx", "library/use.py"]),
        ("/library/u", ["library/use.py"]),
        (".", ["library/src/Button.tsx", "library/use.py", *(f"shop/{path}" for path in FILES)]),
    ],
)
async def test_with_several_roots_a_path_begins_with_a_roots_name(
    both: Desk, prefix: str, paths: list[str]
) -> None:
    assert await both.paths("pathPrefix", prefix) == paths


async def test_no_root_has_its_looser_answer_mixed_with_anothers_exact_one(both: Desk) -> None:
    result = await both("index.query", query={"type": "exports", "value": "Card"})
    assert [file["path"] for file in result.data["files"]] == ["shop/src/Card.tsx", "shop/src/index.ts"]
    assert (result.data["total_matches"], result.notes) == (2, ())
    loose = await both("index.query", query={"type": "exports", "value": "Crad"})
    assert loose.data["total_matches"] == 2
    assert loose.notes == ("In shop: No export is called 'Crad'; these are spelled nearly so.",)


async def test_a_prefix_that_names_no_root_is_told_the_names(both: Desk) -> None:
    result = await both("index.query", query={"type": "pathPrefix", "value": "src/"})
    assert result.data == {"files": [], "total_matches": 0, "truncated": False}
    assert result.notes == (
        "No path begins with 'src/': each begins with the name of a root: shop, library.",
    )
    within = await both("index.query", query={"type": "pathPrefix", "value": "shop/nope/"})
    assert within.notes == (
        "In shop: No path begins with 'nope/'. Paths are relative to the root, such as '.env'.",
    )


BAD = [
    ({"query": ALL, "limit": 201}, "LIMIT_EXCEEDED", "limit"),
    ({"query": ALL, "limit": 0}, "INVALID_ARGUMENT", "limit"),
    ({"query": {"type": "names"}}, "INVALID_QUERY_TYPE", "query.type"),
    ({"query": {"type": "exports"}}, "MISSING_VALUE", "query.value"),
    ({"query": {"type": "exports", "value": ""}}, "MISSING_VALUE", "query.value"),
    ({"query": {"type": "tag", "value": " "}}, "MISSING_VALUE", "query.value"),
    ({"query": {"type": "pathPrefix", "value": " "}}, "MISSING_VALUE", "query.value"),
    ({"query": ALL, "cursor": "x"}, "INVALID_ARGUMENT", "cursor"),
    ({"query": ALL, "cursor": "shop/x"}, "INVALID_ARGUMENT", "cursor"),
    ({"query": {"type": "listAll", "kind": "x"}}, "UNKNOWN_PARAMETER", "query.kind"),
]


@pytest.mark.parametrize(("args", "code", "parameter"), BAD)
async def test_what_cannot_be_asked_is_refused(
    shop: Desk, both: Desk, args: dict[str, Any], code: str, parameter: str
) -> None:
    for one in (shop, both):
        problem = await one.problem("index.query", **args)
        assert (problem.code, problem.parameter) == (code, parameter)


@pytest.mark.parametrize("roots", ["shop", "both"])
async def test_a_cursor_of_another_question_is_refused(roots: str, request: pytest.FixtureRequest) -> None:
    one: Desk = request.getfixturevalue(roots)
    cursor = (await one.data("index.query", query=ALL, limit=1))["next_cursor"]
    problem = await one.problem("index.query", query=BUTTON, limit=1, cursor=cursor)
    assert (problem.code, problem.parameter) == ("INVALID_ARGUMENT", "cursor")


async def test_contract_001_gets_exactly_its_own_answer(shop: Desk) -> None:
    line = shop.line("superconnect")
    said = await line.say({"tool": "queryIndex", "params": {"query": ALL, "limit": 2}})
    assert list(said) == ["files", "total_matches", "truncated"]
    assert (said["total_matches"], said["truncated"]) == (6, True)
    assert [list(file) for file in said["files"]] == 2 * [
        ["path", "exports", "tags", "size_bytes", "last_modified"]
    ]
    for params, code in (
        ({"query": {"type": "names"}}, "INVALID_QUERY_TYPE"),
        ({"query": {"type": "tag"}}, "MISSING_VALUE"),
        ({"query": ALL, "limit": 201}, "LIMIT_EXCEEDED"),
    ):
        said = await line.say({"tool": "queryIndex", "params": params})
        assert said["error"]["code"] == code


async def test_every_tool_has_a_word_in_the_open_protocols(shop: Desk) -> None:
    shop.build()
    asked: dict[str, dict[str, Any]] = {
        "query_index": {"query": BUTTON},
        "find_symbols": {"symbol": "Maker.run"},
        "outline_file": {"file_path": "tools/make.py"},
        "find_references": {"symbol": "Button", "directory": "src"},
        "file_imports": {"file_path": "src/Button.tsx"},
        "map_code": {"tokens": 64},
    }
    mcp, acp = shop.line("mcp"), shop.line("acp")
    for number, (name, args) in enumerate(asked.items()):
        call = {"name": name, "arguments": args}
        said = await mcp.say({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": call})
        assert not said["result"].get("isError"), said
        assert said["result"]["structuredContent"]
        use = {"sessionId": "s", "toolCallId": "c", "toolName": name, "input": args}
        told = await acp.say({"jsonrpc": "2.0", "id": number, "method": "tools/use", "params": use})
        assert told["result"]["content"][0]["text"] == said["result"]["content"][0]["text"]


async def test_a_file_we_write_is_seen_by_the_next_question(tmp_path: Path) -> None:
    for is_watching in (True, False):
        with desk(tmp_path / str(is_watching), {"shop": SHOP}, is_watching=is_watching) as shop:
            assert await shop.paths("exports", "Fresh") == []
            text = "export const Fresh = 1;\n"
            await shop.data("fs.write", path="new/deep/fresh.ts", content=text, create_dirs=True)
            assert await shop.paths("exports", "Fresh") == ["new/deep/fresh.ts"]
            found = await shop.data("code.search", query="Fresh")
            assert [match["path"] for match in found["matches"]] == ["new/deep/fresh.ts"]
            assert found["freshness"] == ("watched" if is_watching else "checked")
            await shop.data("fs.move", source="new", target="moved")
            assert await shop.paths("exports", "Fresh") == ["moved/deep/fresh.ts"]
            await shop.data("fs.delete", path="moved/deep/fresh.ts")
            assert await shop.paths("exports", "Fresh") == []
            assert (await shop.data("code.search", query="Fresh"))["matches"] == []


async def test_a_file_another_process_wrote_is_seen_by_the_next_question(tmp_path: Path) -> None:
    with desk(tmp_path, {"shop": SHOP}, is_watching=True) as shop:
        assert await shop.paths("exports", "Other") == []
        put_by_another(tmp_path / "shop/src/other.ts", "export const Other = 1;\n")
        assert await shop.paths("exports", "Other") == ["src/other.ts"]
        put_by_another(tmp_path / "shop/src/other.ts", "export const Else = 1;\n")
        assert (await shop.data("code.search", query="Other"))["matches"] == []
    put_by_another(tmp_path / "shop/src/other.ts", "export const Third = 1;\n")
    with desk(tmp_path) as later:
        assert await later.paths("exports", "Third") == ["src/other.ts"]
        assert (await later.data("code.search", query="Third"))["freshness"] == "checked"


class Opened:
    """Which files are opened, as long as it is told to listen: a hook cannot be taken away again."""

    def __init__(self) -> None:
        self.paths: list[str] | None = None
        sys.addaudithook(self._heard)

    def _heard(self, event: str, args: tuple[Any, ...]) -> None:
        if self.paths is not None and event == "open" and isinstance(args[0], (str, bytes)):
            self.paths.append(args[0] if isinstance(args[0], str) else args[0].decode())


async def every_answer(one: Desk, **more: Any) -> dict[str, Any]:
    """What every tool says, but for how fresh it is."""
    asked: list[tuple[str, dict[str, Any]]] = [
        ("index.query", {"query": ALL}),
        ("index.query", {"query": BUTTON}),
        ("index.query", {"query": {"type": "tag", "value": "python"}}),
        ("code.symbols", {"name": "Maker.run"}),
        ("code.symbols", {"name": "EnvSecret"}),
        ("code.outline", {"path": "tools/make.py"}),
        ("code.references", {"name": "Button"}),
        ("code.references", {"name": "EnvSecret"}),
        ("code.imports", {"path": "src/Button.tsx"}),
        ("code.imports", {"path": "src/index.ts", "direction": "imports"}),
        ("code.map", {}),
        ("code.search", {"query": "TODO", **more}),
        ("code.search", {"query": "hunter2"}),
        ("code.search", {"query": r"B\w+n\b", "regex": True}),
    ]
    answers = {}
    for name, args in asked:
        data = await one.data(name, **args)
        answers[f"{name} {args}"] = {key: value for key, value in data.items() if key != "freshness"}
    return answers


async def test_a_secret_file_is_never_opened_and_what_it_says_is_in_no_answer(shop: Desk) -> None:
    opened = Opened()
    opened.paths = []
    told = str(await every_answer(shop))
    paths, opened.paths = opened.paths, None
    assert "hunter2" not in told.replace("'query': 'hunter2'", "")
    assert "EnvSecret" not in told.replace("'name': 'EnvSecret'", "")
    assert any(path.endswith("Button.tsx") for path in paths)
    assert not any(path.endswith(".env") for path in paths)
    assert (await shop.problem("code.outline", path=".env")).code == "DENIED"
    assert (await shop.problem("code.search", query="TOKEN", path=".env")).code == "DENIED"


async def test_an_ignored_file_is_not_there(shop: Desk) -> None:
    assert "dist" not in str(await every_answer(shop))
    assert await shop.paths("exports", "DistButton") == []
    problem = await shop.problem("code.imports", path="dist/Button.js")
    assert problem.detail == "dist/Button.js is not indexed: ignore files leave it out."


def one_file(folder: Path, kind: str) -> Path:
    (file,) = folder.glob("cache/*/current" if kind == "current" else f"cache/*/*.{kind}")
    return file


def flip(folder: Path, kind: str, where: float) -> None:
    """Eight bytes are others, so far from the beginning to the end."""
    file = one_file(folder, kind)
    data = bytearray(file.read_bytes())
    begin = min(int(where * len(data)), len(data) - 8)
    data[begin : begin + 8] = bytes(byte ^ 0x55 for byte in data[begin : begin + 8])
    file.write_bytes(data)


def cut(folder: Path, kind: str) -> None:
    file = one_file(folder, kind)
    file.write_bytes(file.read_bytes()[:100])


@pytest.mark.parametrize("kind", ["meta", "text", "tri", "sym", "current"])
@pytest.mark.parametrize("where", [0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
async def test_a_damaged_index_gives_the_same_answers_as_a_whole_one(
    tmp_path: Path, kind: str, where: float
) -> None:
    with desk(tmp_path, {"shop": SHOP}) as shop:
        shop.build()
        whole = await every_answer(shop)
    flip(tmp_path, kind, where)
    with desk(tmp_path) as shop:
        assert await every_answer(shop) == whole


async def test_an_index_that_is_cut_or_taken_away_is_built_again(tmp_path: Path) -> None:
    with desk(tmp_path, {"shop": SHOP}) as shop:
        shop.build()
        whole = await every_answer(shop)
    for kind in ("meta", "text", "tri", "sym"):
        cut(tmp_path, kind)
        with desk(tmp_path) as shop:
            assert await every_answer(shop) == whole
            shop.build()
        one_file(tmp_path, kind).unlink()
        with desk(tmp_path) as shop:
            assert await every_answer(shop) == whole
            shop.build()


async def test_a_rule_of_the_owners_that_changed_counts_at_once(tmp_path: Path) -> None:
    with desk(tmp_path, {"shop": SHOP}) as shop:
        assert await shop.paths("exports", "EnvSecret") == []
    with desk(tmp_path, guard=Guard(readable=(".env",))) as shop:
        await shop.paths("listAll")
        found = await shop.data("code.search", query="hunter2")
        assert [match["path"] for match in found["matches"]] == [".env"]
        assert found["freshness"] == "checked"
    with desk(tmp_path, tags={"shop-made": {"paths": ("src/**",)}}) as shop:
        assert await shop.paths("tag", "shop-made") == ["src/Button.tsx", "src/Card.tsx", "src/index.ts"]
        assert (await shop.data("code.search", query="hunter2"))["matches"] == []
    with desk(tmp_path) as shop:
        assert await shop.paths("tag", "shop-made") == []


async def test_a_revision_is_indexed_without_a_checkout(tmp_path: Path) -> None:
    repository = make(tmp_path / "repository", {})
    put(repository, SHOP)
    commit(repository, {}, "all")
    put(repository, {"src/Button.tsx": "export const Other = 1;\n"})
    with closing(GitRoot(repository, "main")) as root:
        indexes = Indexes(Shelf(tmp_path / "cache"))
        with at_work(tmp_path, Workspace({"git": root}), indexes) as one:
            one.build()
            assert await one.paths("exports", "Button") == ["src/Button.tsx", "src/index.ts"]
            assert (await one.data("code.symbols", name="Button"))["total"] == 1
            found = await one.data("code.search", query="Button")
            assert (found["freshness"], found["total"]) == ("built", 4)
            assert (await one.data("code.search", query="hunter2"))["matches"] == []


async def test_calls_at_once_get_the_same_answer(both: Desk) -> None:
    answers = await asyncio.gather(*(both.data("index.query", query=ALL) for _ in range(8)))
    assert all(answer == answers[0] for answer in answers)
    assert {path.suffix for path in both.folder.glob("cache/*/2.*")} == set()


async def test_without_a_workspace_contract_001_is_told_so(tmp_path: Path) -> None:
    with at_work(tmp_path, Workspace({}), Indexes(Shelf(tmp_path / "cache"))) as one:
        assert (await one.problem("index.query", query=ALL)).detail == "No active GitHub connection found"


async def test_a_file_is_cached_for_as_long_as_the_tree_has_the_same_hash(shop: Desk) -> None:
    """Contract 001's key is the hash of the repository and the path."""
    folder = shop.folder / "shop"
    await shop.paths("listAll")
    await _until_cached(shop, "src/Card.tsx")
    put(folder, {"src/index.ts": "export {};\n"})
    (root,) = shop.workspace.roots.values()
    shop.indexes.touched(root, "src/index.ts")
    await shop.paths("listAll")
    assert not (await shop("fs.read", path="src/Card.tsx")).cached
    assert (await shop("fs.read", path="src/Card.tsx")).cached


async def _until_cached(shop: Desk, path: str) -> None:
    """A file changed a moment ago is not sure to be as it was, so it is not kept yet."""
    async with asyncio.timeout(10):
        while not (await shop("fs.read", path=path)).cached:
            continue
