"""Any history of changes, undone from its end, passes through every state it came from."""

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from toolpost.errors import ToolError
from toolpost.testing import FakeClock
from toolpost.workspace.history.change import Change, Changes, Request
from toolpost.workspace.history.journal import Act, Entry, Journal
from toolpost.workspace.local.root import LocalRoot

Tree = dict[str, tuple[bytes, int]]

PATHS = st.sampled_from(["a", "b", "x/a", "x/y/b"])
CHANGES = st.one_of(
    st.builds(Change, path=PATHS, data=st.binary(max_size=3), create_dirs=st.just(value=True)),
    st.builds(Change, path=PATHS, act=st.just(Act.DELETE)),
    st.builds(Change, path=PATHS, act=st.just(Act.MOVE), moved_to=PATHS),
)
HISTORIES = st.lists(st.lists(CHANGES, min_size=1, max_size=3), max_size=8)


class World:
    """Two files to begin with, one that can be executed, and a journal."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "work"
        self.folder.mkdir()
        (self.folder / "a").write_bytes(b"a")
        (self.folder / "b").write_bytes(b"b")
        (self.folder / "b").chmod(0o755)
        self.root = LocalRoot(self.folder)
        self.clock = FakeClock()
        self.changes = Changes(Journal(folder / "undo", self.clock))

    def tree(self) -> Tree:
        files = (path for path in self.folder.rglob("*") if path.is_file())
        return {
            str(path.relative_to(self.folder)): (path.read_bytes(), path.stat().st_mode & 0o777)
            for path in files
        }

    def apply(self, changes: list[Change]) -> Entry | None:
        """None when it was refused; then nothing changed."""
        self.clock.advance(1)
        before = self.tree()
        try:
            return self.changes.apply(Request(self.clock.request_id()), self.root, changes)
        except ToolError:
            assert self.tree() == before
            return None

    def undo(self, entry: Entry) -> Entry | None:
        self.clock.advance(1)
        return self.changes.undo(Request(self.clock.request_id()), entry, self.root)


@given(HISTORIES)
def test_a_history_can_be_undone_to_its_beginning_and_done_again(history: list[list[Change]]) -> None:
    with TemporaryDirectory() as folder:
        world = World(Path(folder))
        done: list[tuple[Tree, Entry]] = []
        for changes in history:
            before = world.tree()
            entry = world.apply(changes)
            if entry:
                done.append((before, entry))
        end = world.tree()

        undos: list[Entry] = []
        for before, entry in reversed(done):
            undone = world.undo(entry)
            assert world.tree() == before
            undos += [undone] if undone else []
        for undone in reversed(undos):
            world.undo(undone)
        assert world.tree() == end
        world.root.close()


@given(HISTORIES, st.data())
def test_undone_in_any_order_each_is_put_back_whole_or_refused_whole(
    history: list[list[Change]], data: st.DataObject
) -> None:
    with TemporaryDirectory() as folder:
        world = World(Path(folder))
        entries = [entry for entry in map(world.apply, history) if entry]
        for entry in data.draw(st.permutations(entries)):
            before = world.tree()
            try:
                undone = world.undo(entry)
            except ToolError:
                assert world.tree() == before
            else:
                touched = {path for step in entry.steps for path in (step.path, step.moved_to)}
                others = {path: kept for path, kept in before.items() if path not in touched}
                assert others.items() <= world.tree().items()
                assert undone or world.tree() == before
        world.root.close()
