import msgspec
from hypothesis import given
from hypothesis import strategies as st
from tests.index.fresh.trees import Tree

from toolpost.index.disk import docs, repo_hash
from toolpost.index.disk.mapped import latest
from toolpost.index.fresh.overlay import changed
from toolpost.index.model import Doc, Export, Extract, Stamp
from toolpost.index.snapshot import Snapshot


def _doc(path: str, blob: bytes = b"b" * 20, exports: tuple[Export, ...] = ()) -> Doc:
    return Doc(path, Stamp(1, 2, 3, 4), blob, b"text\n", "", Extract(exports), exports)


def _first(tree: Tree) -> Snapshot:
    base = latest(tree.index)
    assert base
    return Snapshot(base, repo_hash=base.repo_hash)


def test_changes_lie_over_the_base_in_the_order_of_their_paths(tree: Tree) -> None:
    first = _first(tree)
    new, other = _doc("z/new.ts"), _doc("readme.md")
    after = changed(first, {b"z/new.ts": new, b"readme.md": other, b"src/one.ts": None, b"not/there": None})
    assert after.docs == (other, new)
    assert after.gone == {first.base.find(b"readme.md"), first.base.find(b"src/one.ts")}
    assert after.count == first.count
    assert first.docs == ()
    expected = repo_hash.read(first.repo_hash)
    for path in (b"readme.md", b"src/one.ts"):
        expected = repo_hash.remove(expected, docs.doc_of(first.base, first.base.find(path)))
    for doc in (new, other):
        expected = repo_hash.add(expected, doc)
    assert after.repo_hash == repo_hash.shown(expected)


def test_a_file_that_is_again_as_it_was_lies_over_the_base_no_more(tree: Tree) -> None:
    first = _first(tree)
    old = docs.doc_of(first.base, first.base.find(b"src/one.ts"))
    moved = msgspec.structs.replace(old, stamp=msgspec.structs.replace(old.stamp, inode=7, changed_ns=9))
    after = changed(changed(first, {b"src/one.ts": None}), {b"src/one.ts": moved})
    assert after == first


def test_a_file_of_the_same_content_and_another_time_is_told_with_that_time(tree: Tree) -> None:
    first = _first(tree)
    old = docs.doc_of(first.base, first.base.find(b"src/one.ts"))
    later = msgspec.structs.replace(old, stamp=msgspec.structs.replace(old.stamp, modified_ns=5))
    after = changed(first, {b"src/one.ts": later})
    assert after.docs == (later,)
    assert after.repo_hash == first.repo_hash


_PATHS = st.sampled_from(["a", "a/b", "a-b", "readme.md", "src/one.ts", "src/deep/two.ts", "z", "\udcff"])
_STEP = st.dictionaries(_PATHS, st.none() | st.binary(min_size=20, max_size=20), max_size=8)


@given(steps=st.lists(_STEP, max_size=6))
def test_however_changes_come_the_state_is_the_same(steps: list[dict[str, bytes | None]]) -> None:
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        tree = Tree(Path(folder))
        tree.write({"src/one.ts": "1", "src/deep/two.ts": "2", "readme.md": "3"})
        tree.build()
        first = snapshot = _first(tree)
        whole: dict[bytes, Doc | None] = {}
        for step in steps:
            changes = {
                path.encode("utf-8", "surrogateescape"): _doc(path, blob) if blob else None
                for path, blob in step.items()
            }
            snapshot = changed(snapshot, changes)
            whole |= changes
        assert snapshot == changed(first, whole)
        tree.close()
