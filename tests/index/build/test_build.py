import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from threading import Event

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.index.build.trees import FILES, age, built, full, opened, sections, told, write
from tests.workspace.memory import MemoryRoot
from tests.workspace.repository import commit, git, make

from toolpost.errors import Cancelled, DirectoryNotFound, IoFailed
from toolpost.index.build.build import Settings
from toolpost.index.build.graph import passes
from toolpost.index.build.progress import Progress, Stage
from toolpost.index.disk.generations import Busy, Folder
from toolpost.index.model import Export
from toolpost.index.names.edges import Edges
from toolpost.limits import SEARCH_FILE_BYTES
from toolpost.workspace.git.root import GitRoot
from toolpost.workspace.guard import Guard
from toolpost.workspace.local.root import LocalRoot


def test_every_sort_of_file_is_told_as_what_it_is(tmp_path: Path) -> None:
    made = built(full(tmp_path / "tree"), tmp_path / "index")
    files = {file["path"]: file for file in told(tmp_path / "index")}
    assert {path: file["passed"] for path, file in files.items() if file["passed"]} == {
        ".env": "secret",
        ".ssh/known.ts": "secret",
        "data.bin": "binary",
        "huge.txt": "too_large",
        "caf\udce9.ts": "not_utf8",
    }
    assert set(files) == {*FILES, ".env", ".ssh/known.ts", "huge.txt", "caf\udce9.ts"}
    assert {path: file["text"] for path, file in files.items() if not file["passed"]} == {
        **{path: data for path, data in FILES.items() if path != "data.bin"},
        "bom.ts": b"export const bom = 1\n",
        "wide.txt": b"eins zwei\n",
    }
    assert files["huge.txt"]["size"] == SEARCH_FILE_BYTES + 1
    assert files["lib/a.ts"]["blob"] == git(tmp_path, "hash-object", str(tmp_path / "tree/lib/a.ts"))
    assert [files[path]["blob"] for path in (".env", "huge.txt")] == ["", ""]
    assert made.statistics.total_files == len(files)
    assert made.taken == 0


def test_what_is_exported_through_others_is_resolved(tmp_path: Path) -> None:
    built(full(tmp_path / "tree"), tmp_path / "index")
    base = opened(tmp_path / "index")
    lib, index, a = (base.find(path) for path in (b"lib.ts", b"lib/index.ts", b"lib/a.ts"))
    assert base.exports(index)[0] == Export("a", "function", source="./a", line=1, origin="lib/a.ts")
    edges = Edges(base.sections)
    assert edges.imports(lib) == [index]
    assert edges.imports(index) == [a]
    assert edges.importers(a) == [index]
    assert [each.target for each in passes(base.sections)["lib/index.ts"]] == ["lib/a.ts", ""]
    base.close()


def test_searches_have_their_trigrams_and_no_older_generation_is_left(tmp_path: Path) -> None:
    tree, index = full(tmp_path / "tree"), tmp_path / "index"
    built(tree, index)
    made = built(tree, index)
    assert sorted(made.generation.files) == ["meta", "text", "tri"]
    kept = sorted(path.name for path in index.iterdir())
    assert kept == sorted(
        ["current", "lock", *(f"{made.generation.number}.{kind}" for kind in ("meta", "text", "tri"))]
    )


def test_two_clones_of_one_repository_have_one_hash(tmp_path: Path) -> None:
    origin = make(tmp_path / "origin", {path: data.decode("latin-1") for path, data in FILES.items()})
    hashes = []
    for name, when in (("one", 10**18), ("two", 15 * 10**17)):
        git(tmp_path, "clone", "-q", str(origin), name)
        for path in (tmp_path / name).rglob("*"):
            os.utime(path, ns=(when, when))
        hashes.append(built(tmp_path / name, tmp_path / f"{name}-index").repo_hash)
    assert hashes[0] == hashes[1]
    write(tmp_path / "two", {"lib/a.ts": b"export function a() { }\n"})
    assert built(tmp_path / "two", tmp_path / "two-index").repo_hash != hashes[0]


def _repository(folder: Path) -> Path:
    make(folder, {})
    write(folder, {**FILES, ".env.local": b"TOKEN=1\n", "dir/a-b": b"", "dir/a.b": b"", "dir/a/b": b""})
    (folder / "link.ts").symlink_to("lib/a.ts")
    (folder / os.fsdecode(b"caf\xe9.ts")).write_bytes(b"export const named = 1\n")
    commit(folder, {}, "all")
    return folder


def test_a_revision_is_indexed_as_its_checkout_is(tmp_path: Path) -> None:
    folder = _repository(tmp_path / "repository")
    for path in folder.rglob("*"):  # what is not read counts by its time
        os.utime(path, ns=(1767323045 * 10**9,) * 2, follow_symlinks=False)
    with closing(GitRoot(folder, "main")) as root:
        revision = built(root, tmp_path / "revision")
    checkout = built(folder, tmp_path / "checkout")
    assert told(tmp_path / "revision") == told(tmp_path / "checkout")
    assert revision.repo_hash == checkout.repo_hash
    base = opened(tmp_path / "revision")
    assert base.file(0).last_modified == "2026-01-02T03:04:05Z"  # the commit's
    base.close()


def test_a_revision_takes_what_other_revisions_have(tmp_path: Path) -> None:
    folder = _repository(tmp_path / "repository")
    with closing(GitRoot(folder, "main")) as root:
        built(root, tmp_path / "old")
        built(root, tmp_path / "other", settings=Settings(tags={"mine": {"paths": ["lib/**"]}}))
    git(folder, "mv", "lib/a.ts", "lib/z.py")
    commit(
        folder, {"lib/new.ts": "export const fresh = 1\n", "lib.ts": "export const changed = 1\n"}, "second"
    )
    before, other = opened(tmp_path / "old"), opened(tmp_path / "other")
    for name, how in (
        ("fresh", {}),
        ("reused", {"reuse": before}),
        ("known", {"settings": Settings(known=(before,))}),
        ("other", {"reuse": other, "settings": Settings(known=(other,))}),
    ):
        with closing(GitRoot(folder, "main")) as root:
            made = built(root, tmp_path / name, **how)
        assert told(tmp_path / name) == told(tmp_path / "fresh"), name
        assert (made.taken > 0) == (name == "reused")
    before.close()
    other.close()


def test_any_other_tree_is_walked_and_read(tmp_path: Path) -> None:
    files = {"a/b.ts": b"export const b = 1\n", ".env": b"x", "closed.txt": b"", "log": b"\0"}
    root = MemoryRoot(files, closed=frozenset({"closed.txt"}))
    built(root, tmp_path / "index")
    passed = {file["path"]: (file["passed"], file["text"]) for file in told(tmp_path / "index")}
    assert passed == {
        ".env": ("secret", None),
        "a/b.ts": ("", b"export const b = 1\n"),
        "closed.txt": ("unreadable", None),
        "log": ("binary", None),
    }
    assert ".env" not in root.opened


def test_several_workers_write_what_one_does(tmp_path: Path) -> None:
    tree = full(tmp_path / "tree")
    write(tree, {f"many/{number}.ts": b"export const n%d = 1\n" % number for number in range(600)})
    write(tree, {"big.txt": b"line\n" * 400_000})
    one = built(tree, tmp_path / "one", workers=1)
    two = built(tree, tmp_path / "two", workers=2)
    assert sections(tmp_path / "one") == sections(tmp_path / "two")
    assert told(tmp_path / "one") == told(tmp_path / "two")
    assert one.repo_hash == two.repo_hash


CHANGES = st.lists(
    st.tuples(
        st.sampled_from(["lib/a.ts", "lib.ts", "new.ts", "lib/index.ts", "data.bin", "README.md", "x/y.py"]),
        st.sampled_from(
            [None, b"", b"export const other = 1\n", b"\0", b"export * from './lib/a'\n", "touch"]
        ),
    ),
    max_size=5,
)


@given(CHANGES)
def test_what_is_rebuilt_is_what_would_be_built_anew(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[str, bytes | str | None]]
) -> None:
    folder = tmp_path_factory.mktemp("rebuilt")
    tree = folder / "tree"
    write(tree, FILES)
    age(tree)
    built(tree, folder / "index")
    for path, data in changes:
        if data is None or data == "touch":
            (tree / path).unlink(missing_ok=True) if data is None else None
            if data == "touch" and (tree / path).exists():
                os.utime(tree / path, ns=(11 * 10**17,) * 2)
        else:
            write(tree, {path: data if isinstance(data, bytes) else b""})
    base = opened(folder / "index")
    again = built(tree, folder / "index", reuse=base)
    base.close()
    anew = built(tree, folder / "anew")
    assert told(folder / "index") == told(folder / "anew")
    assert sections(folder / "index") == sections(folder / "anew")
    assert again.repo_hash == anew.repo_hash


def _settled(tree: Path) -> None:
    """Until a file's times tell of a later change: a tenth of a second."""
    import time

    newest = max(path.lstat().st_ctime_ns for path in tree.rglob("*"))
    Event().wait(max(0.0, (newest + 150_000_000 - time.time_ns()) / 1e9))


def test_what_has_not_changed_is_not_read_again(tmp_path: Path) -> None:
    tree, index = full(tmp_path / "tree"), tmp_path / "index"
    _settled(tree)
    count = built(tree, index).statistics.total_files
    write(tree, {"lib/a.ts": b"export const changed = 1\n"})
    with closing(opened(index)) as base:
        made = built(tree, index, reuse=base)
    assert made.taken == count - 1
    again = {file["path"]: file for file in told(index)}
    assert again["lib/a.ts"]["text"] == b"export const changed = 1\n"
    assert [export.name for export in again["lib/index.ts"]["exports"]] == ["changed", "c"]


def test_a_generation_of_other_rules_is_not_taken_from(tmp_path: Path) -> None:
    tree, index = full(tmp_path / "tree"), tmp_path / "index"
    _settled(tree)
    built(tree, index)
    for how in ({"settings": Settings(tags={"mine": {"paths": ["lib/**"]}})}, {}):
        with closing(opened(index)) as base:
            assert built(tree, index, reuse=base, **how).taken == 0
    with closing(opened(index)) as base, closing(LocalRoot(tree, guard=Guard(secrets="allow"))) as root:
        built(root, index, reuse=base)
    assert next(file["text"] for file in told(index) if file["path"] == ".env") == b"TOKEN=1\n"


@pytest.mark.parametrize("workers", [1, 2])
def test_a_projects_own_rules_tag_files(tmp_path: Path, workers: int) -> None:
    tree = tmp_path / "tree"
    write(tree, {f"lib/{number}.ts": b"" for number in range(600)} | {"x.ts": b""})
    built(tree, tmp_path / "index", workers=workers, settings=Settings(tags={"mine": {"paths": ["lib/**"]}}))
    base = opened(tmp_path / "index")
    assert base.statistics.by_tag["mine"] == 600
    base.close()


def test_a_build_tells_how_far_it_is(tmp_path: Path) -> None:
    seen: list[Progress] = []
    write(tmp_path / "tree", FILES)
    built(tmp_path / "tree", tmp_path / "index", progress=seen.append)
    count = len(FILES)
    text = sum(len(file["text"] or b"") for file in told(tmp_path / "index")) + 1  # one has no line end
    assert seen == [
        Progress(Stage.LIST),
        *(Progress(Stage.READ, done, count) for done in (0, count)),
        Progress(Stage.RESOLVE, 0, count),
        *(Progress(Stage.WRITE, done, count) for done in (0, count)),
        Progress(Stage.TRIGRAMS, 0, text),
    ]


@pytest.mark.parametrize("stage", [stage for stage in Stage if stage is not Stage.SYMBOLS])
@pytest.mark.parametrize("workers", [1, 2])
def test_a_build_that_is_stopped_leaves_what_was_there(tmp_path: Path, stage: Stage, workers: int) -> None:
    tree, index, stop = tmp_path / "tree", tmp_path / "index", Event()
    write(tree, {f"{number}.ts": b"" for number in range(600)})
    built(tree, index)
    write(tree, {"more.ts": b"export const more = 1\n"})

    def told_of(progress: Progress) -> None:
        if progress.stage is stage:
            stop.set()

    with pytest.raises(Cancelled):
        built(tree, index, progress=told_of, workers=workers, settings=Settings(stop=stop))
    assert len(told(index)) == (601 if stage is Stage.TRIGRAMS else 600)
    built(tree, index)
    assert len(told(index)) == 601


def test_a_second_builder_is_told_of_the_first_or_waits_for_it(tmp_path: Path) -> None:
    tree, index = tmp_path / "tree", tmp_path / "index"
    write(tree, FILES)
    with Folder(index).writing(), pytest.raises(Busy):
        built(tree, index)
    script = (
        "import sys; from pathlib import Path; from tests.index.build.trees import built;"
        " from toolpost.index.build.build import Settings;"
        " print(built(Path(sys.argv[1]), Path(sys.argv[2]), settings=Settings(wait_s=60)).repo_hash)"
    )
    builders = [
        subprocess.Popen([sys.executable, "-c", script, tree, index], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    said = {builder.communicate(timeout=120)[0].strip() for builder in builders}
    assert [builder.returncode for builder in builders] == [0, 0]
    with closing(opened(index)) as base:
        assert said == {base.repo_hash}


def _spoil(path: Path) -> None:
    data = bytearray(path.read_bytes())
    for at in range(100, len(data), 50):
        data[at] ^= 0xFF
    path.write_bytes(data)


def test_what_was_built_before_and_is_damaged_is_not_taken_from(tmp_path: Path) -> None:
    tree, index = full(tmp_path / "tree"), tmp_path / "index"
    _settled(tree)
    built(tree, index)
    whole = told(index)
    with closing(opened(index)) as base:
        _spoil(index / "1.text")
        assert built(tree, index, reuse=base).taken == 0
    assert told(index) == whole


def test_an_index_that_cannot_be_kept_is_said(tmp_path: Path) -> None:
    write(tmp_path / "tree", FILES)
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(IoFailed):
        built(tmp_path / "tree", tmp_path / "file")


def test_a_folder_that_is_gone_is_not_an_empty_tree(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    with closing(LocalRoot(tree)) as root:
        built(root, tmp_path / "index")
        tree.rmdir()
        with pytest.raises(DirectoryNotFound):
            built(root, tmp_path / "index")
    assert told(tmp_path / "index") == []
