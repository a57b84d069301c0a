"""A workspace to change files in, as tools see it: a folder, a journal beside it, and calls of one session."""

from pathlib import Path
from typing import Any

from toolpost import Bench
from toolpost.authorize.profiles import PROFILES
from toolpost.call import Call, Caller
from toolpost.define import Tool
from toolpost.problem import Problem
from toolpost.result import Result
from toolpost.testing import FakeClock
from toolpost.tools import edits
from toolpost.workspace.history.change import Changes
from toolpost.workspace.history.journal import Journal
from toolpost.workspace.history.seen import Seen
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.reading.text import digest
from toolpost.workspace.root import Root
from toolpost.workspace.workspace import Workspace


class Hands:
    """Calls go through a bench, as those of a user would, each under an id of its own."""

    def __init__(self, folder: Path, roots: dict[str, Root] | None = None) -> None:
        self.folder = folder / "work"
        self.folder.mkdir()
        self.clock = FakeClock()
        self.seen = Seen()
        self.workspace = Workspace(roots or {"work": LocalRoot(self.folder)})
        self.changes = Changes(Journal(folder / "undo", self.clock))
        self.tools = {tool.name: tool for tool in edits.tools(self.workspace, self.changes, self.seen)}
        self._bench = Bench(list(self.tools.values()), profile=PROFILES["open"], clock=self.clock)

    async def __call__(self, name: str, /, *, session: str = "ana", **args: Any) -> Result:
        self.clock.advance(1)
        call = Call(tool=name, args=eased(self.tools[name], args), caller=Caller(session=session))
        return await self._bench.call(call)

    async def data(self, name: str, /, **args: Any) -> Any:
        result = await self(name, **args)
        assert result.ok, result.problems
        return result.data

    async def problem(self, name: str, /, **args: Any) -> Problem:
        problem = (await self(name, **args)).problem
        assert problem is not None
        return problem

    def put(self, path: str, data: bytes | str, *, mode: int = 0o644) -> Path:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data if isinstance(data, bytes) else data.encode())
        file.chmod(mode)
        return file

    def read(self, path: str, *, session: str = "ana", data: bytes | None = None) -> str:
        """As if the session had read the file, or had read this in its place."""
        (root,) = self.workspace.roots.values()
        known = digest((self.folder / path).read_bytes() if data is None else data)
        self.seen.saw(session, root.key, path, known)
        return known

    @property
    def tree(self) -> dict[str, bytes]:
        files = sorted(path for path in self.folder.rglob("*") if path.is_file())
        return {str(path.relative_to(self.folder)): path.read_bytes() for path in files}

    @property
    def ids(self) -> list[str]:
        return [entry.request_id for entry in self.changes.journal.entries()]


def eased(tool: Tool, args: dict[str, Any]) -> dict[str, Any]:
    """As a dialect hands them on."""
    known = {tool.aliases.get(name, name): value for name, value in args.items()}
    return tool.ease(known) if tool.ease else known
