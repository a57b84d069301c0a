"""What the process ends with. One table; `--help` prints it."""

from enum import IntEnum


class Exit(IntEnum):
    OK = 0
    FAILED = 1
    USAGE = 2
    DENIED = 3
    NOT_FOUND = 4
    BUDGET = 5
    TIMEOUT = 6
    INTERRUPTED = 130
    PIPE_CLOSED = 141


MEANING = {
    Exit.OK: "it went well",
    Exit.FAILED: "the tool failed, or a check found a fault",
    Exit.USAGE: "wrong usage or invalid arguments",
    Exit.DENIED: "denied: permission, credentials or a policy",
    Exit.NOT_FOUND: "what was named does not exist",
    Exit.BUDGET: "a budget is spent",
    Exit.TIMEOUT: "it took longer than allowed",
    Exit.INTERRUPTED: "interrupted",
    Exit.PIPE_CLOSED: "whoever read the output stopped reading",
}
TABLE = "\b\nExit codes:\n" + "\n".join(f"  {code:<4d} {meaning}" for code, meaning in MEANING.items())

_BY_SLUG = {
    "validation-error": Exit.USAGE,
    "invalid-date": Exit.USAGE,
    "invalid-route": Exit.USAGE,
    "authentication": Exit.DENIED,
    "authorization": Exit.DENIED,
    "policy-violation": Exit.DENIED,
    "not-found": Exit.NOT_FOUND,
    "budget-exceeded": Exit.BUDGET,
    "timeout": Exit.TIMEOUT,
}


def of_error(code: str, slug: str) -> Exit:
    """By the family of the error; only a cancelled call, a timeout by family, is an interruption."""
    return Exit.INTERRUPTED if code == "CANCELLED" else _BY_SLUG.get(slug, Exit.FAILED)
