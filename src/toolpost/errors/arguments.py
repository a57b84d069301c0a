"""What can be wrong with the arguments of a call."""

from toolpost.errors.tree import ToolError


class InvalidArgument(ToolError):
    """An argument breaks the tool's input schema."""

    code = "INVALID_ARGUMENT"
    slug = "validation-error"
    title = "Validation Error"
    retryable = True
    fix = "Change the named parameter; the suggested value, where there is one, passes."


class MalformedMessage(InvalidArgument):
    """The message is not JSON, or not a message of this contract."""

    code = "MALFORMED_MESSAGE"
    title = "Malformed Message"
    fix = "Send one JSON value of the contract's own shape; `toolpost tools --as DIALECT` shows the tools."


class UnknownParameter(InvalidArgument):
    """A parameter the tool does not have, or two spellings of one parameter at once."""

    code = "UNKNOWN_PARAMETER"
    title = "Unknown Parameter"
    fix = "Use the suggested name, or leave the parameter out."


class MissingParameter(InvalidArgument):
    """A parameter the tool needs was not given."""

    code = "MISSING_PARAMETER"
    title = "Missing Parameter"
    fix = "Add the parameter; the suggested value shows its form."


class MissingValue(InvalidArgument):
    """This type of index query needs a value (contract 001)."""

    code = "MISSING_VALUE"
    title = "Missing Value"
    fix = "Add `value` to the query, or use the type `listAll`, which needs none."


class InvalidQueryType(InvalidArgument):
    """The index knows no such query (contract 001)."""

    code = "INVALID_QUERY_TYPE"
    title = "Invalid Query Type"
    fix = "Use exports, tag, pathPrefix or listAll."


class LimitExceeded(InvalidArgument):
    """More was asked for than the tool gives in one answer (contract 001)."""

    code = "LIMIT_EXCEEDED"
    title = "Limit Exceeded"
    fix = "Ask for the suggested amount, and go on from where the answer ends."


class InvalidDate(InvalidArgument):
    """A date that is well written but cannot be, such as one in the past (contract 003)."""

    code = "INVALID_DATE"
    slug = "invalid-date"
    title = "Invalid Date"
    fix = "Send the suggested date, or a later one."


class InvalidRoute(InvalidArgument):
    """Origin and destination do not make a route (contract 003)."""

    code = "INVALID_ROUTE"
    slug = "invalid-route"
    title = "Invalid Route"
    fix = "Choose a destination that is not the origin."
