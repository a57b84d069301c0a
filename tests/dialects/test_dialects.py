from typing import Any

import pytest
from tests.flow.shop import TOOLS, open_bench

from toolpost.dialects import NAMES, Dialect, load
from toolpost.errors import NotFound


def test_a_dialect_is_loaded_by_its_name() -> None:
    assert {name: load(name).name for name in NAMES} == {name: name for name in NAMES}


def test_an_unknown_dialect_is_refused_and_the_known_are_named() -> None:
    with pytest.raises(NotFound, match="There is no dialect 'klingon'; there are agents, superconnect"):
        load("klingon")


@pytest.fixture(params=NAMES)
def dialect(request: pytest.FixtureRequest) -> Dialect:
    return load(request.param)(TOOLS)


def test_what_a_dialect_asks_it_can_read(dialect: Dialect) -> None:
    for says in dialect.vocabulary.known:
        word = dialect.vocabulary.word(says)
        assert word is not None
        call = dialect.parse(dialect.ask(says, {}))
        assert (call.tool, call.fault, call.words.tool, call.words.dialect) == (
            word.tool,
            None,
            says,
            dialect.name,
        )


def test_our_own_names_of_standard_tools_never_pass_through(dialect: Dialect) -> None:
    assert {dialect.parse(dialect.ask(name, {})).tool for name in ("fs.read", "os.exec", "index.query")} == {
        ""
    }


def test_every_tool_is_announced_once(dialect: Dialect) -> None:
    announced = str(dialect.describe())
    for word, _ in dialect.vocabulary.pairs():
        assert announced.count(f"'{word.says}'") == 1


@pytest.mark.parametrize("language", ["en", "es", "pt", "fr"])
def test_a_refusal_is_rendered_in_any_language(dialect: Dialect, language: str) -> None:
    spoken = type(dialect)(TOOLS, language=language)
    says = next(name for name in spoken.vocabulary.known if name.endswith("greet"))
    answer = spoken.render(_call(spoken, spoken.ask(says, {"name": 5, "times": 9})))
    said = {"es": "debe ser", "pt": "deve ser"}.get(language, "must be")
    assert said in str(answer)


def _call(dialect: Dialect, message: Any) -> Any:
    bench, _ = open_bench()
    return bench.call_sync(dialect.parse(message))
