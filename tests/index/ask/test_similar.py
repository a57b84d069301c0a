from pathlib import Path

import pytest
from tests.index.names.written import base_of, doc

from toolpost.index.ask.similar import similar
from toolpost.index.snapshot import Snapshot


@pytest.fixture
def snapshot(tmp_path: Path) -> Snapshot:
    docs = [
        doc("a.ts", "Button", "ButtonBase", "IconButton", "Card"),
        doc("b.ts", "button", "Buttom", "useToggleButton"),
        doc("c.ts", "BUTTON"),
    ]
    return Snapshot(base_of(tmp_path, docs))


def test_names_come_likest_first(snapshot: Snapshot) -> None:
    assert similar(snapshot, "Button") == [
        "BUTTON",
        "button",
        "Buttom",
        "ButtonBase",
        "IconButton",
        "useToggleButton",
    ]
    assert similar(snapshot, "Button", limit=2) == ["BUTTON", "button"]


def test_a_name_nobody_has_finds_those_nearly_so(snapshot: Snapshot) -> None:
    assert similar(snapshot, "Crad") == ["Card"]
    assert similar(snapshot, "Zebra") == []
    assert similar(snapshot, "B") == ["BUTTON", "Buttom", "Button", "button", "ButtonBase"]


def test_names_of_files_that_are_gone_are_not_told_and_new_ones_are(snapshot: Snapshot) -> None:
    later = Snapshot(snapshot.base, frozenset({1, 2}), (doc("d.ts", "MenuButton", "Menu"),))
    assert similar(later, "Button") == ["ButtonBase", "IconButton", "MenuButton"]
