from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.contracts.line import Line
from tests.tools.indexed_desk import Desk, desk
from tests.workspace.memory import MemoryRoot

from toolpost import Bench
from toolpost.call import Call
from toolpost.content import Text
from toolpost.define import Effect
from toolpost.lint import lint
from toolpost.result import Result
from toolpost.tools.listing import listing_tools
from toolpost.tools.search import ease, tools
from toolpost.workspace.local.beneath import Beneath, Descent, Openat2, works
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.walking.search import search
from toolpost.workspace.workspace import Workspace

SHOP = {
    ".gitignore": b"dist/\n",
    "dist/app.js": b"// TODO: refactor this\n",
    "src/app.ts": b"import x\n\n// TODO: refactor this\nexport {}\n// TODO: more\n",
    "src/auth/login.tsx": b"export function LoginForm() {\n",
    "src/utils/helper.ts": b"// TODO: add tests\n",
}


async def _call(root: MemoryRoot | None = None, /, **args: Any) -> Result:
    made = tools(Workspace({"shop": root or MemoryRoot(SHOP)}))
    return await Bench(made).call(Call(tool="code.search", args=ease(args)))


def _text(result: Result) -> str:
    return "".join(part.text for part in result.content if isinstance(part, Text))


def test_nothing_is_wrong_with_the_definitions() -> None:
    made = tools(Workspace({"shop": MemoryRoot(SHOP)}))
    assert [tool.name for tool in made] == ["code.search", "fs.search"]
    for tool in made:
        assert lint(tool) == []
        assert tool.effects == {Effect.READ}
        assert tool.idempotent
        assert set(tool.aliases.values()) <= set(tool.input_schema["properties"])


async def test_every_line_that_holds_a_text_is_found() -> None:
    result = await _call(query="TODO", path="src", glob="*.ts")
    assert result.data == {
        "matches": [
            {"path": "src/app.ts", "line": 3, "column": 4, "snippet": "// TODO: refactor this"},
            {"path": "src/app.ts", "line": 5, "column": 4, "snippet": "// TODO: more"},
            {"path": "src/utils/helper.ts", "line": 1, "column": 4, "snippet": "// TODO: add tests"},
        ],
        "total": 3,
        "truncated": False,
        "files_searched": 2,
        "skipped": {},
        "freshness": "scanned",
    }
    assert _text(result) == (
        "src/app.ts:3: // TODO: refactor this\n"
        "src/app.ts:5: // TODO: more\n"
        "src/utils/helper.ts:1: // TODO: add tests"
    )


async def test_context_files_and_counts_are_told_as_grep_does() -> None:
    around = await _call(query="refactor", context=1)
    assert around.data["matches"] == [
        {
            "path": "src/app.ts",
            "line": 3,
            "column": 10,
            "snippet": "// TODO: refactor this",
            "before": [""],
            "after": ["export {}"],
        }
    ]
    assert _text(around).startswith(
        "src/app.ts-2- \nsrc/app.ts:3: // TODO: refactor this\nsrc/app.ts-4- export {}\n--\n"
    )
    files = await _call(query="todo", case=False, mode="files", exclude="utils/")
    assert _text(files) == "src/app.ts\nPassed over: 1 ignored."
    assert files.data["matches"][0]["line"] == 3
    counts = await _call(query="TODO", mode="count")
    assert [(match["path"], match["count"]) for match in counts.data["matches"]] == [
        ("src/app.ts", 2),
        ("src/utils/helper.ts", 1),
    ]
    assert counts.data["total"] == 3
    assert _text(counts).startswith("src/app.ts: 2\nsrc/utils/helper.ts: 1\n")


async def test_pages_follow_each_other_and_say_how() -> None:
    seen: list[Any] = []
    cursor: dict[str, str] = {}
    for _ in range(3):
        result = await _call(query="TODO", limit=1, **cursor)
        seen += result.data["matches"]
        assert "total" not in result.data or not cursor
        if not result.data["truncated"]:
            break
        cursor = {"cursor": result.data["next_cursor"]}
        assert result.notes[-1] == f"Truncated: continue with cursor={cursor['cursor']}"
    assert seen == (await _call(query="TODO")).data["matches"]
    assert not result.data["truncated"]
    other = await _call(query="FIXME", **cursor)
    assert other.problems[0].parameter == "cursor"


async def test_what_ignore_files_leave_out_is_found_on_request() -> None:
    result = await _call(query="TODO", ignore=False, mode="files")
    assert [match["path"] for match in result.data["matches"]] == [
        "dist/app.js",
        "src/app.ts",
        "src/utils/helper.ts",
    ]


async def test_a_path_that_holds_the_query_ranks_first_on_request() -> None:
    result = await _call(query="auth", match_path=True)
    assert result.data["matches"] == [
        {"path": "src/auth/login.tsx", "line": 1, "column": 1, "snippet": "export function LoginForm() {"}
    ]


async def test_a_crowded_file_says_how_much_it_keeps_back() -> None:
    root = MemoryRoot({"a.log": b"hit\n" * 60})
    result = await _call(root, query="hit", limit=200)
    assert len(result.data["matches"]) == 50
    assert result.data["total"] == 60
    assert result.notes == ("a.log has 10 more hits: search it alone to see them.",)
    assert len((await _call(root, query="hit", path="a.log", limit=200)).data["matches"]) == 60


async def test_an_answer_cut_by_time_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolpost.index.finder.search", partial(search, patience_s=0))
    result = await _call(query="nowhere", path="src")
    assert result.data["truncated"]
    assert result.notes[0] == "Time was up with 1 files searched; there may be more."


async def test_without_a_workspace_contract_000_gets_its_own_answer() -> None:
    line = Line("agents", *tools(Workspace({})))
    said = await line.say({"name": "search_code", "input": {"query": "auth"}})
    assert said["output"] == {"error": "No active GitHub connection found"}


async def test_several_roots_are_searched_at_once() -> None:
    made = tools(Workspace({"b": MemoryRoot({"x": b"hit"}), "a": MemoryRoot({"y": b"hit"})}))
    result = await Bench(made).call(Call(tool="code.search", args={"query": "hit"}))
    assert [match["path"] for match in result.data["matches"]] == ["a/y", "b/x"]


async def test_a_plain_query_that_looks_like_a_pattern_and_finds_nothing_gets_a_hint() -> None:
    assert (await _call(query="no.*thing")).notes[0] == (
        "Nothing found. If it is a regular expression, set regex to true."
    )
    assert (await _call(query="nothing")).notes[0] == "Nothing found."
    assert (await _call(query="TODO.*this", regex=True)).data["total"] == 1


@pytest.mark.parametrize(
    ("args", "code", "parameter"),
    [
        ({"query": "(a", "regex": True}, "INVALID_ARGUMENT", "query"),
        ({"query": ""}, "INVALID_ARGUMENT", "query"),
        ({"query": "a", "glob": "{a"}, "INVALID_ARGUMENT", "glob"),
        ({"query": "a", "exclude": "../x"}, "INVALID_ARGUMENT", "exclude"),
        ({"query": "a", "limit": 201}, "LIMIT_EXCEEDED", "limit"),
        ({"query": "a", "cursor": "x"}, "INVALID_ARGUMENT", "cursor"),
        ({"query": "a", "path": "scr"}, "DIRECTORY_NOT_FOUND", "path"),
        ({"query": "a", "path": "../x"}, "INVALID_PATH", "path"),
        ({"query": "a", "mode": "names"}, "INVALID_ARGUMENT", "mode"),
    ],
)
async def test_what_cannot_be_searched_is_refused(args: dict[str, Any], code: str, parameter: str) -> None:
    (problem,) = (await _call(**args)).problems
    assert (problem.code, problem.parameter) == (code, parameter)


def test_forms_models_send_are_eased() -> None:
    assert ease({"regex": "a.*b"}) == {"query": "a.*b", "regex": True}
    assert ease({"query": "a", "regex": True}) == {"query": "a", "regex": True}
    assert ease({"query": "a", "regex": "yes"}) == {"query": "a", "regex": "yes"}
    assert ease({"query": "a", "context": 2}) == {"query": "a", "before": 2, "after": 2}
    assert ease({"query": "a", "context": 2, "after": 1}) == {"query": "a", "context": 2, "after": 1}


async def test_the_contracts_own_words_find_the_same() -> None:
    made = tools(Workspace({"shop": MemoryRoot(SHOP)}))
    asked = {"query": "TODO", "path": "src/", "includePattern": "*.ts"}
    params = {"sessionId": "s", "toolCallId": "c", "toolName": "search_files", "input": asked}
    said = await Line("acp", *made).say({"jsonrpc": "2.0", "id": 1, "method": "tools/use", "params": params})
    assert said["result"]["content"][0]["text"] == (
        "src/app.ts:3: // TODO: refactor this\nsrc/app.ts:5: // TODO: more\nsrc/utils/helper.ts:1: // TODO: add tests"
    )
    said = await Line("agents", *made).say(
        {"name": "search_code", "input": {"query": "tests", "filePattern": "*.ts"}}
    )
    assert said["output"] == [{"path": "src/utils/helper.ts", "snippet": "// TODO: add tests"}]
    said = await Line("sandra", *made).say(
        {"tool": "local.fs.search", "args": {"dir": "src", "pattern": "*.tsx"}}
    )
    assert [match["path"] for match in said["data"]["matches"]] == ["src/auth/login.tsx"]


@pytest.mark.parametrize(
    "asked",
    [
        {"pattern": "TODO", "include": "*.ts", "dir_path": "src", "case_sensitive": True},
        {"regex": "TO+DO?", "include_pattern": "*.ts", "directory": "src", "max_results": 9},
    ],
)
async def test_other_agents_words_are_understood(asked: dict[str, Any]) -> None:
    made = tools(Workspace({"shop": MemoryRoot(SHOP)}))
    said = await Line("mcp", *made).say(_mcp("search_files", asked))
    assert said["result"]["structuredContent"]["total"] == 3


def _mcp(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": name, "arguments": arguments},
    }


async def test_a_file_that_is_missing_was_called_a_missing_directory() -> None:
    problem = (await _call(query="a", path="src/ap.ts")).problem
    assert problem is not None
    assert (problem.code, problem.detail, problem.suggested) == (
        "DIRECTORY_NOT_FOUND",
        "There is no directory and no file of this path: src/ap.ts",
        "src/app.ts",
    )


@pytest.mark.parametrize("beneath", [Openat2(), Descent()], ids=lambda way: way.name)
@pytest.mark.parametrize("link", ["out", "file", "nowhere", "out/deeper", "absolute"])
async def test_a_link_that_leads_out_is_said_to_and_not_to_be_missing(
    tmp_path: Path, link: str, beneath: Beneath
) -> None:
    if not works(beneath):
        pytest.skip(f"{beneath.name} does not work here")
    work, outside = tmp_path / "work", tmp_path / "outside"
    work.mkdir()
    outside.mkdir()
    (outside / "file").write_text("a")
    targets = {"out": "../outside", "file": "../outside/file", "nowhere": "../nowhere", "absolute": "/"}
    for name, target in targets.items():
        (work / name).symlink_to(target)
    workspace = Workspace({"work": LocalRoot(work, beneath=beneath)})
    bench = Bench((*tools(workspace), *listing_tools(workspace)))
    for name, args in (("code.search", {"query": "a"}), ("fs.search", {"glob": "*"}), ("fs.list", {})):
        problem = (await bench.call(Call(tool=name, args={**args, "path": link}))).problem
        assert problem is not None
        code = "INVALID_DIRECTORY" if name == "fs.list" else "INVALID_PATH"
        said = f"{link} leads out of the root through a link, or through links without end."
        assert (problem.code, problem.detail) == (code, said)


@pytest.mark.parametrize(
    ("mode", "text"),
    [
        ("content", "a\\nb.ts-1- x\na\\nb.ts:2: HIT\n--"),
        ("files", "a\\nb.ts"),
        ("count", "a\\nb.ts: 1"),
    ],
)
async def test_a_line_break_in_a_name_made_two_lines_of_one_hit(mode: str, text: str) -> None:
    result = await _call(MemoryRoot({"a\nb.ts": b"x\nHIT\n"}), query="HIT", mode=mode, before=1)
    assert _text(result) == text
    assert [match["path"] for match in result.data["matches"]] == ["a\nb.ts"]


MANY = {
    "a/one.py": "import os\n\n\ndef Todo():\n    return 'TODO: one'  # todo\n",
    "a/two.ts": "// TODO: two\nexport const todoList = [];\n// TODO again\n",
    "a-b.txt": "TODO\n" * 60,
    "a.md": "Grüße, TODO ärger\n\tTODO\n",
    "docs/todo.md": "first line\nsecond line\nthird TODO line",
    ".env": "TODO=secret\n",
    "empty": "",
}
ASKED: list[dict[str, Any]] = [
    {"query": "TODO"},
    {"query": "todo", "case": False},
    {"query": "todo", "case": False, "word": True},
    {"query": "TODO", "word": True, "path": "a"},
    {"query": "TODO", "path": "a-b.txt", "limit": 200},
    {"query": "TODO", "path": "a/two.ts", "context": 1},
    {"query": "TODO", "mode": "files"},
    {"query": "TODO", "mode": "count"},
    {"query": "TODO", "glob": "*.{py,ts}"},
    {"query": "TODO", "exclude": "a/"},
    {"query": "TODO", "limit": 3},
    {"query": "TODO", "before": 2, "after": 1, "limit": 4},
    {"query": "todo", "match_path": True},
    {"query": "ärger"},
    {"query": "GRÜSSE", "case": False},
    {"query": "line\nthird", "multiline": True},
    {"query": r"second.*\n.*TODO", "regex": True, "multiline": True},
    {"query": r"^\s+\w+ '?TODO", "regex": True},
    {"query": r"(one|two)$", "regex": True},
    {"query": r"\bt\w{3}\b", "regex": True, "case": False},
    {"query": "nowhere at all"},
    {"query": "no.*where"},
    {"query": "secret"},
    {"query": "x", "path": "empty"},
]


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Desk]:
    with desk(tmp_path, {"shop": MANY}) as made:
        made.build()
        yield made


def _said(result: Result) -> tuple[Any, ...]:
    """A whole answer, but for how it came about."""
    ways = {"freshness", "files_searched"}
    data = {name: value for name, value in result.data.items() if name not in ways}
    return data, _text(result), result.notes


@pytest.mark.parametrize("args", ASKED, ids=str)
async def test_an_index_answers_as_the_scan_does(shop: Desk, args: dict[str, Any]) -> None:
    bench = Bench(tools(shop.workspace))
    scanned = await bench.call(Call(tool="code.search", args=ease(args)))
    indexed = await shop("code.search", **ease(args))
    assert (scanned.data["freshness"], indexed.data["freshness"]) == ("scanned", "checked")
    assert _said(indexed) == _said(scanned)


@pytest.mark.parametrize("limit", [1, 2, 4])
@pytest.mark.parametrize("more", [{}, {"match_path": True}, {"mode": "count"}], ids=str)
async def test_a_scan_goes_on_where_an_index_ended_and_the_other_way_round(
    shop: Desk, limit: int, more: dict[str, Any]
) -> None:
    bench = Bench(tools(shop.workspace))
    args = {"query": "todo", "case": False, "limit": 200, **more}
    whole = (await bench.call(Call(tool="code.search", args=args))).data["matches"]
    seen: list[Any] = []
    ways: list[str] = []
    cursor: dict[str, str] = {}
    for turn in range(100):
        page = {**args, "limit": limit, **cursor}
        result = await (
            bench.call(Call(tool="code.search", args=page)) if turn % 2 else shop("code.search", **page)
        )
        seen += result.data["matches"]
        ways.append(result.data["freshness"])
        if not result.data["truncated"]:
            break
        cursor = {"cursor": result.data["next_cursor"]}
    assert seen == whole
    assert set(ways) == {"checked", "scanned"}


async def test_every_dialect_gets_the_same_from_an_index_as_from_a_scan(shop: Desk) -> None:
    without = tools(shop.workspace)
    asked = {"query": "TODO", "path": "a/", "includePattern": "*.ts"}
    params = {"sessionId": "s", "toolCallId": "c", "toolName": "search_files", "input": asked}
    messages = {
        "acp": {"jsonrpc": "2.0", "id": 1, "method": "tools/use", "params": params},
        "agents": {"name": "search_code", "input": {"query": "todo", "filePattern": "*.ts"}},
        "sandra": {"tool": "local.fs.search", "args": {"dir": "a", "pattern": "*.ts"}},
    }
    for dialect, message in messages.items():
        assert await shop.line(dialect).say(message) == await Line(dialect, *without).say(message)


async def test_what_is_ignored_is_searched_when_it_is_named(tmp_path: Path) -> None:
    tree = {".gitignore": "dist/\n*.log\n", "dist/app.js": "TODO\n", "a.log": "TODO\n", "b.js": "TODO\n"}
    with desk(tmp_path, {"shop": tree}) as shop:
        shop.build()

        async def found(**args: Any) -> tuple[list[str], str]:
            told = await shop.data("code.search", query="TODO", **args)
            return [match["path"] for match in told["matches"]], told["freshness"]

        assert await found() == (["b.js"], "checked")
        assert await found(path="dist/app.js") == (["dist/app.js"], "scanned")
        assert await found(path="a.log") == (["a.log"], "scanned")
        assert await found(path="dist") == (["dist/app.js"], "scanned")
        assert await found(ignore=False) == (["a.log", "b.js", "dist/app.js"], "scanned")


async def test_several_roots_are_searched_by_their_indexes(tmp_path: Path) -> None:
    with desk(
        tmp_path, {"b": {"x": "hit\n", "y": "hit\n"}, "a": {"z": "hit\n"}, "b-c": {"w": "hit\n"}}
    ) as all_of:
        bench = Bench(tools(all_of.workspace))
        scanned = await bench.call(Call(tool="code.search", args={"query": "hit"}))
        all_of.indexes.build(all_of.roots[0])
        partly = await all_of("code.search", query="hit")
        all_of.build()
        indexed = await all_of("code.search", query="hit")
        ways = [result.data["freshness"] for result in (scanned, partly, indexed)]
        assert ways == ["scanned", "scanned", "checked"]
        assert _said(scanned) == _said(partly) == _said(indexed)
        assert [match["path"] for match in indexed.data["matches"]] == ["a/z", "b-c/w", "b/x", "b/y"]
