"""The analysis finds what it says it finds, and says how it looked."""

from typing import Any

import pytest
from examples.analyze_code import analyze_code
from tests.examples.repair import breaks, mend

from toolpost.bench import Bench
from toolpost.dialects.acp import Acp

GOOD = analyze_code.examples[0].input
EVERY_BREAK = list(breaks(analyze_code, GOOD))


async def analysis(code: str, language: str = "python") -> Any:
    return (await Bench([analyze_code]).call("analyze_code", code=code, language=language)).data


@pytest.mark.parametrize(
    ("code", "line", "rule"),
    [
        ("def f(:\n", 1, "syntax-error"),
        ("x = 1\nreturn x\n", 2, "syntax-error"),
        ("a\0b", 1, "syntax-error"),
        ("(" * 5000, 1, "syntax-error"),
        ("try:\n    f()\nexcept:\n    pass\n", 3, "bare-except"),
        ("def f(a=[]): ...\n", 1, "mutable-default"),
        ("x = lambda *, a={}: a\n", 1, "mutable-default"),
        ("x != None\n", 1, "none-comparison"),
        ("import os\n", 1, "unused-import"),
        ("from a import b as c\n", 1, "unused-import"),
        ("eval('1')\n", 1, "eval"),
    ],
)
async def test_a_fault_in_python_is_found_on_its_line(code: str, line: int, rule: str) -> None:
    found = await analysis(code)
    assert [(finding["line"], finding["rule"]) for finding in found["findings"]] == [(line, rule)]


@pytest.mark.parametrize(
    "code",
    [
        "import os\nprint(os.sep)\n",
        "x is None\n",
        "from a import b as b\n",
        "s = 'x == None; eval(1)'  # except:\n",
        "",
    ],
)
async def test_python_that_is_well_has_no_findings(code: str) -> None:
    assert await analysis(code) == {"language": "python", "method": "syntax tree", "findings": []}


@pytest.mark.parametrize(
    ("code", "rules"),
    [
        ("var a = 1;", ["var"]),
        ("if (a == b) {}", ["loose-equality"]),
        ("if (a != b) {}", ["loose-equality"]),
        ("if (a === b || a !== c || a >= d) {}", []),
        ("const f = (a: any) => a;", ["any"]),
        ("debugger;", ["debugger"]),
        ("console.log(eval(a));", ["console-log", "eval"]),
    ],
)
async def test_typescript_is_searched_as_text_and_the_answer_says_so(code: str, rules: list[str]) -> None:
    found = await analysis(code, "typescript")
    assert found["method"] == "text"
    assert [finding["rule"] for finding in found["findings"]] == rules


async def test_javascript_has_no_types_to_complain_of() -> None:
    assert (await analysis("label: any", "javascript"))["findings"] == []


async def test_contract_004_gets_the_analysis_as_json_text() -> None:
    bench = Bench([analyze_code])
    acp = Acp(bench.tools)
    answer = acp.render(await bench.call(acp.parse(acp.ask("analyze_code", GOOD))))
    assert answer["params"]["content"][0]["text"].startswith('{\n  "language": "python",')


@pytest.mark.parametrize(("how", "broken"), EVERY_BREAK, ids=[how for how, _ in EVERY_BREAK])
async def test_a_broken_call_is_mended_by_its_suggestions(how: str, broken: dict[str, Any]) -> None:
    bench = Bench([analyze_code])
    refused = await bench.call("analyze_code", **broken)
    assert refused.problems, how
    assert (await bench.call("analyze_code", **mend(broken, refused.problems, GOOD))).ok
