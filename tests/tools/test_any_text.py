"""Whatever text a caller sends, a tool answers it or says what is wrong with it."""

from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st
from tests.flow.strategies import any_text
from tests.workspace.memory import MemoryRoot

from toolpost import Bench
from toolpost.authorize.profiles import PROFILES
from toolpost.call import Call
from toolpost.define import Tool
from toolpost.tools import files, search
from toolpost.workspace.history.seen import Seen
from toolpost.workspace.reading.cache import ReadCache
from toolpost.workspace.workspace import Workspace

_BROKEN = {"INTERNAL_ERROR", "TOOL_FAILED"}


def _tools() -> dict[str, Tool]:
    workspace = Workspace({"app": MemoryRoot({"a.py": b"x = 1\n", "caf\u00e9/b.txt": b"caf\xe9\n"})})
    made = (*files.tools(workspace, ReadCache(), Seen()), *search.tools(workspace))
    return {tool.name: tool for tool in made}


TOOLS = _tools()
BENCH = Bench(list(TOOLS.values()), profile=PROFILES["open"])


def _texts(tool: Tool) -> st.SearchStrategy[dict[str, Any]]:
    """Arguments of every parameter a text may be given for, and of lists of them."""
    names = sorted(tool.input_schema["properties"])
    value = any_text | st.lists(any_text, max_size=2) | st.sampled_from(["a.py", "caf\u00e9", "*"])
    return st.dictionaries(st.sampled_from(names), value, max_size=3)


@given(
    asked=st.sampled_from(sorted(TOOLS)).flatmap(lambda name: st.tuples(st.just(name), _texts(TOOLS[name])))
)
@example(asked=("fs.read", {"path": "bad\udcffname"}))
@example(asked=("fs.read", {"paths": ["a.py", "\ud800"]}))
@example(asked=("fs.read", {"path": "a.py", "justification": "\ud800"}))
@example(asked=("fs.list", {"cursor": "\ud800"}))
@example(asked=("fs.dirs", {"path": "\ud800"}))
@example(asked=("code.search", {"query": "a", "cursor": "\ud800"}))
@example(asked=("fs.search", {"regex": "\ud800"}))
def test_a_text_broke_a_tool(asked: tuple[str, dict[str, Any]]) -> None:
    name, args = asked
    result = BENCH.call_sync(Call(tool=name, args=args))
    assert not _BROKEN & {problem.code for problem in result.problems}
