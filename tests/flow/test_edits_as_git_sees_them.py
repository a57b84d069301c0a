"""What an edit says it changed is what git sees: our diff is git's, and git can take it back and make it again."""

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.workspace.repository import git, make

from toolpost import Bench, Workspace
from toolpost.authorize.profiles import PROFILES
from toolpost.tools.standard import standard
from toolpost.workspace.local.root import LocalRoot

LINES = [f"def step_{number}(value: int) -> int:  # {number}\n" for number in range(60)]
ENDINGS = {"lf.py": "\n", "crlf.py": "\r\n", "no-final-newline.py": "\n", "caf\u00e9 \u2028.py": "\n"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = make(tmp_path / "repository", {"README.md": "# Read me\n"})
    for name, ending in ENDINGS.items():
        text = "".join(LINES).replace("\n", ending)
        (made / name).write_bytes((text.rstrip() if name.startswith("no-") else text).encode())
    git(made, "config", "core.autocrlf", "false")
    git(made, "config", "core.quotePath", "false")
    git(made, "add", "-A")
    git(made, "commit", "-q", "-m", "files")
    return made


@pytest.fixture
def bench(folder: Path, tmp_path: Path) -> Iterator[Bench]:
    workspace = Workspace({"": LocalRoot(folder)})
    made = Bench(standard(workspace, state=tmp_path / "state"), profile=PROFILES["open"])
    made.own(workspace)
    yield made
    made.close()


def edits(chance: random.Random) -> list[dict[str, object]]:
    chosen = chance.sample(range(60), 4)
    replaced, deleted, inserted, joined = (f"step_{number}(value: int)" for number in chosen)
    return [
        {"old_text": replaced, "new_text": f"renamed_{chosen[0]}(value: float)"},
        {"type": "delete", "old_text": f"def {deleted} -> int:  # {chosen[1]}"},
        {"type": "insert", "after": f"def {inserted} -> int:  # {chosen[2]}", "new_text": "    return value"},
        {"old_text": joined, "new_text": joined.upper()},
    ]


def changed(diff: str) -> list[str]:
    """The lines that say what changed, without the function git names after a hunk's place."""
    told = [re.sub("^(@@ .* @@).*", r"\1", line) for line in diff.strip().split("\n")]
    return [line for line in told if line[:1] in {"+", "-", "@", " ", "\\"}]


@pytest.mark.parametrize("name", ENDINGS)
@pytest.mark.parametrize("seed", range(5))
async def test_the_diff_of_an_edit_is_gits_own_and_applies(
    bench: Bench, folder: Path, name: str, seed: int
) -> None:
    before = (folder / name).read_bytes()
    result = await bench.call("fs.edit", path=name, edits=edits(random.Random(seed)))
    assert result.ok, result.problems
    after, diff = (folder / name).read_bytes(), result.data["diff"]

    assert changed(diff) == changed(git(folder, "diff", "--no-color", "--", name))

    git(folder, "apply", "--reverse", data=diff.encode())
    assert (folder / name).read_bytes() == before
    git(folder, "apply", data=diff.encode())
    assert (folder / name).read_bytes() == after
