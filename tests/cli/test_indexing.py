from errno import ENOSPC
from pathlib import Path

import pytest
from tests.cli.desk import Run

from toolpost.cli import indexing, settings
from toolpost.cli.exits import Exit
from toolpost.cli.trouble import Trouble
from toolpost.errors import FileNotFound, InvalidArgument
from toolpost.index.disk.damage import Damaged
from toolpost.index.disk.generations import Busy


@pytest.fixture(autouse=True)
def cache(work: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(work.parent / "cache"))
    return work.parent / "cache"


def test_indexes_lie_in_the_cache_unless_the_settings_name_a_folder(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert indexing.shelf(settings.settled()).cache == cache / "toolpost" / "index"

    monkeypatch.setenv("TOOLPOST_INDEX_FOLDER", "/srv/indexes")
    assert indexing.shelf(settings.settled()).cache == Path("/srv/indexes")


@pytest.mark.parametrize(
    ("error", "message", "step", "code"),
    [
        (FileNotFound("There is no x."), "There is no x.", FileNotFound().fix, Exit.NOT_FOUND),
        (
            InvalidArgument("index.tags.a.paths: x", parameter="index.tags.a.paths"),
            "index.tags.a.paths: x",
            "toolpost config set index.tags.a.paths VALUE, or: toolpost config unset index.tags.a.paths",
            Exit.USAGE,
        ),
        (
            InvalidArgument("index.tags: x", parameter="index.tags"),
            "index.tags: x",
            "Change it in the file that `toolpost config where` names.",
            Exit.USAGE,
        ),
        (Busy("Somebody writes."), "Somebody writes.", "Wait for it to end, then try again.", Exit.FAILED),
        (Damaged("It is broken."), "It is broken.", "toolpost index build --full", Exit.FAILED),
        (
            OSError(ENOSPC, "No space left on device"),
            "The index cannot be kept: No space left on device.",
            "Free some space, or: toolpost config set index.folder FOLDER",
            Exit.FAILED,
        ),
    ],
)
def test_whatever_stops_a_question_is_a_trouble_with_its_next_step(
    error: Exception, message: str, step: str, code: Exit
) -> None:
    with pytest.raises(Trouble) as raised, indexing.telling():
        raise error

    assert (raised.value.message, raised.value.next_step, raised.value.code) == (message, step, code)


def test_a_pipe_sees_no_progress() -> None:
    with indexing.progress() as tell:
        assert tell is None


def test_every_root_is_made_ready_once(run: Run, work: Path) -> None:
    (work / "a.py").write_text("x = 1\n")
    with indexing.grounds() as (workspace, indexes):
        indexing.ready(workspace, indexes)
        indexing.ready(workspace, indexes)
        state = indexes.state(indexing.one_root(workspace))

    assert (state.files, state.root) == (1, str(work))
    assert run("index", "build").json[0]["generation"] == 2


def test_an_index_is_removed_by_the_name_of_its_folder(run: Run, work: Path) -> None:
    run("index", "build")
    shelf = indexing.shelf(settings.settled())
    (listed,) = shelf.all()

    assert indexing.remove(shelf, listed.name) == listed.size_bytes
    with pytest.raises(Trouble, match="There is no index of"):
        indexing.remove(shelf, listed.name)
