from collections.abc import Iterator
from pathlib import Path

import pytest

from toolpost.errors import SandboxUnavailable
from toolpost.sandbox import bubblewrap, overlay
from toolpost.sandbox.family import TAGS
from toolpost.sandbox.model import Fence, Spawn
from toolpost.sandbox.output import Output
from toolpost.sandbox.overlay import Change, ChangeKind, Overlay
from toolpost.sandbox.run import Command, Plan, Ran, run
from toolpost.sandbox.terminals import Size


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "a:b, c"
    (folder / "src").mkdir(parents=True)
    (folder / "src/a.txt").write_text("one\n")
    (folder / "src/b.txt").write_text("two\n")
    (folder / "keep").write_text("same\n")
    (folder / "link").symlink_to("keep")
    return folder


class Trial:
    def __init__(self, *roots: Path) -> None:
        self.roots = tuple(str(root) for root in roots)
        self.overlay = Overlay(self.roots)

    async def __call__(self, script: str, *, size: Size | None = None) -> tuple[Ran, str]:
        spawn = Spawn(
            argv=("bash", "-c", script),
            cwd=self.roots[0],
            fence=Fence(roots=self.roots),
            tag=TAGS.issue(),
            terminal=size is not None,
        )
        output = Output()
        try:
            ran = await run(Command(self.overlay, Plan(spawn=spawn, timeout_s=60, size=size), output))
        except SandboxUnavailable as refused:
            pytest.skip(refused.detail)
        assert ran is not None
        return ran, output.both.head(10_000).decode()

    @property
    def changes(self) -> list[tuple[str, ChangeKind]]:
        return [(change.path, change.kind) for change in self.overlay.changes()]


@pytest.fixture
def trial(root: Path) -> Iterator[Trial]:
    made = Trial(root)
    yield made
    made.overlay.close()


def tree(folder: Path) -> dict[str, str]:
    files = sorted(path for path in folder.rglob("*") if path.is_file() or path.is_symlink())
    return {str(path.relative_to(folder)): path.read_text() for path in files}


async def test_a_command_sees_its_changes_and_the_tree_stays(trial: Trial, root: Path) -> None:
    before = tree(root)
    ran, said = await trial("echo more >> src/a.txt; rm src/b.txt; echo new > n; cat src/a.txt n; ls src")
    assert (ran.exit_code, said) == (0, "one\nmore\nnew\na.txt\n")
    assert (ran.report.level, ran.report.fs, ran.report.net) == ("L3", "overlay:workspace", "none")
    assert tree(root) == before
    assert list(trial.overlay.changes()) == [
        Change(str(root), "n", ChangeKind.CREATED, trial.overlay._folder + "/0/up/n"),
        Change(str(root), "src/a.txt", ChangeKind.CHANGED, trial.overlay._folder + "/0/up/src/a.txt"),
        Change(str(root), "src/b.txt", ChangeKind.DELETED),
    ]


async def test_a_folder_is_deleted_made_anew_and_replaced(trial: Trial) -> None:
    await trial(
        "rm -r src; mkdir src; echo z > src/z; rm keep; mkdir keep; echo k > keep/k; rm link; echo l > link"
    )
    assert trial.changes == [
        ("keep", ChangeKind.DELETED),
        ("keep/k", ChangeKind.CREATED),
        ("link", ChangeKind.CHANGED),
        ("src/a.txt", ChangeKind.DELETED),
        ("src/b.txt", ChangeKind.DELETED),
        ("src/z", ChangeKind.CREATED),
    ]


async def test_a_file_in_place_of_a_folder_and_a_folder_that_goes(trial: Trial) -> None:
    await trial("rm -r src; echo file > src")
    assert trial.changes == [
        ("src/a.txt", ChangeKind.DELETED),
        ("src/b.txt", ChangeKind.DELETED),
        ("src", ChangeKind.CREATED),
    ]


async def test_a_command_that_changes_nothing_leaves_nothing(trial: Trial) -> None:
    ran, said = await trial("cat keep")
    assert (ran.exit_code, said, trial.changes) == (0, "same\n", [])


async def test_a_file_that_was_only_touched_is_no_change(trial: Trial) -> None:
    await trial("touch keep; : >> src/a.txt; ln -sf keep link; chmod +x src/b.txt")
    assert trial.changes == [("src/b.txt", ChangeKind.CHANGED)]


async def test_there_is_no_network_and_nothing_outside_is_written(trial: Trial, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    _, said = await trial(f"echo x > {outside}; tail -n +3 /proc/net/dev | cut -d: -f1 | xargs")
    assert not outside.exists()
    assert said == "lo\n"


async def test_several_roots_each_have_their_changes(tmp_path: Path) -> None:
    roots = [tmp_path / name for name in ("x", "y")]
    for one in roots:
        one.mkdir()
    trial = Trial(*roots)
    try:
        await trial(f"echo 1 > {roots[0]}/a; echo 2 > {roots[1]}/b")
        assert [(change.root, change.path) for change in trial.overlay.changes()] == [
            (str(roots[0]), "a"),
            (str(roots[1]), "b"),
        ]
        assert [list(one.iterdir()) for one in roots] == [[], []]
    finally:
        trial.overlay.close()


async def test_a_dry_run_can_have_a_terminal(trial: Trial) -> None:
    ran, said = await trial("test -t 1 && stty size", size=Size(70, 20))
    assert (ran.exit_code, said) == (0, "20 70\n")


async def test_nothing_is_left_of_it(trial: Trial) -> None:
    await trial("mkdir -p deep/er; echo x > deep/er/f; chmod 000 deep/er; rm keep")
    trial.overlay.close()
    assert trial.overlay._folder not in {str(path) for path in Path(trial.overlay._folder).parent.iterdir()}


async def test_so_many_changes_are_told_at_most(trial: Trial, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overlay, "DRY_RUN_ENTRIES", 2)
    await trial("touch 1 2 3 4")
    assert [path for path, _ in trial.changes] == ["1", "2"]


@pytest.mark.parametrize(
    "prefix", [("sh", "-c", "echo no overlay >&2; exit 1"), ("no-such-program",), ("false",)]
)
async def test_where_no_overlay_can_be_laid_the_command_is_not_run(
    trial: Trial, monkeypatch: pytest.MonkeyPatch, prefix: tuple[str, ...]
) -> None:
    monkeypatch.setattr(overlay, "_APART", prefix)
    spawn = Spawn(argv=("true",), cwd="/", fence=Fence(roots=trial.roots), tag=TAGS.issue())
    with pytest.raises(SandboxUnavailable, match="no overlay can be laid"):
        await run(Command(trial.overlay, Plan(spawn=spawn, timeout_s=60), Output()))


async def test_without_bubblewrap_the_fix_is_told(trial: Trial, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "program", lambda: "")
    spawn = Spawn(argv=("true",), cwd="/", fence=Fence(roots=trial.roots), tag=TAGS.issue())
    with pytest.raises(SandboxUnavailable, match="install it"):
        await run(Command(trial.overlay, Plan(spawn=spawn, timeout_s=60), Output()))
