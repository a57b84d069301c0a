"""The bench: tools in, calls answered. It builds the stages and owns what they share."""

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from msgspec import structs

from toolpost import pipeline
from toolpost.authorize.ask import Asker
from toolpost.authorize.gate import Gate, Rights
from toolpost.authorize.grants import Grant
from toolpost.authorize.profiles import ASK, Profile
from toolpost.authorize.rulebook import Rulebook
from toolpost.budget.charge import Budget
from toolpost.budget.held import Held, hold
from toolpost.budget.index_first import WARN
from toolpost.budget.ledger import Ledger
from toolpost.call import LOCAL, Call, Caller
from toolpost.clock import Clock
from toolpost.define import Tool
from toolpost.events import Event
from toolpost.execute import Executor
from toolpost.limits import Limits
from toolpost.normalize.shape import Shaper
from toolpost.record.recorder import Recorder
from toolpost.record.sinks import Sink
from toolpost.result import Result
from toolpost.route.registry import Registry
from toolpost.session import Sessions
from toolpost.validate.arguments import Arguments

_log = logging.getLogger("toolpost")


class Closing(Protocol):
    def close(self) -> None: ...


class Bench:
    """Holds tools and answers calls: one event loop at a time, any number of calls in it."""

    def __init__(
        self,
        tools: Iterable[Tool] = (),
        *,
        profile: Profile = ASK,
        rights: Rights | None = None,
        asker: Asker | None = None,
        limits: Limits | None = None,
        ledger: Ledger | None = None,
        sinks: Iterable[Sink] = (),
        clock: Clock | None = None,
        index_first: str = WARN,
    ) -> None:
        """`index_first` is contract 001's policy: off, warn or strict.

        `rights` are a profile with a policy's rules, and where the user's answers are kept.
        """
        limits = limits or Limits()
        self._clock = clock or Clock()
        self._registry = Registry()
        self._arguments = Arguments()
        self._shaper = Shaper()
        self._recorder = Recorder(sinks)
        self._executor = Executor(limits)
        self._sessions = Sessions(limits.sessions_kept)
        self._listeners: list[Callable[[Event], None]] = []
        self._owned: list[Closing] = []
        self._stages = pipeline.Stages(
            registry=self._registry,
            arguments=self._arguments,
            gate=Gate(rights or Rights(book=Rulebook(profile)), asker, self._tell, self._clock),
            budget=Budget(ledger, limits, index_first),
            executor=self._executor,
            shaper=self._shaper,
            recorder=self._recorder,
            clock=self._clock,
            listeners=self._listeners,
        )
        for tool in tools:
            self.add(tool)

    def add(self, tool: Tool) -> Tool:
        """Register a tool; one that cannot work is refused now."""
        self._arguments.prepare(tool)
        self._shaper.prepare(tool)
        self._registry.add(tool)
        return tool

    def remove(self, name: str) -> Tool:
        tool = self._registry.remove(name)
        for stage in (self._arguments, self._stages.gate, self._shaper):
            stage.forget(tool)
        self._sessions.forget(name)
        return tool

    @property
    def tools(self) -> tuple[Tool, ...]:
        return tuple(self._registry)

    async def call(self, call: Call | str, /, **args: Any) -> Result:
        """Answer a call. A name and arguments make one in our own words: `call("greet", name="Ada")`."""
        if isinstance(call, str):
            call = Call(tool=call, args=args)
        if not call.request_id:
            call = structs.replace(call, request_id=self._clock.request_id())
        return await pipeline.run(self._stages, call, self._sessions.get(call.caller.session))

    def call_sync(self, call: Call | str, /, **args: Any) -> Result:
        return asyncio.run(self.call(call, **args))

    async def reserve(self, caller: Caller = LOCAL, **units: int) -> Held:
        """Set aside what a run uses beside its calls, such as turns, tokens and seconds.

        `held = await bench.reserve(me, turns=1, tokens=4000)` before, `left = await held.settle(tokens=3120)`
        after. BudgetExceeded when there is no room.
        """
        return await hold(self._stages.budget, caller, units)

    def cancel(self, request_id: str) -> bool:
        """Stop a call that is running; its answer says CANCELLED."""
        return self._executor.cancel(request_id)

    def grants(self, caller: Caller = LOCAL) -> tuple[Grant, ...]:
        """What the user answered for good, as far as it reaches this caller."""
        return self._stages.gate.grants(self._sessions.get(caller.session))

    def revoke(self, grant: str, caller: Caller = LOCAL) -> bool:
        """Forget a grant, by its id, its rule, or the tool it was given to."""
        return self._stages.gate.revoke(grant, self._sessions.get(caller.session))

    def clear_labels(self, caller: Caller = LOCAL) -> None:
        """Forget that this session has read a secret; for a person to decide."""
        self._sessions.get(caller.session).labels.clear()

    def listen(self, listener: Callable[[Event], None]) -> None:
        """Be told what happens, as it happens; a listener that breaks is logged and breaks no call."""
        self._listeners.append(_shielded(listener))

    def on_tools_changed(self, listener: Callable[[], None]) -> None:
        self._registry.on_change(listener)

    def own(self, part: Closing) -> None:
        """Close it with the bench: a workspace, say, whose tools it holds."""
        self._owned.append(part)

    def close(self) -> None:
        for part in (*reversed(self._owned), self._recorder):
            part.close()
        self._owned.clear()

    def _tell(self, event: Event) -> None:
        for listener in self._listeners:
            listener(event)


def _shielded(listener: Callable[[Event], None]) -> Callable[[Event], None]:
    def tell(event: Event) -> None:
        try:
            listener(event)
        except Exception:
            _log.exception("A listener broke; the call goes on without it.")

    return tell
