"""A text a language, with every form that counts, and all that comes of it."""

import pytest

from toolpost.index.extract import extract
from toolpost.index.model import STAR, Export, Extract


def test_go_exports_what_begins_with_a_capital() -> None:
    text = b"""package main

import "fmt"
import (
	a "x/y"
	. "z"
)

const A, b = 1, 2
const (
	C = iota
	D
)

var E int
var (
	F, g = 1, 2
)

type T struct{}
type (
	U int
	V = string
	I interface{}
)

func Fn[T any](x int) {}
func (t *T) Method() {}
func hidden() {}
func main() {}
"""
    assert extract("a.go", text) == Extract(
        (
            Export("A", "const", line=9),
            Export("C", "const", line=11),
            Export("D", "const", line=12),
            Export("E", "var", line=15),
            Export("F", "var", line=17),
            Export("T", "struct", line=20),
            Export("U", "type", line=22),
            Export("V", "type", line=23),
            Export("I", "interface", line=24),
            Export("Fn", "function", line=27),
        ),
        ("fmt", "x/y", "z"),
        ("main", "package:main"),
    )


def test_go_tests_are_marked_in_their_own_files() -> None:
    text = b"package a\nfunc TestX(t *testing.T) {}\n"
    assert extract("a_test.go", text).marks == ("package:a", "tests")
    assert extract("a.go", text).marks == ("package:a",)


def test_rust_exports_what_is_public() -> None:
    text = b"""pub use a::b::{self, c as d, e::*, /* x */ f};
pub use x::y as z;
pub use g::*;
pub use t::Trait as _;
use std::io;
pub extern crate foo as bar;
pub fn f() {}
pub(crate) fn g() {}
fn h() {}
pub struct S<T>(T);
pub enum E { A }
pub union U { a: u8 }
pub trait T {}
pub type X = u8;
pub const C: u8 = 1;
pub static ST: u8 = 1;
pub mod m { pub fn inner() {} }
#[macro_export]
#[doc(hidden)]
macro_rules! mac { () => {} }
macro_rules! own { () => {} }
mod private;
extern "C" { pub fn cc(); }
fn main() {}
#[cfg(test)]
mod tests { use super::*; }
#[test]
fn it() {}
"""
    assert extract("a.rs", text) == Extract(
        (
            Export("b", "", "", "a", 1),
            Export("d", "", "c", "a::b", 1),
            Export(STAR, source="a::b::e", line=1),
            Export("f", "", "", "a::b", 1),
            Export("z", "", "y", "x", 2),
            Export(STAR, source="g", line=3),
            Export("bar", "module", "", "foo", 6),
            Export("S", "struct", line=10),
            Export("E", "enum", line=11),
            Export("U", "union", line=12),
            Export("T", "trait", line=13),
            Export("X", "type", line=14),
            Export("C", "const", line=15),
            Export("ST", "static", line=16),
            Export("m", "module", line=17),
            Export("mac", "macro", line=20),
            Export("cc", "function", line=23),
        ),
        ("a::b", "a::b::c", "a::b::e", "a::b::f", "x::y", "g", "t::Trait", "std::io", "foo", "self::private"),
        ("inline-tests", "main", "tests"),
    )


def test_java_exports_public_types() -> None:
    text = b"""package a.b;
import java.util.*;
import static x.y.Z.w;
@Entity @Table(name = "t")
public class A<T> { class Inner {} public static void main(String[] a) {} }
class D {}
public interface I {}
public enum E { X }
public record R(int a) {}
public @interface Ann {}
"""
    assert extract("A.java", text) == Extract(
        (
            Export("A", "class", line=4),
            Export("I", "interface", line=7),
            Export("E", "enum", line=8),
            Export("R", "record", line=9),
            Export("Ann", "annotation", line=10),
        ),
        ("java.util.*", "x.y.Z.w"),
        ("decorator:Entity", "decorator:Table", "main"),
    )


def test_java_without_public_types_exports_those_of_its_package() -> None:
    assert extract("A.java", b"class A {}\nfinal class B {}\n").exports == (
        Export("A", "class", line=1),
        Export("B", "class", line=2),
    )


def test_kotlin_exports_what_is_not_private() -> None:
    text = b"""@file:JvmName("x")
package a.b
import x.y.Z
import x.y.*
import x.y.W as V
class A(val x: Int)
private class P
internal class In
interface I
object O
enum class E { A }
annotation class Ann
fun f(): Int = 1
fun <T> List<T>.ext() {}
private fun g() {}
const val CC = 1
var w: Int = 2
val (aa, bb) = pair
val String.prop: Int get() = 1
typealias TA = String
@Composable fun Comp() {}
fun main() {}
"""
    assert extract("a.kt", text) == Extract(
        (
            Export("A", "class", line=6),
            Export("In", "class", line=8),
            Export("I", "interface", line=9),
            Export("O", "object", line=10),
            Export("E", "enum", line=11),
            Export("Ann", "annotation", line=12),
            Export("f", "function", line=13),
            Export("ext", "function", line=14),
            Export("CC", "const", line=16),
            Export("w", "var", line=17),
            Export("aa", "const", line=18),
            Export("bb", "const", line=18),
            Export("prop", "const", line=19),
            Export("TA", "type", line=20),
            Export("Comp", "function", line=21),
            Export("main", "function", line=22),
        ),
        ("x.y.Z", "x.y.*", "x.y.W"),
        ("decorator:Composable", "main"),
    )


def test_csharp_exports_public_types_of_any_namespace() -> None:
    text = b"""using System;
using static System.Math;
using X = A.B;
namespace N.M {
  [Attr] public class A<T> { public class Inner {} static void Main() {} }
  internal class B {}
  namespace O { public struct S {} }
  public delegate void Del(int x);
}
public record R(int a);
public interface I {}
public enum E { A }
file class Own {}
"""
    assert extract("a.cs", text) == Extract(
        (
            Export("A", "class", line=5),
            Export("S", "struct", line=7),
            Export("Del", "delegate", line=8),
            Export("R", "record", line=10),
            Export("I", "interface", line=11),
            Export("E", "enum", line=12),
        ),
        ("System", "System.Math", "A.B"),
        ("decorator:Attr", "main"),
    )


def test_csharp_may_name_its_namespace_for_the_whole_file() -> None:
    text = b"namespace N.M;\nclass A {}\ninternal class B {}\nfile class C {}\n"
    assert extract("a.cs", text).exports == (Export("A", "class", line=2), Export("B", "class", line=3))
    assert extract("p.cs", b'Console.WriteLine("x");\n').marks == ("main",)


def test_php_exports_what_it_declares() -> None:
    text = rb"""<?php
namespace A\B;
use X\Y;
use X\Z as W, Q\R;
use function F\g;
use G\{A, B as C};
#[Attribute(1)]
final class K extends L {}
interface I {}
trait T {}
enum E: string { case A = 'a'; }
function f() {}
const C1 = 1, C2 = 2;
define('DD', 3);
define($x, 3);
other();
require_once 'x.php';
require __DIR__ . '/y.php';
if (!function_exists('h')) { function h() {} } else { function i() {} }
$x = 1;
"""
    assert extract("a.php", text) == Extract(
        (
            Export("K", "class", line=7),
            Export("I", "interface", line=9),
            Export("T", "trait", line=10),
            Export("E", "enum", line=11),
            Export("f", "function", line=12),
            Export("C1", "const", line=13),
            Export("C2", "const", line=13),
            Export("DD", "const", line=14),
            Export("h", "function", line=19),
            Export("i", "function", line=19),
        ),
        ("X\\Y", "X\\Z", "Q\\R", "F\\g", "G\\A", "G\\B", "x.php", "/y.php"),
        ("decorator:Attribute",),
    )


def test_ruby_exports_what_stands_at_the_top() -> None:
    text = b"""require 'json'
require_relative "a"
require name
autoload :Foo, 'foo'
module A
  class B; end
end
class A::C < D
end
class ::Top; end
def meth(a); end
CONST = 1
X, y = 1, 2
local = 3
D ||= 3
if true
  class Cond < ActiveSupport::TestCase; end
end
RSpec.describe "x" do
end
private def pm; end
"""
    assert extract("a.rb", text) == Extract(
        (
            Export("A", "module", line=5),
            Export("A::C", "class", line=8),
            Export("Top", "class", line=10),
            Export("meth", "function", line=11),
            Export("CONST", "const", line=12),
            Export("X", "const", line=13),
            Export("D", "const", line=15),
            Export("Cond", "class", line=17),
        ),
        ("json", "./a", "foo"),
        ("calls:describe", "tests"),
    )


def test_swift_exports_what_is_public() -> None:
    text = b"""import Foundation
@testable import Foo
public class A {}
open class B: XCTestCase {}
struct S {}
private struct P {}
public enum E { case a }
public protocol Pr {}
extension A { public func x() {} }
public func f() {}
public let a = 1, b = 2
public var c: Int { 1 }
public typealias T = Int
public let (d, e) = (1, 2)
public macro foo() = #externalMacro(module: "a", type: "b")
"""
    assert extract("a.swift", text) == Extract(
        (
            Export("A", "class", line=3),
            Export("B", "class", line=4),
            Export("E", "enum", line=7),
            Export("Pr", "protocol", line=8),
            Export("f", "function", line=10),
            Export("a", "const", line=11),
            Export("b", "const", line=11),
            Export("c", "var", line=12),
            Export("T", "type", line=13),
            Export("d", "const", line=14),
            Export("e", "const", line=14),
            Export("foo", "macro", line=15),
        ),
        ("Foundation", "Foo"),
        ("tests",),
    )


def test_an_app_in_swift_exports_what_its_module_sees() -> None:
    text = b"@main struct App {}\n@objc class V {}\nfileprivate func p() {}\n"
    assert extract("a.swift", text) == Extract(
        (Export("App", "struct", line=1), Export("V", "class", line=2)), (), ("decorator:objc", "main")
    )


HEADER = b"""#ifndef G_H
#define G_H
#include <stdio.h>
#include "a.h"
#define MAX 3
#define F(x) (x)
int decl(int a);
extern int var;
static inline int s(void) { return 1; }
char *p(int x) { return 0; }
struct S { int a; };
typedef struct Q { int a; } T, *PT;
typedef int (*fn)(int);
struct fwd;
enum En { A, B } en;
int a = 1, *b, c[3];
int (*fp)(int);
#endif
"""


def test_a_header_in_c_gives_all_it_declares() -> None:
    assert extract("a.h", HEADER) == Extract(
        (
            Export("MAX", "macro", line=5),
            Export("F", "macro", line=6),
            Export("decl", "function", line=7),
            Export("var", "var", line=8),
            Export("s", "function", line=9),
            Export("p", "function", line=10),
            Export("S", "struct", line=11),
            Export("Q", "struct", line=12),
            Export("T", "type", line=12),
            Export("PT", "type", line=12),
            Export("fn", "type", line=13),
            Export("En", "enum", line=15),
            Export("en", "var", line=15),
            Export("a", "var", line=16),
            Export("b", "var", line=16),
            Export("c", "var", line=16),
            Export("fp", "var", line=17),
        ),
        ("<stdio.h>", "a.h"),
    )


def test_a_source_in_c_gives_what_can_be_linked_to() -> None:
    text = b"#define X 1\nint f(void);\nextern int e;\nstatic int s;\nint v;\nstatic void h(void) {}\nint main(void) {}\n"
    assert extract("a.c", text) == Extract(
        (Export("v", "var", line=5), Export("main", "function", line=7)), (), ("main",)
    )


def test_cpp_exports_what_named_namespaces_hold() -> None:
    text = b"""namespace a::b { class C {}; void f(){} namespace { int hidden; } inline namespace v1 { struct V {}; } }
template <class T> class TC { public: void m(); };
template <typename T> T tf(T x) { return x; }
using Al = int;
void a::C::m() {}
class Fwd;
enum class EC { A };
constexpr int K = 3;
static int hid = 1;
int& rf() { return x; }
template<> struct Sp<int> {};
template<class T> concept Cc = true;
extern "C" int ec() { return 1; }
extern "C" { int ed() { return 1; } }
"""
    assert extract("a.cpp", text) == Extract(
        (
            Export("C", "class", line=1),
            Export("f", "function", line=1),
            Export("V", "struct", line=1),
            Export("TC", "class", line=2),
            Export("tf", "function", line=3),
            Export("Al", "type", line=4),
            Export("EC", "enum", line=7),
            Export("K", "var", line=8),
            Export("rf", "function", line=10),
            Export("Cc", "concept", line=12),
            Export("ec", "function", line=13),
            Export("ed", "function", line=14),
        )
    )


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        ("a.go", b"package a\nfunc F() {}\nfunc (\n", "F"),
        ("a.rs", b"pub fn f() {}\npub fn (\n", "f"),
        ("A.java", b"public class A {}\npublic class {\n", "A"),
        ("a.kt", b"class A\nclass (\n", "A"),
        ("a.cs", b"public class A {}\npublic class {\n", "A"),
        ("a.php", b"<?php\nclass A {}\nclass {\n", "A"),
        ("a.rb", b"class A; end\nclass (\n", "A"),
        ("a.swift", b"public class A {}\npublic class {\n", "A"),
        ("a.c", b"int f(void) {}\nint (\n", "f"),
        ("a.cpp", b"class A {};\nclass {{\n", "A"),
    ],
)
def test_a_broken_file_gives_what_can_be_read_and_says_so(path: str, text: bytes, name: str) -> None:
    found = extract(path, text)
    assert not found.whole
    assert name in [export.name for export in found.exports]
