"""The git tools over some roots, called as the pipeline calls them."""

from pathlib import Path
from typing import Any

import msgspec

from toolpost.compiled import compile_schema
from toolpost.content import Text
from toolpost.define import Output, Tool
from toolpost.tools.git.kit import tools
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.root import Root
from toolpost.workspace.workspace import Workspace


class Desk:
    def __init__(self, folder: Path | None = None, **roots: Root) -> None:
        """One local folder, or roots by name."""
        self.workspace = Workspace({"root": LocalRoot(folder)} if folder else roots)
        self.tools: dict[str, Tool] = {tool.name: tool for tool in tools(self.workspace)}

    def call(self, tool_name: str, **args: Any) -> Output:
        """What a tool answers; its data must keep the schema the tool published."""
        tool = self.tools[f"git.{tool_name}"]
        assert tool.run is not None
        assert tool.args_type is not None
        answer = tool.run(msgspec.convert(args, tool.args_type))
        assert isinstance(answer, Output)
        assert tool.output_schema is not None
        validator = compile_schema(tool.output_schema, tool.name).validator
        assert list(validator.iter_errors(msgspec.to_builtins(answer.data))) == []
        return answer

    def data(self, tool_name: str, **args: Any) -> Any:
        """The structured part, in JSON's own types."""
        return msgspec.to_builtins(self.call(tool_name, **args).data)

    def text(self, tool_name: str, **args: Any) -> str:
        (part,) = self.call(tool_name, **args).content
        assert isinstance(part, Text)
        return part.text

    def close(self) -> None:
        self.workspace.close()
