"""A spent budget in contract 001's words, where it has some."""

from toolpost.budget.ledger import Spent, Units
from toolpost.call import Call
from toolpost.errors import BudgetExceeded, ListBudgetExceeded, ReadBudgetExceeded
from toolpost.limits import KIB, MIB


def worded(spent: Spent, used: Units, call: Call) -> BudgetExceeded:
    component = call.caller.component
    whom = f" for component '{component}'" if component else ""
    if spent.unit in {"read_bytes", "reads"}:
        return _read_refusal(spent, used, whom)
    if spent.unit == "concurrent_reads":
        said = f"Concurrent read limit ({spent.limit} at once) exceeded{whom}; wait for one to end."
        return ReadBudgetExceeded(said, reading=spent.used, limit=spent.limit)
    if spent.unit == "lists":
        said = f"List limit ({spent.limit} operations) exceeded{whom}"
        return ListBudgetExceeded(said, lists=spent.used, limit=spent.limit)
    return spent


def _read_refusal(spent: Spent, used: Units, whom: str) -> ReadBudgetExceeded:
    if spent.unit == "reads":
        return ReadBudgetExceeded(
            f"Read limit ({spent.limit} files) exceeded{whom}", files_read=spent.used, limit_files=spent.limit
        )
    return ReadBudgetExceeded(
        f"Cumulative read limit ({size(spent.limit)}) exceeded{whom}",
        bytes_read=spent.used,
        limit_bytes=spent.limit,
        files_read=used.get("reads", 0),
    )


def size(count: int) -> str:
    """Bytes as contract 001 writes them: 5MB, 500KB."""
    if count >= MIB and count % MIB == 0:
        return f"{count // MIB}MB"
    return f"{count // KIB}KB" if count >= KIB else f"{count} bytes"
