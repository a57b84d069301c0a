"""The guide's examples are what the code decides."""

import re
from pathlib import Path

import pytest
from tests.cli.desk import Run

GUIDE = (Path(__file__).parents[2] / "docs" / "guide" / "permissions.md").read_text("utf-8")
POLICY = re.findall(r"```toml\n(.*?)```", GUIDE, re.DOTALL)[0]
EXAMPLES = re.findall(r"^\| `(.+?)` \| (allow|ask|deny) \|", GUIDE, re.MULTILINE)


@pytest.fixture(autouse=True)
def policy(user_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLPOST_SANDBOX_LEVEL", "off")
    user_folder.mkdir(parents=True)
    (user_folder / "policy.toml").write_text(POLICY)


@pytest.mark.parametrize(("line", "verdict"), EXAMPLES)
def test_an_example_is_decided_as_it_says(run: Run, line: str, verdict: str) -> None:
    assert run("permissions", "explain", line.replace(r"\|", "|"), "--json").json["verdict"] == verdict


def test_there_are_examples_and_their_policy_passes_its_test(run: Run) -> None:
    assert len(EXAMPLES) == 15
    assert run("permissions", "test").code == 0
