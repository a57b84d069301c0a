"""Marks of every kind, and what only looks like one."""

import pytest

from toolpost.index.extract import ecma
from toolpost.index.model import Extract


def read(text: str, path: str = "a.ts") -> Extract:
    return ecma.extract(path, text.encode())


MARKS = {
    "class A // why\n  extends B<C> {}": ["extends:B"],
    "class A<\n  T extends { a: 1; b: 2 },\n>\n  extends B {}": ["extends:B"],
    "@Component({ a: 1 })\nexport class A {}": ["decorator:Component"],
    "@ng.Injectable()\n@other\nclass A {}": ["decorator:Injectable", "decorator:other"],
    "it('a', () => {\n  @Component({ template: '(@X()' })\n  class A {\n    @Input() b;\n    @Output()\n    c;\n  }\n});": [
        "calls:it",
        "decorator:Component",
    ],
    "f(() => {\n  @a.B\n  // why\n  @C({})\n  abstract class A {}\n  @D(\n});": [
        "decorator:B",
        "decorator:C",
    ],
    "class A {\n  @HostListener('x', ['$event'])\n  f() {}\n  @Input({\n    a: 1,\n  })\n  b = 1;\n}": [],
    "/*\n  @A class X {}\n*/\nf('a@b.c', '@d');": [],
    "/**\n@Component\n*/\nexport @customElement('x') class A extends LitElement {}": [
        "decorator:customElement",
        "extends:LitElement",
    ],
    "export const C = React.createContext<{ a: () => void; }>(null);": ["calls:createContext"],
    "export default defineComponent({});": ["calls:defineComponent"],
    "customElements.define('x', class extends HTMLElement {});": [
        "calls:customElements.define",
        "extends:HTMLElement",
    ],
    "class A<T extends B = {}> extends React.PureComponent<T> {}": ["extends:PureComponent"],
    "class A extends mixin(B) {}\ninterface C extends D {}\nconst className = 1;": [],
    "describe('a', () => {\n  it('b', () => {});\n});": ["calls:describe"],
    "import a from 'a';\ntest.each`x`('a', f);\nit('b', f);\nitem(1);": ["calls:it", "calls:test"],
    "tester(1);\ntest(1);": ["calls:test"],
    "tester(1);\ntested(1);": [],
    "const A = memo(forwardRef(f)), B = lazy(() => import('x'));": [
        "calls:forwardRef",
        "calls:lazy",
        "calls:memo",
    ],
    "const A = styled.div`a`;": ["calls:styled"],
    "const A = styled('div')({});": ["calls:styled"],
    "useMemo(a); memoize(b); function memo(c) {}\n// memo(d)\nconst e = 'memo(f)';": [],
    "export type A = 1;\nexport interface B {}\n": ["types-only"],
    "import type { C } from 'c';\nexport type A = C;\ntype D = 1;\ninterface E {}\n": ["types-only"],
    "export type A = 1;\nrun();\n": [],
    "import './effect';\nexport type A = 1;\n": [],
    "export * from './a';\nexport { b } from './b';\n": ["reexports-only"],
    "import A from './a';\nexport { A };\nexport default A;\n": ["reexports-only"],
    "export * from './a';\nrun();\n": [],
    "#!/usr/bin/env node\nrun();": ["shebang"],
    "'use client';\nrun();": ["use-client"],
    "// hi\n\"use strict\";\n'use server';\nrun();": ["use-server"],
    "run();\n'use client';": [],
}


@pytest.mark.parametrize("text", MARKS)
def test_marks_tell_what_stands_in_code(text: str) -> None:
    assert list(read(text).marks) == MARKS[text]
    assert list(ecma.by_tree("a.ts", text.encode()).marks) == MARKS[text]
