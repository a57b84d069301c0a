"""The five laws of conversion, over generated tools in every format."""

import json

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.convert.cards import card_catalogues
from tests.convert.documents import VALUES
from tests.convert.values import ODD_VALUES

from toolpost.convert import FORMATS, Catalogue, convert, read, round_trip_losses, write
from toolpost.convert.check import check
from toolpost.convert.wire import alike, same

LAWFUL = settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
    database=None,
)
ALL = sorted(FORMATS)
chains = st.lists(st.sampled_from(ALL), min_size=1, max_size=4)


@pytest.mark.parametrize("form", ALL)
@given(data=st.data())
@LAWFUL
def test_what_is_read_is_written_back_the_same(form: str, data: st.DataObject) -> None:
    value = data.draw(VALUES[form])
    assert same(write(read(value, form), form), value)


@pytest.mark.parametrize("form", sorted(ODD_VALUES))
@given(data=st.data())
@LAWFUL
def test_even_a_tool_that_only_has_a_name_is_written_back_the_same(form: str, data: st.DataObject) -> None:
    value = data.draw(ODD_VALUES[form])
    assert same(write(read(value, form), form), value)


@pytest.mark.parametrize("form", ALL)
@given(catalogue=card_catalogues)
@LAWFUL
def test_what_is_written_is_read_back_as_the_same_cards(form: str, catalogue: Catalogue) -> None:
    written = json.loads(json.dumps(write(catalogue, form)))
    back = read(written, form)
    assert back == catalogue
    assert alike(msgspec.to_builtins(back), msgspec.to_builtins(catalogue))


@pytest.mark.parametrize("form", ALL)
@given(data=st.data(), chain=chains)
@LAWFUL
def test_any_chain_of_formats_returns_the_first_value(
    form: str, data: st.DataObject, chain: list[str]
) -> None:
    first = data.draw(VALUES[form])
    value, at = first, form
    for step in [*chain, form]:
        value, at = json.loads(json.dumps(convert(value, step, at).value)), step
    assert same(value, first)


@pytest.mark.parametrize("form", sorted(ODD_VALUES))
@given(data=st.data(), chain=chains)
@LAWFUL
def test_odd_tools_survive_any_chain_too(form: str, data: st.DataObject, chain: list[str]) -> None:
    first = data.draw(ODD_VALUES[form])
    value, at = first, form
    for step in [*chain, form]:
        value, at = json.loads(json.dumps(convert(value, step, at).value)), step
    assert same(value, first)


@pytest.mark.parametrize("form", ALL)
@given(data=st.data(), target=st.sampled_from(ALL))
@LAWFUL
def test_what_we_write_is_strictly_valid_in_its_own_format(
    form: str, data: st.DataObject, target: str
) -> None:
    value = data.draw(VALUES[form])
    assert check(value, form) == []
    assert check(convert(value, target, form).value, target) == []


@pytest.mark.parametrize("form", ALL)
@given(data=st.data())
@LAWFUL
def test_schemas_and_annotations_keep_their_key_order_through_every_format(
    form: str, data: st.DataObject
) -> None:
    value = data.draw(VALUES["mcp"])
    back = convert(convert(value, form, "mcp").value, "mcp", form).value
    for before, after in zip(read(value, "mcp").cards, read(back, "mcp").cards, strict=True):
        assert alike(msgspec.to_builtins(before), msgspec.to_builtins(after))


@pytest.mark.parametrize("form", ALL)
@given(data=st.data())
@LAWFUL
def test_nothing_is_invented_on_the_way(form: str, data: st.DataObject) -> None:
    value = data.draw(VALUES["mcp"])
    for card in read(convert(value, form, "mcp").value, form).cards:
        assert card.when_to_use is msgspec.UNSET
        assert card.examples is msgspec.UNSET
        assert card.localization is msgspec.UNSET
        assert card.success is msgspec.UNSET
        assert card.failures is msgspec.UNSET


@pytest.mark.parametrize("form", ALL)
@given(data=st.data(), via=st.sampled_from(ALL))
@LAWFUL
def test_no_round_trip_reports_a_loss(form: str, data: st.DataObject, via: str) -> None:
    assert round_trip_losses(data.draw(VALUES[form]), via, form) == []
