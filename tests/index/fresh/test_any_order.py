"""Whatever happens to a tree, in whatever order: after it, a live tree says what a fresh build would say."""

import os
import shutil
import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from tests.index.fresh.trees import Facts, Tree, told

from toolpost.index.snapshot import Snapshot

FOLDERS = st.sampled_from(["", "a", "a/b", "a/b/c", "d", "a-b", "out"])
NAMES = st.sampled_from(["x.ts", "y.ts", "index.ts", "n.log", ".gitignore", ".ignore", "z", "c"])
TEXTS = st.sampled_from(
    [
        *("", "export const a = 1", "export const b = 2", "export * from './x'", "export * from './b'"),
        *("*.ts\n", "b/\n", "!*.ts\n", "out/\n", "\0\0", "z", "export { a as q } from '../y'"),
    ]
)

Truth = tuple[str, dict[str, Facts]]


class AnyOrder(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self._held = tempfile.TemporaryDirectory()
        self.tree = Tree(Path(self._held.name))
        self.aside = Path(self._held.name) / "aside"
        self.aside.mkdir()
        self.looked: list[tuple[Snapshot, Truth]] = []

    @initialize()
    def begin(self) -> None:
        self.tree.write(
            {"a/x.ts": "export const a = 1", "a/b/index.ts": "export * from '../x'", "d/y.ts": "1"}
        )
        self.tree.build()
        self.watched = self.tree.live()
        self.checked = self.tree.live(watch=None, check_s=0)

    def _at(self, folder: str, name: str = "") -> Path:
        return self.tree.folder / folder / name

    @rule(folder=FOLDERS, name=NAMES, text=TEXTS)
    def write(self, folder: str, name: str, text: str) -> None:
        path = self._at(folder, name)
        if _clear(path.parent) and not path.is_dir():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.unlink(missing_ok=True) if path.is_symlink() else None
            path.write_text(text)

    @rule(folder=FOLDERS, name=NAMES, text=TEXTS)
    def write_beside_and_rename(self, folder: str, name: str, text: str) -> None:
        path = self._at(folder, name)
        if path.parent.is_dir() and not path.is_dir():
            (self.aside / "new").write_text(text)
            (self.aside / "new").rename(path)

    @rule(folder=FOLDERS, name=NAMES)
    def delete(self, folder: str, name: str) -> None:
        path = self._at(folder, name)
        if path.is_symlink() or path.is_file():
            path.unlink()

    @rule(folder=FOLDERS.filter(bool))
    def delete_folder(self, folder: str) -> None:
        path = self._at(folder)
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)

    @rule(folder=FOLDERS.filter(bool))
    def make_folder(self, folder: str) -> None:
        if _clear(self._at(folder)):
            self._at(folder).mkdir(parents=True, exist_ok=True)

    @rule(old_name=FOLDERS.filter(bool), new_name=FOLDERS.filter(bool))
    def move_folder(self, old_name: str, new_name: str) -> None:
        old, new = self._at(old_name), self._at(new_name)
        if old.is_dir() and new.parent.is_dir() and not os.path.lexists(new) and not new.is_relative_to(old):
            old.rename(new)

    @rule(folder=FOLDERS.filter(bool))
    def move_out_or_in(self, folder: str) -> None:
        path, aside = self._at(folder), self.aside / folder.replace("/", "-")
        if path.is_dir() and not aside.exists():
            path.rename(aside)
        elif aside.exists() and path.parent.is_dir() and not os.path.lexists(path):
            aside.rename(path)

    @rule(folder=FOLDERS, name=NAMES, leads_to=st.sampled_from(["x.ts", "b", "..", "../a", "/tmp"]))
    def link(self, folder: str, name: str, leads_to: str) -> None:
        path = self._at(folder, name)
        if path.parent.is_dir() and not os.path.lexists(path):
            path.symlink_to(leads_to)

    @rule(folder=FOLDERS, name=NAMES, other=NAMES)
    def hard_link(self, folder: str, name: str, other: str) -> None:
        path, new = self._at(folder, name), self._at(folder, other)
        if path.is_file() and not path.is_symlink() and not os.path.lexists(new):
            new.hardlink_to(path)

    @rule(folder=FOLDERS, name=NAMES, mode=st.sampled_from([0o600, 0o644]))
    def change_mode(self, folder: str, name: str, mode: int) -> None:
        path = self._at(folder, name)
        if path.is_file() and not path.is_symlink():
            path.chmod(mode)

    @rule()
    def build(self) -> None:
        self.tree.build()

    @rule()
    def ask(self) -> None:
        truth = self.tree.truth()
        assert told(self.watched.snapshot()) == truth
        assert told(self.checked.snapshot()) == truth

    @rule()
    def look(self) -> None:
        """A state of which nobody asks yet what its files say."""
        self.looked.append((self.watched.snapshot(), self.tree.truth()))

    @rule(number=st.integers(0, 5))
    def ask_of_an_earlier_state(self, number: int) -> None:
        if number < len(self.looked):
            state, truth = self.looked.pop(number)
            assert told(state) == truth

    @invariant()
    def watching_never_ends(self) -> None:
        if hasattr(self, "watched"):
            assert self.watched._watcher is not None

    def teardown(self) -> None:
        try:
            if hasattr(self, "watched"):
                self.ask()
        finally:
            self.tree.close()
            self._held.cleanup()


def _clear(folder: Path) -> bool:
    """Whether nothing but folders, and none that is a link, is on the way."""
    return all(
        not os.path.lexists(path) or (path.is_dir() and not path.is_symlink())
        for path in (folder, *folder.parents)
    )


TestAnyOrder = AnyOrder.TestCase
TestAnyOrder.settings = settings(max_examples=30, stateful_step_count=25)
