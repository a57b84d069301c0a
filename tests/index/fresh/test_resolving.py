"""What files export through others stays what a fresh build would find, however the others change."""

import pytest
from tests.index.fresh.trees import Tree, elsewhere, told

from toolpost.index.fresh.layered import Layered
from toolpost.index.fresh.overlay import changed
from toolpost.index.fresh.resolving import Resolving

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
    resolving = Resolving()
    live = modules.live(resolve=resolving, prepare=resolving.prepare)
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


def test_it_may_begin_when_much_has_changed_already(modules: Tree) -> None:
    first = modules.live().snapshot()
    elsewhere(
        modules.folder,
        "open('mine.ts', 'w').write('export * from \\'./lib/a\\''); import os; os.unlink('m.go')",
    )
    state = modules.live().snapshot()
    late = Resolving()
    late.prepare(state)
    (modules.folder / "lib/a.ts").write_text("export const other = 1\n")
    docs = {doc.path: doc for doc in modules.docs()}
    after = changed(state, {b"lib/a.ts": docs["lib/a.ts"]}, late)
    assert told(after) == modules.truth()
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
    assert (layered.text_of("none"), layered.extract_of("none"), layered.told("none", ())) == (None, None, [])
    assert layered.told("go.mod", ()) == []


def test_what_is_kept_of_unchanged_files_has_an_end(modules: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolpost.index.fresh.layered.EXTRACTS_KEPT", 1)
    monkeypatch.setattr("toolpost.index.fresh.known.NUMBERS_KEPT", 1)
    live = modules.live()
    live.snapshot()
    elsewhere(
        modules.folder,
        "open('use.ts', 'a').write('\\n'); open('packages/one/main.ts', 'w').write('export let n')",
    )
    assert told(live.snapshot()) == modules.truth()
