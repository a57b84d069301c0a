from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.index.fresh.trees import Tree


@pytest.fixture
def tree(tmp_path: Path) -> Iterator[Tree]:
    """Two files of code, one of text, and an ignored folder; indexed."""
    made = Tree(tmp_path)
    made.write(
        {
            ".gitignore": "out/\n*.log\n",
            "src/one.ts": "export const one = 1\n",
            "src/deep/two.ts": "export const two = 2\n",
            "src/index.ts": "export * from './deep/two'\nexport { Later } from './later'\n",
            "index.ts": "export * from './src'\n",
            "readme.md": "# Read me\n",
            "out/made.ts": "export const made = 0\n",
        }
    )
    made.build()
    yield made
    made.close()
