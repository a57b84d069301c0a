"""Units set aside for what a run does beside its calls: turns, tokens, seconds."""

from toolpost.budget.charge import Budget, Charge, refuse_nonsense
from toolpost.budget.ledger import Units
from toolpost.call import Call, Caller


class Held:
    """A reservation that waits for what was really used; settled twice, it counts once."""

    def __init__(self, budget: Budget, charge: Charge) -> None:
        self._budget = budget
        self._charge = charge

    async def settle(self, **actual: int) -> dict[str, int]:
        """Replace what was set aside by what was used, and tell what is left. A unit not named was used whole."""
        refuse_nonsense(actual)
        await self._budget.replace(self._charge, {**self._charge.cost, **actual})
        return await self._budget.left(self._charge)


async def hold(budget: Budget, caller: Caller, units: Units) -> Held:
    """BudgetExceeded when a scope of the caller has no room."""
    refuse_nonsense(units)
    return Held(budget, await budget.reserve(Call(tool="", caller=caller), units))
