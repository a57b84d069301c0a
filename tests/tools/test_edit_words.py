from typing import Any

import pytest

from toolpost.tools.edit_words import ease

WANTED = {"path": "a.txt", "edits": [{"old_text": "a", "new_text": "b"}]}


@pytest.mark.parametrize(
    "given",
    [
        {"path": "a.txt", "edits": [{"oldText": "a", "newText": "b"}]},
        {"path": "a.txt", "edits": [{"old_string": "a", "new_string": "b"}]},
        {"path": "a.txt", "edits": [{"oldString": "a", "newString": "b"}]},
        {"path": "a.txt", "edits": [{"old_str": "a", "new_str": "b"}]},
        {"path": "a.txt", "edits": '[{"old_text": "a", "new_text": "b"}]'},
        {"path": "a.txt", "edits": ['{"old_text": "a", "new_text": "b"}']},
        {"path": "a.txt", "edits": {"old_text": "a", "new_text": "b"}},
        {"path": "a.txt", "old_string": "a", "new_string": "b"},
        {"path": "a.txt", "oldString": "a", "newString": "b"},
        {"path": "a.txt", "old_text": "a", "new_text": "b"},
        {"path": "a.txt", "instruction": "Replace a by b.", "old_string": "a", "new_string": "b"},
    ],
)
def test_every_agents_way_to_say_an_edit_means_the_same(given: dict[str, Any]) -> None:
    assert ease(given) == WANTED


@pytest.mark.parametrize("word", ["replaceAll", "replace_all", "allow_multiple", "allowMultiple"])
def test_every_place_is_meant_by_any_word_for_it(word: str) -> None:
    alone = ease({"path": "a.txt", "old_string": "a", "new_string": "b", word: True})
    listed = ease({"path": "a.txt", "edits": [{"old_string": "a", "new_string": "b", word: True}]})

    assert (
        alone
        == listed
        == {"path": "a.txt", "edits": [{"old_text": "a", "new_text": "b", "replace_all": True}]}
    )


@pytest.mark.parametrize(
    ("edit", "kind"),
    [
        ({"patch": "@@"}, "patch"),
        ({"line": 3, "new_text": "b"}, "insert"),
        ({"after": "a", "newText": "b"}, "insert"),
        ({"before": "a", "new_text": "b"}, "insert"),
        ({"type": "delete", "old_text": "a"}, "delete"),
        ({"old_text": "a", "new_text": "b", "line": 3}, None),
        ({"old_text": "a"}, None),
    ],
)
def test_an_edit_that_does_not_say_its_type_shows_it(edit: dict[str, Any], kind: str | None) -> None:
    (eased,) = ease({"path": "a.txt", "edits": [edit]})["edits"]

    assert eased.get("type") == kind


def test_a_patch_may_stand_alone() -> None:
    assert ease({"path": "a.txt", "patch": "@@"}) == {
        "path": "a.txt",
        "edits": [{"type": "patch", "patch": "@@"}],
    }


@pytest.mark.parametrize(
    "given",
    [
        {"path": "a.txt"},
        {"path": "a.txt", "edits": [5]},
        {"path": "a.txt", "edits": "no json"},
        {"path": "a.txt", "edits": [{"old_text": "a", "disable_the_sandbox": True}]},
        {"path": "a.txt", "edits": [{"old_text": "a", "oldText": "b"}]},
        {"path": "a.txt", "edits": [], "old_text": "a"},
    ],
)
def test_what_is_not_known_stays_to_be_refused(given: dict[str, Any]) -> None:
    assert ease(given) == given


def test_of_two_words_for_one_thing_the_second_stays_to_be_refused() -> None:
    (edit,) = ease({"path": "a.txt", "edits": [{"old_string": "a", "oldText": "b"}]})["edits"]

    assert edit == {"old_text": "a", "oldText": "b"}
