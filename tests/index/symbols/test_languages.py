"""Definitions of every language, each told whole: line, last line, kind, what it stands within, name, signature, doc."""

from toolpost.index.symbols.find import symbols


def told(path: str, text: bytes) -> list[tuple[int, int, str, str, str, str, str]]:
    found = symbols(path, text)
    assert found is not None
    return [(one.line, one.end_line, one.kind, one.parent, one.name, one.signature, one.doc) for one in found]


def test_go() -> None:
    text = b"""package a

// Add adds.
func Add(a, b int) int { return a + b }

type Point struct { X int }

func (p *Point) Move(dx int) {}

const Max = 3
var count int
"""
    assert told("a.go", text) == [
        (4, 4, "function", "", "Add", "func Add(a, b int) int", "Add adds."),
        (6, 6, "type", "", "Point", "Point struct { X int }", ""),
        (8, 8, "method", "", "Move", "func (p *Point) Move(dx int)", ""),
        (10, 10, "constant", "", "Max", "Max = 3", ""),
        (11, 11, "variable", "", "count", "count int", ""),
    ]


def test_rust() -> None:
    text = b"""/// A point.
#[derive(Debug)]
pub struct Point { x: i32 }

impl Point {
    pub fn new(x: i32) -> Self { Point { x } }
}

trait Shape { fn area(&self) -> f64; }
macro_rules! m { () => {} }
"""
    assert told("a.rs", text) == [
        (3, 3, "struct", "", "Point", "pub struct Point", "A point."),
        (5, 7, "impl", "", "Point", "impl Point", ""),
        (6, 6, "method", "Point", "new", "pub fn new(x: i32) -> Self", ""),
        (9, 9, "trait", "", "Shape", "trait Shape", ""),
        (9, 9, "method", "Shape", "area", "fn area(&self) -> f64", ""),
        (10, 10, "macro", "", "m", "macro_rules! m { () => {} }", ""),
    ]


def test_java() -> None:
    text = b"""/** Says hello. */
@Deprecated
public class A<T> extends B {
  private int count = 0;
  public A(int x) {}
  /** Adds. */
  int add(int a, int b) { return a; }
}
"""
    assert told("A.java", text) == [
        (2, 8, "class", "", "A", "@Deprecated public class A<T> extends B", "Says hello."),
        (4, 4, "field", "A", "count", "private int count = 0", ""),
        (5, 5, "constructor", "A", "A", "public A(int x)", ""),
        (7, 7, "method", "A", "add", "int add(int a, int b)", "Adds."),
    ]


def test_kotlin() -> None:
    text = b"""class A(val x: Int) {
  val y = 1
  fun f(a: Int): Int = a
}
object O
fun top() {}
val z = 1
typealias T = Int
"""
    assert told("a.kt", text) == [
        (1, 4, "class", "", "A", "class A(val x: Int)", ""),
        (2, 2, "field", "A", "y", "val y = 1", ""),
        (3, 3, "method", "A", "f", "fun f(a: Int): Int", ""),
        (5, 5, "object", "", "O", "object O", ""),
        (6, 6, "function", "", "top", "fun top()", ""),
        (7, 7, "variable", "", "z", "val z = 1", ""),
        (8, 8, "type", "", "T", "typealias T = Int", ""),
    ]


def test_c_sharp() -> None:
    text = b"""namespace N {
  /// <summary>Doc</summary>
  public class A { public int X { get; set; } public A() {} void M(int a) {} }
  interface I {} enum E { a } record R(int x); struct S {} delegate void D();
}
"""
    assert told("a.cs", text) == [
        (1, 5, "namespace", "", "N", "namespace N", ""),
        (3, 3, "class", "N", "A", "public class A", "<summary>Doc</summary>"),
        (3, 3, "property", "N.A", "X", "public int X { get; set; }", ""),
        (3, 3, "constructor", "N.A", "A", "public A()", ""),
        (3, 3, "method", "N.A", "M", "void M(int a)", ""),
        (4, 4, "interface", "N", "I", "interface I", ""),
        (4, 4, "enum", "N", "E", "enum E", ""),
        (4, 4, "record", "N", "R", "record R(int x)", ""),
        (4, 4, "struct", "N", "S", "struct S", ""),
        (4, 4, "delegate", "N", "D", "delegate void D()", ""),
    ]


def test_php() -> None:
    text = b"""<?php
namespace App;
/** Doc. */
class A { const X = 1; public function f(int $a): int { return 1; } }
interface I {} trait T {} enum E {} function g() {}
"""
    assert told("a.php", text) == [
        (4, 4, "class", "", "A", "class A", "Doc."),
        (4, 4, "constant", "A", "X", "X = 1", ""),
        (4, 4, "method", "A", "f", "public function f(int $a): int", ""),
        (5, 5, "interface", "", "I", "interface I", ""),
        (5, 5, "trait", "", "T", "trait T", ""),
        (5, 5, "enum", "", "E", "enum E", ""),
        (5, 5, "function", "", "g", "function g()", ""),
    ]


def test_ruby() -> None:
    text = b"""# A module.
module M
  class A < B
    X = 1
    def f(a); end
    def self.g; end
  end
end
"""
    assert told("a.rb", text) == [
        (2, 8, "module", "", "M", "module M", "A module."),
        (3, 7, "class", "M", "A", "class A < B", ""),
        (4, 4, "constant", "M.A", "X", "X = 1", ""),
        (5, 5, "method", "M.A", "f", "def f(a); end", ""),
        (6, 6, "method", "M.A", "g", "def self.g; end", ""),
    ]


def test_swift() -> None:
    text = b"""/// A point.
struct P { var x: Int
  func move() {}
  init() {} }
protocol Q { func q() }
class C {}
enum E { case a }
extension P { func z() {} }
func top(a: Int) -> Int { 1 }
let k = 1
typealias T = Int
"""
    assert told("a.swift", text) == [
        (2, 4, "struct", "", "P", "struct P", "A point."),
        (2, 2, "field", "P", "x", "var x: Int", ""),
        (3, 3, "method", "P", "move", "func move()", ""),
        (5, 5, "protocol", "", "Q", "protocol Q", ""),
        (5, 5, "method", "Q", "q", "func q()", ""),
        (6, 6, "class", "", "C", "class C", ""),
        (7, 7, "enum", "", "E", "enum E", ""),
        (8, 8, "extension", "", "P", "extension P", ""),
        (8, 8, "method", "P", "z", "func z()", ""),
        (9, 9, "function", "", "top", "func top(a: Int) -> Int", ""),
        (10, 10, "variable", "", "k", "let k = 1", ""),
        (11, 11, "type", "", "T", "typealias T = Int", ""),
    ]


def test_c() -> None:
    text = b"""#define MAX 3
#define SQ(x) ((x)*(x))
/* A point. */
struct point { int x; };
typedef struct point point_t;
int add(int a, int b) { return a; }
static char *name(void) { return 0; }
enum e { A };
"""
    assert told("a.c", text) == [
        (1, 1, "macro", "", "MAX", "#define MAX 3", ""),
        (2, 2, "macro", "", "SQ", "#define SQ(x) ((x)*(x))", ""),
        (4, 4, "struct", "", "point", "struct point", "A point."),
        (5, 5, "type", "", "point_t", "typedef struct point point_t", ""),
        (6, 6, "function", "", "add", "int add(int a, int b)", ""),
        (7, 7, "function", "", "name", "static char *name(void)", ""),
        (8, 8, "enum", "", "e", "enum e", ""),
    ]


def test_cpp() -> None:
    text = b"""namespace n {
// A class.
class A { public: int f() const { return 1; } A(); ~A() {} };
int A::g(int x) { return x; }
template <class T> T h(T t) { return t; }
using V = int;
}
"""
    assert told("a.cpp", text) == [
        (1, 7, "namespace", "", "n", "namespace n", ""),
        (3, 3, "class", "n", "A", "class A", "A class."),
        (3, 3, "method", "n.A", "f", "int f() const", ""),
        (4, 4, "method", "n", "A::g", "int A::g(int x)", ""),
        (5, 5, "function", "n", "h", "T h(T t)", ""),
        (6, 6, "type", "n", "V", "using V = int", ""),
    ]


def test_python() -> None:
    text = b"""X = 1
class A:
    \"\"\"A class.\"\"\"
    y: int = 2
    def f(self):
        \"\"\"
        Does f.
        \"\"\"
        def inner(): pass
@dec
def g(): pass
"""
    assert told("a.py", text) == [
        (1, 1, "variable", "", "X", "X = 1", ""),
        (2, 9, "class", "", "A", "class A", "A class."),
        (4, 4, "field", "A", "y", "y: int = 2", ""),
        (5, 9, "method", "A", "f", "def f(self)", "Does f."),
        (9, 9, "function", "A.f", "inner", "def inner()", ""),
        (11, 11, "function", "", "g", "def g()", ""),
    ]


def test_typescript() -> None:
    text = b"""/** Shows a button. */
export function Button({a}: P) { return <b/>; }
export const useX = () => { const inner = 1; function deep() {} };
export default class B extends C { private x = 1; #y; get z() { return 1; } static m() {} }
interface P { a: string; f(): void }
type T = string; enum E { A } namespace N { export const q = 1; }
declare module "x" { function y(): void }
const [l, m] = f();
"""
    assert told("a.tsx", text) == [
        (2, 2, "function", "", "Button", "function Button({a}: P)", "Shows a button."),
        (3, 3, "variable", "", "useX", "useX = () => { const inner = 1; function deep() {} }", ""),
        (3, 3, "function", "useX", "deep", "function deep()", ""),
        (4, 4, "class", "", "B", "class B extends C", ""),
        (4, 4, "field", "B", "x", "private x = 1", ""),
        (4, 4, "field", "B", "#y", "#y", ""),
        (4, 4, "method", "B", "z", "get z()", ""),
        (4, 4, "method", "B", "m", "static m()", ""),
        (5, 5, "interface", "", "P", "interface P", ""),
        (5, 5, "field", "P", "a", "a: string", ""),
        (5, 5, "method", "P", "f", "f(): void", ""),
        (6, 6, "type", "", "T", "type T = string", ""),
        (6, 6, "enum", "", "E", "enum E", ""),
        (6, 6, "namespace", "", "N", "namespace N", ""),
        (6, 6, "variable", "N", "q", "q = 1", ""),
        (7, 7, "module", "", '"x"', 'module "x"', ""),
        (7, 7, "function", '"x"', "y", "function y(): void", ""),
    ]


def test_javascript() -> None:
    text = b"""// Adds.
function add(a, b) {}
class A { f = 1; #g() {} }
var v = function () {};
"""
    assert told("a.js", text) == [
        (2, 2, "function", "", "add", "function add(a, b)", "Adds."),
        (3, 3, "class", "", "A", "class A", ""),
        (3, 3, "field", "A", "f", "f = 1", ""),
        (3, 3, "method", "A", "#g", "#g()", ""),
        (4, 4, "variable", "", "v", "v = function () {}", ""),
    ]
