from pathlib import Path

from tests.cli.desk import Run

GOOD = """
from typing import Annotated
from msgspec import Meta, Struct
from toolpost import tool

class Answer(Struct):
    size: int

@tool
def count_words(text: Annotated[str, Meta(description="What to count in")]) -> Answer:
    "Count the words of a text."
    return Answer(len(text.split()))
"""
BAD = """
from toolpost.define import from_schema
rf = from_schema("rf", "", {"type": "object"}, None)
"""


def test_a_good_file_has_nothing_to_mend(run: Run, work: Path) -> None:
    (work / "good.py").write_text(GOOD)

    assert run("lint", "good.py", "--text") == (0, "nothing to mend\n", "")


def test_an_error_fails_and_every_finding_is_shown(run: Run, work: Path) -> None:
    (work / "bad.py").write_text(BAD)
    shown = run("lint", "bad.py", "--text")

    assert shown.code == 1
    assert shown.out.endswith("error: 1, warning: 3, info: 1\n")
    assert "no-description" in shown.out


def test_json_has_the_findings(run: Run, work: Path) -> None:
    (work / "bad.py").write_text(BAD)

    assert [one["code"] for one in run("lint", "bad.py", "--json").json] == [
        "no-description", "cryptic-name", "no-effects", "open-schema", "no-output-schema"
    ]  # fmt: skip


def test_a_warning_fails_only_when_strict(run: Run, shop: str) -> None:
    assert run("lint", shop).code == 0
    assert run("lint", shop, "--strict").code == 1


def test_a_module_is_found_where_we_are(run: Run, work: Path) -> None:
    (work / "good_module.py").write_text(GOOD)

    assert run("lint", "good_module").code == 0
    assert run("lint", "good_module:count_words").code == 0


def test_a_module_that_is_not_there_ends_with_4(run: Run) -> None:
    shown = run("lint", "no_such_module_at_all", "--json")

    assert (shown.code, shown.out) == (4, "")
    assert "No module named 'no_such_module_at_all'" in shown.err


def test_a_module_that_needs_another_which_is_not_there_is_a_finding(run: Run, work: Path) -> None:
    (work / "needy_module.py").write_text("import no_such_module_at_all\n")
    shown = run("lint", "needy_module", "--json")

    assert shown.code == 1
    assert shown.json[0]["message"] == "ModuleNotFoundError: No module named 'no_such_module_at_all'"


def test_a_file_that_is_not_there_ends_with_4(run: Run) -> None:
    shown = run("lint", "nope.py")

    assert (shown.code, shown.out) == (4, "")
    assert shown.err.startswith("error: There is no 'nope.py': No such file or directory.\n")


def test_a_word_that_is_no_name_of_a_module_is_said(run: Run) -> None:
    shown = run("lint", "\x1b[31mx")

    assert shown.code == 4
    assert "it is no name of a module.\n  next: Name a file, a module or module:name.\n" in shown.err
    assert "\x1b" not in shown.err


def test_a_tool_that_cannot_be_made_is_a_finding(run: Run, work: Path) -> None:
    (work / "worse.py").write_text(
        "from toolpost import tool\n@tool(colour='red')\ndef paint() -> str: ...\n"
    )
    shown = run("lint", "worse.py", "--json")

    assert shown.code == 1
    assert shown.json[0]["message"] == "BadTool: A tool has no setting 'colour'."


def test_a_file_without_tools_is_warned_about(run: Run, work: Path) -> None:
    (work / "empty.py").write_text("")

    assert run("lint", "empty.py", "--json").json[0]["code"] == "no-tools"


def test_two_tools_of_one_name_are_an_error(run: Run, work: Path) -> None:
    (work / "twice.py").write_text(GOOD + "\nTOOLS = [count_words, count_words]\n")

    assert run("lint", "twice.py", "--json").json[0]["code"] == "same-name"
