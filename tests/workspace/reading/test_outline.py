import pytest

from toolpost.limits import OUTLINE_CHARS
from toolpost.workspace.reading.outline import Symbol, outline

SOURCES = {
    "a.py": """\
        import os
    >   class A(B):
    >       async def load(self):
                if self.x:
                    return load(1)
    >   def free():
    """,
    "a.tsx": """\
        import React from "react";
    >   export const App: React.FC = () => {
    >   export default function main() {
    >   const double = (x) => 2 * x;
        const plain = 5;
    >   export abstract class Store extends Base {
    >     async load(id: string): Promise<void> {
            if (id) {
            return load(id);
          }
    >   interface Props {
    >   export type Name<T> = string;
    """,
    "a.go": """\
        package main
    >   type Server struct {
    >   func (s *Server) Run() error {
            return nil
    """,
    "a.rs": """\
        use std::io;
    >   pub(crate) struct Point {
    >   impl Point {
    >       pub async unsafe fn go(&self) {
    >   macro_rules! vec2 {
    """,
    "A.java": """\
        package a.b;
    >   public final class A<T> extends B {
            private final Map<String, X> map = new HashMap<>();
    >       public static void main(String[] args) throws X {
                return new Foo(1);
    >   @interface Mark {
    """,
    "a.kt": """\
    >   data class Point(val x: Int)
    >   override suspend fun load(id: Int): String {
    """,
    "a.cs": """\
    >   namespace App;
    >   public sealed record Point(int X);
    >       protected override async Task<int> Go(int a)
    """,
    "a.cpp": """\
        #include <vector>
    >   #define MAX(a, b) ((a) > (b))
    >   namespace app {
    >   template <typename T>
    >   class Box : public Base {
        struct later;
    >   static int count(const Box &box) {
            count(box);
    >   void Box::open() const {
    """,
    "a.rb": """\
    >   module App
    >     class Store < Base
    >       def load(id)
              puts id
    """,
    "a.php": """\
        <?php
    >   final class Store
    >       public static function load(int $id): ?Store
    """,
    "a.swift": """\
    >   public struct Point: Codable {
    >       private(set) func go() async throws {
    >       init(x: Int) {
            var x = 1
    """,
    "a.sh": """\
        set -e
    >   build() {
    >   function clean {
        build all
    """,
    "a.sql": """\
    >   CREATE TABLE orders (
          id integer
    >   create index by_id on orders (id);
    """,
    "a.proto": """\
    >   message Order {
          string id = 1;
    >     rpc Get(Id) returns (Order);
    """,
    "Makefile": """\
    >   build: src
            cc -o x
        FLAGS := -O2
    """,
    "a.toml": """\
    >   [project]
        name = "x"
    """,
    "a.css": """\
        /* colours */
    >   .button, .link {
          color: red;
    >   @media print {
    """,
    "a.scala": """\
    >   case class Point(x: Int)
    >     private def go(x: Int) = x
        val x = 1
    """,
    "a.ex": """\
    >   defmodule App do
    >     defp go(x), do: x
        x = 1
    """,
    "a.lua": """\
    >   local function go(x)
        local x = 1
    """,
    "a.md": """\
    >   # Title
        text
        ```sh
        # a comment
        ```
    >   ## Part
        #hashtag
    """,
}


@pytest.mark.parametrize("name", SOURCES)
def test_definitions_are_found_and_nothing_else(name: str) -> None:
    marked = [line.removeprefix("    ") for line in SOURCES[name].splitlines()][:-1]
    text = "\n".join(line[4:] for line in marked)
    expected = [Symbol(at, line[4:].rstrip()) for at, line in enumerate(marked, 1) if line.startswith(">")]
    assert expected
    assert outline(text, f"some/where/{name}") == expected


def test_a_file_of_no_known_language_has_no_outline() -> None:
    assert outline("def f():\n", "notes.txt") == []
    assert outline("def f():\n", "README") == []


def test_where_there_are_too_many_the_least_indented_stay_in_their_order() -> None:
    text = "class A:\n    def a(self): ...\n    def b(self): ...\ndef c(): ...\n"
    assert outline(text, "a.py", most=2) == [Symbol(1, "class A:"), Symbol(4, "def c(): ...")]
    assert [symbol.line for symbol in outline(text, "a.py", most=3)] == [1, 2, 4]
    assert outline(text, "a.py", most=0) == []


def test_a_long_definition_is_shown_by_its_beginning() -> None:
    (symbol,) = outline(f"def f({'x, ' * 10_000}): ...", "a.py")
    assert len(symbol.text) == OUTLINE_CHARS


def test_windows_line_endings_are_not_shown() -> None:
    assert outline("def f():\r\n    pass\r\ndef g():\r\n", "a.py") == [
        Symbol(1, "def f():"),
        Symbol(3, "def g():"),
    ]
