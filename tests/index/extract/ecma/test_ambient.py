"""What declaration files export without saying so."""

import pytest

from toolpost.index.extract import ecma
from toolpost.index.model import Extract


def read(text: str, path: str = "a.ts") -> Extract:
    return ecma.extract(path, text.encode())


def told(found: Extract) -> list[str]:
    return [export.name for export in found.exports]


AMBIENT = {
    "interface A {}\ndeclare const b: 1, c: 2;\ndeclare function d(): void;\nimport 'x';": [
        "A",
        "b",
        "c",
        "d",
    ],
    "export type A = 1;\ndeclare namespace B {}\nnamespace C {}\nenum D {}\ndeclare abstract class E {}": list(
        "ABCDE"
    ),
    "export default function a(): void;\ntype B = 1;\nexport as namespace Lib;": ["default", "B"],
    "import a from 'a';\nimport b = a.b;\ndeclare global {}\ndeclare module 'x' {}\n;\ntype C = 1;": ["C"],
    "interface A {}": [],
    "interface A {}\nexport {};": [],
    "interface A {}\nexport * from './x';": ["*"],
    "interface A {}\ndeclare const b: A;\nexport default b;": ["default"],
    "interface A {}\nexport = A;": ["default"],
}


@pytest.mark.parametrize("text", AMBIENT)
def test_a_module_of_declarations_exports_all_of_them_unless_it_lists_some(text: str) -> None:
    for path in ("a.d.ts", "a.d.mts"):
        assert told(read(text, path)) == AMBIENT[text]


def test_other_files_export_only_what_they_say() -> None:
    assert told(read("export const a = 1;\ninterface B {}")) == ["a"]
