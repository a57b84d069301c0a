"""The search and the syntax tree say the same, and no bytes are too much for either."""

from random import Random

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from toolpost.index.extract import ecma
from toolpost.index.extract.ecma.place import Hard
from toolpost.index.model import Extract

NAMES = st.sampled_from(["a", "Button", "useThing", "$x", "größe", "_y1", "defaults", "exporter", "types"])
MODULES = st.sampled_from(["react", "./x", "../y/z.js", "@scope/pkg"])
PLAIN = r"""
export const {a} = 1;
export const {a} = {{ b: [1, 2], c: '}}' }};
export const {a}: Map<string, number> = new Map();
export const {a} = ({b}, c) => {{\n  return {b};\n}};
export let {a};
export function {a}(x = 'export') {{\n  return `${{x}}`;\n}}
export async function* {a}() {{}}
export class {a} extends {b} {{\n  exported = 1;\n}}
export abstract class {a}<T> {{}}
export enum {a} {{ One }}
export type {a} = {{ x: 1 }};
export interface {a} {{\n  x: string;\n}}
export declare const {a}: number;
export default {a};
export default memo({a});
export default function {a}() {{}}
export default class {{}}
export default {{ {a}, b: 1 }};
export default connect({a})({b});
export {{ {a}, {b} as c }};
export {{ {a} as default }};
export {{ {a}, default as {b} }} from '{m}';
export type {{ {a} }} from "{m}";
export * from '{m}';
export * as {a} from '{m}';
import {a} from '{m}';
import {a}, {{ {b} as c }} from '{m}';
import * as {a} from '{m}';
import '{m}';
const {a} = require('{m}');
const {a} = await import('{m}');
const {a} = React.createContext(null);
const {a} = `\nexport const no = 1;\nimport no from 'no';\n`;
const {a} = 'export const no = 1';
/*\nexport const no = 1; `\n*/
// export default no; don`t require('no')
/** `code` and 'it''s' */
@{a}()\nclass {b} {{}}
describe('{a}', () => {{\n  @{a}({{ b: '(' }})\n  @{b}\n  class X {{\n    @Input() c = 1;\n  }}\n}});
if ({a}) {{\n  {b}();\n}}
""".strip().splitlines()
ODD = r"""
export const {a} = 1, {b} = 2;
export const {{ {a}, x: {b} }} = {a};
export var {a} = 1,\n  {b} = 2;
const {a} = /['"`]export/;
  export const {a} = 1;
export class {a} extends {b} {{\n  export = 1;\n}}
""".strip("\n").splitlines()
"""What may need a tree."""
COMMON = r"""
'use strict';
exports.{a} = 1;
exports.{a} = void 0;
exports['{a}'] = function {b}() {{}};
exports.{a} = exports.{b} = {a};
exports.{a} = require('{m}');
module.exports.{a} = require('{m}').{b};
module.exports = {a};
module.exports = require('{m}');
module.exports = {{ {a}, {b}: 1, c() {{}}, ...require('{m}') }};
module.exports = class {a} {{}};
var {a} = exports.{b} = (0, {a}.default)(1);
Object.defineProperty(exports, '__esModule', {{ value: true }});
Object.defineProperty(exports, '{a}', {{ enumerable: true, get: function () {{ return {b}.default; }} }});
var {b} = _interop(require('{m}'));
__exportStar(require('{m}'), exports);
Object.keys({b}).forEach(function (key) {{\n  exports[key] = {b}[key];\n}});
class {a} {{}}
function {a}() {{}}
// exports.no = 1;
const {a} = 'module.exports = no';
const {a} = `\nexports.no = 1;\n`;
if (x) {{\n  exports.{a} = 1;\n}}
""".strip().splitlines()
ELEMENTS = r"""
export const {a} = <p />;
export default function {a}() {{\n  return <p>{{{b}}}</p>;\n}}
export const {a} = () => (\n  <>\n    <{a} b="c" d={{{b}}} />\n  </>\n);
const {a} = forwardRef(({b}, ref) => <p ref={{ref}} />);
const {a} = <p>plain text</p>;
const {a} = <p title="export const no = 1">{{/* export */}}</p>;
const {a} = '</p>';
// <p />
import {a} from '{m}';
export const {a} = 1;
export {{ {a} }} from '{m}';
""".strip().splitlines()


def written(statement: str, a: str, b: str, m: str) -> str:
    return statement.replace("\\n", "\n").format(a=a, b=b, m=m)


def modules(statements: list[str]) -> st.SearchStrategy[str]:
    lines = st.builds(written, st.sampled_from(statements), NAMES, NAMES, MODULES)
    return st.lists(lines, max_size=12).map("\n".join)


def by_search(path: str, text: str) -> Extract | None:
    """None for a text that needs a tree."""
    try:
        return ecma.by_search(path, text.encode())
    except Hard:
        return None


@given(
    st.tuples(st.sampled_from(["a.ts", "a.tsx"]), modules(PLAIN) | modules(PLAIN + ODD))
    | st.tuples(st.sampled_from(["a.js", "a.cjs"]), modules(COMMON))
    | st.tuples(st.sampled_from(["a.jsx", "a.tsx"]), modules(ELEMENTS))
)
@settings(max_examples=600)
def test_both_ways_agree_on_whole_modules(module: tuple[str, str]) -> None:
    path, text = module
    by_tree = ecma.by_tree(path, text.encode())
    found = by_search(path, text)
    event("by search" if found else "by tree")
    if found:
        assert found == replace(by_tree, whole=True)
    assert ecma.extract(path, text.encode()).exports == by_tree.exports


@pytest.mark.parametrize(
    ("path", "statements", "least"),
    [("a.ts", PLAIN, 85), ("a.ts", PLAIN + ODD, 40), ("a.js", COMMON, 90), ("a.tsx", ELEMENTS, 90)],
)
def test_most_modules_need_no_tree(path: str, statements: list[str], least: int) -> None:
    chance = Random(7)
    names = ["a", "Button", "useThing", "_y1"]
    easy = 0
    for _ in range(100):
        lines = [
            written(chance.choice(statements), chance.choice(names), chance.choice(names), "./x")
            for _ in range(chance.randrange(1, 12))
        ]
        easy += by_search(path, "\n".join(lines)) is not None
    assert easy >= least


@pytest.mark.parametrize("statement", PLAIN + COMMON + ELEMENTS)
def test_a_plain_statement_needs_no_tree(statement: str) -> None:
    path = "a.tsx" if statement in ELEMENTS else "a.ts"
    assert by_search(path, written(statement, "a", "b", "./x")) is not None


PIECES = [
    "export",
    "import",
    "default",
    "const",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    "/",
    "*",
    "`",
    "'",
    '"',
    ";",
    ",",
    ".",
    "=",
    "=>",
    "as",
    "from",
    "*",
    "type",
    "function",
    "class",
    "module.exports",
    "exports.",
    "require(",
    "import(",
    "${",
    "//",
    "/*",
    "*/",
    "\\",
    "\n",
    "\r",
    "@",
    "a",
    "b",
    "ü",
    "0",
    "memo(",
    "</",
    "/>",
    "describe(",
    "extends",
    "__exportStar(require('x')",
    "Object.keys(a).forEach(",
    "Object.defineProperty(exports,",
    "'use",
    "client'",
]


@given(
    st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
    | st.lists(st.sampled_from(PIECES)).map(" ".join)
)
@settings(max_examples=500)
def test_no_text_raises_anything(text: str) -> None:
    assert isinstance(ecma.extract("a.tsx", text.encode()), Extract)
    assert isinstance(ecma.extract("a.js", text.encode()), Extract)


@given(st.binary(), st.sampled_from(["a.ts", "a.cjs", "a.mjs", "x", ""]))
def test_no_bytes_raise_anything(text: bytes, path: str) -> None:
    assert isinstance(ecma.extract(path, text), Extract)


@pytest.mark.parametrize(
    "text",
    [
        b"export" * 20_000,
        b"export default " + b"memo(" * 3_000,
        b"`" * 20_001,
        b"/*" * 20_000,
        b"import(" * 20_000,
        b"export { " + b"a, " * 20_000,
        b"class a<" * 3_000 + b"extends ",
        b"\n'use strict';" * 5_000 + b"'use client",
        b"export const a = [" + b"\n, /* x" * 5_000,
        b"{" + b"/*" * 20_000,
        b"{ x = [" + b"/[" * 4_000,
        b"\n  @a(" * 20_000,
        b"\n  @a" * 20_000,
        b"{" + b"`${" * 20_000,
        b"export const a = {\n" + b"  a: 'b',\n" * 20_000 + b"};",
    ],
)
def test_repetition_is_read_in_bounded_steps(text: bytes) -> None:
    assert isinstance(ecma.extract("a.ts", text), Extract)
