from collections.abc import Iterable
from typing import Any

import pytest

from toolpost.atom import Atom, Command, Kind, Touch
from toolpost.authorize.compile import absolute, atoms_of, depends_on_arguments
from toolpost.authorize.scene import Scene
from toolpost.define import Tool, make
from toolpost.errors import InvalidPath

SCENE = Scene(roots=("/work",), home="/home/ada")


def _targets(tool: Tool, **args: Any) -> list[str]:
    return [f"{atom}{'?' if atom.maybe else ''}" for atom in atoms_of(tool, args, SCENE)]


def test_a_tool_that_says_nothing_is_judged_by_its_effects_and_as_itself() -> None:
    tool = make(name="save", effects=["write", "net"])
    assert atoms_of(tool, {}, SCENE) == (
        Atom(kind=Kind.NET, target="", fixed=False, inside=True),
        Atom(kind=Kind.WRITE, target="", fixed=False, inside=True),
        Atom(kind=Kind.TOOL, target="save"),
    )


def test_a_tool_that_only_computes_is_only_itself() -> None:
    tool = make(name="add")
    assert atoms_of(tool, {"path": "a"}, SCENE) == (
        Atom(kind=Kind.TOOL, target="add", hints=frozenset({"readOnlyHint"})),
    )
    assert not depends_on_arguments(tool)


def test_paths_among_a_tools_arguments_are_guessed_by_its_effects() -> None:
    tool = make(name="load", effects=["read"])
    told = _targets(tool, file="a b", note="no path", where="src/x", deep={"list": ["~/y", "z"]})
    assert told == ["read ", "read /work/a b?", "read /work/src/x?", "read /home/ada/y?", "tool load"]


def test_a_strangers_arguments_may_be_read_written_or_deleted() -> None:
    tool = make(name="notes/attach", location="mcp:notes")
    assert _targets(tool, file="customers/eu.csv") == [
        *(f"{kind} /work/customers/eu.csv?" for kind in ("read", "write", "delete")),
        "tool notes/attach",
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("https://example.org/x", "net https://example.org/x?"),
        ("file:///etc/pass%77d", "read /etc/passwd?"),
        ("C:\\work\\a", "read /work/C:/work/a?"),
    ],
)
def test_addresses_are_guessed_too(text: str, told: str) -> None:
    assert told in _targets(make(name="load", effects=["read"]), where=text)


def test_a_text_of_many_lines_is_no_path() -> None:
    assert _targets(make(name="load", effects=["read"]), path="a\nb", other="x" * 5_000) == [
        "read ",
        "tool load",
    ]


def test_a_tool_that_starts_programs_to_stay_is_asked_about_as_that() -> None:
    assert _targets(make(name="open", effects=["launch"])) == ["tool open", "tool launch open"]


def test_what_a_tool_says_it_touches_counts_and_nothing_is_guessed() -> None:
    def touches(args: Any) -> Iterable[Touch]:
        yield Atom(kind=Kind.READ, target=f"/work/{args['name']}")
        yield Command(argv=("cat", "b"), cwd="/work/sub")
        yield Command(line="cat c > d")

    tool = make(name="t", effects=["exec"], touches=touches)
    assert _targets(tool, name="a", path="/etc/x") == [
        "read /work/a",
        "exec cat b",
        "read /work/sub/b",
        "write /work/d",
        "exec cat c",
        "read /work/c",
        "tool t",
    ]
    assert depends_on_arguments(tool)


def test_nobody_is_asked_about_arguments_that_can_mean_nothing() -> None:
    def touches(_args: Any) -> Iterable[Touch]:
        raise InvalidPath("no path")

    assert _targets(make(name="t", effects=["read"], touches=touches)) == ["read ", "tool t"]
    with pytest.raises(InvalidPath):
        _targets(make(name="t", effects=["write"], touches=touches))


@pytest.mark.parametrize(
    ("path", "whole"),
    [("a/../b", "/work/b"), ("../../..", "/"), ("~", "/home/ada"), ("/x//y/.", "/x/y"), ("", "/work")],
)
def test_a_path_is_made_whole_by_the_letter(path: str, whole: str) -> None:
    assert absolute(path, SCENE) == whole
