"""A failure as data: what a result, a record and a dialect hold of an error."""

from typing import Any

from msgspec import UNSET, Struct, UnsetType

HTTP_STATUS = {  # C12
    "validation-error": 400,
    "invalid-date": 400,
    "invalid-route": 400,
    "authentication": 401,
    "authorization": 403,
    "policy-violation": 403,
    "sandbox-unavailable": 503,
    "not-found": 404,
    "business-rule": 409,
    "budget-exceeded": 429,
    "tool-failed": 500,
    "not-configured": 503,
    "timeout": 504,
}


class Problem(Struct, frozen=True, kw_only=True, gc=False):
    """A failure as plain data: comparable, serializable, holding no exception."""

    code: str
    slug: str = "tool-failed"
    """The last word of the error type's URI (contract 003)."""
    title: str = ""
    detail: str = ""
    sentence: str = ""
    """The sentence of the message catalogue that `detail` was made from, when it was."""
    parameter: str | None = None
    """Our name of the parameter, a path: `query.type`, `items[2].status`."""
    suggested: Any | UnsetType = UNSET
    """A value that would pass. None is a value too; UNSET means there is none to offer."""
    context: dict[str, Any] = {}
    retryable: bool = False
    """Whether sending it again, corrected or as it is, can help."""
    instance: str = ""

    @property
    def http_status(self) -> int:
        return HTTP_STATUS.get(self.slug, 500)
