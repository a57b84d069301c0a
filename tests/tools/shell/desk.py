"""A folder to run commands in, as the tools see it, and calls of one session."""

from pathlib import Path
from typing import Any

import msgspec
from tests.sandbox.bare import Bare

from toolpost.call import Call, Caller, Words
from toolpost.define import Output, Tool
from toolpost.normalize.shape import Shaper
from toolpost.sandbox.background import Commands
from toolpost.sandbox.run import Starts
from toolpost.store.blobs import Blobs
from toolpost.tools.shell.ground import ShellGround
from toolpost.tools.shell.kit import tools
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.root import Root
from toolpost.workspace.workspace import Workspace


class Desk:
    def __init__(
        self,
        folder: Path,
        *,
        sandbox: Starts | None = None,
        roots: dict[str, Root] | None = None,
        commands: Commands | None = None,
        **ground: Any,
    ) -> None:
        self.folder = folder / "work"
        self.folder.mkdir()
        self.blobs = Blobs(folder / "blobs")
        self.ground = ShellGround(
            workspace=Workspace(roots or {"work": LocalRoot(self.folder)}),
            sandbox=sandbox or Bare(),
            blobs=self.blobs,
            commands=commands or Commands(),
            **ground,
        )
        self.tools = {tool.name: tool for tool in tools(self.ground)}
        self._shaper = Shaper()
        for tool in self.tools.values():
            self._shaper.prepare(tool)

    async def __call__(
        self, name: str, /, *, session: str = "ana", words: Words | None = None, **args: Any
    ) -> Output:
        """The answer, held to the tool's own schema."""
        tool = self.tools[name]
        call = Call(tool=name, args=args, caller=Caller(session=session), words=words or Words())
        return self._shaper.shape(tool, await _run(tool, args, call))

    async def run(self, command: str | None = None, /, **args: Any) -> Any:
        given = args if command is None else {"command": command, **args}
        return data(await self("os.exec", **given))

    async def poll(self, name: str, /, **args: Any) -> Any:
        return data(await self("os.exec.poll", id=name, **args))

    def close(self) -> None:
        self.ground.commands.close()
        self.ground.workspace.close()


async def _run(tool: Tool, args: dict[str, Any], call: Call) -> Any:
    known = {tool.aliases.get(name, name): value for name, value in args.items()}
    eased = tool.ease(known) if tool.ease else known
    assert tool.args_type is not None
    assert tool.run is not None
    return await tool.run(msgspec.convert(eased, tool.args_type), call=call)


def data(output: Output) -> Any:
    (found,) = [part.value for part in output.content if hasattr(part, "value")]
    return found


def text(output: Output) -> str:
    return "\n".join(part.text for part in output.content if hasattr(part, "text"))
