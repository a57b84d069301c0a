import json
import sys
from pathlib import Path

import pytest
from tests.cli.desk import Run, Screen

from toolpost.cli import atdf
from toolpost.cli.main import main
from toolpost.convert import FORMATS
from toolpost.errors import every_error

SPEC = {
    "tools": [
        {
            "name": "book_table",
            "description": "Book a table at a restaurant.",
            "version": "1.0.0",
            "inputSchema": {
                "type": "object",
                "properties": {"guests": {"type": "integer", "description": "How many come"}},
                "required": ["guests"],
            },
            "tags": ["restaurant"],
            "examples": [{"name": "two", "input": {"guests": 2}}],
        }
    ]
}
ATDF_1 = {
    "tool_id": "find_rooms",
    "description": "Find free rooms in a hotel.",
    "when_to_use": "When somebody needs a room.",
    "how_to_use": {
        "inputs": [{"name": "city", "type": "string", "description": "Where"}],
        "outputs": {"success": "The rooms", "failure": []},
    },
}


@pytest.fixture
def spec(work: Path) -> str:
    (work / "spec.json").write_text(json.dumps(SPEC))
    return "spec.json"


def test_the_formats_offered_are_those_there_are() -> None:
    assert set(atdf.FORMATS) == set(FORMATS)
    assert set(atdf.EVERY_CALL) <= {error.code for error in every_error()}


def test_a_valid_file_passes_and_its_format_is_named(run: Run, spec: str) -> None:
    assert run("atdf", "validate", spec, "--text") == (0, "spec.json (spec): no faults\n", "")


def test_every_fault_has_its_place_and_its_fix(run: Run, work: Path) -> None:
    broken = json.loads(json.dumps(SPEC))
    broken["tools"][0]["examples"][0]["input"] = {"guests": "two"}
    (work / "broken.json").write_text(json.dumps(broken))
    shown = run("atdf", "validate", "broken.json", "--json")

    assert shown.code == 1
    assert shown.json[0]["faults"][0]["pointer"] == "/tools/0/examples/0/input/guests"
    assert "make it integer" in run("atdf", "validate", "broken.json").out
    assert run("atdf", "validate", "broken.json", "--lax").code == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"{", "is not JSON"),
        (b"\xff", "is not UTF-8"),
        (b"[NaN]", "NaN is no JSON number"),
        (b'{"a": 1, "a": 2}', "the key 'a' stands twice"),
        (b"[" * 100_000, "nests too deep"),
        (b"5", "in no format we know"),
    ],
)
def test_what_is_no_description_is_wrong_usage(run: Run, work: Path, text: bytes, said: str) -> None:
    (work / "bad.json").write_bytes(text)
    shown = run("atdf", "validate", "bad.json")

    assert (shown.code, shown.out) == (2, "")
    assert said in shown.err


def test_what_is_not_there_ends_with_4(run: Run) -> None:
    assert run("atdf", "search", "nope", "book").code == 4
    assert run("atdf", "validate", "nope.json") == (
        4,
        "",
        "error: There is no file nope.json.\n  next: Check the path.\n",
    )


@pytest.mark.parametrize("form", atdf.FORMATS)
def test_every_format_can_be_written_and_comes_back_the_same(
    run: Run, spec: str, work: Path, form: str
) -> None:
    there = run("atdf", "convert", spec, "there.json", "--to", form, "--check")
    back = run("atdf", "convert", "there.json", "back.json", "--to", "spec", "--from", form)

    assert (there.code, back.code) == (0, 0), there.err + back.err
    assert json.loads((work / "back.json").read_text()) == SPEC


def test_a_pipe_in_and_out_and_the_report_on_stderr(run: Run) -> None:
    shown = run("atdf", "convert", "-", "-", "--to", "mcp", stdin=json.dumps(SPEC).encode())

    assert shown.json["tools"][0]["name"] == "book_table"
    assert shown.err.startswith("note: spec -> mcp\nnote: carried beside the tools: /tools/0/")


def test_a_loss_is_an_error_unless_allowed(run: Run, spec: str, work: Path) -> None:
    refused = run("atdf", "convert", spec, "out.json", "--to", "mcp", "--bare", "--json", "--check")

    assert refused.code == 1
    assert not (work / "out.json").exists()
    assert json.loads(refused.err.splitlines()[0])["lost"]
    assert run("atdf", "convert", spec, "out.json", "--to", "mcp", "--bare", "--lossy").code == 0
    assert "x-toolpost" not in (work / "out.json").read_text()


def test_what_cannot_be_converted_is_said_with_its_place(run: Run, work: Path) -> None:
    (work / "nameless.json").write_text('{"tools": [{"inputSchema": {}}]}')
    shown = run("atdf", "convert", "nameless.json", "out.json", "--to", "mcp", "--from", "spec")

    assert shown.code == 1
    assert "'name'" in shown.err


def test_an_output_that_cannot_be_written_is_said(run: Run, spec: str) -> None:
    shown = run("atdf", "convert", spec, "/proc/nowhere/out.json", "--to", "mcp")

    assert shown.code == 2
    assert "cannot be written" in shown.err


def test_enrich_shows_what_it_would_fill_in(run: Run, work: Path) -> None:
    (work / "old.json").write_text(json.dumps(ATDF_1))
    shown = run("atdf", "enrich", "old.json")

    assert shown.code == 0
    assert '+  "schema_version": "1.0.0",' in shown.out
    assert '"code": "NEEDS_APPROVAL"' in shown.out
    assert json.loads((work / "old.json").read_text()) == ATDF_1


def test_enrich_writes_when_told_and_then_has_nothing_left_to_do(run: Run, work: Path) -> None:
    (work / "old.json").write_text(json.dumps(ATDF_1))
    run("atdf", "enrich", "old.json", "--write", "--no-failures")

    assert json.loads((work / "old.json").read_text()) == {"schema_version": "1.0.0", **ATDF_1}
    assert run("atdf", "enrich", "old.json", "--no-failures") == (
        0,
        "",
        "note: There was nothing to fill in.\n",
    )


def test_examples_come_from_recorded_calls(run: Run, work: Path) -> None:
    bare = {"tools": [{key: value for key, value in SPEC["tools"][0].items() if key != "examples"}]}
    (work / "bare.json").write_text(json.dumps(bare))
    (work / "shop.py").write_text(
        "from toolpost import tool\n@tool\ndef book_table(guests: int, token: str = '') -> str:\n"
        "    'Book a table at a restaurant.'\n    return 'done'\n"
    )
    for words in (["guests=2"], ["guests=2"], ["guests=x"], ["guests=3", "token=very-secret"]):
        run("--tools", "shop.py", "call", "book_table", *words, "--record", "calls.jsonl")
    run("atdf", "enrich", "bare.json", "--examples", "calls.jsonl", "--write", "--as", "spec")
    written = json.loads((work / "bare.json").read_text())

    assert [one["input"] for one in written["tools"][0]["examples"]] == [{"guests": 2}]


def test_a_record_that_is_none_is_said(run: Run, spec: str, work: Path) -> None:
    (work / "calls.jsonl").write_text("{")

    assert run("atdf", "enrich", spec, "--examples", "calls.jsonl").code == 2
    assert run("atdf", "enrich", spec, "--examples", "nope.jsonl").code == 4


def test_enrich_says_what_it_cannot_read(run: Run, work: Path) -> None:
    (work / "five.json").write_text("5")

    assert run("atdf", "enrich", "five.json").code == 1


def test_search_ranks_and_says_what_matched(run: Run, spec: str, work: Path) -> None:
    (work / "old.json").write_text(json.dumps(ATDF_1))
    (work / "noise.json").write_text("5")
    (work / "torn.json").write_text("{")
    shown = run("atdf", "search", ".", "book a table", "--lang", "en")
    hits = [json.loads(line) for line in shown.out.splitlines()]

    assert hits[0]["name"] == "book_table"
    assert (hits[0]["file"], "name" in hits[0]["matched"]) == ("spec.json", True)
    assert "noise.json was passed over" in shown.err
    assert "torn.json is not JSON" in shown.err


def test_search_in_one_file_on_a_terminal_is_a_table(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stdout", screen)

    assert main(["atdf", "search", spec, "table"]) == 0
    assert "book_table" in screen.getvalue()


def test_a_goal_nothing_serves_is_not_found(run: Run, spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("atdf", "search", spec, "zzz") == (4, "", "note: None of 1 tools fits 'zzz'.\n")
    monkeypatch.setattr(sys, "stdout", Screen())
    assert main(["atdf", "search", spec, "zzz"]) == 4
