import pytest

from toolpost.budget.ledger import MemoryLedger, Spent


async def test_a_reservation_is_made_in_all_scopes_or_in_none() -> None:
    ledger = MemoryLedger()
    await ledger.limit("run", {"calls": 9})
    await ledger.limit("session", {"calls": 1})
    await ledger.reserve(["run", "session"], {"calls": 1})
    with pytest.raises(Spent) as caught:
        await ledger.reserve(["run", "session"], {"calls": 1})
    spent = caught.value
    assert (spent.scope, spent.unit, spent.used, spent.limit) == ("session", "calls", 1, 1)
    assert spent.detail == "The calls budget of session is spent: 1 of 1."
    assert (await ledger.used("run"), await ledger.used("session")) == ({"calls": 1}, {"calls": 1})


async def test_settling_replaces_what_was_reserved_once() -> None:
    ledger = MemoryLedger()
    await ledger.limit("run", {"bytes": 100})
    lease = await ledger.reserve(["run"], {"bytes": 80, "calls": 1})
    assert await ledger.settle(lease, {"bytes": 30, "calls": 1}) is True
    assert await ledger.settle(lease, {"bytes": 99}) is False
    assert await ledger.used("run") == {"bytes": 30, "calls": 1}
    same = await ledger.reserve(["run"], {"bytes": 70})
    await ledger.settle(same, {"bytes": 70})
    assert (await ledger.used("run"))["bytes"] == 100


async def test_a_unit_without_a_limit_is_counted_and_never_refused() -> None:
    ledger = MemoryLedger()
    await ledger.limit("run", {})
    await ledger.reserve(["run", "unknown"], {"bytes": 10**9})
    assert (await ledger.used("run"), await ledger.used("unknown")) == ({"bytes": 10**9}, {})
