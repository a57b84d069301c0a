import json
from datetime import UTC, datetime
from decimal import Decimal

import msgspec
import pytest

from toolpost import codec
from toolpost.errors import MalformedMessage
from toolpost.limits import MESSAGE_BYTES, MESSAGE_DEPTH, MESSAGE_NODES


def _refusal(message: bytes | str) -> MalformedMessage:
    with pytest.raises(MalformedMessage) as caught:
        codec.decode(message)
    return caught.value


def test_text_is_read_like_bytes() -> None:
    assert codec.decode('{"é": [1, null]}') == {"é": [1, None]} == codec.decode('{"é": [1, null]}'.encode())


def test_text_with_a_lone_surrogate_is_refused_by_name() -> None:
    assert _refusal('"\ud800"').detail == "The message holds a lone surrogate, which is not text."


def test_a_message_over_the_limit_is_not_parsed() -> None:
    refusal = _refusal(b"x" * (MESSAGE_BYTES + 1))
    assert refusal.context == {"limit": MESSAGE_BYTES, "received": MESSAGE_BYTES + 1}


def test_a_message_at_the_limit_is() -> None:
    assert len(codec.decode(b'"' + b"a" * (MESSAGE_BYTES - 2) + b'"')) == MESSAGE_BYTES - 2


def test_as_many_values_as_allowed_are_read_and_one_more_is_not() -> None:
    def listed(count: int) -> bytes:
        return b"[" + b",".join([b"0"] * count) + b"]"

    assert len(codec.decode(listed(MESSAGE_NODES))) == MESSAGE_NODES
    assert _refusal(listed(MESSAGE_NODES + 1)).context == {"limit": MESSAGE_NODES}


def test_the_shortest_message_that_nests_too_deep_is_refused() -> None:
    assert codec.decode(b"[" * MESSAGE_DEPTH + b"]" * MESSAGE_DEPTH)
    deeper = MESSAGE_DEPTH + 1
    assert _refusal(b"[" * deeper + b"]" * deeper).context == {"limit": MESSAGE_DEPTH}


def test_a_truncated_message_that_mentions_nan_is_called_truncated() -> None:
    assert (
        _refusal(b'{"a": "NaN \\ud83d\\ude00').detail == "The message is not JSON: Input data was truncated."
    )


def test_an_escaped_backslash_before_ud800_is_no_surrogate() -> None:
    assert "surrogate" not in _refusal(rb'{"a": "\\ud800", }').detail


def test_a_key_that_is_repeated_last_of_very_many_is_found_in_one_pass() -> None:
    keys = b",".join(b'"k%d":0' % number for number in range(49_000))
    assert _refusal(b"{" + keys + b',"k48999":1}').context == {"key": "k48999"}


@pytest.mark.parametrize("message", [b'{"a":1,"a":1}', rb'{"\u0001":1,"\u0001":1}', rb'{"a":1,"\u0061":1}'])
def test_a_repeated_key_is_refused_however_it_is_written(message: bytes) -> None:
    assert "stands twice" in _refusal(message).detail


def test_colons_in_texts_make_no_key_a_repeated_one() -> None:
    assert codec.decode(b'{"a": "::", "b": {"a": ":"}}') == {"a": "::", "b": {"a": ":"}}


def test_a_lone_surrogate_is_written_as_the_replacement_character() -> None:
    assert json.loads(codec.encode({"\udc00a": ["\ud800", ("x",)]})) == {"\ufffda": ["\ufffd", ["x"]]}


def test_a_lone_surrogate_inside_a_struct_is_written_too() -> None:
    class Note(msgspec.Struct):
        text: str
        when: datetime

    note = Note("\ud800", datetime(2025, 1, 1, tzinfo=UTC))
    assert codec.encode(note) == '{"text":"\ufffd","when":"2025-01-01T00:00:00Z"}'.encode()


def test_what_json_has_no_word_for_is_written_as_text() -> None:
    assert codec.encode([Decimal("1.50"), 2**70, complex(1, 2)]) == b'[1.50,1180591620717411303424,"(1+2j)"]'


def test_pretty_json_is_indented_by_two() -> None:
    assert codec.pretty({"a": [1]}) == '{\n  "a": [\n    1\n  ]\n}'
