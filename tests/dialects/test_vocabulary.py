from typing import Any

import pytest

from toolpost import Call, Tool
from toolpost.call import Caller, Words
from toolpost.define import make
from toolpost.dialects.vocabulary import PLAIN, STANDARD, Vocabulary, Word, component, spelled
from toolpost.errors import InvalidPath, MalformedMessage
from toolpost.limits import ID_CHARS, NAME_CHARS

SCHEMA = {
    "type": "object",
    "properties": {"path": {"type": "string"}, "type": {"type": "string"}, "limit": {"type": "integer"}},
    "required": ["path", "type"],
}
LIST = make(name="fs.list", input_schema=SCHEMA)
MINE = make(name="my.tool")


def _no_parents(args: dict[str, Any]) -> dict[str, Any]:
    if args.get("path") == "..":
        raise InvalidPath("No way up.", parameter="path")
    return {"limit": 5, **args}


WORD = Word(
    "listFiles",
    "fs.list",
    params={"path": "directory"},
    fixed={"type": "file"},
    clamp=frozenset({"limit"}),
    read=_no_parents,
)


def _vocabulary(*tools: Tool) -> Vocabulary:
    return Vocabulary("d", [WORD, Word("list", "fs.list"), Word("readFile", "fs.read")], tools)


def test_a_call_is_translated_and_its_own_words_are_kept() -> None:
    vocabulary = _vocabulary(LIST, MINE)
    given = {"directory": "src"}
    assert vocabulary.call("listFiles", given, Call(tool="", reply_to=7, form="f", language="es")) == Call(
        tool="fs.list",
        args={"limit": 5, "path": "src", "type": "file"},
        words=Words(
            dialect="d",
            tool="listFiles",
            spelling={"path": "directory"},
            known=("listFiles", "list", "my.tool"),
            fixed=frozenset({"type"}),
        ),
        input=given,
        reply_to=7,
        form="f",
        clamp=frozenset({"limit"}),
        language="es",
    )  # fmt: skip


def test_only_words_whose_tool_is_here_are_known_and_others_go_by_their_own_name() -> None:
    assert _vocabulary(LIST, MINE).known == ("listFiles", "list", "my.tool")
    assert _vocabulary(MINE).known == ("my.tool",)


@pytest.mark.parametrize("says", ["fs.list", "readFile", "nothing", ""])
def test_a_name_in_no_word_is_no_tool(says: str) -> None:
    call = _vocabulary(LIST, MINE).call(says, {"a": 1})
    assert (call.tool, call.args, call.fault, call.said_tool) == ("", {}, None, says)


@pytest.mark.parametrize(
    ("says", "given", "code", "detail"),
    [
        (5, {}, "MALFORMED_MESSAGE", "The message names no tool."),
        ("list", [1], "MALFORMED_MESSAGE", "The input of list must be an object."),
        ("listFiles", {"directory": ".."}, "INVALID_PATH", "No way up."),
        (
            "listFiles",
            {"directory": "a", "path": "b"},
            "UNKNOWN_PARAMETER",
            "directory and path are the same parameter; send one.",
        ),
    ],
)
def test_what_is_wrong_is_carried_in_the_call(says: Any, given: Any, code: str, detail: str) -> None:
    fault = _vocabulary(LIST).call(says, given).fault
    assert fault is not None
    assert (fault.code, fault.detail) == (code, detail)


def test_a_name_that_only_python_tells_apart_is_the_same_parameter() -> None:
    fault = _vocabulary(LIST).call("listFiles", {1: "a", "1": "b"}).fault
    assert fault is not None
    assert fault.detail == "The same parameter was sent twice."


def test_no_input_is_an_empty_one() -> None:
    assert _vocabulary(LIST).call("list", None).args == {}


def test_what_was_received_is_not_changed_by_reading_it() -> None:
    given = {"directory": "src"}
    _vocabulary(LIST).call("listFiles", given)
    assert given == {"directory": "src"}


def test_a_schema_is_shown_in_the_contracts_words() -> None:
    vocabulary = _vocabulary(LIST)
    assert vocabulary.schema(WORD, LIST) == {
        "type": "object",
        "properties": {"directory": {"type": "string"}, "limit": {"type": "integer"}},
        "required": ["directory"],
    }
    assert vocabulary.schema(Word("list", "fs.list"), LIST) is LIST.input_schema
    assert vocabulary.schema(WORD, MINE) == {"type": "object", "properties": {}}


def test_each_tool_is_shown_once_under_its_first_word() -> None:
    vocabulary = _vocabulary(LIST, MINE)
    assert [(word.says, tool.name) for word, tool in vocabulary.pairs()] == [
        ("listFiles", "fs.list"),
        ("my.tool", "my.tool"),
    ]
    assert vocabulary.of_tool("fs.list") == WORD
    assert (vocabulary.of_tool("gone"), vocabulary.word("gone")) == (None, None)


def test_two_tools_never_share_a_name_and_keep_theirs() -> None:
    def short(tool: Tool) -> str:
        return tool.name.replace(".", "_")

    tools = [LIST, make(name="listFiles"), make(name="a.b"), make(name="a_b"), make(name="x" * NAME_CHARS)]
    known = Vocabulary("d", [WORD], tools, short).known
    assert known[:1] + known[3:] == ("listFiles", "a_b", "x" * NAME_CHARS)
    assert known[1].startswith("listFiles_")
    assert known[2].startswith("a_b_")
    assert known == Vocabulary("d", [WORD], tools, short).known
    assert (
        Vocabulary("d", [WORD], tools, lambda tool: f"long.{tool.name}").known[-1][:55] == f"long.{'x' * 50}"
    )
    assert (
        max(len(name) for name in Vocabulary("d", [WORD], tools, lambda tool: f"long.{tool.name}").known)
        == NAME_CHARS
    )


def test_arguments_are_spelled_back() -> None:
    call = _vocabulary(LIST).call("listFiles", {})
    assert spelled({"path": "a", "limit": 1}, call) == {"directory": "a", "limit": 1}
    said = [call.said(name) for name in ("path", "path.x", "path[0].y", "limit", "")]
    assert said == ["directory", "directory.x", "directory[0].y", "limit", ""]


def test_a_component_is_a_caller_of_its_own() -> None:
    assert component("Button") == Caller(component="Button")
    assert component(None) == component("") == Caller()


@pytest.mark.parametrize("name", [5, ["a"], "x" * (ID_CHARS + 1)])
def test_a_name_that_could_not_be_kept_is_refused(name: object) -> None:
    with pytest.raises(MalformedMessage, match="at most 256 characters"):
        component(name)


def test_every_standard_tool_has_one_plain_name() -> None:
    assert len({word.says for word in PLAIN}) == len(PLAIN) == len(STANDARD)


def test_what_a_contract_fixes_cannot_be_set_by_a_caller() -> None:
    call = _vocabulary(LIST).call("listFiles", {"directory": "src", "type": "directory"})
    assert call.fault is not None
    assert (call.fault.code, call.fault.parameter) == ("UNKNOWN_PARAMETER", "type")
