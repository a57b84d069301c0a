"""Every form of export, import and mark, read whole by whichever way reads it."""

import pytest
from msgspec.structs import replace

from toolpost.index.extract import ecma
from toolpost.index.model import Export, Extract


def read(text: str, path: str = "a.ts") -> Extract:
    return ecma.extract(path, text.encode())


def one(name: str, kind: str = "", local: str = "", source: str = "", line: int = 1) -> Export:
    return Export(name, kind, local, source, line)


DECLARATIONS = {
    "export const a = 1;": [one("a", "const")],
    "export const a: number = 1, b = { c: 2 }, d = [1, 2];": [one(name, "const") for name in "abd"],
    "export const a = { x: 1, y: 2 };": [one("a", "const")],
    "export const f = (x, y = 2) => x;": [one("f", "const")],
    "export let a, b;": [one("a", "let"), one("b", "let")],
    "export var a = f(1);": [one("a", "var")],
    "export const { a, b: c, d = 1, e: { f }, ...g } = x;": [one(name, "const") for name in "acdfg"],
    "export const [a, , b = 2, [c], ...d] = x;": [one(name, "const") for name in "abcd"],
    "export function f() {}": [one("f", "function")],
    "export async function f() {}": [one("f", "function")],
    "export function* f() {}": [one("f", "function")],
    "export async function *f() {}": [one("f", "function")],
    "export function f(a: 1): 1;\nexport function f(a: any) {}": [one("f", "function")],
    "export class A {}": [one("A", "class")],
    "export class A<T> extends B<T> implements C {}": [one("A", "class")],
    "export abstract class A {}": [one("A", "class")],
    "export enum E { A }": [one("E", "enum")],
    "export const enum E { A }": [one("E", "enum")],
    "export declare enum E { A }": [one("E", "enum")],
    "export type T = { a: 1 };": [one("T", "type")],
    "export type T<A> = A;": [one("T", "type")],
    "export interface I extends J {}": [one("I", "interface")],
    "export namespace N {\n  export const inner = 1;\n}": [one("N", "namespace")],
    "export namespace A.B {}": [one("A", "namespace")],
    "export module M {}": [one("M", "namespace")],
    "export declare const a: number, b: string;": [one("a", "const"), one("b", "const")],
    "export declare function f(): void;": [one("f", "function")],
    "export declare class A {}": [one("A", "class")],
    "declare module 'x' {\n  export const a: 1;\n}": [],
    "export as namespace Lib;": [],
    "export const größe = 1;": [one("größe", "const")],
    "export const $a_1 = 1;": [one("$a_1", "const")],
    "  export const indented = 1;": [one("indented", "const")],
    "'use strict';export const a = 1": [one("a", "const")],
    "/** doc */ export const a = 1": [one("a", "const")],
    "@A() export class X {}": [one("X", "class")],
    "export @a class X {}": [one("X", "class")],
    "export import a = b.c;": [one("a")],
    "export import a = require('x');": [one("a", "namespace", "*", "x")],
    "export interface X {}\nexport const X = 1;": [one("X", "interface"), one("X", "const", line=2)],
}

DEFAULTS = {
    "export default function Button() {}": one("default", "function", "Button"),
    "export default async function load() {}": one("default", "function", "load"),
    "export default function () {}": one("default", "function"),
    "export default function* make() {}": one("default", "function", "make"),
    "export default class Button extends A {}": one("default", "class", "Button"),
    "export default class extends A {}": one("default", "class"),
    "export default class {}": one("default", "class"),
    "export default abstract class A {}": one("default", "class", "A"),
    "export default interface Props {}": one("default", "interface", "Props"),
    "const a = 1;\nexport default a;": one("default", "const", "a", line=2),
    "function a() {}\nexport default a": one("default", "function", "a", line=2),
    "class A {}\nexport default A as B;": one("default", "class", "A", line=2),
    "export default (a as any);": one("default", "", "a"),
    "export default a!;": one("default", "", "a"),
    "export default undefined;": one("default", "value"),
    "export default { a: 1 };": one("default", "value"),
    "export default [1];": one("default", "value"),
    "export default 'text';": one("default", "value"),
    "export default -1;": one("default", "value"),
    "export default -a;": one("default", "value"),
    "export default () => 1;": one("default", "function"),
    "export default ({ a, b }) => 1;": one("default", "function"),
    "export default async (a: number) => 1;": one("default", "function"),
    "export default x => 1;": one("default", "function"),
    "export default new Thing();": one("default", "value"),
    "export default a.b;": one("default", "value"),
    "export default a || b;": one("default", "value"),
    "export default memo(Button);": one("default", "value", "Button"),
    "export default React.memo(forwardRef(function Button(a) {}));": one("default", "value", "Button"),
    "export default React.forwardRef<A, B>(function Button(a) {});": one("default", "value", "Button"),
    "export default memo(() => 1);": one("default", "value"),
    "export default memo(a.b);": one("default", "value"),
    "export default connect(state, act)(Button);": one("default", "value", "Button"),
    "export default connect((s) => s)(Button);": one("default", "value", "Button"),
    "export default withRouter(Page);": one("default", "value", "Page"),
    "export default withStyles({ a: 1 })(Page);": one("default", "value", "Page"),
    "export default withRouter(memo(Page));": one("default", "value", "Page"),
    "export default compose(a, b);": one("default", "value"),
    "export default withRouter();": one("default", "value"),
    "export default define(config);": one("default", "value"),
    "export default define(function plugin() {});": one("default", "value", "plugin"),
    "export default (define(class Plugin {})).x(1);": one("default", "value"),
    "export default define(class Plugin {}).x(1)": one("default", "value", "Plugin"),
    "export default <any>a;": one("default", "", "a"),
    "export = api;": one("default", "", "api"),
    "export default function größe() {}": one("default", "function", "größe"),
}

LISTS = {
    "const a = 1;\nlet b;\nexport { a, b as c };": [one("a", "const", line=3), one("c", "let", "b", line=3)],
    "function a() {}\nexport { a as default };": [one("default", "function", "a", line=2)],
    "export { a as 'x y' };": [one("x y", "", "a")],
    "export { type T, a };": [one("T", "type"), one("a")],
    "export type { T, U as V };": [one("T", "type"), one("V", "type", "U")],
    "export {\n  // first }\n  a, /* b, */\n  c,\n};": [one("a"), one("c")],
    "export {};": [],
    "export { a, b as c } from './x';": [one("a", "", "", "./x"), one("c", "", "b", "./x")],
    "export { default } from './x';": [one("default", "", "", "./x")],
    "export { default as X } from './x';": [one("X", "", "default", "./x")],
    'export { X as default } from "./x"': [one("default", "", "X", "./x")],
    "export type { T } from './x';": [one("T", "type", "", "./x")],
    "export { 'a-b' as c } from './x';": [one("c", "", "a-b", "./x")],
    "export * from './x';": [one("*", "", "", "./x")],
    "export type * from './x';": [one("*", "type", "", "./x")],
    "export * as ns from './x';": [one("ns", "namespace", "*", "./x")],
    "export * as 'n s' from './x';": [one("n s", "namespace", "*", "./x")],
    "export{a}from'./x';export*from'./y'": [one("a", "", "", "./x"), one("*", "", "", "./y")],
    "import A, { b as c } from './x';\nexport { A, c as d };": [
        one("A", "", "default", "./x", 2),
        one("d", "", "b", "./x", 2),
    ],
    "import * as n from './x';\nexport { n };": [one("n", "", "*", "./x", 2)],
    "import A from './x';\nexport default A;": [one("default", "", "", "./x", 2)],
    "import { a as b } from './x';\nexport default b as any;": [one("default", "", "a", "./x", 2)],
    "import * as n from './x';\nexport default n;": [one("default", "", "*", "./x", 2)],
    "import A from './x';\nexport default memo(A);": [one("default", "value", "A", line=2)],
    "import a from './x';\nfunction b(a) {}\nexport default b;": [one("default", "function", "b", line=3)],
}

COMMON = {
    "module.exports = X;": [one("default", "value", "X")],
    "class X {}\nmodule.exports = X;": [one("default", "class", "X", line=2)],
    "module.exports = function make() {};": [one("default", "function", "make")],
    "module.exports = { a, b: c, 'd-e': 1, f() {}, async g() {}, ...rest, ...require('./x'), [h]: 1 };": [
        one("a"),
        one("b", "value", "c"),
        one("d-e", "value"),
        one("f", "function"),
        one("g", "function"),
        one("*", "", "", "./x"),
    ],
    "module.exports = {\n  a: 'x, y', // b,\n  c: (d, { e }) => `f, ${g}`,\n};": [
        one("a", "value", line=2),
        one("c", "value", line=3),
    ],
    "module.exports = require('./x');": [one("*", "", "", "./x")],
    "if (a) {\n  module.exports = require('./x');\n} else {\n  module.exports = require('./y');\n}": [
        one("*", "", "", "./x", 2),
        one("*", "", "", "./y", 4),
    ],
    "exports.a = 1;\nmodule.exports.b = function () {};": [one("a", "value"), one("b", "function", line=2)],
    "exports['a-b'] = 1;": [one("a-b", "value")],
    "exports = module.exports = make;": [one("default", "value", "make")],
    "exports.a = require('./a');\nexports.b = require('./b').c;": [
        one("a", "namespace", "*", "./a"),
        one("b", "", "c", "./b", 2),
    ],
    "Object.defineProperty(exports, 'a', { value: 1 });": [one("a", "value")],
    "Object.defineProperty(exports, '__esModule', { value: true });\nexports.a = exports.b = void 0;\nexports.a = 1;": [
        one("b", line=2),
        one("a", "value", line=3),
    ],
    'var _x = _interop(require("./x"));\n'
    'Object.defineProperty(exports, "a", {\n  enumerable: true,\n  get: function () {\n    return _x.default;\n  }\n});': [
        one("a", "", "default", "./x", 2)
    ],
    "var _default = exports.default = (0, _make.default)(1);": [one("default", "value")],
    "const A = exports.A = make();\nvar B = exports.b = make();": [
        one("A", "value"),
        one("b", "value", "B", line=2),
    ],
    '__exportStar(require("./x"), exports);\ntslib_1.__exportStar(require("./y"), exports);': [
        one("*", "", "", "./x"),
        one("*", "", "", "./y", 2),
    ],
    'function __export(m) { for (var p in m) exports[p] = m[p]; }\n__export(require("./x"));': [
        one("*", "", "", "./x", 2)
    ],
    'var _x = require("./x");\nObject.keys(_x).forEach(function (key) {\n  exports[key] = _x[key];\n});': [
        one("*", "", "", "./x", 2)
    ],
    "Object.keys(options).forEach(function (key) {});\nexports.a = 1": [one("a", "value", line=2)],
    "0 && (module.exports = { a, b });": [one("a"), one("b")],
    "pkg.exports.a = 1; my_exports.b = 2; mymodule.exports = 3; if (exports.a == 1) {}": [],
    "call(exports, 'a'); f(exports);": [],
    "// exports.a = 1\nconst s = 'exports.b = 1';": [],
    "const { a } = require('x'); module.exports.a = a": [one("a", "value")],
}


@pytest.mark.parametrize("text", DECLARATIONS)
def test_a_declaration_is_an_export(text: str) -> None:
    assert list(read(text).exports) == DECLARATIONS[text]


@pytest.mark.parametrize("text", DEFAULTS)
def test_a_default_export_has_its_real_name(text: str) -> None:
    assert read(text).exports == (DEFAULTS[text],)


@pytest.mark.parametrize("text", LISTS)
def test_a_list_tells_names_and_where_they_come_from(text: str) -> None:
    assert list(read(text).exports) == LISTS[text]


@pytest.mark.parametrize("text", [*DECLARATIONS, *DEFAULTS, *LISTS, *COMMON])
def test_a_tree_reads_every_form_as_the_search_does(text: str) -> None:
    path = "a.js" if text in COMMON else "a.ts"
    found = read(text, path)
    assert replace(ecma.by_tree(path, text.encode()), whole=found.whole) == found


@pytest.mark.parametrize("text", COMMON)
def test_commonjs_is_read_where_no_es_export_stands(text: str) -> None:
    assert list(read(text, "a.js").exports) == COMMON[text]


def test_an_es_module_by_its_ending_has_no_commonjs() -> None:
    assert read("exports.a = 1", "a.mjs") == Extract()
    assert read("exports.a = 1;\nexport const b = 1;", "a.js").exports == (one("b", "const", line=2),)


@pytest.mark.parametrize(
    "text",
    [
        "// export const no = 1;\n/*\nexport const no = 1;\n*/\nexport const a = 1;",
        "const t = `\nexport const no = 1;\n`;\n\nexport const a = 1;",
        "const t = `${x}\nexport const no = ${`\nexport const nor = 1;\n`}`;\nexport const a = 1;",
        "const t = `<ul>${x.map((y) => `\nexport const no = 1;\n`)}`;\nexport const a = 1;\n",
        "const r = /export const no/;\n\n\n\nexport const a = 1;",
        "const s = 'export const no = 1';\n\n\n\nexport const a = 1;",
        "const g = 'src/*';\n\n\n\nexport const a = 1;",
        "const g = 'src/**/*.ts'; // `\n\n\n\nexport const a = 1;",
        "// don`t\nconst t = `\nexport const no = 1;\n`;\nexport const a = 1;",
        "/*\n * ```ts\n * ```\n */\nexport const a = 1;",
        "const o = {\nexport: 1,\nexported: 2,\n};\nexport const a = 1;",
        "exporter();\nexport_it();\n$export();\n\nexport const a = 1;",
        "f(\n'it``s',\n`b`);\n\nexport const a = 1;",
        "const t = `\n  export const no = 1;\n`; // import(\n\nexport const a = 1;",
    ],
)
def test_text_that_only_looks_like_an_export_fools_nobody(text: str) -> None:
    (export,) = read(text).exports
    assert (export.name, export.kind) == ("a", "const")
    assert text.split("\n")[export.line - 1] == "export const a = 1;"


def test_windows_lines_are_lines() -> None:
    assert read("export const a = 1;\r\nexport default a;\r\n").exports == (
        one("a", "const"),
        one("default", "const", "a", line=2),
    )


@pytest.mark.parametrize("path", ["a.js", "a.jsx", "a.tsx"])
def test_elements_are_read_in_any_file_that_may_hold_them(path: str) -> None:
    text = (
        "export default function A() {\n  return <p>don't {b /* export */}</p>;\n}\nexport const c = <A />;\n"
    )
    assert read(text, path) == Extract(
        (one("default", "function", "A"), one("c", "const", line=4)), (), ("jsx",)
    )


def test_flow_types_are_read_as_far_as_they_look_like_typescript() -> None:
    text = "// @flow\nimport type { T } from './t';\n  export const f = (a: T): string => '';\nexport type U = T;\n"
    assert read(text, "a.js") == Extract((one("f", "const", line=3), one("U", "type", line=4)), ("./t",))


def test_a_bundle_with_a_long_list_tells_each_kind() -> None:
    names = [f"name{number}" for number in range(40)]
    text = "".join(f"function {name}() {{}}\n" for name in names) + f"export {{ {', '.join(names)}, other }};"
    kinds = [(export.name, export.kind) for export in read(text).exports]
    assert kinds == [(name, "function") for name in names] + [("other", "")]


def test_an_export_without_a_name_is_none() -> None:
    assert read("export declare module 'x' {}").exports == ()
    assert read("export declare global {}").exports == ()
    assert read("  export default 1 + 1").exports == (one("default", "value"),)


def test_a_file_on_one_line_is_read() -> None:
    text = "var a=1;" + "f('x');" * 5_000 + "export{a as b};var c=require('d');"
    assert read(text, "a.js") == Extract((one("b", "var", "a"),), ("d",))


def test_a_pattern_nested_without_end_is_no_danger() -> None:
    deep = 3_000
    found = read("export const " + "[" * deep + "a" + "]" * deep + " = b;")
    assert {export.name for export in found.exports} <= {"a"}


def test_imports_are_told_once_and_in_order() -> None:
    text = """import a from 'one';
import 'two';
import type { T } from "three";
import {
  b,
  c as d,
} from './four';
export * from './five';
import e = require('six');
const f = require('seven'), g = await import(/* webpack: 1 */ 'eight');
type H = import('nine').H;
import i, * as j from 'one';
// import k from 'never';
const l = "require('never')", m = `import('never')`;
/*
import n from 'never';
*/
require(variable); loader.require('never'); requires('never'); import.meta.url; important();
  import o from 'ten';
import('eleven');
export { p } from 'twelve';
module.require('thirteen');
"""
    told = "one two three ./four ./five six seven eight nine ten eleven twelve thirteen"
    assert read(text).imports == tuple(told.split())
