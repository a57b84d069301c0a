"""No example of the five contracts is forgotten: each stands in a case, in a test, or in the list of later parts."""

import ast
from collections import Counter

import msgspec
from msgspec import Struct
from tests.contracts.cases import every_case
from tests.contracts.scripted import HERE


class Item(Struct, forbid_unknown_fields=True):
    """One fenced example, or one rule in prose that we made an example of."""

    contract: str
    heading: str
    ordinal: str
    """Which one under its heading; `3.2` is the second call or line in the third block."""
    language: str
    test: str = ""

    @property
    def name(self) -> str:
        return f"{self.contract} {self.heading} {self.ordinal}"


class Later(Struct, forbid_unknown_fields=True):
    contract: str
    heading: str
    ordinal: str
    part: str
    why: str

    @property
    def name(self) -> str:
        return f"{self.contract} {self.heading} {self.ordinal}"


INVENTORY = msgspec.json.decode((HERE / "inventory.json").read_bytes(), type=list[Item])
LATER = msgspec.json.decode((HERE / "later.json").read_bytes(), type=list[Later])
IN_CASES = {shown.shows for case in every_case() for shown in case.contract}
IN_TESTS = {item.name for item in INVENTORY if item.test}


def test_every_example_stands_in_a_case_or_a_test_or_is_listed_for_later() -> None:
    covered = IN_CASES | IN_TESTS | {later.name for later in LATER}
    assert [item.name for item in INVENTORY if item.name not in covered] == []


def test_cases_and_the_later_list_name_only_examples_there_are() -> None:
    known = {item.name for item in INVENTORY}
    assert IN_CASES | {later.name for later in LATER} <= known


def test_no_example_is_listed_twice() -> None:
    assert [name for name, times in Counter(item.name for item in INVENTORY).items() if times > 1] == []


def test_every_test_the_inventory_names_exists() -> None:
    named = [item.test.split("::") for item in INVENTORY if item.test]
    assert [test for file, test in named if test not in _tests_of(file)] == []


def _tests_of(file: str) -> set[str]:
    tree = ast.parse((HERE / file).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def test_the_inventory_holds_all_five_contracts() -> None:
    assert sorted({item.contract for item in INVENTORY}) == ["000", "001", "002", "003", "004"]
