import sys

import pytest

from toolpost.sandbox.subreaper import adopt_orphans


def test_orphans_come_to_us_on_linux() -> None:
    assert adopt_orphans() is (sys.platform == "linux")


def test_elsewhere_they_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert not adopt_orphans()
