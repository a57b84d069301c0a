"""The tools that run commands, on one ground."""

from toolpost.define import Tool
from toolpost.tools.shell.command_output import output_tool
from toolpost.tools.shell.ground import ShellGround
from toolpost.tools.shell.run_command import run_tool


def tools(ground: ShellGround) -> tuple[Tool, ...]:
    return (run_tool(ground), output_tool(ground))
