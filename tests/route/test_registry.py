import pytest

from toolpost import Call
from toolpost.call import Words
from toolpost.define import make
from toolpost.errors import BadTool, ToolNotFound
from toolpost.limits import ECHO_CHARS, NAME_CHARS
from toolpost.route.registry import Registry


def _registry(*names: str) -> Registry:
    registry = Registry()
    for name in names:
        registry.add(make(name=name))
    return registry


def test_tools_are_kept_in_order_and_found_by_name() -> None:
    registry = _registry("b", "a")
    assert ([tool.name for tool in registry], len(registry)) == (["b", "a"], 2)
    assert registry.find(Call(tool="a")).name == "a"


def test_a_name_is_taken_once() -> None:
    registry = _registry("a")
    with pytest.raises(BadTool, match="'a' is here already"):
        registry.add(make(name="a"))
    registry.remove("a")
    registry.add(make(name="a"))


@pytest.mark.parametrize("name", ["", "a b", "é", "a/b", "x" * (NAME_CHARS + 1), "a\n", "²"])
def test_a_name_no_wire_could_carry_is_refused(name: str) -> None:
    with pytest.raises(BadTool, match="is no tool name"):
        _registry(name)


@pytest.mark.parametrize("name", ["a", "fs.read", "A-b_9", "x" * NAME_CHARS])
def test_its_benign_twin_is_not(name: str) -> None:
    assert len(_registry(name)) == 1


def test_an_unknown_tool_is_answered_with_the_nearest() -> None:
    with pytest.raises(ToolNotFound) as caught:
        _registry("read_file", "write_file").find(Call(tool="raed_file"))
    error = caught.value
    assert (error.detail, error.parameter, error.suggested) == (
        "Tool not found: raed_file",
        "tool",
        "read_file",
    )
    assert error.context == {"nearest": ["read_file", "write_file"]}


def test_only_names_the_caller_could_have_used_are_suggested() -> None:
    with pytest.raises(ToolNotFound) as caught:
        _registry("fs.read").find(Call(tool="", words=Words(tool="fs.readfile", known=("readFile",))))
    assert (caught.value.detail, caught.value.suggested) == ("Tool not found: fs.readfile", "readFile")
    with pytest.raises(ToolNotFound) as caught:
        _registry("fs.read").find(Call(tool="", words=Words(tool="fs.read", known=())))
    assert caught.value.context == {}


def test_a_very_long_name_is_cut_in_the_answer() -> None:
    with pytest.raises(ToolNotFound) as caught:
        _registry("a").find(Call(tool="z" * 1_000_000))
    assert caught.value.detail == f"Tool not found: {'z' * ECHO_CHARS}"


def test_what_is_not_there_cannot_be_removed() -> None:
    with pytest.raises(ToolNotFound, match="Tool not found: b"):
        _registry("a").remove("b")


def test_every_change_is_told() -> None:
    registry, changes = _registry("a"), []
    registry.on_change(lambda: changes.append([tool.name for tool in registry]))
    registry.add(make(name="b"))
    registry.remove("a")
    assert changes == [["a", "b"], ["b"]]
