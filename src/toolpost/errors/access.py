"""What stands between a caller and what it wants: permission, rules, budgets, what is not there."""

from toolpost.errors.tree import ToolError


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


class SandboxUnavailable(ToolError):
    """The sandbox a command must run in is not to be had on this machine; it was not run without one."""

    code = "SANDBOX_UNAVAILABLE"
    slug = "sandbox-unavailable"
    title = "Sandbox Unavailable"
    fix = "Have the owner do what the detail says, then send the call again: toolpost doctor shows the state."


class PolicyViolation(Denied):
    """A policy asks for something first, such as a justification."""

    code = "POLICY_VIOLATION"
    slug = "policy-violation"
    title = "Policy Violation"
    retryable = True
    fix = "Do what the detail asks for first, then send the call again."


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
