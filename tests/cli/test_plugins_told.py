"""What the command line says about plugins it found."""

from pathlib import Path

import pytest
from tests.cli.desk import SHOP, Run


def test_a_broken_file_that_was_named_ends_with_2(run: Run, work: Path) -> None:
    (work / "broken.py").write_text("def\n")
    shown = run("--tools", "broken.py", "tools")

    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith(f"error: {work}/broken.py cannot be loaded: SyntaxError: invalid syntax")
    assert shown.err.endswith(f"  next: Mend the file, then: toolpost lint {work}/broken.py\n")


def test_a_named_file_without_tools_ends_with_2(run: Run, work: Path) -> None:
    (work / "empty.py").write_text("")

    assert run("--tools", "empty.py", "tools").err.startswith(f"error: {work}/empty.py has no tools.\n")


def test_a_named_file_with_a_tool_that_cannot_be_used_ends_with_2(run: Run, work: Path, shop: str) -> None:
    (work / "again.py").write_text(SHOP)
    shown = run("--tools", shop, "--tools", "again.py", "tools")

    assert shown.code == 2
    assert shown.err.startswith(f"error: Both {shop} and {work}/again.py have a tool named forecast.\n")


def test_a_broken_file_from_the_settings_takes_nothing_down(
    run: Run, shop: str, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (work / "broken.py").write_text("raise KeyError('a\\nb')")
    (work / "again.py").write_text(SHOP)
    monkeypatch.setenv("TOOLPOST_TOOLS", f"broken.py:{shop}:again.py:nope.py")
    shown = run("tools")

    assert (shown.code, len(shown.json)) == (0, 5)
    assert f"note: {work}/broken.py was not loaded: KeyError: 'a\\nb'\n" in shown.err
    assert f"note: forecast of {work}/again.py was left out: {shop} has a tool of that name\n" in shown.err
    assert f"note: {work}/nope.py was not loaded: No such file or directory\n" in shown.err


def test_a_misspelt_variable_is_noted(run: Run, shop: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLPOST_PROFIL", "read-only")

    assert (
        run("--tools", shop, "tools").err
        == "note: TOOLPOST_PROFIL is no setting; did you mean TOOLPOST_PROFILE?\n"
    )


def test_a_named_file_wins_over_one_from_the_settings_with_a_note(
    run: Run, shop: str, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (work / "again.py").write_text(SHOP)
    monkeypatch.setenv("TOOLPOST_TOOLS", shop)
    shown = run("--tools", "again.py", "tools")

    assert {tool["source"] for tool in shown.json} == {f"{work}/again.py"}
    assert (
        f"note: forecast of {work}/again.py, given with --tools, stands in for the one of {shop}\n"
        in shown.err
    )


def test_a_plugin_that_raised_its_own_base_exception_killed_the_program(
    run: Run, shop: str, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (work / "stop.py").write_text("class Stop(BaseException): ...\nraise Stop('enough')\n")
    named = run("--tools", "stop.py", "tools")
    assert (named.code, named.out) == (2, "")
    assert named.err.startswith(f"error: {work}/stop.py cannot be loaded: Stop: enough\n")

    monkeypatch.setenv("TOOLPOST_TOOLS", f"stop.py:{shop}")
    found = run("tools")
    assert (found.code, len(found.json)) == (0, 5)
    assert f"note: {work}/stop.py was not loaded: Stop: enough\n" in found.err


def test_a_named_file_that_is_not_there_ends_with_4(run: Run) -> None:
    assert run("--tools", "nope.py", "tools").code == 4


def test_what_a_plugin_and_its_tool_print_stood_before_the_json(run: Run, work: Path) -> None:
    (work / "loud.py").write_text(
        "from toolpost import tool\nprint('loading')\n@tool\ndef shout_loud() -> str:\n"
        "    'Print, and answer.'\n    print('working')\n    return 'done'\n"
    )
    shown = run("--tools", "loud.py", "call", "shout_loud")

    assert shown.json["ok"]
    assert shown.err == "loading\nworking\n"
