"""One tool, many names: every contract's word for it finds the same files."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.contracts.line import Line

from toolpost.dialects import NAMES

FILES = {
    "src/app.ts": "// TODO: one\n",
    "src/util.ts": "done();\n",
    "src/view.tsx": "// TODO: two\n",
    "src/lib/deep.ts": "// TODO: three\n",
}
LISTS = {
    "agents": ("list_files", {"path": "src", "pattern": "*.ts"}),
    "superconnect": ("listFiles", {"directory": "src", "pattern": "*.ts"}),
    "sandra": ("local.fs.list", {"dir": "src", "glob": "*.ts"}),
    "atdf": ("list_directory", {"path": "src", "glob": "*.ts"}),
    "acp": ("list_directory", {"path": "src", "glob": "*.ts"}),
    "mcp": ("list_directory", {"path": "src", "glob": "*.ts"}),
    "functions": ("list_directory", {"path": "src", "glob": "*.ts"}),
}
READS = {
    "agents": "read_file",
    "superconnect": "readFile",
    "sandra": "local.fs.read",
    "atdf": "read_file",
    "acp": "read_file",
    "mcp": "read_file",
    "functions": "read_file",
}
SEARCHES = [
    ("agents", "search_code", {"query": "TODO", "filePattern": "*.ts"}),
    ("acp", "search_files", {"query": "TODO", "includePattern": "*.ts"}),
    ("acp", "search_in_files", {"query": "TODO", "includePattern": "*.ts"}),
    ("mcp", "search_files", {"query": "TODO", "glob": "*.ts"}),
    ("functions", "search_files", {"query": "TODO", "includePattern": "*.ts"}),
]


async def heard(talk: Line, says: str, given: dict[str, Any]) -> Any:
    """The data of the result, whatever the dialect shows of it."""
    await talk.say(talk.dialect.ask(says, given))
    assert talk.results[-1].problems == ()
    return talk.results[-1].data


@pytest.mark.parametrize("dialect", NAMES)
async def test_every_word_for_listing_lists_the_same(dialect: str, real: Callable[..., Line]) -> None:
    talk = real(dialect, FILES)
    data = await heard(talk, *LISTS[dialect])
    assert talk.results[-1].call.tool == "fs.list"
    assert [entry["path"] for entry in data["files"]] == ["src/app.ts", "src/util.ts"]


@pytest.mark.parametrize("dialect", NAMES)
async def test_every_word_for_reading_reads_the_same(dialect: str, real: Callable[..., Line]) -> None:
    talk = real(dialect, FILES)
    data = await heard(talk, READS[dialect], {"path": "src/app.ts"})
    assert talk.results[-1].call.tool == "fs.read"
    assert data["content"] == "// TODO: one\n"


@pytest.mark.parametrize(("dialect", "says", "given"), SEARCHES)
async def test_every_word_for_searching_finds_the_same(
    dialect: str, says: str, given: dict[str, Any], real: Callable[..., Line]
) -> None:
    talk = real(dialect, FILES)
    data = await heard(talk, says, given)
    assert talk.results[-1].call.tool == "code.search"
    assert [match["path"] for match in data["matches"]] == ["src/app.ts", "src/lib/deep.ts"]


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("*.ts", ["src/app.ts", "src/lib/deep.ts", "src/util.ts"]),
        ("lib/*.ts", ["src/lib/deep.ts"]),
        ("/^[au].*[.]ts$/", ["src/app.ts", "src/util.ts"]),
        ("/tsx?$/", ["src/app.ts", "src/lib/deep.ts", "src/util.ts", "src/view.tsx"]),
    ],
)
async def test_a_search_by_name_takes_a_glob_or_a_regex_between_slashes(
    pattern: str, found: list[str], real: Callable[..., Line]
) -> None:
    talk = real("sandra", FILES)
    data = await heard(talk, "local.fs.search", {"dir": "src", "pattern": pattern})
    assert talk.results[-1].call.tool == "fs.search"
    assert [match["path"] for match in data["matches"]] == found


async def test_the_four_contracts_show_one_listing_each_in_its_own_shape(real: Callable[..., Line]) -> None:
    shown = {}
    for dialect, (says, given) in list(LISTS.items())[:3]:
        talk = real(dialect, FILES)
        shown[dialect] = await talk.say(talk.dialect.ask(says, given))
    files = [("app.ts", len(FILES["src/app.ts"])), ("util.ts", len(FILES["src/util.ts"]))]
    assert shown["agents"]["output"]["files"] == [
        {"path": f"src/{name}", "name": name, "size": size} for name, size in files
    ]
    assert shown["superconnect"]["files"] == [
        {"name": name, "path": f"src/{name}", "type": "file", "size_bytes": size} for name, size in files
    ]
    assert shown["sandra"]["data"]["files"] == [
        {"name": name, "type": "file", "size": size} for name, size in files
    ]
