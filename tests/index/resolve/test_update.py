from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st
from tests.index.resolve.project import tree

from toolpost.index.model import Export
from toolpost.index.resolve import Resolved, resolve
from toolpost.index.resolve.dependents import Dependents
from toolpost.index.resolve.modules import Settings
from toolpost.index.resolve.update import Change, update

Files = Mapping[str, str]

BARREL = {
    "index.ts": "export { default as A } from './a';\nexport { b as B, c } from './b';\nexport const own = 1;\n",
    "a.ts": "export default class Inner {}\n",
    "b.ts": "export const b = 1;\nexport function c() {}\n",
    "top.ts": "export { A as Top } from './index';\nexport * from './index';\n",
}


def changed(before: Files, now: Files) -> tuple[Resolved, Resolved]:
    """What is known after a change by updating, and by resolving all."""
    first = resolve(tree(before), sorted(before))
    after = tree(now)
    moved = sorted(before.keys() ^ now.keys())
    edited = [path for path in before if path in now and before[path] != now[path]]

    def known(path: str) -> tuple[Export, ...]:
        return first.exports.get(path, ())

    anew = update(after, Dependents(first.passes), Change(edited, moved, known), Settings(after))
    redone = {*anew.exports, *anew.passes, *edited, *moved}
    kept = Resolved(
        {**{path: each for path, each in first.exports.items() if path not in redone}, **anew.exports},
        {},
        {**{path: each for path, each in first.passes.items() if path not in redone}, **anew.passes},
    )
    whole = resolve(after, sorted(now))
    return kept, Resolved(whole.exports, {}, whole.passes)


def test_a_barrel_is_mended_where_what_it_passes_on_has_changed() -> None:
    kept, whole = changed(BARREL, {**BARREL, "b.ts": "export let b = 1;\nexport class c {}\n"})
    assert kept == whole
    assert [export.kind for export in kept.exports["index.ts"]] == ["class", "let", "class", "const"]


def test_files_that_come_and_go_are_found_and_missed() -> None:
    without = {path: text for path, text in BARREL.items() if path != "a.ts"}
    for before, now in ((BARREL, without), (without, BARREL)):
        kept, whole = changed(before, now)
        assert kept == whole


def test_a_file_that_shadows_another_takes_its_place() -> None:
    plain = {**BARREL, "b/index.ts": "export const b = 2;\n"}
    del plain["b.ts"]
    kept, whole = changed(plain, {**plain, "b.ts": "export type b = 1;\nexport type c = 1;\n"})
    assert kept == whole
    assert kept.exports["index.ts"][1].origin == "b.ts"


def test_new_settings_resolve_anew_what_is_passed_on_by_name() -> None:
    before = {**BARREL, "named.ts": "export { b } from '@lib/b';\nexport * from 'acme';\n"}
    config = '{"compilerOptions": {"paths": {"@lib/*": ["./*"]}}}'
    kept, whole = changed(before, {**before, "tsconfig.json": config})
    assert kept == whole
    assert kept.exports["named.ts"][0].origin == "b.ts"


NAMES = ("a", "b", "c", "d")
lines = st.one_of(
    st.sampled_from(NAMES).map(lambda name: f"export const x_{name} = 1;"),
    st.sampled_from(NAMES).map(lambda name: f"export * from './{name}';"),
    st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)).map(
        lambda pair: f"export {{ x_{pair[0]} as y_{pair[0]} }} from './{pair[1]}';"
    ),
)
texts = st.lists(lines, max_size=3, unique=True).map("\n".join)
projects = st.dictionaries(st.sampled_from([f"{name}.ts" for name in NAMES]), texts, min_size=1)


@given(projects, projects)
def test_any_change_comes_out_as_if_all_were_resolved(before: Files, now: Files) -> None:
    kept, whole = changed(before, now)
    assert kept == whole


def test_a_barrel_of_which_too_little_was_known_is_resolved_as_a_whole() -> None:
    now = tree(BARREL)
    whole = resolve(now, sorted(BARREL))
    anew = update(now, Dependents(whole.passes), Change(["b.ts"], (), lambda _: ()), Settings(now))
    assert anew.exports["index.ts"] == whole.exports["index.ts"]
