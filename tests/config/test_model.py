from typing import Any

import pytest

from toolpost.authorize.profiles import PROFILES
from toolpost.config import model
from toolpost.config.model import PATTERNS, ConfigError, checked, key_named
from toolpost.index.tags.rules import Rules
from toolpost.limits import Limits
from toolpost.messages import LANGUAGES


def test_the_names_are_those_the_rest_of_toolpost_has() -> None:
    assert set(model.PROFILES) == set(PROFILES)
    assert model.LANGUAGES == LANGUAGES
    assert {name.split(".")[1] for name in model.NAMES if name.startswith("limits.")} == set(
        Limits.__struct_fields__
    )


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("profile", "wide", "it must be one of headless, read-only, plan, ask, edit, workspace, auto, open"),
        ("limits.timeout_s", 0, "Expected `float` > 0.0"),
        ("limits.timeout_s", "5", "Expected `float`, got `str`"),
        ("limits.concurrent_calls", 0, "Expected `int` >= 1"),
        ("limits.run.calls", -1, "Expected `int` >= 0"),
        ("tools", ["a", 5], "Expected `str`, got `int`"),
        ("errors_base", "ftp://x", "matching regex"),
        ("record", 5, "Expected `str`, got `int`"),
        ("standard_tools", "some", "it must be one of on, off"),
        ("workspace.secrets", "show", "it must be one of allow, deny"),
        ("workspace.metrics", "here", "it must be one of state, contract, off"),
        ("workspace.index_first", "loose", "it must be one of off, warn, strict"),
        ("workspace.undo_days", 0, "Expected `int` >= 1"),
        ("workspace.github_url", "ftp://x", "matching regex"),
        ("workspace.roots", [1], "Expected `str`, got `int`"),
        ("index.folder", 5, "Expected `str`, got `int`"),
        ("index.tags.mine.paths", [5], "Expected `str`, got `int`"),
        ("index.tags.mine.paths", "src/**", "Expected `array`, got `str`"),
        ("sandbox.hosts", ["a b"], "'a b' is no host"),
        ("sandbox.hosts", ["pypi.org", "a,b"], "'a,b' is no host"),
        ("sandbox.hosts", [""], "'' is no host"),
        ("nothing", 5, "There is no setting 'nothing'"),
    ],
)
def test_a_value_of_the_wrong_type_is_said(name: str, value: Any, said: str) -> None:
    with pytest.raises(ConfigError, match=said.replace("`", ".")):
        checked(name, value)


@pytest.mark.parametrize(
    "host",
    [
        "pypi.org",
        "*.x.org",
        "*",
        "https://pypi.org/simple",
        "localhost:8080",
        "[::1]:80",
        "!localhost:1",
        "x.org/a/**",
    ],
)
def test_a_host_may_be_written_as_in_a_rule(host: str) -> None:
    assert checked("sandbox.hosts", host, strict=False) == (host,)


def test_text_is_read_as_the_type_it_stands_for() -> None:
    assert checked("limits.timeout_s", "5", strict=False) == 5.0
    assert checked("limits.run.calls", "5", strict=False) == 5
    assert checked("tools", "a.py", strict=False) == ("a.py",)
    assert checked("language", "es", strict=False) == "es"


def test_a_budget_takes_any_unit() -> None:
    assert key_named("limits.run.read_bytes") is not None
    assert key_named("limits.run") is None
    assert key_named("limits.run.READS") is None


def test_rules_are_given_for_any_tag_and_only_in_the_ways_there_are() -> None:
    assert {f"index.tags.TAG.{kind}" for kind in PATTERNS} <= set(model.NAMES)
    assert all(key_named(f"index.tags.design-system2.{kind}") for kind in PATTERNS)
    for name in (
        "index.tags",
        "index.tags.mine",
        "index.tags.mine.names",
        "index.tags.Mine.paths",
        "index.tags.-.paths",
    ):
        assert key_named(name) is None
    assert checked("index.tags.mine.paths", ["src/**", "lib/**"]) == ("src/**", "lib/**")


def test_the_ways_to_give_a_tag_are_those_rules_know() -> None:
    rules = Rules.of({"mine": dict.fromkeys(PATTERNS, ("a",))})
    assert isinstance(rules, Rules)
