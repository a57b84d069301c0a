"""Every way a call can fail, as a tree. A tool raises; a dialect decides how it looks.

ToolError                     what went wrong, in a form the caller can act on
├── Several                   more than one of the others at once
├── InvalidArgument           the arguments: correct them and send again
│   ├── MalformedMessage      the message itself could not be read
│   ├── UnknownParameter      a name the tool does not have
│   ├── MissingParameter      a name the tool must have
│   ├── MissingValue          contract 001: a query without its value
│   ├── InvalidQueryType      contract 001: a query of no known type
│   ├── LimitExceeded         contract 001: more asked for than the tool gives
│   ├── InvalidPath           outside the root, absolute, or no path at all
│   ├── InvalidDirectory      the same, for a directory
│   ├── FileTooLarge          larger than can be answered
│   ├── InvalidDate           a date that cannot be, such as one in the past
│   └── InvalidRoute          an origin that is its own destination
├── BusinessRule              well-formed, but the world says no
├── Unauthenticated           credentials missing or not enough
├── Denied                    not permitted
│   ├── NeedsApproval         nobody was there to ask
│   └── PolicyViolation       a policy asks for something first
├── NotFound                  what was named is not there
│   ├── ToolNotFound
│   ├── FileNotFound
│   └── DirectoryNotFound
├── BudgetExceeded            a budget is spent
│   ├── ReadBudgetExceeded
│   └── ListBudgetExceeded
├── TimedOut                  took longer than allowed
├── Cancelled                 stopped by whoever asked
├── NotConfigured             a setting is missing
├── NoConnection              no repository is connected
├── ToolFailed                the tool broke
│   ├── InvalidOutput         the tool answered what its own schema forbids
│   └── RecordFailed          the call ran, but could not be recorded
├── Broken                    toolpost itself broke
└── BadTool                   a definition that cannot be registered
"""

from collections.abc import Iterator
from typing import Any, ClassVar

from msgspec import UNSET, UnsetType

from toolpost.problem import Problem


class ToolError(Exception):
    """Something went wrong with a call. Raise a subclass, or your own subclass of one."""

    code: ClassVar[str] = "TOOL_ERROR"
    slug: ClassVar[str] = "tool-failed"
    title: ClassVar[str] = "Tool Error"
    retryable: ClassVar[bool] = False
    fix: ClassVar[str] = "Read the detail; it names what to change."

    def __init__(
        self,
        detail: str = "",
        *,
        parameter: str | None = None,
        suggested: Any | UnsetType = UNSET,
        sentence: str = "",
        **context: Any,
    ) -> None:
        super().__init__(detail or self.title)
        self.detail = detail or self.title
        self.parameter = parameter
        self.suggested = suggested
        self.sentence = sentence
        self.context = context

    def problem(self) -> Problem:
        return Problem(
            code=self.code,
            slug=self.slug,
            title=self.title,
            detail=self.detail,
            sentence=self.sentence,
            parameter=self.parameter,
            suggested=self.suggested,
            context=self.context,
            retryable=self.retryable,
        )

    def problems(self) -> tuple[Problem, ...]:
        return (self.problem(),)


class Several(ToolError):
    """More than one thing is wrong; all of it is said at once."""

    def __init__(self, problems: tuple[Problem, ...], repaired: dict[str, Any] | None = None) -> None:
        super().__init__(problems[0].detail)
        self._problems = problems
        self.repaired = repaired

    def problems(self) -> tuple[Problem, ...]:
        return self._problems


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


class InvalidPath(InvalidArgument):
    """The path leaves its root, is absolute where that is not allowed, or is no path."""

    code = "INVALID_PATH"
    title = "Invalid Path"
    fix = "Give a path relative to the workspace root, without `..` segments."


class InvalidDirectory(InvalidPath):
    """The same as INVALID_PATH, for a directory (contract 001)."""

    code = "INVALID_DIRECTORY"
    title = "Invalid Directory"


class FileTooLarge(InvalidArgument):
    """The file is larger than the tool may answer."""

    code = "FILE_TOO_LARGE"
    title = "File Too Large"
    fix = "Read a range of it."


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


class BusinessRule(ToolError):
    """The arguments are well formed, but a rule of the domain refuses them (contract 003)."""

    code = "BUSINESS_RULE"
    slug = "business-rule"
    title = "Business Rule"
    retryable = True
    fix = "Choose one of the alternatives in the context."


class Unauthenticated(ToolError):
    """Credentials are missing, or do not carry the scope the tool needs (contract 003)."""

    code = "AUTHENTICATION_REQUIRED"
    slug = "authentication"
    title = "Authentication Required"
    fix = "Connect with credentials that carry the required scope."


class Denied(ToolError):
    """A rule or a person said no."""

    code = "DENIED"
    slug = "authorization"
    title = "Permission Denied"
    fix = "Do it another way; sending the same call again gets the same answer."


class NeedsApproval(Denied):
    """The call needs a person's approval, and nobody could be asked."""

    code = "NEEDS_APPROVAL"
    title = "Approval Needed"
    fix = "Have the user allow it, in the terminal or in the permission profile."


class PolicyViolation(Denied):
    """A policy asks for something first, such as a justification."""

    code = "POLICY_VIOLATION"
    slug = "policy-violation"
    title = "Policy Violation"
    retryable = True
    fix = "Do what the detail asks for first, then send the call again."


class NotFound(ToolError):
    """What the call names does not exist."""

    code = "NOT_FOUND"
    slug = "not-found"
    title = "Not Found"
    retryable = True
    fix = "Check the name; the suggestion is the nearest that exists."


class ToolNotFound(NotFound):
    """No tool has that name on this connection."""

    code = "TOOL_NOT_FOUND"
    title = "Tool Not Found"
    fix = "Use a name that `toolpost tools` lists for this dialect."


class FileNotFound(NotFound):
    """No file has that path."""

    code = "FILE_NOT_FOUND"
    title = "File Not Found"


class DirectoryNotFound(NotFound):
    """No directory has that path."""

    code = "DIRECTORY_NOT_FOUND"
    title = "Directory Not Found"


class BudgetExceeded(ToolError):
    """A budget is spent: calls, turns, tokens, seconds or another unit."""

    code = "BUDGET_EXCEEDED"
    slug = "budget-exceeded"
    title = "Budget Exceeded"
    fix = "Conclude with what you have; only the owner of the run can raise a budget."


class ReadBudgetExceeded(BudgetExceeded):
    """This component has read as much as it may (contract 001)."""

    code = "READ_BUDGET_EXCEEDED"
    title = "Read Budget Exceeded"
    fix = "Work with what was read, or query the index, which costs no reads."


class ListBudgetExceeded(BudgetExceeded):
    """This component has listed as many directories as it may (contract 001)."""

    code = "LIST_BUDGET_EXCEEDED"
    title = "List Budget Exceeded"
    fix = "Query the index instead; it costs no list operations."


class TimedOut(ToolError):
    """The tool took longer than it was given."""

    code = "TIMEOUT"
    slug = "timeout"
    title = "Timed Out"
    retryable = True
    fix = "Ask for less at once, or give the call more time within the limit."


class Cancelled(ToolError):
    """Whoever made the call stopped it."""

    code = "CANCELLED"
    slug = "timeout"
    title = "Cancelled"
    retryable = True
    fix = "Nothing to mend: the caller stopped it."


class NotConfigured(ToolError):
    """The tool needs a setting that is not there."""

    code = "NOT_CONFIGURED"
    slug = "not-configured"
    title = "Not Configured"
    fix = "Set what the detail names: `toolpost config set NAME VALUE`."


class NoConnection(NotConfigured):
    """The workspace is a GitHub repository and none is connected (contract 000)."""

    code = "NO_CONNECTION"
    title = "No Connection"
    fix = "Connect a repository, or open a local folder."


class ToolFailed(ToolError):
    """The tool itself broke; nothing in the call explains it."""

    code = "TOOL_FAILED"
    title = "Tool Failed"
    fix = "Try another way, and tell the tool's author: the detail holds what broke."


class InvalidOutput(ToolFailed):
    """The tool's answer breaks its own output schema."""

    code = "INVALID_OUTPUT"
    title = "Invalid Output"
    fix = "Nothing the caller can change: the tool's author must mend the tool or its output schema."


class RecordFailed(ToolFailed):
    """The call ran but its record could not be written, so it is not acknowledged."""

    code = "RECORD_FAILED"
    title = "Record Failed"
    fix = "Check the effect before repeating the call, and the disk the records go to."


class Broken(ToolError):
    """A part of toolpost itself broke: an asker, a store, or a bug of ours."""

    code = "INTERNAL_ERROR"
    title = "Internal Error"
    fix = "Try once more; if it stays, report it with the request id: the log holds the traceback."


class BadTool(ToolError):
    """A tool definition that cannot be registered."""

    code = "BAD_TOOL"
    title = "Bad Tool Definition"
    fix = "Run `toolpost lint` on the file; it names each fault."


def every_error() -> Iterator[type[ToolError]]:
    """The tree, parents first; what a plugin adds is in it too."""
    waiting: list[type[ToolError]] = [ToolError]
    while waiting:
        error = waiting.pop(0)
        yield error
        waiting.extend(error.__subclasses__())


def named(code: str) -> type[ToolError]:
    """The error class of a code; ToolError itself when no class has it."""
    return next((error for error in every_error() if error.code == code), ToolError)
