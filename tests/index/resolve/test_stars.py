from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st
from tests.index.resolve.project import exported, resolved

from toolpost.index.model import DEFAULT, STAR, Export, Extract
from toolpost.index.resolve import resolve
from toolpost.index.resolve.tree import Listed


def test_a_star_is_every_name_it_stands_for_but_the_default() -> None:
    files = {
        "index.ts": "export * from './Button';\nexport { default } from './Button';\nexport const own = 1;\n",
        "Button.ts": "export default function Button() {}\nexport class Ripple {}\nexport type Props = {};\n",
    }
    assert exported(files, "index.ts") == [
        ("Ripple", "class", "", "Button.ts"),
        ("Props", "type", "", "Button.ts"),
        ("default", "function", "Button", "Button.ts"),
        ("own", "const", "", ""),
    ]


def test_a_name_leads_through_barrels_to_the_file_that_defines_it() -> None:
    files = {
        "index.ts": "export * from './lib';\nexport { Ripple as Wave } from './lib';\n",
        "lib/index.ts": "export { default as Button, Ripple } from './Button';\nexport * as theme from './theme';\n",
        "lib/Button.ts": "class Inner {}\nexport { Inner as Ripple };\nexport default () => 1;\n",
        "lib/theme.ts": "export const red = 1;\n",
    }
    assert exported(files, "lib/index.ts") == [
        ("Button", "function", "default", "lib/Button.ts"),
        ("Ripple", "class", "Inner", "lib/Button.ts"),
        ("theme", "namespace", "*", "lib/theme.ts"),
    ]
    assert exported(files, "index.ts") == [
        ("Button", "function", "default", "lib/Button.ts"),
        ("Ripple", "class", "Inner", "lib/Button.ts"),
        ("theme", "namespace", "*", "lib/theme.ts"),
        ("Wave", "class", "Inner", "lib/Button.ts"),
    ]


def test_what_is_imported_and_then_listed_is_passed_on_as_well() -> None:
    files = {
        "index.ts": "import { a } from './a';\nimport * as all from './a';\nexport { a as b, all };\n",
        "a.ts": "export function a() {}\n",
    }
    assert exported(files, "index.ts") == [("b", "function", "a", "a.ts"), ("all", "namespace", "*", "a.ts")]


def test_own_names_win_over_starred_ones_and_two_stars_cancel_each_other() -> None:
    files = {
        "index.ts": "export * from './a';\nexport * from './b';\nexport const mine = 1;\n",
        "a.ts": "export const mine = 2;\nexport const both = 1;\nexport const a = 1;\n",
        "b.ts": "export const both = 2;\nexport { a } from './a';\n",
        "top.ts": "export * from './index';\nexport * from './c';\nexport { both as kept } from './index';\n",
        "c.ts": "export const both = 3;\n",
    }
    assert exported(files, "index.ts") == [("a", "const", "", "a.ts"), ("mine", "const", "", "")]
    assert exported(files, "top.ts") == [
        ("mine", "const", "", "index.ts"),
        ("a", "const", "", "a.ts"),
        ("kept", "", "both", "index.ts"),
    ]


def test_what_comes_from_outside_keeps_its_module_and_its_stars_are_left_out() -> None:
    files = {
        "index.ts": "export * from 'react';\nexport { useId } from 'react';\nexport * from './a';\nexport * from './b';\n",
        "a.ts": "export { memo } from 'react';\n",
        "b.ts": "export { memo } from 'react';\nexport { gone } from './missing';\n",
    }
    found = resolved(files)
    assert found.exports["index.ts"] == (
        Export("useId", source="react", line=2),
        Export("memo", source="./a", line=3, origin="a.ts"),
        Export("gone", source="./b", line=4, origin="b.ts"),
    )


def test_a_name_that_is_not_seen_where_it_is_passed_on_from_is_taken_to_be_there() -> None:
    files = {
        "index.ts": "export { default as Card } from './Card.vue';\nexport { hidden } from './a';\n",
        "Card.vue": "",
        "a.ts": "export const seen = 1;\n",
    }
    assert exported(files, "index.ts") == [("Card", "", "default", "Card.vue"), ("hidden", "", "", "a.ts")]


def test_files_that_pass_on_from_each_other_end() -> None:
    files = {
        "a.ts": "export * from './b';\nexport const a = 1;\nexport { lost } from './b';\n",
        "b.ts": "export * from './a';\nexport * from './c';\nexport { lost } from './a';\nexport * from './b';\n",
        "c.ts": "export * from './a';\nexport const c = 1;\n",
    }
    assert sorted(exported(files, "a.ts")) == [
        ("a", "const", "", ""),
        ("c", "const", "", "c.ts"),
        ("lost", "", "", "b.ts"),
    ]
    assert sorted(exported(files, "c.ts")) == [("a", "const", "", "a.ts"), ("c", "const", "", "")]


def test_a_python_package_passes_on_names_stars_and_modules() -> None:
    files = {
        "shop/__init__.py": "from . import pay\nfrom .cart import Cart as Basket, gone\nfrom .cart import *\n"
        "from shop.space import deep\nfrom os import path\nfrom . import nothing\n",
        "shop/cart.py": "class Cart: ...\ndef default(): ...\n",
        "shop/pay.py": "",
        "shop/space/deep.py": "",
    }
    assert [row for row in exported(files, "shop/__init__.py") if row[0] not in {"path", "nothing"}] == [
        ("pay", "module", "", "shop/pay.py"),
        ("Basket", "class", "Cart", "shop/cart.py"),
        ("gone", "", "", "shop/cart.py"),
        ("Cart", "class", "", "shop/cart.py"),
        ("default", "function", "", "shop/cart.py"),
        ("deep", "module", "", "shop/space/deep.py"),
    ]
    assert ("path", "", "", "") in exported(files, "shop/__init__.py")
    assert ("nothing", "", "", "") in exported(files, "shop/__init__.py")


FILES = "abcdef"
NAMES = ("x", "y", DEFAULT)
exports = st.one_of(
    st.builds(Export, st.sampled_from(NAMES), st.just("const")),
    st.builds(lambda file: Export(STAR, source=f"./{file}"), st.sampled_from(FILES)),
    st.builds(
        lambda name, local, file: Export(name, local="" if local == name else local, source=f"./{file}"),
        st.sampled_from(NAMES),
        st.sampled_from(NAMES),
        st.sampled_from(FILES),
    ),
)


def once(listed: list[Export]) -> tuple[Export, ...]:
    """A name can be a file's own once."""
    kept: dict[str, Export] = {}
    for export in listed:
        kept.setdefault(export.source if export.name == STAR else export.name, export)
    return tuple(kept.values())


projects = st.fixed_dictionaries({f"{file}.ts": st.lists(exports, max_size=4).map(once) for file in FILES})
Project = dict[str, tuple[Export, ...]]


def leads(
    project: Project, path: str, name: str, met: frozenset[tuple[str, str]]
) -> Iterator[tuple[str, str]]:
    """Every place a name leads to, written as plainly as can be: follow each way, never twice the same step."""
    if (path, name) in met:
        return
    met |= {(path, name)}
    own = next((export for export in project[path] if export.name == name), None)
    if own and not own.source:
        yield path, name
    elif own:
        yield from leads(project, f"{own.source[2:]}.ts", own.local or own.name, met)
    elif name != DEFAULT:
        for star in project[path]:
            if star.name == STAR:
                yield from leads(project, f"{star.source[2:]}.ts", name, met)


@given(projects)
def test_any_project_comes_out_as_the_plain_reading_of_the_language_has_it(project: Project) -> None:
    tree = Listed({path: Extract(listed) for path, listed in project.items()}, lambda _: None)
    found = resolve(tree, project)
    for path in project:
        own = {export.name for export in project[path]}
        told = {export.name: export.origin or path for export in found.exports.get(path, ())}
        for name in NAMES:
            places = set(leads(project, path, name, frozenset()))
            if len(places) == 1:
                assert told[name] == next(iter(places))[0]
            elif name not in own and name in told:
                # Only what some file of the way passes on without having it: it is taken to be there.
                assert not places
