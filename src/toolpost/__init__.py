"""toolpost: one well-kept tool layer for AI agents.

Names are loaded when they are first used, so that `import toolpost` costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from toolpost.version import __version__ as __version__

if TYPE_CHECKING:
    from toolpost.authorize.profiles import Profile as Profile
    from toolpost.authorize.rule import Rule as Rule
    from toolpost.bench import Bench as Bench
    from toolpost.call import Call as Call
    from toolpost.call import Caller as Caller
    from toolpost.content import Data as Data
    from toolpost.content import Diff as Diff
    from toolpost.content import Image as Image
    from toolpost.content import Ref as Ref
    from toolpost.content import Text as Text
    from toolpost.define import Effect as Effect
    from toolpost.define import Tool as Tool
    from toolpost.define import tool as tool
    from toolpost.errors import BudgetExceeded as BudgetExceeded
    from toolpost.errors import Denied as Denied
    from toolpost.errors import InvalidArgument as InvalidArgument
    from toolpost.errors import NotFound as NotFound
    from toolpost.errors import ToolError as ToolError
    from toolpost.limits import Limits as Limits
    from toolpost.problem import Problem as Problem
    from toolpost.result import Decision as Decision
    from toolpost.result import Provenance as Provenance
    from toolpost.result import Result as Result
    from toolpost.workspace.workspace import Workspace as Workspace

_HOME = {
    "Bench": "bench",
    "BudgetExceeded": "errors",
    "Call": "call",
    "Caller": "call",
    "Data": "content",
    "Decision": "result",
    "Denied": "errors",
    "Diff": "content",
    "Effect": "define",
    "Image": "content",
    "InvalidArgument": "errors",
    "Limits": "limits",
    "NotFound": "errors",
    "Problem": "problem",
    "Profile": "authorize.profiles",
    "Provenance": "result",
    "Ref": "content",
    "Result": "result",
    "Rule": "authorize.rule",
    "Text": "content",
    "Tool": "define",
    "ToolError": "errors",
    "Workspace": "workspace.workspace",
    "tool": "define",
}

__all__ = tuple(sorted(_HOME))


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        message = f"module 'toolpost' has no attribute {name!r}"
        raise AttributeError(message)
    value = getattr(import_module(f"toolpost.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
