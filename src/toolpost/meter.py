"""A tool that learns what it costs as it goes asks here, before it spends.

A read knows its size once the file is open, not before: `need(read_bytes=size)` reserves it then, or raises.
Outside a call with budgets it does nothing.
"""

from collections.abc import Callable, Mapping
from contextvars import ContextVar

Reserve = Callable[[Mapping[str, int]], None]


def _nothing(_units: Mapping[str, int]) -> None:
    """No budget, nothing to reserve."""


RESERVE: ContextVar[Reserve] = ContextVar("toolpost_reserve", default=_nothing)


def need(**units: int) -> None:
    """Set more aside for the call that runs here; BudgetExceeded when there is no room."""
    RESERVE.get()(units)
