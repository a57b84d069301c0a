from textwrap import dedent

import pytest

from toolpost.index.extract.python import extract
from toolpost.index.model import STAR, Export, Extract


def read(text: str, path: str = "pkg/a.py") -> Extract:
    return extract(path, dedent(text).encode())


def names(text: str, path: str = "pkg/a.py") -> list[str]:
    return [export.name for export in read(text, path).exports]


def test_top_level_definitions_are_exports() -> None:
    found = read('''\
        """Doc.

        def not_code(): pass
        """
        import os
        from . import near

        def plain(a=(1,
        2)): pass

        async def later(): pass

        class Thing(Base):
            def method(self):
                import json
                from ..far import x

        @app.route("/x")
        @cache
        def _hidden(): pass

        LIMIT = 3
        name: str = "x"
        declared: int
        Alias: TypeAlias = int
        type New[T] = list[T]
        ''')
    assert found == Extract(
        (
            Export("plain", "function", line=8),
            Export("later", "function", line=11),
            Export("Thing", "class", line=13),
            Export("LIMIT", "const", line=22),
            Export("name", "variable", line=23),
            Export("declared", "variable", line=24),
            Export("Alias", "type", line=25),
            Export("New", "type", line=26),
        ),
        ("os", ".", ".near", "json", "..far"),
        ("decorator:app.route", "decorator:cache", "docstring"),
    )


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("a, b = 1, 2", ["a", "b"]),
        ("(a, [b, *c]) = x", ["a", "b", "c"]),
        ("[a, b] = x", ["a", "b"]),
        ("*a, b = x", ["a", "b"]),
        ("a = b = c = 1", ["a", "b", "c"]),
        ("a = 1; b = 2", ["a", "b"]),
        ("import x; b = 2", ["b"]),
        ("x.y = 1", []),
        ("x['k'] = 1", []),
        ("x.y = z = 1", ["z"]),
        ("f(a=1, b=2)", []),
        ("if (m := f()): pass", ["m"]),
        ("print(m := 1)", ["m"]),
        ("x = [m := 1, (lambda: (n := 2))]", ["x", "m"]),
        ("a += 1", []),
        ("a == b", []),
        ("for i, j in x:\n    k = 1\nelse:\n    l = 2", ["i", "j", "k", "l"]),
        ("while x:\n    k = 1", ["k"]),
        ("with f() as a, g() as (b, c):\n    d = 1", ["a", "b", "c", "d"]),
        ("try:\n    a = 1\nexcept E as e:\n    b = 2\nelse:\n    c = 3\nfinally:\n    d = 4", ["a", "b", "c", "d"]),
        ("if x:\n    def f(): pass\nelif y:\n    class C: pass\nelse:\n    @d\n    def g(): pass", ["f", "C", "g"]),
        ("match x:\n    case [a, *b]: pass\n    case {'k': c, **d}: pass\n    case K(e, f=g) as h: pass\n    case _: z = 1",
         ["a", "b", "c", "d", "e", "g", "h", "z"]),
        ("a = 1\ndel a", []),
        ("a = b = 1\ndel (a, b)", []),
        ("x = (\na\n)\ny = 1", ["x", "y"]),
        ("x = f(\na=1,\nb=[\nc, d\n])\ny = 1", ["x", "y"]),
        ("x = ')' # (\ny = 1", ["x", "y"]),
        ("x = 1 + \\\ny\nz = 1", ["x", "z"]),
        ("a = 1 # \\\nb = 2", ["a", "b"]),
        ("match = 1\ntype = 2\nprint = 3", ["match", "type", "print"]),
        ("lambda: 0", []),
        ("größe = 1\ndef über(): pass", ["größe", "über"]),
        ("if True:\n    x: TypeAlias = int\n    type Y = int", ["x", "Y"]),
    ],
)  # fmt: skip
def test_every_way_to_bind_a_name_counts(text: str, bound: list[str]) -> None:
    assert sorted(names(text)) == sorted(bound)
    assert read(text).whole


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ('x = """\ndef no(): pass\n"""\ny = 1', ["x", "y"]),
        ("x = '''\nno = 1\n'''.strip()\ny = 1", ["x", "y"]),
        ('x = \'"""\'\ny = 1\nz = \'"""\'', ["x", "y", "z"]),
        ('# """\ny = 1\n# """', ["y"]),
        ('x = """a\\"""\nno = 1\n"""\ny = 1', ["x", "y"]),
        ("x = \"a\\\n '''\"\ny = 1", ["x", "y"]),
        ('# a \\\n# """\ny = 1', ["y"]),
        ('x = "a", """\nno = 1\n"""\ny = 1', ["x", "y"]),
        ('x = f(1,  # """\n2)\ny = 1', ["x", "y"]),
        ("x = 'a\\\nb = 1'\ny = 1", ["x", "y"]),
    ],
)
def test_strings_hold_no_statements(text: str, bound: list[str]) -> None:
    assert names(text) == bound


@pytest.mark.parametrize(
    ("text", "listed"),
    [
        ("__all__ = ['f', \"_g\"]", ["f", "_g"]),
        ("__all__ = (\n    'f',  # one\n    'h',\n)", ["f", "h"]),
        ("__all__: list[str] = ['f']", ["f"]),
        ("__all__ = ['f']\n__all__ += ['h']", ["f", "h"]),
        ("__all__ = ['f']\n__all__.extend(['h'])\n__all__.append('i')\n__all__.remove('f')", ["h", "i"]),
        ("__all__ = ['f'] + ['h']", ["f", "h"]),
        ("__all__ = list(('f', 'h'))", ["f", "h"]),
        ("__all__ = 'f', 'h'", ["f", "h"]),
        ("__all__ = []", []),
        ("__all__ = ['f']\nif x:\n    __all__ += ['h']\nelse:\n    __all__ = ['i']", ["f", "h", "i"]),
        ("__all__ = ['f', 'f']", ["f"]),
        ("__all__ = compute()", ["f"]),
        ("__all__ = compute()\n__all__ += ['h']", ["f"]),
        ("__all__ = [n for n in dir()]", ["f"]),
        ("__all__ = ['f']\n__all__ += compute()\n__all__.sort()", ["f"]),
        ("a = __all__ = ['f']", ["f"]),
        ("__all__.remove('f')", ["f"]),
    ],
)
def test_a_list_of_names_decides(text: str, listed: list[str]) -> None:
    found = names("def f(): pass\ndef _g(): pass\n" + text)
    assert [name for name in found if name != "a"] == listed


def test_listed_names_tell_where_they_come_from() -> None:
    found = read("""\
        from .one import f as g
        import os.path as p
        from . import other, third
        from .star import *
        __all__ = ["g", "p", "here", "lazy", *other.__all__] + star.__all__ + p.__all__ + far.__all__
        here = 1
        """)
    assert found.exports == (
        Export("g", "", "f", ".one", 1),
        Export("p", "module", "", "os.path", 2),
        Export("here", "variable", line=6),
        Export("lazy", line=5),
        Export(STAR, source=".other", line=5),
        Export(STAR, source=".star", line=5),
        Export(STAR, source="os.path", line=5),
        Export(STAR, source="far", line=5),
    )


def test_a_module_of_a_module_is_named_in_full() -> None:
    found = read("from a.b import c\n__all__ = c.__all__\n")
    assert found.exports == (Export(STAR, source="a.b.c", line=2),)


def test_imports_are_passed_on_only_where_they_are_meant_to_be() -> None:
    text = """\
        from __future__ import annotations
        import a.b
        import c as c
        import d as e
        from .x import (  # why
            f,  # one
            g as g,
            h as i,
            _k,
        )
        from .star import *
        """
    plain = read(text)
    assert plain.exports == (
        Export("c", "module", "", "c", 3),
        Export("g", "", "", ".x", 5),
        Export(STAR, source=".star", line=11),
    )
    assert plain.imports == ("__future__", "a.b", "c", "d", ".x", ".star")
    assert read(text, "pkg/__init__.py").exports == (
        Export("a", "module", "", "a", 2),
        Export("c", "module", "", "c", 3),
        Export("e", "module", "", "d", 4),
        Export("f", "", "", ".x", 5),
        Export("g", "", "", ".x", 5),
        Export("i", "", "h", ".x", 5),
        Export(STAR, source=".star", line=11),
    )
    assert read(text, "pkg/__init__.pyi").exports == plain.exports


def test_every_import_is_named_wherever_it_stands() -> None:
    found = read('''\
        try: import a
        except ImportError: from b import c
        import d, e.f as g; import h
        def f():
            if x: import i
            from . \\
                import j
            s = "x: import no"
            y = """
            import no
            """
            raise E("a \\
            import no")
        from . . up import z
        from.q import r
        ''')
    assert sorted(found.imports) == [".", "..up", ".j", ".q", "a", "b", "d", "e.f", "h", "i"]


def test_a_fallback_under_try_is_one_name() -> None:
    found = read("try:\n    from _fast import f\nexcept ImportError:\n    def f(): pass\n")
    assert found.exports == (Export("f", "function", line=4),)


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("if __name__ == '__main__':\n    x = 1", ("main",)),
        ("if __name__ == '__main__' and y:\n    x = 1\nelse:\n    pass", ("main",)),
        ("def test_a(): pass", ("tests",)),
        ("class TestA: pass", ("tests",)),
        ("class A(unittest.TestCase): pass", ("tests",)),
        ("if x:\n    class A(TestCase): pass\n    def test_b(): pass", ("tests",)),
        ("import pytest\n@pytest.fixture\ndef f(): pass", ("calls:pytest", "decorator:pytest.fixture")),
        ("if x:\n    @a.b(1)\n    def f(): pass", ("decorator:a.b",)),
        ("#!/usr/bin/python\n# c\nr'doc'", ("docstring",)),
    ],
)
def test_marks_are_facts_of_the_syntax(text: str, marks: tuple[str, ...]) -> None:
    assert read(text).marks == marks


def test_what_runs_only_as_a_program_is_no_export() -> None:
    assert names("if __name__ == '__main__':\n    x = 1\nelse:\n    y = 1\n") == ["y"]


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("def f():\n    print 'x'\ny = 1", ["f", "y"]),
        ("print 'x'\ny = 1", ["y"]),
        ("exec 'x'\ny = 1", ["y"]),
        ("if x:\n    print 'x'\n    y = 1", ["y"]),
        ("<<<<<<< HEAD\ny = 1", ["y"]),
        ("x = (\ny = 2\ndef f(): pass", ["x", "f"]),
        ("def f(): pass\nx = '''", ["f"]),
        ("a = 1\nif x\n  y = (\n", ["a"]),
        ("import 1\nx = 1", ["x"]),
        ('x = \'"""\ny = 1', ["x", "y"]),
    ],
)
def test_a_broken_file_gives_what_can_be_read_and_says_so(text: str, bound: list[str]) -> None:
    found = read(text)
    assert not found.whole
    assert [export.name for export in found.exports][: len(bound)] == bound


def test_after_a_few_broken_pieces_no_more_are_parsed() -> None:
    found = read("a, b ? = 1\n" * 10 + "c, d = 1, 2\ndef f(): pass\n")
    assert not found.whole
    assert Export("f", "function", line=12) in found.exports
    assert Export("c", "variable", line=11) not in found.exports


def test_lines_may_end_in_any_way() -> None:
    assert read("def f(): pass\r\nx = 1\ry = 2\n").exports == (
        Export("f", "function", line=1),
        Export("x", "variable", line=2),
        Export("y", "variable", line=3),
    )


def test_a_megabyte_in_brackets_is_read_in_one_go() -> None:
    assert names("x = [\n" + "a, b = 1\n" * 100_000 + "]\ny = 1\n") == ["x", "y"]
