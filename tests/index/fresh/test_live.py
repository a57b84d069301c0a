import gc
import os
import shutil

import pytest
from tests.index.fresh.trees import Tree, elsewhere, open_descriptors, told
from tests.workspace.repository import git, make

WRITES = {
    "written anew": "open('src/one.ts', 'w').write('export const uno = 1')",
    "renamed over": "open('t', 'w').write('export const x = 1'); import os; os.rename('t', 'src/one.ts')",
    "appended to": "open('src/one.ts', 'a').write('export const more = 2')",
    "truncated": "open('src/one.ts', 'r+').truncate(7)",
    "deleted": "import os; os.unlink('src/one.ts')",
    "a new file": "open('src/new.ts', 'w').write('export const fresh = 1')",
    "a new ignored file": "open('src/new.log', 'w').write('x')",
    "a folder with a file in it at once": "import os; os.makedirs('a/b/c'); open('a/b/c/d.ts', 'w').write('export let d')",
    "a folder renamed": "import os; os.rename('src', 'lib')",
    "a folder renamed and then written in": (
        "import os; os.rename('src', 'lib'); open('lib/deep/two.ts', 'w').write('export let n'); open('lib/n', 'w')"
    ),
    "a folder renamed to and fro": "import os; os.rename('src', 'lib'); os.rename('lib', 'src')",
    "two folders swapped": "import os; os.rename('src/deep', 'x'); os.rename('src', 'deep'); os.rename('x', 'src')",
    "moved in from outside": (
        "import os; os.makedirs('../far/er'); open('../far/er/f.ts', 'w').write('export let f');"
        "os.rename('../far', 'far')"
    ),
    "moved out": "import os; os.rename('src', '../gone')",
    "moved out and written to there": (
        "import os; os.rename('src', '../gone'); open('../gone/one.ts', 'w').write('export let evil')"
    ),
    "a folder deleted with all": "import shutil; shutil.rmtree('src')",
    "a folder deleted and made again": (
        "import shutil, os; shutil.rmtree('src'); os.mkdir('src'); open('src/one.ts', 'w').write('export let again')"
    ),
    "its mode changed": "import os; os.chmod('src/one.ts', 0o600)",
    "its times changed": "import os; os.utime('src/one.ts', (1, 1))",
    "a link in a file's place": (
        "import os; os.unlink('src/one.ts'); os.symlink('deep/two.ts', 'src/one.ts')"
    ),
    "a link in a folder's place": "import os; os.rename('src/deep', 'deep'); os.symlink('../deep', 'src/deep')",
    "a link swapped for a file": (
        "import os; os.symlink('one.ts', 'src/t'); os.rename('src/t', 'src/deep/two.ts')"
    ),
    "a file in a folder's place": (
        "import shutil; shutil.rmtree('src/deep'); open('src/deep', 'w').write('flat')"
    ),
    "a folder in a file's place": "import os; os.unlink('readme.md'); os.mkdir('readme.md'); open('readme.md/a', 'w')",
    "hard linked": "import os; os.link('src/one.ts', 'src/copy.ts'); open('src/copy.ts', 'a').write('//')",
    "ignored from now on": "open('.gitignore', 'a').write('deep/')",
    "no more ignored": "open('.gitignore', 'w').write('')",
    "ignored below": "open('src/.ignore', 'w').write('*.ts')",
    "no ignore file at all": "import os; os.unlink('.gitignore')",
    "a repository of its own": "import os; os.makedirs('src/.git/info'); open('src/deep/a.log', 'w')",
    "binary now": "open('src/one.ts', 'wb').write(bytes(100))",
    "a secret": "open('.env', 'w').write('KEY=1')",
    "a name that is not UTF-8": "open(b'src/\\xff.ts', 'w').write('x')",
    "a folder whose name is not UTF-8": "import os; os.mkdir(b'src/\\xff'); open(b'src/\\xff/a.ts', 'w').write('x')",
    "a FIFO": "import os; os.mkfifo('src/pipe')",
    "a thousand files": (
        "import os; os.mkdir('many'); [open(f'many/{n}.ts', 'w').write(f'export const n{n} = 1') for n in range(1000)]"
    ),
    "a name a barrel passes on": "open('src/deep/two.ts', 'a').write('export function three() {}')",
    "a barrel": "open('src/index.ts', 'a').write('export * from \\'./one\\'')",
    "what a barrel named all along": "open('src/later.ts', 'w').write('export class Later {}')",
    "a module in a barrel gone": "import os; os.unlink('src/deep/two.ts')",
    "nothing": "",
}


@pytest.mark.parametrize("script", WRITES.values(), ids=WRITES)
@pytest.mark.parametrize("watch", [True, False], ids=["watched", "checked"])
def test_the_next_question_sees_what_another_process_finished(tree: Tree, script: str, watch: bool) -> None:
    live = tree.live() if watch else tree.live(watch=None, check_s=0)
    assert told(live.snapshot()) == tree.truth()
    elsewhere(tree.folder, script)
    after = live.snapshot()
    assert told(after) == tree.truth()
    assert after.freshness == ("watched" if watch else "checked")
    elsewhere(tree.folder, "open('src2', 'w').write('and again')")
    assert told(live.snapshot()) == tree.truth()


@pytest.mark.parametrize("script", WRITES.values(), ids=WRITES)
def test_what_happened_while_nobody_looked_is_seen_when_it_is_opened(tree: Tree, script: str) -> None:
    elsewhere(tree.folder, script)
    live = tree.live()
    assert told(live.snapshot()) == tree.truth()
    elsewhere(tree.folder, "open('src2', 'w').write('and again')")
    assert told(live.snapshot()) == tree.truth()


def test_what_is_unchanged_is_not_read_again(tree: Tree) -> None:
    for path in tree.folder.rglob("*"):  # long before it is indexed, so that its times prove it
        os.utime(path, (1, 1))
    tree.settle()
    live = tree.live()
    live.snapshot()
    tree.reads.clear()
    elsewhere(tree.folder, "open('src/one.ts', 'a').write('//')")
    live.snapshot()
    assert live.snapshot() is live.snapshot()
    assert tree.reads == ["src/one.ts"]


def test_empty_and_ignored_folders_are_watched_and_left_alone(tree: Tree) -> None:
    (tree.folder / "empty" / "deeper").mkdir(parents=True)
    tree.build()
    live = tree.live()
    live.snapshot()
    tree.reads.clear()
    elsewhere(tree.folder, "open('empty/deeper/a.ts', 'w').write('export let a'); open('out/b.ts', 'w')")
    assert told(live.snapshot()) == tree.truth()
    assert tree.reads == ["empty/deeper/a.ts"]


def test_a_checkout_of_another_branch_reads_only_what_differs(tree: Tree) -> None:
    shutil.rmtree(tree.folder)
    make(tree.folder, {f"src/{n}.ts": f"export const n{n} = 1\n" for n in range(50)})
    git(tree.folder, "checkout", "-q", "-b", "other")
    (tree.folder / "src/7.ts").write_text("export const seven = 7\n")
    (tree.folder / "src/8.ts").unlink()
    (tree.folder / "src/new.ts").write_text("export const fresh = 1\n")
    git(tree.folder, "add", "-A")
    git(tree.folder, "commit", "-q", "-m", "other")
    git(tree.folder, "checkout", "-q", "main")
    tree.reopen()
    tree.settle()
    live = tree.live()
    first = live.snapshot()
    tree.reads.clear()
    git(tree.folder, "checkout", "-q", "other")
    assert told(live.snapshot()) == tree.truth()
    assert sorted(tree.reads) == ["src/7.ts", "src/new.ts"]
    git(tree.folder, "checkout", "-q", "main")
    assert live.snapshot().repo_hash == first.repo_hash


@pytest.mark.parametrize("watch", [True, False], ids=["watched", "checked"])
def test_rules_of_gits_own_are_followed(tree: Tree, watch: bool) -> None:
    live = tree.live() if watch else tree.live(watch=None, check_s=0)
    live.snapshot()
    for text in ("deep/", "one.ts", ""):
        script = f"import os; os.makedirs('.git/info', exist_ok=True); open('.git/info/exclude', 'w').write({text!r})"
        elsewhere(tree.folder, script)
        assert told(live.snapshot()) == tree.truth()
    elsewhere(tree.folder, "open('.git/info/other', 'w')")
    assert live.snapshot() is not None
    elsewhere(tree.folder, "import shutil; shutil.rmtree('.git')")
    assert told(live.snapshot()) == tree.truth()


def test_our_own_writes_are_seen_without_a_watcher(tree: Tree) -> None:
    live = tree.live(watch=None, check_s=3600)
    live.snapshot()
    (tree.folder / "src/one.ts").write_text("export const ours = 1\n")
    (tree.folder / "new/folder").mkdir(parents=True)
    (tree.folder / "new/folder/a.ts").write_text("export const a = 1\n")
    shutil.rmtree(tree.folder / "src/deep")
    for path in ("src/one.ts", "new/folder/a.ts", "src/deep"):
        live.touched(path)
    assert told(live.snapshot()) == tree.truth()


def test_without_a_watcher_what_is_about_to_be_shown_is_looked_at(tree: Tree) -> None:
    live = tree.live(watch=None, check_s=3600)
    live.snapshot()
    elsewhere(tree.folder, "open('src/one.ts', 'a').write('export const seen = 1')")
    assert live.snapshot().docs == ()
    assert told(live.confirm(["src/one.ts"])) == tree.truth()


def test_a_tree_that_is_moved_is_the_same_tree(tree: Tree) -> None:
    live = tree.live()
    live.snapshot()
    tree.folder.rename(tree.folder.with_name("moved"))
    elsewhere(tree.folder.with_name("moved"), "open('src/one.ts', 'a').write('//')")
    assert [doc.path for doc in live.snapshot().docs] == ["src/one.ts"]


def test_nothing_is_left_open(tree: Tree) -> None:
    gc.collect()
    before = open_descriptors()
    live = tree.live()
    live.snapshot()
    elsewhere(tree.folder, "import os; os.rename('src', 'lib')")
    live.snapshot()
    live.close()
    live.close()
    tree.lives.clear()
    del live
    gc.collect()
    assert open_descriptors() == before


@pytest.mark.parametrize("name", ["src/deep/two.ts", "src/deep/new.ts"], ids=["changed", "new"])
@pytest.mark.parametrize("rule", ["deep/", "*.ts"])
@pytest.mark.parametrize("watch", [True, False], ids=["watched", "checked"])
def test_a_file_that_is_written_and_ignored_at_once_is_not_shown(
    tree: Tree, name: str, rule: str, watch: bool
) -> None:
    script = f"open({name!r}, 'w').write('export let late'); open('.ignore', 'w').write({rule!r})"
    elsewhere(tree.folder, script)
    live = tree.live() if watch else tree.live(watch=None, check_s=0)
    elsewhere(tree.folder, script)  # so that it is both found by looking and told
    assert told(live.snapshot()) == tree.truth()
