"""The hotel keeps what contract 003 promises: errors that can be mended, and are."""

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from examples.hotel import BASIC, SCHEMA, Hotel, hotel_reservation
from msgspec import structs
from tests.examples.repair import breaks, codes, mend

from toolpost import codec
from toolpost.authorize.profiles import PROFILES
from toolpost.bench import Bench
from toolpost.call import Call, Caller
from toolpost.dialects.atdf import Atdf
from toolpost.lint import lint
from toolpost.result import Result
from toolpost.route import plugins
from toolpost.testing import FakeClock

ROOT = Path(__file__).parents[2]
CONTRACT = ROOT / "tests" / "contracts" / "atdf"
NOW = datetime(2025, 1, 15, 12, 0, 17, 148869, tzinfo=UTC)
PAST = "2025-01-14T10:00:00Z"
EVERY_BREAK = list(breaks(hotel_reservation, {**BASIC, "room_type": "suite"}))


class Desk:
    """A hotel, and a caller who may book."""

    def __init__(self, now: datetime = NOW, scope: str = "hotel:write") -> None:
        clock = FakeClock(now)
        self.bench = Bench([Hotel(clock).tool()], profile=PROFILES["open"], clock=clock)
        self.atdf = Atdf(self.bench.tools)
        self.atdf.base = "https://api.example.com"
        self.caller = Caller(scopes=(scope,))

    async def book(self, args: dict[str, Any]) -> Result:
        return await self.bench.call(Call(tool="hotel_reservation", args=args, caller=self.caller))

    async def answer(self, args: dict[str, Any]) -> Any:
        call = self.atdf.parse({"name": "hotel_reservation", "input": args})
        result = await self.bench.call(structs.replace(call, caller=self.caller))
        return codec.decode(codec.encode(self.atdf.render(result)))


def example(name: str) -> Any:
    """The contract's own example, as the contract tests keep it."""
    return msgspec.json.decode((CONTRACT / f"{name}.json").read_bytes())["contract"][-1]["example"]


def shape(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: shape(part) for name, part in value.items()}
    return type(value).__name__


def test_the_tool_is_exactly_the_contracts_description() -> None:
    assert Atdf([hotel_reservation]).describe() == example("hotel_tool")


async def test_a_success_has_exactly_the_contracts_shape() -> None:
    answer = await Desk().answer(BASIC)
    assert shape(answer) == shape(example("success"))
    assert answer["details"] == {
        **BASIC,
        "total_price": 299.0,
        "confirmation_number": "HTL-2025-000001",
        "cancellation_policy": "Free cancellation until 24 hours before check-in",
    }


async def test_a_past_date_is_refused_as_the_contract_shows_it() -> None:
    (error,) = (await Desk().answer({**BASIC, "check_in": PAST}))["errors"]
    (contract,) = example("invalid_date")["errors"]
    for key in ("type", "title", "detail", "tool_name", "parameter_name"):
        assert error[key] == contract[key]
    assert error["context"]["current_time"] == "2025-01-15T12:00:17.148Z"
    assert error["context"]["provided_date"] == contract["context"]["provided_date"]


async def test_the_suggested_date_is_still_in_the_future_when_it_is_sent_back() -> None:
    desk = Desk()
    refused = await desk.book({**BASIC, "check_in": PAST})
    assert refused.problems[0].suggested == "2025-01-15T14:00:00Z"
    assert (await desk.book(mend({**BASIC, "check_in": PAST}, refused.problems))).ok


async def test_a_bad_email_is_refused_as_the_contract_shows_it() -> None:
    (error,) = (await Desk().answer({**BASIC, "email": "invalid-email"}))["errors"]
    contract = example("several_errors")["errors"][1]
    for key in ("type", "title", "detail", "tool_name", "parameter_name", "suggested_value"):
        assert error[key] == contract[key]
    assert contract["context"].items() <= error["context"].items()


@pytest.mark.parametrize("order", [["check_in", "email"], ["email", "check_in"]])
async def test_several_faults_come_in_the_order_the_arguments_were_written(order: list[str]) -> None:
    wrong = {"check_in": PAST, "email": "invalid-email"}
    args = {**{name: wrong[name] for name in order}, **{key: BASIC[key] for key in BASIC if key not in wrong}}
    answer = await Desk().answer(args)
    assert [error["parameter_name"] for error in answer["errors"]] == order


async def test_both_dates_in_the_past_are_mended_in_one_round() -> None:
    desk = Desk()
    args = {**BASIC, "check_in": PAST, "check_out": "2025-01-14T18:00:00Z"}
    refused = await desk.book(args)
    assert codes(refused) == ["INVALID_CHECK_IN", "INVALID_CHECK_OUT"]
    assert (await desk.book(mend(args, refused.problems))).ok


async def test_the_last_suite_can_be_had_once_and_then_another_room_is_offered() -> None:
    desk = Desk()
    suite = {**BASIC, "room_type": "suite", "guests": 1}
    assert (await desk.book(suite)).ok
    (error,) = (await desk.answer(suite))["errors"]
    (contract,) = example("business_rule")["errors"]
    for key in ("type", "title", "detail", "tool_name", "parameter_name", "suggested_value"):
        assert error[key] == contract[key]
    assert contract["context"].items() <= error["context"].items()
    refused = await desk.book(suite)
    assert (await desk.book(mend(suite, refused.problems))).ok


async def test_more_guests_than_the_room_holds_are_offered_one_that_holds_them() -> None:
    desk = Desk()
    crowd = {**BASIC, "room_type": "single", "guests": 3}
    refused = await desk.book(crowd)
    assert (codes(refused), refused.problems[0].suggested) == (["ROOM_TOO_SMALL"], "suite")
    assert (await desk.book(mend(crowd, refused.problems))).ok


async def test_an_alternative_to_a_taken_suite_did_not_hold_the_guests() -> None:
    desk = Desk()
    suite = {**BASIC, "room_type": "suite"}
    assert (await desk.book(suite)).ok
    assert (await desk.book(suite)).problems[0].suggested == "double"


def test_the_tool_has_nothing_to_mend() -> None:
    assert lint(hotel_reservation) == []


async def test_a_room_is_free_again_after_its_guest_has_left() -> None:
    desk = Desk()
    suite = {**BASIC, "room_type": "suite"}
    later = {**suite, "check_in": BASIC["check_out"], "check_out": "2025-01-18T12:00:00Z"}
    assert (await desk.book(suite)).ok
    assert (await desk.book(later)).ok


async def test_a_full_hotel_offers_nothing() -> None:
    desk = Desk()
    for room, count in {"single": 4, "double": 3, "suite": 1}.items():
        for _ in range(count):
            assert (await desk.book({**BASIC, "room_type": room, "guests": 1})).ok
    (error,) = (await desk.answer({**BASIC, "guests": 1}))["errors"]
    assert (error["suggested_value"], error["context"]["available_room_types"]) == (None, [])


async def test_a_caller_without_the_scope_is_refused_as_the_contract_shows_it() -> None:
    (error,) = (await Desk(scope="hotel:read").answer(BASIC))["errors"]
    (contract,) = example("authentication")["errors"]
    for key in ("type", "title", "detail", "tool_name", "parameter_name", "suggested_value"):
        assert error[key] == contract[key]
    assert contract["context"].items() <= error["context"].items()


@pytest.mark.parametrize(("how", "broken"), EVERY_BREAK, ids=[how for how, _ in EVERY_BREAK])
async def test_a_broken_call_is_mended_by_its_suggestions(how: str, broken: dict[str, Any]) -> None:
    desk = Desk(datetime(2025, 1, 1, tzinfo=UTC))
    refused = await desk.book(broken)
    assert refused.problems, how
    assert (await desk.book(mend(broken, refused.problems, BASIC))).ok


async def test_everything_broken_at_once_is_mended_at_once() -> None:
    desk = Desk()
    broken = {
        "guest_name": "",
        "email": "invalid-email",
        "check_in": "2025-01-16T14:00:00",
        "check_out": "17.01.2025",
        "room_type": "duble",
        "guests": "2",
    }
    refused = await desk.book(broken)
    assert [problem.parameter for problem in refused.problems] == list(broken)
    assert (await desk.book(mend(broken, refused.problems, BASIC))).ok


@pytest.mark.parametrize(
    "check_in", ["2025-12-31T23:59:60Z", "2025-12-31t23:59:59z", "9999-12-31T23:59:59-10:00"]
)
async def test_any_time_the_schema_lets_pass_can_be_read(check_in: str) -> None:
    refused = await Desk().book({**BASIC, "check_in": check_in})
    assert codes(refused) == ["INVALID_CHECK_OUT"]


def test_the_schema_has_the_contracts_six_required_parameters() -> None:
    assert SCHEMA["required"] == ["guest_name", "email", "check_in", "check_out", "room_type", "guests"]


def test_the_file_is_a_plugin_with_one_tool() -> None:
    plugin = plugins.file(ROOT / "examples" / "hotel.py")
    assert [tool.name for tool in plugin.tools] == ["hotel_reservation"]


@pytest.mark.parametrize("name", ["hotel", "analyze_code", "validate_data", "search_database"])
def test_every_tour_runs_to_its_end(name: str) -> None:
    path = ROOT / "examples" / f"{name}.py"
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout
