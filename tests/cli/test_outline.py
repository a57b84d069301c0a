from pathlib import Path

import pytest
from tests.cli.desk import Run, at_terminal

SHAPES = '''"""Shapes."""

LIMIT = 3


class Shape:
    """A shape."""

    name: str

    def area(self) -> int:
        return 0


def main() -> None:
    pass
'''


@pytest.fixture(autouse=True)
def shapes(work: Path) -> Path:
    path = work / "shapes.py"
    path.write_text(SHAPES)
    return path


def test_definitions_are_shown_with_their_lines_and_nested_as_they_are(run: Run) -> None:
    shown = run("outline", "shapes.py", "--text")

    assert (shown.code, shown.err) == (0, "")
    assert shown.out.splitlines() == [
        "    3  variable  LIMIT = 3",
        " 6-12  class     class Shape",
        "    9  field       name: str",
        "11-12  method      def area(self) -> int",
        "15-16  function  def main() -> None",
    ]


def test_a_pipe_gets_json(run: Run) -> None:
    (told,) = run("outline", "shapes.py").json

    assert (told["path"], told["is_parsed"], len(told["symbols"])) == ("shapes.py", True, 5)
    assert told["symbols"][3] == {
        "line": 11,
        "end_line": 12,
        "name": "area",
        "kind": "method",
        "signature": "def area(self) -> int",
        "doc": "",
        "parent": "Shape",
        "depth": 1,
    }
    assert told["symbols"][1]["doc"] == "A shape."


def test_several_files_are_told_apart_and_what_cannot_be_read_is_told(run: Run, work: Path) -> None:
    (work / "notes.md").write_text("# One\n\ntext\n\n## Two\n")
    shown = run("outline", "notes.md", "nope.py", "shapes.py", "--text")

    assert shown.code == 4
    assert shown.err == "error: There is no file nope.py.\n"
    assert shown.out.startswith("notes.md\n1  # One\n5  ## Two\n\nshapes.py\n    3  variable  LIMIT = 3\n")


def test_a_language_without_a_grammar_is_told_by_how_its_lines_look(run: Run, work: Path) -> None:
    (work / "notes.md").write_text("# One\n")

    assert run("outline", "notes.md").json == [
        {
            "path": "notes.md",
            "is_parsed": False,
            "is_whole": False,
            "symbols": [
                {
                    "line": 1,
                    "end_line": 1,
                    "name": "",
                    "kind": "",
                    "signature": "# One",
                    "doc": "",
                    "parent": "",
                    "depth": 0,
                }
            ],
        }
    ]


def test_a_file_that_defines_nothing_says_so(run: Run, work: Path) -> None:
    (work / "empty.py").write_text("")

    assert run("outline", "empty.py", "--text") == (
        0,
        "",
        "note: empty.py defines nothing that could be found.\n",
    )


def test_a_folder_or_a_binary_file_has_no_outline(run: Run, work: Path) -> None:
    (work / "x.bin").write_bytes(b"\0\1\2\xff")

    assert run("outline", ".").err == "error: . is a folder: name files, such as ./*.\n"
    assert run("outline", "x.bin") == (2, "[]\n", "error: x.bin is no text.\n")
    assert run("outline").code == 2


def test_a_terminal_gets_colors_and_nothing_it_would_obey(work: Path) -> None:
    (work / "evil.py").write_text("def f(a='\x1b]0;x\x07'):\n    pass\n")
    shown = at_terminal("outline", "evil.py", folder=work)

    assert "\x1b[32m1-2\x1b[0m" in shown.out
    assert "\x1b]" not in shown.out


def test_a_file_that_does_not_parse_wholly_says_that_there_may_be_more(run: Run, work: Path) -> None:
    (work / "torn.py").write_text("def whole():\n    pass\n\ndef torn(:\n")

    shown = run("outline", "torn.py", "shapes.py", "--json")

    assert [(one["path"], one["is_parsed"], one["is_whole"]) for one in shown.json] == [
        ("torn.py", True, False),
        ("shapes.py", True, True),
    ]
    assert shown.err == "note: torn.py does not parse wholly; there may be more.\n"
