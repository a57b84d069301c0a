import pytest

from toolpost.index.extract import extract
from toolpost.index.extract.languages import ENDINGS
from toolpost.index.model import Export, Extract
from toolpost.index.tags import tags_of
from toolpost.index.tags.known import FRAMEWORKS, ROLES, known


def tags(path: str, text: str) -> set[str]:
    """By the real extractor."""
    content = text.encode()
    return set(tags_of(path, content, extract(path, content)))


def made(path: str, *exports: Export, marks: tuple[str, ...] = (), imports: tuple[str, ...] = ()) -> set[str]:
    return set(tags_of(path, b"", Extract(exports, imports, marks)))


def test_tags_are_sorted_and_told_once() -> None:
    text = b"import React from 'react'\nexport const Button = () => <b/>\n"
    assert tags_of("src/Button.tsx", text, extract("src/Button.tsx", text)) == (
        "react",
        "react-component",
        "typescript",
    )


@pytest.mark.parametrize(
    "text",
    [
        "export default function Button() { return <b/>; }",
        "export const Button = () => <b/>;",
        "const Button = () => <b/>;\nexport { Button };",
        "const Button = () => <b/>;\nexport default Button;",
        "import { forwardRef } from 'react';\nexport const Button = forwardRef((props, ref) => null);",
        "import React from 'react';\nexport default React.memo(function Button() { return null; });",
        "import { Component } from 'react';\nexport class Button extends Component {}",
        "export const Root = styled('div')({});",
        "export default () => <b/>;",
        'import { jsx as _jsx } from "react/jsx-runtime";\nexport default make(_jsx("path", {}), "Abc");',
    ],
)
def test_what_exports_something_drawn_under_a_capital_letter_is_a_react_component(text: str) -> None:
    assert {"react", "react-component"} <= tags("src/Button.jsx", text)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("src/a.jsx", "const Button = () => <b/>;"),
        ("src/a.jsx", "export const render = () => <b/>;"),
        ("src/a.jsx", "export const COLORS = 1;\nconst x = <b/>;"),
        (
            "src/a.jsx",
            "import React from 'react';\nexport const MyContext = React.createContext();\nconst x = <b/>;",
        ),
        ("src/a.tsx", "export type Props = {};\nexport interface Other {}\nconst x = <b/>;"),
        ("src/a.jsx", "export { Button } from './Button';\nconst x = <b/>;"),
        (
            "src/a.ts",
            "import { forwardRef } from '@angular/core';\nexport class Holder { x = forwardRef(() => 1); }",
        ),
        ("src/a.ts", "export class Node { make() { return document.createElement('b'); } }"),
        ("src/Button.d.ts", "export declare const Button: () => JSX.Element;"),
        ("src/Button.test.jsx", "describe('x', () => { it('draws', () => { render(<b/>); }); });"),
        ("src/Button.stories.jsx", "export default { title: 'Button' };\nexport const Primary = () => <b/>;"),
    ],
)
def test_what_draws_without_exporting_it_or_exports_without_drawing_is_none(path: str, text: str) -> None:
    assert "react-component" not in tags(path, text)


def test_a_component_belongs_to_the_framework_that_is_imported() -> None:
    drawn = Export("Button", "function")
    assert "solid-component" in made("a.tsx", drawn, marks=("jsx",), imports=("solid-js",))
    assert "preact-component" in made("a.tsx", drawn, marks=("jsx",), imports=("preact/hooks",))
    assert made("a.tsx", drawn, marks=("jsx",), imports=("vue",)) == {"typescript", "vue", "vue-component"}


def test_hooks_are_known_by_their_names_and_by_what_they_are_made_of() -> None:
    assert "react-hook" in tags(
        "src/useId.ts", "import * as React from 'react';\nexport default function useId() {}"
    )
    assert "react-hook" in tags(
        "src/useX.ts", "import { useY } from './useY';\nexport const useX = () => useY();"
    )
    assert "vue-composable" in tags(
        "src/useX.ts", "import { ref } from 'vue';\nexport const useX = () => ref(1);"
    )
    assert "react-hook" not in tags("src/useX.ts", "export const useX = 1;")
    assert "react-hook" not in tags("src/user.ts", "import 'react';\nexport const user = 1, use = 2;")
    assert "react-hook" not in tags("src/index.ts", "import 'react';\nexport { useX } from './useX';")


def test_a_context_is_one_of_react() -> None:
    assert "react-context" in tags(
        "a.js", "import { createContext } from 'react';\nexport const A = createContext(1);"
    )
    assert "react-context" not in tags(
        "a.js", "import { createContext } from 'vm';\nexport const a = createContext(1);"
    )


@pytest.mark.parametrize(
    ("decorator", "role"),
    [
        ("Component", "angular-component"),
        ("Directive", "angular-directive"),
        ("Pipe", "angular-pipe"),
        ("Injectable", "angular-service"),
        ("NgModule", "angular-module"),
    ],
)
def test_angular_is_told_by_its_decorators(decorator: str, role: str) -> None:
    text = f"import {{{decorator}}} from '@angular/core';\n\n@{decorator}({{}})\nexport class Thing {{}}\n"
    assert tags("src/thing.ts", text) == {"angular", "typescript", role}


def test_decorators_of_other_frameworks_mean_other_things() -> None:
    def by(module: str, *marks: str) -> set[str]:
        return made("a.ts", Export("A", "class"), marks=marks, imports=(module,))

    assert by("@stencil/core", "decorator:Component") == {"stencil", "typescript", "web-component"}
    assert by("vue", "decorator:Component") == {"vue", "vue-component", "typescript"}
    assert by("@nestjs/common", "decorator:Injectable") == {"nestjs", "typescript"}


@pytest.mark.parametrize(
    ("path", "mark", "tag"),
    [
        ("a.ts", "types-only", "type-only"),
        ("a.ts", "reexports-only", "barrel"),
        ("a.ts", "use-client", "use-client"),
        ("a.ts", "use-server", "use-server"),
        ("a.js", "shebang", "script"),
        ("a.js", "calls:defineComponent", "vue-component"),
        ("a.js", "calls:customElements.define", "web-component"),
        ("a.js", "extends:HTMLElement", "web-component"),
        ("a.ts", "extends:LitElement", "web-component"),
        ("a.js", "calls:describe", "test"),
        ("a.js", "calls:test", "test"),
        ("a.py", "main", "entrypoint"),
        ("a.py", "tests", "test"),
        ("a.py", "shebang", "script"),
        ("a.py", "decorator:pytest.fixture", "fixture"),
        ("a.go", "main", "entrypoint"),
        ("a.rs", "other", "rust"),
    ],
)
def test_a_mark_makes_its_tag(path: str, mark: str, tag: str) -> None:
    assert tag in made(path, marks=(mark,))


def test_fixtures_within_a_test_file_do_not_make_it_one() -> None:
    assert "fixture" not in made("test_a.py", marks=("decorator:pytest.fixture", "tests"))


def test_a_story_is_one_by_its_name_or_by_what_it_imports() -> None:
    assert "story" in made("a/Button.stories.tsx", Export("default", "value"))
    assert "story" in made("a/Button.tsx", Export("default", "value"), imports=("@storybook/react",))
    assert "story" not in made("a/Button.tsx", Export("decorate", "const"), imports=("@storybook/react",))


def test_python_files_are_what_they_do() -> None:
    up, down = Export("upgrade", "function"), Export("downgrade", "function")
    assert "migration" in made("db/0001.py", up, down, imports=("alembic",))
    assert "migration" in made("db/0001.py", Export("Migration", "class"), imports=("django.db.migrations",))
    assert "migration" not in made("db/env.py", up, imports=("alembic",))
    assert "migration" not in made("db/env.py", up, down)
    assert "barrel" in made("shop/__init__.py", Export("Cart", source=".cart"))
    assert "barrel" not in made("shop/__init__.py", Export("Cart", source=".cart"), Export("x", "const"))
    assert "barrel" not in made("shop/all.py", Export("Cart", source=".cart"))


@pytest.mark.parametrize(
    ("path", "module", "framework"),
    [
        ("a.ts", "@angular/core/testing", "angular"),
        ("a.ts", "next/link", "next"),
        ("a.ts", "next/link", "react"),
        ("a.ts", "@reduxjs/toolkit", "redux"),
        ("a.py", "django.db.models", "django"),
        ("a.py", "fastapi", "fastapi"),
        ("A.java", "org.springframework.boot", "spring"),
    ],
)
def test_a_framework_is_used_by_who_imports_it(path: str, module: str, framework: str) -> None:
    assert framework in made(path, imports=(module,))


def test_a_module_of_ones_own_is_no_framework() -> None:
    assert made("a.ts", imports=("./react", "reactive", "@acme/react")) == {"typescript"}


@pytest.mark.parametrize(
    "text",
    [
        "// @generated by a program\n",
        "/*\n some words\n Code generated by protoc. DO NOT EDIT.\n*/\n",
        "# This file is autogenerated by pip-compile\n",
        "<!-- AUTO-GENERATED, do not edit -->\n",
        '"""Generated by a script."""\n',
    ],
)
def test_a_file_whose_head_says_so_is_generated(text: str) -> None:
    assert "generated" in set(tags_of("a.ts", text.encode(), Extract()))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.ts", "export const note = 'Generated by hand';\n"),
        ("a.ts", "let x;\n" * 400 + "// @generated\n"),
        ("a.json", '{"a": "# DO NOT EDIT"}'),
        ("a.ts", "// the number is generated by the server\n"),
        ("a.ts", "// ids are autogenerated\n"),
    ],
)
def test_one_that_only_speaks_of_it_is_not(path: str, text: str) -> None:
    assert "generated" not in tags(path, text)


def test_code_on_few_long_lines_is_minified_and_hence_generated() -> None:
    squeezed = b"a=function(){return 1};" * 200
    assert {"minified", "generated"} <= set(tags_of("a.js", squeezed, Extract()))
    assert "minified" not in tags_of("a.js", squeezed.replace(b";", b";\n"), Extract())
    assert "minified" not in tags_of("a.py", squeezed, Extract())


def test_a_script_begins_with_its_program() -> None:
    assert tags_of("bin/run", b"#!/usr/bin/env python3\n", Extract()) == ("entrypoint", "python", "script")
    assert tags_of("tests/run.py", b"#!/usr/bin/env python3\n", Extract()) == ("python", "script", "test")


def test_a_file_that_was_not_read_has_the_tags_of_its_name() -> None:
    assert tags_of("a/logo.png", None, Extract()) == ("asset",)
    assert tags_of("a/unknown", None, Extract()) == ()


def test_every_tag_has_its_meaning_and_every_meaning_ends_as_a_sentence() -> None:
    told = known()
    assert list(told) == sorted(told)
    assert {*ROLES, *FRAMEWORKS, *ENDINGS.values()} <= told.keys()
    assert all(meaning.endswith(".") for meaning in told.values())
