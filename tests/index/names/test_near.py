from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some
from tests.index.names.test_lookup import opened
from tests.index.names.written import doc

from toolpost.index.names import near as near_module
from toolpost.index.names.near import is_near, near

WORDS = some.text(some.sampled_from("abcé"), max_size=5)


def slips(word: str, letters: str) -> set[str]:
    cuts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    return (
        {a + b[1:] for a, b in cuts if b}
        | {a + b[1] + b[0] + b[2:] for a, b in cuts if len(b) > 1}
        | {a + c + b[1:] for a, b in cuts if b for c in letters}
        | {a + c + b for a, b in cuts for c in letters}
    ) - {word}


@given(WORDS, WORDS)
def test_near_is_what_one_slip_makes(one: str, other: str) -> None:
    assert is_near(one, other) == (other in slips(one, "abcé"))


@given(some.sets(WORDS.filter(bool), max_size=40), WORDS.filter(bool))
def test_every_near_key_is_found(
    tmp_path_factory: pytest.TempPathFactory, keys: set[str], sought: str
) -> None:
    names = opened(tmp_path_factory.mktemp("near"), [doc("a.ts", *sorted(keys))])
    found = [names.keys.at(number) for number in near(names.keys, sought)]
    assert found == sorted(keys & slips(sought, "abcé"))


def test_a_search_for_near_keys_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = opened(tmp_path, [doc("a.ts", *(chr(0x4E00 + at) + "bc" for at in range(500)))])
    assert len(near(names.keys, "xbc")) == 500
    monkeypatch.setattr(near_module, "NAME_PROBES", 100)
    assert len(near(names.keys, "xbc")) < 100
