"""The pages on the contracts show only what really happens."""

import re

import pytest
from tests.contracts.cases import every_case
from tests.contracts.scripted import HERE

from toolpost import codec
from toolpost.dialects import NAMES, load

PAGES = HERE.parents[1] / "docs" / "contracts"
MESSAGES = [message for case in every_case() for message in (case.send, case.expect)]
DIFFERENCES = sorted(
    {
        (case.dialect, difference.decision)
        for case in every_case()
        for shown in case.contract
        for difference in shown.differs
    }
)


def page(name: str) -> str:
    return (PAGES / f"{name}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_every_example_on_a_page_is_a_message_of_a_tested_case(name: str) -> None:
    blocks = re.findall(r"```json\n(.*?)\n```", page(name), re.DOTALL)
    assert blocks
    assert [block for block in blocks if codec.decode(block) not in MESSAGES] == []


@pytest.mark.parametrize("name", NAMES)
def test_every_word_of_a_dialect_stands_on_its_page(name: str) -> None:
    text = page(name)
    assert [word.says for word in load(name).WORDS if f"`{word.says}`" not in text] == []


@pytest.mark.parametrize("name", NAMES)
def test_every_renamed_parameter_stands_on_its_page(name: str) -> None:
    theirs = {said for word in load(name).WORDS for said in word.params.values()}
    assert [said for said in sorted(theirs) if said not in page(name)] == []


@pytest.mark.parametrize(("dialect", "decision"), DIFFERENCES)
def test_every_difference_is_explained_on_its_page(dialect: str, decision: str) -> None:
    assert f"| {decision} |" in page(dialect)


def test_the_index_links_every_page() -> None:
    assert [name for name in NAMES if f"({name}.md)" not in page("index")] == []
