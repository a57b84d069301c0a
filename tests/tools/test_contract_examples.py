"""The contracts' own examples, answered from real files instead of a script."""

from typing import Any

import msgspec
import pytest
from tests.contracts.line import Line
from tests.contracts.scripted import HERE
from tests.workspace.memory import MemoryRoot

from toolpost.limits import READ_DEFAULT
from toolpost.tools.files import tools
from toolpost.workspace.history.seen import Seen
from toolpost.workspace.reading.cache import ReadCache
from toolpost.workspace.workspace import Workspace

BUTTON = b"export const Button = () => <button />;\n"
FILES = {
    "agents/list_dirs": {"apps/webapp/src/domains/": b"", "apps/webapp/src/routes/": b"", "docs/a.md": b""},
    "agents/list_files": {
        "apps/webapp/src/main.tsx": b"x" * 1020,
        "apps/webapp/src/main.css": b"",
        "a.tsx": b"",
    },
    "superconnect/read_component": {"src/components/Button.tsx": BUTTON},
    "superconnect/read_with_limit": {"src/theme/tokens.ts": b"export const colors = {};\n"},
    "superconnect/list_directory": {
        "src/components/Button.tsx": b"x" * 4521,
        "src/components/icons/": b"",
    },
    "superconnect/list_pattern": {"src/components/Button.tsx": b"x" * 4521, "src/components/a.css": b""},
}


def line(dialect: str, files: dict[str, bytes] | None) -> Line:
    workspace = Workspace({} if files is None else {"app": MemoryRoot(files)})
    return Line(dialect, *tools(workspace, ReadCache(), Seen()))


def case(name: str) -> dict[str, Any]:
    decoded: dict[str, Any] = msgspec.json.decode((HERE / f"{name}.json").read_bytes())
    return decoded


@pytest.mark.parametrize("name", FILES)
async def test_an_example_is_answered_from_files(name: str) -> None:
    shown = case(name)
    answer = await line(name.partition("/")[0], FILES[name]).say(shown["send"])
    assert answer == shown["expect"]


@pytest.mark.parametrize("name", ["list_files_without_connection", "read_file_without_connection"])
async def test_without_a_repository_contract_000_gets_its_own_object(name: str) -> None:
    shown = case(f"agents/{name}")
    assert await line("agents", None).say(shown["send"]) == shown["expect"]


async def test_a_second_read_is_cached_in_contract_001() -> None:
    shown = case("superconnect/read_cached")
    here = line("superconnect", {"src/components/Button.tsx": BUTTON})
    await here.say(shown["send"])
    assert await here.say(shown["send"]) == shown["expect"]


async def test_contract_000_cuts_at_100_kb_and_tells_the_whole_size() -> None:
    data = b"x" * (READ_DEFAULT + 1)
    answer = await line("agents", {"a.txt": data}).say({"name": "read_file", "input": {"path": "a.txt"}})
    assert answer["output"] == {"path": "a.txt", "content": "x" * READ_DEFAULT, "size": READ_DEFAULT + 1}


@pytest.mark.parametrize(
    ("tool", "params", "code"),
    [
        ("readFile", {"path": "no.ts"}, "FILE_NOT_FOUND"),
        ("readFile", {"path": "../a.ts"}, "INVALID_PATH"),
        ("readFile", {"path": "/etc/hosts"}, "INVALID_PATH"),
        ("readFile", {"path": "a.ts", "maxBytes": 512_001}, "LIMIT_EXCEEDED"),
        ("listFiles", {"directory": "no"}, "DIRECTORY_NOT_FOUND"),
        ("listFiles", {"directory": "../x"}, "INVALID_DIRECTORY"),
        ("listFiles", {"directory": ".", "limit": 101}, "LIMIT_EXCEEDED"),
    ],
)
async def test_contract_001_names_each_error(tool: str, params: dict[str, Any], code: str) -> None:
    answer = await line("superconnect", {"a.ts": b""}).say({"tool": tool, "params": params})
    assert answer["error"]["code"] == code


async def test_contract_002_gets_the_text_and_the_real_directory() -> None:
    shown = case("sandra/fs_read")
    here = line("sandra", {"README.md": shown["expect"]["data"].encode(), "src/app.js": b"x" * 1234})
    assert (await here.say(shown["send"]))["data"] == shown["expect"]["data"]
    assert (await here.say({"tool": "local.fs.list", "args": {}}))["data"] == {
        "files": [{"name": "README.md", "type": "file", "size": 34}, {"name": "src", "type": "directory"}],
        "count": 2,
        "directory": "/memory",
    }
    missing = await here.say({"tool": "local.fs.read", "args": {"path": "zzzzzzzz"}})
    assert missing["error"] == "File not found: zzzzzzzz"


async def test_contract_004_gets_the_text_and_a_line_an_entry() -> None:
    shown = case("acp/read_file")
    text = shown["expect"]["params"]["content"]
    files = {
        "src/app.ts": text[0]["text"].encode(),
        "src/components/": b"",
        "src/utils/": b"",
        "src/index.ts": b"",
    }
    here = line("acp", files)
    assert (await here.say(shown["send"]))["params"]["content"] == text
    listing = await here.say(case("acp/list_directory")["send"])
    assert listing["params"]["content"] == [{"type": "text", "text": "app.ts\ncomponents/\nindex.ts\nutils/"}]
