"""What can go wrong once a call runs, in the tool or in us."""

from toolpost.errors.tree import ToolError


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
