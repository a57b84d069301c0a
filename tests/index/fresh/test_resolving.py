"""What files export through others stays what a fresh build would find, however the others change."""

import os
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.index.fresh.trees import Tree, elsewhere, resolving, told

from toolpost.index.fresh.extracting import extract_by
from toolpost.index.fresh.layered import Layered
from toolpost.index.fresh.overlay import changed
from toolpost.index.fresh.resolving import Resolving
from toolpost.index.model import Doc
from toolpost.index.snapshot import Snapshot
from toolpost.index.tags.rules import Rules

FILES: dict[str, str | bytes] = {
    "tsconfig.json": '{"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["lib/*"]}}}',
    "package.json": '{"name": "whole", "workspaces": ["packages/*"]}',
    "packages/one/package.json": '{"name": "@x/one", "main": "main.ts"}',
    "packages/one/main.ts": "export const one = 1\n",
    "packages/one/other.ts": "export const other = 1\n",
    "lib/a.ts": "export const a = 1\n",
    "lab/a.ts": "export const b = 1\n",
    "use.ts": "export * from '@/a'\nexport * from '@x/one'\nexport * from './none'\n",
    "go.mod": "module example.org/x\n",
    "deep/d.go": "package deep\n\nfunc Deep() {}\n",
    "m.go": 'package main\n\nimport "example.org/x/deep"\n\nfunc M() { deep.Deep() }\n',
    "pack/__init__.py": "from .part import *\nfrom . import sub\n",
    "pack/part.py": "__all__ = ['p']\np = 1\n",
    "pack/sub.py": "s = 1\n",
}
CHANGES = {
    "aliases lead elsewhere": (
        "t = open('tsconfig.json').read(); open('tsconfig.json', 'w').write(t.replace('lib', 'lab'))"
    ),
    "a package begins elsewhere": (
        'open(\'packages/one/package.json\', \'w\').write(\'{"name": "@x/one", "main": "other.ts"}\')'
    ),
    "a package is gone": "import shutil; shutil.rmtree('packages')",
    "a module comes": "open('none.ts', 'w').write('export enum None_ { A }')",
    "a file passes on no more": "open('use.ts', 'w').write('export const own = 1')",
    "a file passes on something else": "open('use.ts', 'w').write('export * from \\'./lab/a\\'')",
    "a Python module says more": "open('pack/part.py', 'w').write('__all__ = [\\'p\\', \\'q\\']\\np = q = 1\\n')",
    "a Go file comes": "open('deep/e.go', 'w').write('package deep\\n\\nfunc More() {}\\n')",
    "a Go module is renamed": "open('go.mod', 'w').write('module example.org/y\\n')",
    "only lines move": "t = open('lib/a.ts').read(); open('lib/a.ts', 'w').write('\\n\\n' + t)",
}


@pytest.fixture
def modules(tree: Tree) -> Tree:
    tree.write(FILES)
    tree.build()
    return tree


@pytest.mark.parametrize("script", CHANGES.values(), ids=CHANGES)
def test_exports_are_as_if_built_anew(modules: Tree, script: str) -> None:
    made = resolving()
    live = modules.live(settle=made, prepare=made.prepare)
    assert told(live.snapshot()) == modules.truth()
    elsewhere(modules.folder, script)
    assert told(live.snapshot()) == modules.truth()
    elsewhere(
        modules.folder,
        "open('lib/a.ts', 'a').write('export const late = 1\\n'); open('m.go', 'a').write('//')",
    )
    assert told(live.snapshot()) == modules.truth()


@pytest.mark.parametrize("script", CHANGES.values(), ids=CHANGES)
def test_what_was_not_made_ready_answers_alike(modules: Tree, script: str) -> None:
    elsewhere(modules.folder, "open('lib/a.ts', 'a').write('// no export'); open('new.md', 'w')")
    live = modules.live()
    assert told(live.snapshot()) == modules.truth()
    elsewhere(
        modules.folder, "open('lib/a.ts', 'a').write('// none again'); open('pack/sub.py', 'a').write('#')"
    )
    assert told(live.snapshot()) == modules.truth()
    elsewhere(modules.folder, script)
    assert told(live.snapshot()) == modules.truth()


def test_what_an_alias_leads_to_may_come_and_go(modules: Tree) -> None:
    live = modules.live()
    live.snapshot()
    for script in (
        "open('use.ts', 'w').write('export * from \\'@/later\\'')",
        "open('lib/later.ts', 'w').write('export const late = 1')",
        "import os; os.unlink('lib/later.ts')",
    ):
        elsewhere(modules.folder, script)
        assert told(live.snapshot()) == modules.truth()


def test_it_may_begin_when_much_has_changed_already(modules: Tree) -> None:
    first = modules.live().snapshot()
    elsewhere(
        modules.folder,
        "open('mine.ts', 'w').write('export * from \\'./lib/a\\''); import os; os.unlink('m.go')",
    )
    state = modules.live().snapshot()
    late = resolving()
    late.prepare(state)
    (modules.folder / "lib/a.ts").write_text("export const other = 1\n")
    docs = {doc.path: doc for doc in modules.docs()}
    after = changed(state, {b"lib/a.ts": docs["lib/a.ts"]})
    assert told(late(after)) == modules.truth()
    assert first.docs == ()


def test_a_layered_tree_tells_of_files_of_either_layer(modules: Tree) -> None:
    elsewhere(
        modules.folder, "open('deep/new.go', 'w'); import os; os.unlink('go.mod'); open('setup.py', 'w')"
    )
    layered = Layered(modules.live().snapshot())
    assert layered.inside("deep") == ["deep/d.go", "deep/new.go"]
    assert "lib/a.ts" not in layered.inside("")
    assert layered.manifests() == ["package.json", "packages/one/package.json", "setup.py"]
    assert (layered.text_of("setup.py"), layered.text_of("go.mod")) == (b"", None)
    assert layered.text_of("lib/a.ts") == b"export const a = 1\n"
    assert (layered.text_of("none"), layered.extract_of("none"), layered.over("none")) == (None, None, None)
    assert (layered.number("none"), layered.number("go.mod"), layered.over("go.mod")) == (-1, -1, None)
    layered.bare(["go.mod", "none"])
    assert layered.text_of("go.mod") == b"module example.org/x\n"


def test_what_is_kept_of_unchanged_files_has_an_end(modules: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolpost.index.fresh.layered.EXTRACTS_KEPT", 1)
    monkeypatch.setattr("toolpost.index.places.NUMBERS_KEPT", 1)
    live = modules.live()
    live.snapshot()
    elsewhere(
        modules.folder,
        "open('use.ts', 'a').write('\\n'); open('packages/one/main.ts', 'w').write('export let n')",
    )
    assert told(live.snapshot()) == modules.truth()


def _exports(snapshot: Snapshot, path: bytes) -> list[str]:
    doc = snapshot.settled.doc(path)
    assert doc is not None
    return [export.name for export in doc.exports]


def test_a_file_is_looked_through_as_it_was_read_although_it_changed_again(modules: Tree) -> None:
    live = modules.live()
    live.snapshot()
    (modules.folder / "lib/a.ts").write_text("export const first = 1\n")
    first = live.snapshot()
    (modules.folder / "lib/a.ts").write_text("export const second = 1\n")
    second = live.snapshot()
    (modules.folder / "lib/a.ts").unlink()
    third = live.snapshot()
    assert _exports(second, b"lib/a.ts") == ["second"]
    assert _exports(second, b"use.ts")[0] == "second"
    assert third.settled.doc(b"lib/a.ts") is None
    assert _exports(first, b"lib/a.ts") == ["first"]
    assert _exports(first, b"use.ts")[0] == "first"
    assert "second" not in _exports(third, b"use.ts")


def test_nobody_looks_through_files_until_somebody_asks(modules: Tree) -> None:
    asked: list[str] = []
    extract = extract_by(Rules())

    def counted(doc: Doc) -> Doc:
        asked.append(doc.path)
        return extract(doc)

    live = modules.live(settle=Resolving(counted))
    assert told(live.snapshot()) == modules.truth()
    asked.clear()
    elsewhere(modules.folder, "open('lib/a.ts', 'a').write('export const more = 1')")
    state = live.snapshot()
    assert [(doc.path, doc.exports, doc.text) for doc in state.docs] == [
        ("lib/a.ts", (), b"export const a = 1\nexport const more = 1")
    ]
    assert (state.repo_hash, asked) == (modules.truth()[0], [])
    assert state.settled is state.settled
    assert [doc.path for doc in state.settled.docs] == ["lib/a.ts", "use.ts"]
    assert asked == ["lib/a.ts"]


def test_a_file_that_is_again_as_it_was_takes_back_what_it_changed_elsewhere(modules: Tree) -> None:
    modules.settle()
    live = modules.live()
    first = live.snapshot()
    path = modules.folder / "lib/a.ts"
    text, times = path.read_bytes(), path.stat()
    path.write_text("export const other = 1\n")
    (modules.folder / "use.ts").unlink()
    changed_state = live.snapshot()
    assert changed_state.settled.docs != ()
    path.write_bytes(text)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    (modules.folder / "use.ts").write_bytes(bytes(str(FILES["use.ts"]), "utf-8"))
    assert told(live.snapshot()) == modules.truth()
    assert [doc.path for doc in live.snapshot().settled.docs] == ["use.ts"]
    assert told(first.settled) == told(first)
    assert first.settled.docs == ()


def test_many_threads_may_ask_for_one_state(modules: Tree) -> None:
    live = modules.live()
    live.snapshot()
    elsewhere(
        modules.folder,
        "[open(f'lib/{n}.ts', 'w').write(f'export * from \\'./a\\'; export let n{n}') for n in range(30)]",
    )
    state = live.snapshot()
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: told(state), range(8), timeout=60))
    assert found == [modules.truth()] * 8


def test_many_files_that_pass_on_from_a_changed_one_are_built_in(
    modules: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("toolpost.index.fresh.compacting.OVERLAY_FILES", 3)
    modules.write({f"lib/{number}.ts": "export * from './a'\n" for number in range(5)})
    modules.build()
    offered: list[Snapshot] = []
    live = modules.live(compact=offered.append)
    live.snapshot()
    elsewhere(modules.folder, "open('lib/a.ts', 'a').write('export const more = 1')")
    state = live.snapshot()
    assert offered == []
    assert len(state.settled.docs) == 7
    live._compacting.wait()
    assert offered == [state.settled]
    live.close()
    elsewhere(modules.folder, "open('lib/a.ts', 'a').write('export const again = 1')")
    live._settled(state)
    live._compacting.wait()
    assert offered == [state.settled]
