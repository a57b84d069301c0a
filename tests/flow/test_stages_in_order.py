"""A call meets its stages in one order, and each only after the one before it."""

from collections.abc import Mapping, Sequence
from typing import Any

from toolpost import Bench, Limits
from toolpost.authorize.ask import Answer, Question
from toolpost.budget.ledger import MemoryLedger, Units
from toolpost.define import Check, from_schema
from toolpost.events import Event
from toolpost.record.entry import Entry


class Log(list[str]):
    """One list that every stage of a call writes itself into."""

    def check(self, _value: Any) -> None:
        self.append("validate")

    async def ask(self, _question: Question) -> Answer | None:
        self.append("authorize")
        return Answer.ALLOW_ONCE

    def cost(self, _args: Mapping[str, Any]) -> Units:
        self.append("budget")
        return {}

    def run(self, _args: Any) -> str:
        self.append("execute")
        return "done"

    def write(self, entry: Entry) -> None:
        self.append("record")

    def close(self) -> None: ...

    def hear(self, event: Event) -> None:
        self.append(type(event).__name__)


class LoggedLedger(MemoryLedger):
    def __init__(self, log: Log) -> None:
        super().__init__()
        self._log = log

    async def reserve(self, scopes: Sequence[str], cost: Units) -> str:
        self._log.append("reserve")
        return await super().reserve(scopes, cost)

    async def settle(self, lease: str, actual: Units) -> bool:
        self._log.append("settle")
        return await super().settle(lease, actual)


def _bench(log: Log, **settings: Any) -> Bench:
    tool = from_schema(
        "work", "", {"type": "object"}, log.run,
        checks=[Check(("n",), log.check)], cost=log.cost, effects=["exec"], blocking=False, **settings,
    )  # fmt: skip
    bench = Bench([tool], asker=log, ledger=LoggedLedger(log), limits=Limits(run={"calls": 9}), sinks=[log])
    bench.listen(log.hear)
    return bench


async def test_the_stages_come_in_their_order() -> None:
    log = Log()
    assert (await _bench(log).call("work", n=1)).ok
    assert log == [
        "CallStarted", "validate", "PermissionAsked", "authorize", "PermissionGiven", "budget", "reserve", "execute",
        "settle", "record", "CallFinished",
    ]  # fmt: skip


async def test_what_fails_late_was_settled_before_it_was_recorded() -> None:
    log = Log()
    assert not (await _bench(log, output_schema={"type": "object"}).call("work", n=1)).ok
    assert log[-4:] == ["execute", "settle", "record", "CallFinished"]
