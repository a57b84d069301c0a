import json
import re
import sys
from pathlib import Path

import pytest
from tests.cli.desk import Run, Screen, at_terminal

from toolpost.cli.main import main


def test_an_empty_bench_says_how_to_add_tools(run: Run) -> None:
    shown = run("tools")

    assert (shown.code, shown.json) == (0, [])
    assert shown.err.startswith("note: There are no tools yet.\n  next: Give a Python file with --tools FILE")


def test_an_empty_bench_on_a_terminal_prints_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stdout", screen)

    assert main(["tools"]) == 0
    assert screen.getvalue() == ""


def test_a_pipe_gets_json(run: Run, shop: str) -> None:
    shown = run("--tools", shop, "tools")

    assert [tool["name"] for tool in shown.json] == [
        "forecast", "write_note", "break_down", "list_orders", "count_things"
    ]  # fmt: skip
    assert shown.json[1]["effects"] == ["write"]
    assert {tool["source"] for tool in shown.json} == {shop}


def test_the_option_may_stand_after_the_command_too(run: Run, shop: str) -> None:
    assert run("tools", "--tools", shop).json == run("--tools", shop, "tools").json


def test_one_tool_by_name(run: Run, shop: str) -> None:
    shown = run("--tools", shop, "tools", "forecast").json

    assert shown["examples"] == [{"name": "Lisbon", "input": {"city": "Lisbon"}}]
    assert shown["input_schema"]["required"] == ["city"]


def test_an_unknown_name_says_the_nearest(run: Run, shop: str) -> None:
    assert run("--tools", shop, "tools", "forcast") == (
        4, "", "error: There is no tool 'forcast'.\n  next: Did you mean forecast?\n"
    )  # fmt: skip
    assert run("--tools", shop, "tools", "zzz").err.endswith("next: toolpost tools lists those that exist.\n")


@pytest.mark.parametrize("dialect", ["agents", "superconnect", "sandra", "atdf", "acp", "mcp", "functions"])
def test_each_dialect_lists_every_tool(run: Run, shop: str, dialect: str) -> None:
    shown = run("--tools", shop, "tools", "--as", dialect)

    assert shown.code == 0
    assert all(name in shown.out for name in ("forecast", "write_note", "count_things"))


def test_one_tool_in_a_dialect_by_either_name(run: Run, shop: str) -> None:
    theirs = run("--tools", shop, "tools", "local.forecast", "--as", "sandra")
    ours = run("--tools", shop, "tools", "forecast", "--as", "sandra")

    assert [tool["tool"] for tool in theirs.json] == ["local.forecast"]
    assert ours == theirs


def test_a_form_means_functions(run: Run, shop: str) -> None:
    assert "input_schema" in run("--tools", shop, "tools", "forecast", "--form", "anthropic").json[0]
    assert "function" in run("--tools", shop, "tools", "--as", "functions", "--form", "openai").json[0]


def test_a_form_of_another_dialect_is_refused(run: Run, shop: str) -> None:
    shown = run("--tools", shop, "tools", "--as", "mcp", "--form", "openai")

    assert shown.code == 2
    assert shown.err.startswith("error: --form belongs to --as functions, not to mcp.")


def test_a_terminal_gets_a_table(shop: str, work: Path) -> None:
    shown = at_terminal("--tools", shop, "tools", folder=work)

    assert shown.code == 0
    assert "\x1b[1mname" in shown.out
    assert "Keep a note for later." in shown.out
    assert not shown.out.lstrip().startswith("[")


def test_no_color_means_no_escapes(shop: str, work: Path) -> None:
    assert "\x1b" not in at_terminal("--tools", shop, "tools", folder=work, NO_COLOR="1").out


def test_the_color_setting_means_no_escapes_either(shop: str, work: Path) -> None:
    assert "\x1b" not in at_terminal("--tools", shop, "tools", folder=work, TOOLPOST_COLOR="never").out


def test_one_tool_on_a_terminal_shows_parameters_and_examples(
    shop: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stdout", screen)

    assert main(["--tools", shop, "tools", "forecast"]) == 0
    text = screen.getvalue()
    assert "forecast 1.0.0" in text
    assert "The city, in English" in text
    assert "Lisbon: Three days in Lisbon" in text


def test_a_tool_without_parameters_has_no_parameter_table(shop: str, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stdout", screen)

    assert main(["--tools", shop, "tools", "break_down"]) == 0
    assert "needed" not in screen.getvalue()


def test_several_types_and_open_parts_are_readable(shop: str, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stdout", screen)

    assert main(["--tools", shop, "tools", "count_things"]) == 0
    assert "string or null" in screen.getvalue()
    assert "any" in screen.getvalue()


def test_a_description_cannot_move_the_cursor(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (work / "evil.py").write_text(
        "from toolpost import tool\n@tool(description='clear\\x1b[2J\\u202e the screen')\ndef innocent() -> str:\n"
        "    return ''\n"
    )
    screen = Screen()
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setenv("NO_COLOR", "1")

    assert main(["--tools", "evil.py", "tools", "--json"]) == 0
    assert main(["--tools", "evil.py", "tools"]) == 0
    assert main(["--tools", "evil.py", "tools", "innocent"]) == 0
    assert "\x1b" not in screen.getvalue()
    assert "\u202e" not in screen.getvalue()


def test_the_members_of_a_choice_were_shown_as_any(run: Run, shop: str) -> None:
    shown = run("--tools", shop, "tools", "count_things", "--text")

    assert "one of 1, 2" in shown.out
    assert "integer or null" in shown.out


def test_json_on_a_terminal_is_highlighted_and_still_json(shop: str, work: Path) -> None:
    words = ("--tools", shop, "tools", "--json")
    colored = at_terminal(*words, folder=work).out
    plain = at_terminal(*words, folder=work, NO_COLOR="1", COLUMNS="20").out

    assert "\x1b[" in colored
    assert "\x1b" not in plain
    assert json.loads(plain) == json.loads(re.sub("\x1b\\[[0-9;]*m", "", colored))
