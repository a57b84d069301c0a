"""The custom tool of contract 004: look at a piece of code, and say what is wrong with it.

Python is parsed, so what is found there is certain. TypeScript and JavaScript are only searched as text,
line by line, and the answer says so.

The tour:   python examples/analyze_code.py
As a tool:  toolpost --tools examples/analyze_code.py call analyze_code language=python code='x == None'
"""

import ast
import re
from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta, Struct

from toolpost import Bench, tool
from toolpost.define import Example

Code = Annotated[str, Meta(description="Code to analyze", max_length=200_000)]
Language = Annotated[
    Literal["typescript", "javascript", "python"], Meta(description="Language the code is written in")
]


class Finding(Struct, frozen=True):
    line: int
    rule: str
    message: str


class Analysis(Struct, frozen=True):
    language: str
    method: str
    """How it was looked at: `syntax tree` is certain, `text` may be fooled by strings and comments."""
    findings: list[Finding]


@tool(examples=[Example("A comparison", {"code": "if x == None:\n    pass\n", "language": "python"})])
def analyze_code(code: Code, language: Language) -> Analysis:
    """Analyze code for issues."""
    found = _python(code) if language == "python" else _text(code, language)
    method = "syntax tree" if language == "python" else "text"
    return Analysis(language, method, sorted(found, key=lambda finding: (finding.line, finding.rule)))


TOOLS = [analyze_code]


def _python(code: str) -> Iterator[Finding]:
    try:
        tree = ast.parse(code)
        compile(tree, "<code>", "exec")  # finds what parsing alone does not: `return` outside a function
    except SyntaxError as error:
        yield Finding(error.lineno or 1, "syntax-error", error.msg)
    except (ValueError, RecursionError, MemoryError) as error:
        yield Finding(1, "syntax-error", f"cannot be parsed: {error or type(error).__name__}")
    else:
        yield from _in_tree(tree)


def _in_tree(tree: ast.Module) -> Iterator[Finding]:
    yield from _unused_imports(tree)
    for node in ast.walk(tree):
        match node:
            case ast.ExceptHandler(type=None):
                yield Finding(node.lineno, "bare-except", "catches everything, even KeyboardInterrupt")
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                yield from _shared_defaults(node.args)
            case ast.Compare(ops=ops, comparators=others):
                yield from _compared_to_none(node.lineno, ops, others)
            case ast.Call(func=ast.Name(id="eval" | "exec" as name)):
                yield Finding(node.lineno, "eval", f"{name} runs whatever text it is given")


def _unused_imports(tree: ast.Module) -> Iterator[Finding]:
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                name = (alias.asname or alias.name).split(".")[0]
                if name not in used and alias.asname != alias.name and name != "*":
                    yield Finding(node.lineno, "unused-import", f"{name} is imported and never used")


def _shared_defaults(args: ast.arguments) -> Iterator[Finding]:
    for default in (*args.defaults, *args.kw_defaults):
        if isinstance(default, ast.List | ast.Dict | ast.Set):
            yield Finding(default.lineno, "mutable-default", "all calls share this one default value")


def _compared_to_none(line: int, ops: list[ast.cmpop], others: list[ast.expr]) -> Iterator[Finding]:
    for op, other in zip(ops, others, strict=True):
        if isinstance(op, ast.Eq | ast.NotEq) and isinstance(other, ast.Constant) and other.value is None:
            yield Finding(line, "none-comparison", "use `is None` or `is not None`")


_PATTERNS = (
    ("loose-equality", re.compile(r"(?<![=!<>])[=!]=(?!=)"), "use === or !==, which convert nothing"),
    ("var", re.compile(r"\bvar\s+\w"), "use const or let"),
    ("debugger", re.compile(r"^\s*debugger\b"), "stops wherever a debugger is open"),
    ("console-log", re.compile(r"\bconsole\.log\("), "left-over output"),
    ("eval", re.compile(r"\beval\("), "eval runs whatever text it is given"),
)
_TYPED = (("any", re.compile(r":\s*any\b"), "any turns the type checker off"),)


def _text(code: str, language: str) -> Iterator[Finding]:
    patterns = _PATTERNS + _TYPED if language == "typescript" else _PATTERNS
    for number, line in enumerate(code.splitlines(), 1):
        for rule, pattern, message in patterns:
            if pattern.search(line):
                yield Finding(number, rule, message)


if __name__ == "__main__":
    bench = Bench(TOOLS)
    for language, code in {
        "python": "import os\nx == None\n",
        "typescript": "var a: any = b == 1;\n",
    }.items():
        print(bench.call_sync("analyze_code", code=code, language=language).data)
