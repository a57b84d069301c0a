from typing import Any

import pytest

from toolpost.authorize.profiles import PROFILES
from toolpost.authorize.rulebook import Rulebook
from toolpost.authorize.scene import Scene
from toolpost.authorize.trial import NAMES, can_try, tried, verdict_of

SCENE = Scene(roots=("/work",), home="/home/ada")
BOOK = Rulebook(PROFILES["ask"])


@pytest.mark.parametrize(
    ("call", "atoms"),
    [
        ({"run_command": "ls src"}, ["exec ls src", "read /work/src", "tool run_command"]),
        ({"os.exec": {"argv": ["ls", "src"]}}, ["exec ls src", "read /work/src", "tool os.exec"]),
        ({"read_file": {"path": "a"}}, ["read /work/a", "tool read_file"]),
        ({"web_request": {"url": "https://x.org"}}, ["net https://x.org", "tool web_request"]),
        ({"s/t": {"url": "https://x.org", "n": 1}}, ["net https://x.org", "tool s/t"]),
        ({"s/t": "a"}, ["read /work/a", "write /work/a", "delete /work/a", "tool s/t"]),
        ({"read_file": {}}, ["read /work", "tool read_file"]),
        ({}, ["read /work", "write /work", "delete /work", "tool "]),
    ],
    ids=str,
)
def test_a_call_is_tried_as_a_policys_tests_write_it(call: dict[str, Any], atoms: list[str]) -> None:
    _, judged = tried(BOOK, SCENE, call)
    assert [str(one.atom) for one in judged] == atoms


def test_a_strangers_tool_is_asked_about() -> None:
    assert verdict_of(BOOK, SCENE, {"s/t": {}}).atom == "tool s/t"


def test_what_can_be_tried_is_known_by_name_or_is_a_servers() -> None:
    assert all(map(can_try, NAMES))
    assert [can_try(name) for name in ("wiki/edit", "fs.raed", "", "/x", "x/")] == [True, *[False] * 4]
