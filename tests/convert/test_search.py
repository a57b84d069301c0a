"""Ranked search."""

import pytest

from toolpost.convert import Card
from toolpost.convert.search import search, words

CARDS = [
    Card("read_file", description="Read a text file", tags=["files"]),
    Card("write_file", description="Write a text file", when_to_use="To store text"),
    Card(
        "sendMail",
        description="Send a message",
        input_schema={"properties": {"recipient": {}, "subject": {}}},
    ),
    Card(
        "reserve",
        description="Book a room",
        localization={"es": {"description": "Reservar una habitación", "when_to_use": "Al viajar"}, "de": 5},
    ),
]


def names(goal: str, language: str | None = None) -> list[str]:
    return [hit.card.name for hit in search(CARDS, goal, language=language)]


def test_a_rare_word_ranks_above_a_common_one() -> None:
    assert names("write text") == ["write_file", "read_file"]


def test_a_name_weighs_more_than_a_tag_and_a_parameter() -> None:
    cards = [Card("a", tags=["mail"]), Card("mail"), Card("b", input_schema={"properties": {"mail": {}}})]
    hits = search(cards, "mail")
    assert [hit.card.name for hit in hits] == ["mail", "a", "b"]
    assert hits[0].score == pytest.approx(3 * hits[1].score, abs=1e-5)
    assert [hit.matched for hit in hits] == [["name"], ["tags"], ["parameters"]]


def test_beginnings_and_endings_match_and_middles_do_not() -> None:
    assert names("recip") == ["sendMail"]
    assert names("reserved") == ["reserve"]
    assert names("cipien") == []


def test_a_short_piece_matches_only_as_a_whole_word() -> None:
    assert names("te") == []
    assert names("to") == ["write_file"]


def test_names_come_apart_at_humps_and_underscores_and_accents_fall() -> None:
    assert words("sendMail read_file Habitación2") == ["send", "mail", "read", "file", "habitacion", "2"]


def test_a_translation_is_found_and_counts_more_in_its_own_language() -> None:
    (spanish,) = search(CARDS, "habitacion", language="es-MX")
    (english,) = search(CARDS, "habitacion", language="en")
    assert spanish.score > english.score
    assert names("habitacion") == ["reserve"]
    assert search(CARDS, "book", language="es")[0].score < search(CARDS, "book")[0].score


def test_recorded_outcomes_lift_what_works() -> None:
    assert names("file") == ["read_file", "write_file"]
    assert search(CARDS, "file", outcomes={"write_file": 1.5})[0].card.name == "write_file"


def test_equal_hits_are_ordered_by_name_and_cut_at_the_limit() -> None:
    twins = [Card("b", description="same"), Card("a", description="same")]
    assert [hit.card.name for hit in search(twins, "same")] == ["a", "b"]
    assert len(search(twins, "same", limit=1)) == 1


@pytest.mark.parametrize("goal", ["", "zzz", "!!"])
def test_what_matches_nothing_finds_nothing(goal: str) -> None:
    assert names(goal) == []
