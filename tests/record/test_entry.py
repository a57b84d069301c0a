from datetime import UTC, datetime
from typing import Any

from toolpost import Call, Caller, Decision, Provenance, Result
from toolpost.call import Words
from toolpost.limits import INLINE_LOG_BYTES
from toolpost.problem import Problem
from toolpost.record.entry import Entry, entry_of
from toolpost.result import Outcome, Verdict

NOW = datetime(2025, 12, 11, 20, tzinfo=UTC)


def _entry(call: Call, **result: Any) -> Entry:
    return entry_of(Result(call=call, provenance=Provenance("local", NOW, 1.5, "req-1"), **result))


def test_a_record_tells_the_whole_call() -> None:
    call = Call(
        tool="fs.read",
        args={"path": "a", "password": "hunter2"},
        caller=Caller(name="ada", session="s", component="c"),
        words=Words(dialect="agents", tool="read_file"),
        input={"path": "a"},
        call_id="call_1",
    )
    verdict = Verdict(Decision.ALLOW, "read", "profile:ask", "read fs.read")
    problem = Problem(code="FILE_NOT_FOUND", instance="i1")
    entry = _entry(
        call, problems=(problem,), outcome=Outcome.FAILED, verdict=verdict, usage={"calls": 1}, notes=("n",)
    )
    assert entry == Entry(
        time=NOW,
        request_id="req-1",
        call_id="call_1",
        dialect="agents",
        tool="fs.read",
        said_tool="read_file",
        caller="ada",
        session="s",
        component="c",
        args={"path": "a", "password": "[redacted]"},
        outcome="failed",
        codes=("FILE_NOT_FOUND",),
        instances=("i1",),
        location="local",
        duration_ms=1.5,
        verdict=verdict,
        usage={"calls": 1},
        notes=("n",),
    )


def test_arguments_that_never_became_ours_are_kept_as_received() -> None:
    assert _entry(Call(tool="", words=Words(tool="x"), input={"token": "abcd"})).args == {
        "token": "[redacted]"
    }
    assert _entry(Call(tool="", words=Words(tool="x"), input=["no", "object"])).args == {}


def test_nothing_a_caller_sends_is_kept_at_full_length() -> None:
    long = "x" * (INLINE_LOG_BYTES + 1)
    call = Call(
        tool="",
        args={"a": [long], long: 1},
        words=Words(tool=long),
        caller=Caller(session=long, component=long),
        call_id=long,
    )
    entry = _entry(call)
    cut = f"{'x' * INLINE_LOG_BYTES}… ({INLINE_LOG_BYTES + 1} characters)"
    assert entry.args == {"a": [cut], cut: 1}
    assert (entry.said_tool, entry.session, entry.component, entry.call_id) == (cut, cut, cut, cut)


def test_a_secret_across_the_cut_is_hidden() -> None:
    secret = "ghp_" + "a1B2" * 9
    text = "x" * (INLINE_LOG_BYTES - 8) + " " + secret
    (kept,) = _entry(Call(tool="t", args={"a": text})).args.values()
    assert "ghp_" not in kept
