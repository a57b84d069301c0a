"""One repository as its user has it in process: a workspace with a live index, searched and asked."""

import asyncio
from pathlib import Path

from bench.index_queries import Asked

from toolpost import codec
from toolpost.authorize.profiles import PROFILES
from toolpost.bench import Bench
from toolpost.dialects import load
from toolpost.index.disk.shelf import Shelf
from toolpost.index.finder import SCANNED, find
from toolpost.index.fresh.live import Live
from toolpost.index.indexes import Indexes
from toolpost.limits import SEARCH_PER_FILE
from toolpost.tools.standard import standard
from toolpost.workspace.local.root import LocalRoot
from toolpost.workspace.walking.patterns import Pattern
from toolpost.workspace.walking.scope import Scope
from toolpost.workspace.walking.within import Answer, Mode, Question
from toolpost.workspace.workspace import Workspace

LIMIT = 50
ALL = 1_000_000_000
LARGE_FILES = 30_000
"""With so many files of text it is a large one, as material-ui is."""


class Repo:
    """Its index was built before."""

    def __init__(self, name: str, folder: Path, cache: Path) -> None:
        self.name, self.folder, self.cache = name, folder, cache
        self.root = LocalRoot(folder)
        self.workspace = Workspace({"": self.root})
        self.indexes = Indexes(Shelf(cache))
        live = self.indexes.known(self.root)
        assert live is not None, f"there is no index of {folder} that can be used"
        self.live: Live = live
        base = live.snapshot().base
        self.files = base.count
        self.text_files = base.count - sum(len(ids) for ids in base.passed.values())
        self.text_bytes = base.starts[base.count]

    @property
    def is_large(self) -> bool:
        return self.text_files >= LARGE_FILES

    def search(self, asked: Asked, limit: int = LIMIT, mode: Mode = Mode.CONTENT) -> Answer:
        """Everything a caller in the same process has done for it."""
        pattern = Pattern(asked.text, regex=asked.regex)
        per_file = None if limit >= ALL else SEARCH_PER_FILE  # rg has no such cap
        question = Question(pattern=pattern, mode=mode, per_file=per_file)
        found = find(Scope(self.workspace, ""), question, indexes=self.indexes, limit=limit)
        assert found.freshness != SCANNED, "the index was not used"
        return found.answer

    def passed(self) -> set[bytes]:
        """Files that no search looks into: binary, secret, too large, not readable."""
        base = self.live.snapshot().base
        return {base.path(number) for ids in base.passed.values() for number in ids}

    def index_bytes(self) -> int:
        folder = self.indexes.folder(self.root).path
        return sum(file.stat().st_size for file in folder.iterdir())

    def close(self) -> None:
        self.indexes.close()
        self.workspace.close()


class Tool:
    """code.search through the whole pipeline, bytes in and bytes out."""

    def __init__(self, repo: Repo, state: Path) -> None:
        tools = standard(repo.workspace, state=state, indexes=repo.indexes)
        self._bench = Bench(tools, profile=PROFILES["open"])
        self._dialect = load("mcp")(self._bench.tools)
        word = self._dialect.vocabulary.of_tool("code.search")
        assert word is not None
        self._says = word.says
        self._loop = asyncio.new_event_loop()

    def search(self, asked: Asked) -> None:
        self._loop.run_until_complete(self._search(asked))

    async def _search(self, asked: Asked) -> None:
        wanted = {"query": asked.text, "regex": asked.regex, "limit": LIMIT}
        message = codec.encode(self._dialect.ask(self._says, wanted))
        result = await self._bench.call(self._dialect.parse(message))
        assert result.ok, result.problems
        codec.encode(self._dialect.render(result))

    def close(self) -> None:
        self._loop.close()
