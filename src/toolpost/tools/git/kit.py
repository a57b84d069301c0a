"""The git tools: a repository's state, history and content, and the everyday changes to it.

None of them runs a hook, a filter or any other program a repository names, and none goes to the network.
"""

from toolpost.define import Tool
from toolpost.tools.git.add import add_tool
from toolpost.tools.git.blame import blame_tool
from toolpost.tools.git.branches import branches_tool
from toolpost.tools.git.commit import commit_tool
from toolpost.tools.git.diff import diff_tool
from toolpost.tools.git.grep import grep_tool
from toolpost.tools.git.log import log_tool
from toolpost.tools.git.repository import Repositories
from toolpost.tools.git.restore import restore_tool
from toolpost.tools.git.show import show_tool
from toolpost.tools.git.stash import stash_tool
from toolpost.tools.git.status import status_tool
from toolpost.tools.git.worktree import worktree_tool
from toolpost.workspace.workspace import Workspace

_READ = (status_tool, diff_tool, log_tool, show_tool, blame_tool, grep_tool, branches_tool)
_WRITE = (add_tool, commit_tool, restore_tool, stash_tool, worktree_tool)


def tools(workspace: Workspace) -> tuple[Tool, ...]:
    repositories = Repositories(workspace)
    return tuple(make(repositories) for make in (*_READ, *_WRITE))
