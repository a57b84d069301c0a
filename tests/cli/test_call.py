import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.cli.desk import Keyboard, Run, Screen, at_terminal, process

from toolpost.cli.main import main


def test_a_pipe_gets_the_answer_as_json(run: Run, shop: str) -> None:
    shown = run("--tools", shop, "call", "forecast", "city=Lisbon", "days=3")

    assert (shown.code, shown.err) == (0, "")
    assert (shown.json["ok"], shown.json["text"]) == (True, "3 days of sun in Lisbon")
    assert shown.json["provenance"]["location"] == "local"


def test_arguments_as_one_json_object_or_from_stdin(run: Run, shop: str) -> None:
    given = run("--tools", shop, "call", "forecast", '{"city": "Lisbon"}')
    read = run("--tools", shop, "call", "forecast", "-", stdin=b'{"city": "Lisbon"}')

    assert given.json["text"] == read.json["text"] == "1 days of sun in Lisbon"


@pytest.mark.parametrize(
    ("words", "args"),
    [
        (["things=[1, 2]"], {"things": [1, 2]}),
        (["things=soon"], "things"),
        (["filter.least=3"], {"filter": {"least": 3}}),
        (["filter.least=3", 'label="quoted"'], {"filter": {"least": 3}, "label": '"quoted"'}),
        (["label=5"], {"label": "5"}),
        (["label:=null"], {"label": None}),
        (["kind=2"], {"kind": 2}),
        (["loose=2"], {"loose": "2"}),
        (["dotted.name=4"], {"dotted.name": 4}),
        (["other=5"], {"other": "5"}),
        (["other.deep=a=b"], {"other": {"deep": "a=b"}}),
        ([], {}),
    ],
)
def test_pairs_become_what_the_schema_wants(run: Run, shop: str, words: list[str], args: Any) -> None:
    shown = run("--tools", shop, "call", "count_things", *words).json

    assert (shown["data"] if shown["ok"] else shown["problems"][0]["parameter"]) == args


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["Lisbon"], "error: 'Lisbon' is no argument."),
        (["=Lisbon"], "error: '=Lisbon' is no argument."),
        (["city=a", "city=b"], "error: city was given twice."),
        (["city=a", "city.b=1"], "error: city.b goes into a value that is no object."),
        (["days:=soon"], "error: days cannot be read: The message is not JSON"),
        (['{"city": }'], "error: The arguments cannot be read"),
        (["-"], "error: The arguments must be a JSON object."),
    ],
)
def test_arguments_nobody_can_read_are_wrong_usage(run: Run, shop: str, words: list[str], said: str) -> None:
    shown = run("--tools", shop, "call", "forecast", *words, stdin=b"[1]")

    assert (shown.code, shown.out) == (2, "")
    assert shown.err.startswith(said)
    assert "\n  next: " in shown.err


def test_a_schema_that_contains_itself_still_takes_pairs(run: Run, work: Path) -> None:
    (work / "tree.py").write_text(
        "from toolpost.define import from_schema\n"
        "node = {'type': 'object', 'properties': {'next': {'$ref': '#/$defs/node'}, 'size': {'type': 'integer'}}}\n"
        "grow_tree = from_schema('grow_tree', 'Grow a tree.', {**node, '$defs': {'node': node}}, lambda args: args)\n"
    )
    assert run("--tools", "tree.py", "call", "grow_tree", "size=3").json["data"] == {"size": 3}


@pytest.mark.parametrize(
    ("words", "code", "error"),
    [
        (["break_down"], 1, "TOOL_FAILED"),
        (["forecast"], 2, "MISSING_PARAMETER"),
        (["write_note", "text=x"], 3, "NEEDS_APPROVAL"),
        (["write_note", "text=x", "--profile", "read-only"], 3, "DENIED"),
        (["list_orders"], 3, "AUTHENTICATION_REQUIRED"),
        (["forcast", "city=x"], 4, "TOOL_NOT_FOUND"),
    ],
)
def test_the_exit_code_says_what_kind_of_failure_it_was(
    run: Run, shop: str, words: list[str], code: int, error: str
) -> None:
    shown = run("--tools", shop, "call", *words)

    assert (shown.code, shown.json["problems"][0]["code"]) == (code, error)
    assert shown.err.startswith(f"error: {error}: ")
    assert "\n  next: " in shown.err


def test_a_spent_budget_ends_with_5(run: Run, shop: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLPOST_LIMITS_COMPONENT_NOTES", "0")

    assert run("--tools", shop, "call", "write_note", "text=x", "--yes", "--component", "cart").code == 5


def test_a_call_that_takes_too_long_ends_with_6(run: Run, work: Path) -> None:
    (work / "slow.py").write_text(
        "import asyncio\nfrom toolpost import tool\n@tool\nasync def wait_long() -> str:\n"
        "    'Wait for a long time.'\n    await asyncio.sleep(60)\n    return ''\n"
    )
    assert run("--tools", "slow.py", "call", "wait_long", "--timeout", "0.01").code == 6


def test_scopes_are_the_callers(run: Run, shop: str) -> None:
    assert run("--tools", shop, "call", "list_orders", "--scope", "orders:read").json["data"] == [1, 2]


def test_a_near_miss_is_answered_with_arguments_that_pass(run: Run, shop: str) -> None:
    shown = run("--tools", shop, "call", "forecast", "cty=Lisbon")

    assert shown.json["suggested_arguments"] == {"city": "Lisbon"}
    assert '  next: these arguments would pass: {"city":"Lisbon"}\n' in shown.err


def test_errors_speak_the_language_asked_for(run: Run, shop: str) -> None:
    shown = run("--tools", shop, "call", "forecast", "--language", "es")

    assert "obligatorio" in shown.json["problems"][0]["detail"]


@pytest.mark.parametrize(
    ("dialect", "tool", "where"),
    [
        ("agents", "forecast", ["output"]),
        ("superconnect", "forecast", ["text"]),
        ("sandra", "local.forecast", ["data"]),
        ("atdf", "forecast", ["result"]),
        ("acp", "forecast", ["params", "content", 0, "text"]),
        ("mcp", "forecast", ["result", "content", 0, "text"]),
        ("functions", "forecast", ["content"]),
    ],
)
def test_each_dialect_answers_in_its_own_shape(
    run: Run, shop: str, dialect: str, tool: str, where: list[Any]
) -> None:
    shown = run("--tools", shop, "call", tool, "city=Rome", "days=2", "--as", dialect)
    value = shown.json
    for step in where:
        value = value[step]

    assert (shown.code, shown.err, value) == (0, "", "2 days of sun in Rome")


def test_our_name_of_a_tool_serves_for_the_dialects_word(run: Run, shop: str) -> None:
    assert (
        run("--tools", shop, "call", "forecast", "city=Rome", "--as", "sandra").json["tool"]
        == "local.forecast"
    )


def test_a_failure_in_a_dialect_is_its_own_answer_and_our_exit_code(run: Run, shop: str) -> None:
    shown = run("--tools", shop, "call", "forcast", "city=Rome", "--as", "atdf")

    assert (shown.code, shown.err) == (4, "")
    assert shown.json["errors"][0]["code"] == "TOOL_NOT_FOUND"


def test_the_base_of_error_types_is_a_setting(run: Run, shop: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLPOST_ERRORS_BASE", "https://errors.example.org")
    shown = run("--tools", shop, "call", "nothing", "--as", "atdf")

    assert shown.json["errors"][0]["type"] == "https://errors.example.org/errors/not-found"


def test_the_form_of_functions_is_the_form_of_the_answer(run: Run, shop: str) -> None:
    shown = run("--tools", shop, "call", "forecast", "city=Rome", "--form", "anthropic")

    assert shown.json["type"] == "tool_result"


def test_raw_sends_the_bytes_as_they_are(run: Run, shop: str) -> None:
    good = run(
        "--tools", shop, "call", "--as", "atdf", "--raw", stdin=b'{"name":"forecast","input":{"city":"Rome"}}'
    )
    bad = run("--tools", shop, "call", "--as", "mcp", "--raw", stdin=b"\xff{")

    assert good.json == {"result": "1 days of sun in Rome"}
    assert (bad.code, bad.json["error"]["code"]) == (2, -32700)


@pytest.mark.parametrize(
    "words",
    [
        ["--raw"],
        ["forecast", "--raw", "--as", "mcp"],
        [],
        ["forecast", "--timeout", "0"],
        ["forecast", "--as", "x"],
    ],
)
def test_options_that_make_no_sense_are_wrong_usage(run: Run, shop: str, words: list[str]) -> None:
    shown = run("--tools", shop, "call", *words)

    assert (shown.code, shown.out) == (2, "")
    assert shown.err.endswith("  next: toolpost call --help\n")


def test_every_call_is_recorded_where_asked(run: Run, shop: str, work: Path) -> None:
    run("--tools", shop, "call", "forecast", "city=Rome", "--record", "calls.jsonl", "--component", "cart")
    run("--tools", shop, "call", "write_note", "text=x", "--record", "calls.jsonl")
    entries = [json.loads(line) for line in (work / "calls.jsonl").read_text().splitlines()]

    assert [(entry["tool"], entry["component"], entry["outcome"]) for entry in entries] == [
        ("forecast", "cart", "succeeded"),
        ("write_note", "", "refused"),
    ]


def test_a_record_that_cannot_be_written_stops_before_the_call(run: Run, shop: str, work: Path) -> None:
    shown = run("--tools", shop, "call", "forecast", "city=Rome", "--record", str(work))

    assert shown.code == 2
    assert shown.err == (
        f"error: The record {work} cannot be written: Is a directory.\n"
        "  next: It was set by flag (--record); choose another file.\n"
    )


def test_yes_allows(run: Run, shop: str) -> None:
    assert run("--tools", shop, "call", "write_note", "text=abc", "--yes").json["data"] == {"size": 3}


def test_nobody_to_ask_is_a_refusal(shop: str, work: Path) -> None:
    shown = process("--tools", shop, "call", "write_note", "text=abc", folder=work)

    assert shown.code == 3
    assert shown.json["problems"][0]["code"] == "NEEDS_APPROVAL"


@pytest.mark.parametrize(("key", "code"), [("y", 0), ("n", 3)])
def test_the_terminal_is_asked(shop: str, work: Path, key: str, code: int) -> None:
    shown = at_terminal(
        "--tools", shop, "call", "write_note", "text=abc", typed=f"?\n{key}\n".encode(), folder=work
    )

    assert shown.code == code
    assert "write_note wants to write (rule write of profile:ask)" in shown.out
    assert shown.out.count("[y] allow once") == 2
    assert ("size" in shown.out.rpartition("deny: ")[2]) == (code == 0)


def test_the_question_hides_secrets_and_cuts_what_nobody_reads(
    shop: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(sys, "stdin", Keyboard("?\ny\n"))
    monkeypatch.setenv("NO_COLOR", "1")
    text = "token=ghp_0123456789abcdefghijABCDEFGHIJ \x1b[2J" + "x" * 5_000

    assert main(["--tools", shop, "call", "write_note", f"text={text}"]) == 0
    assert "ghp_" not in screen.getvalue()
    assert "\x1b" not in screen.getvalue()
    assert "characters)" in screen.getvalue()
    assert len(screen.getvalue()) < 5_000
    assert json.loads(capsys.readouterr().out)["ok"]


def test_a_terminal_that_closes_leaves_the_question_unanswered(
    shop: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", Screen())
    monkeypatch.setattr(sys, "stdin", Keyboard(""))

    assert main(["--tools", shop, "call", "write_note", "text=x"]) == 3


def test_an_interrupt_at_the_question_cancels_the_call_and_records_it(
    shop: str, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Impatient(Keyboard):
        def readline(self, size: int = -1) -> str:  # type: ignore[override]
            os.kill(os.getpid(), signal.SIGINT)
            return super().readline(size)

    monkeypatch.setattr(sys, "stderr", Screen())
    monkeypatch.setattr(sys, "stdin", Impatient("y\n"))

    assert main(["--tools", shop, "call", "write_note", "text=x", "--record", "r.jsonl"]) == 130
    assert '"CANCELLED"' in (work / "r.jsonl").read_text()


CONTENT = """
from toolpost import tool, Text, Image, Diff, Data, Ref
from toolpost.define import Output

@tool
def show_all() -> Output:
    "Show one of everything."
    return Output(content=(Text("words\\x1b[2J"), Image(b"png"), Diff("a.txt", "old", "new"), Ref("file:///x", 9, head="be")),
                  data={"kept": 1}, notes=("cut at 9 bytes",))

@tool
def show_data() -> dict[str, int]:
    "Show data alone."
    return {"kept": 1}
"""


def test_a_terminal_gets_the_answer_itself(
    work: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (work / "content.py").write_text(CONTENT)
    monkeypatch.setenv("NO_COLOR", "1")
    screen = Screen()
    monkeypatch.setattr(sys, "stdout", screen)

    assert main(["--tools", "content.py", "call", "show_all"]) == 0
    assert main(["--tools", "content.py", "call", "show_data"]) == 0
    assert screen.getvalue() == (
        "words\ufffd[2J\n(image/png, 3 bytes)\n--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n-old\n+new\n"
        'be\n(9 bytes in all: file:///x)\n{\n  "kept": 1\n}\n'
    )
    assert capsys.readouterr().err == "note: cut at 9 bytes\n"


def test_json_holds_every_part(run: Run, work: Path) -> None:
    (work / "content.py").write_text(CONTENT)
    shown = run("--tools", "content.py", "call", "show_all").json

    assert (shown["data"], shown["notes"]) == ({"kept": 1}, ["cut at 9 bytes"])
    assert [part["type"] for part in shown["content"]] == ["image", "diff", "ref"]


def test_a_failure_on_a_terminal_is_on_stderr_alone(
    shop: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stdout", screen)

    assert main(["--tools", shop, "call", "break_down"]) == 1
    assert screen.getvalue() == ""
    assert capsys.readouterr().err.startswith(
        "error: TOOL_FAILED: Failed to execute: RuntimeError: out of order"
    )
