"""Files that are cut off, merged by halves, or only look so."""

import pytest

from toolpost.index.extract import ecma
from toolpost.index.model import Export, Extract


def read(text: str, path: str = "a.ts") -> Extract:
    return ecma.extract(path, text.encode())


def one(name: str, kind: str = "", local: str = "", source: str = "", line: int = 1) -> Export:
    return Export(name, kind, local, source, line)


def test_a_file_that_does_not_parse_gives_what_can_be_read_and_says_so() -> None:
    found = read("export const a = 1;\nexport const {b} = ;;; ((\nexport function c() {}\n")
    assert ("a" in {export.name for export in found.exports}, found.whole) == (True, False)


def told(found: Extract) -> list[str]:
    return [export.name for export in found.exports]


def test_a_broken_file_loses_no_export_that_starts_a_line() -> None:
    found = read("  export const a = 1;\nfunction (\nexport function b() {\nexport class C {}")
    assert (told(found), found.whole) == (["a", "b", "C"], False)


def test_a_broken_file_tells_what_it_passes_on_once_and_no_comment() -> None:
    text = "export * from './x';\nexport { a } from './y';\n/*\nexport const no = 1;\n*/\nif ((\nexport * from './z';\nexport const b = 1, c = 2;\nexport default"
    found = read(text)
    assert found.exports[:3] == (
        one("*", source="./x"),
        one("a", source="./y", line=2),
        one("*", source="./z", line=7),
    )
    assert (told(found)[3], found.imports, found.whole) == ("b", ("./x", "./y", "./z"), False)


@pytest.mark.parametrize(
    "text",
    [
        "export function a() {\n  if (x) {\n",
        "export const a = f(1, 2;\n",
        "export const a = 1;\n/* and then",
        "export const a = 1;\n<<<<<<< ours\nexport const b = 1;\n=======\n>>>>>>> theirs\n",
    ],
)
def test_a_text_that_was_cut_off_or_merged_is_not_whole(text: str) -> None:
    found = read(text)
    assert (found.exports[0], found.whole) == (one("a", found.exports[0].kind), False)


@pytest.mark.parametrize(
    "text",
    [
        "const s = '{((';",
        "const s = `${`${`)`}`}(`;",
        "// if (a) {\n/* ( */",
        "const r = /[(/]{/.test(s);",
        "const t = <p>:(</p>;",
        "const m = '<<<<<<< no';",
        "const g = 'src/*';",
    ],
)
def test_brackets_that_are_no_code_break_nothing(text: str) -> None:
    assert read(text, "a.tsx").whole
