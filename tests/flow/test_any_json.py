"""Whatever comes in, one valid answer goes out and one record is kept."""

import json
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.flow.shop import CANONICAL, EXAMPLES, TOOLS, open_bench
from tests.flow.strategies import json_values, mutated, places, put

from toolpost import Bench, codec
from toolpost.dialects import NAMES, Dialect, load
from toolpost.dialects.functions import FORMS
from toolpost.limits import MESSAGE_BYTES, MESSAGE_DEPTH, MESSAGE_NODES
from toolpost.record.sinks import MemorySink


class Counter:
    """One connection: a dialect at a bench, and how its answers must look."""

    def __init__(self, name: str) -> None:
        self.dialect: Dialect = load(name)(TOOLS)
        self.check = jsonschema_rs.validator_for(type(self.dialect).ANSWER, validate_formats=True).validate

    def answer(self, message: Any) -> Any:
        """The answer as it goes over the wire, once everything that must hold of it was checked."""
        bench, sink = open_bench()
        call = self.dialect.parse(message)
        answer = self.dialect.render(bench.call_sync(call))
        self.check(answer)
        read_again = json.loads(codec.encode(answer))
        self.check(read_again)
        self._check_record(bench, sink)
        return read_again

    def _check_record(self, bench: Bench, sink: MemorySink) -> None:
        assert len(sink) == 1
        assert json.loads(codec.encode(sink.last))["dialect"] == self.dialect.name
        bench.close()


COUNTERS = {name: Counter(name) for name in NAMES}


@pytest.fixture(params=NAMES, scope="module")
def counter(request: pytest.FixtureRequest) -> Counter:
    return COUNTERS[request.param]


@given(message=json_values())
def test_any_json_value_gets_a_valid_answer_and_one_record(counter: Counter, message: Any) -> None:
    counter.answer(message)


@given(message=st.binary(max_size=64))
def test_any_bytes_get_a_valid_answer_and_one_record(counter: Counter, message: bytes) -> None:
    counter.answer(message)


@given(data=st.data())
def test_a_message_that_is_almost_right_gets_a_valid_answer(counter: Counter, data: st.DataObject) -> None:
    counter.answer(data.draw(_almost_right(counter.dialect)))


@given(data=st.data())
def test_the_same_message_as_bytes_gets_a_valid_answer(counter: Counter, data: st.DataObject) -> None:
    message = codec.encode(data.draw(_almost_right(counter.dialect)))
    counter.answer(message)


@given(form=st.sampled_from(FORMS), data=st.data())
def test_every_form_of_function_calling_gets_a_valid_answer(form: str, data: st.DataObject) -> None:
    counter = Counter("functions")
    counter.dialect.form = form  # type: ignore[attr-defined]
    counter.answer(data.draw(_almost_right(counter.dialect)))


@st.composite
def _almost_right(draw: st.DrawFn, dialect: Dialect) -> Any:
    word = dialect.vocabulary.word(draw(st.sampled_from(dialect.vocabulary.known)))
    assert word is not None
    spelled = {word.params.get(name, name): value for name, value in EXAMPLES[word.tool].items()}
    return draw(mutated(dialect.ask(word.says, draw(mutated(spelled)))))


@pytest.mark.parametrize(
    "wrong", [None, 5, True, "text", [], [None], {}, {"error": 1, "errors": []}], ids=repr
)
def test_a_standard_tool_that_answers_in_another_shape_still_gets_a_valid_answer(
    counter: Counter, wrong: Any
) -> None:
    for word in map(counter.dialect.vocabulary.word, counter.dialect.vocabulary.known):
        assert word is not None
        for path in places(CANONICAL.get(word.tool, {})):
            odd = put(CANONICAL.get(word.tool, {}), path, wrong)
            counter.answer(counter.dialect.ask(word.says, {"answer": odd}))


def _nested(depth: int) -> bytes:
    return b'{"a":' * depth + b"1" + b"}" * depth


HOSTILE = {
    "nothing": (b"", "not JSON"),
    "half a message": (b'{"name": "gre', "not JSON"),
    "two messages": (b"{}{}", "not JSON"),
    "too deep": (_nested(MESSAGE_DEPTH + 1), f"deeper than {MESSAGE_DEPTH} levels"),
    "far too deep": (b"[" * 100_000, f"deeper than {MESSAGE_DEPTH} levels"),
    "too many bytes": (b'"' + b"a" * MESSAGE_BYTES + b'"', f"at most {MESSAGE_BYTES} are read"),
    "too many values": (b"[" + b"0," * 300_000 + b"0]", f"more than {MESSAGE_NODES} values"),
    "NaN": (b'{"name": NaN}', "NaN and Infinity"),
    "Infinity": (b'{"name": [Infinity]}', "NaN and Infinity"),
    "-Infinity": (b"-Infinity", "NaN and Infinity"),
    "an escaped lone surrogate": (rb'{"name": "\ud800 greet"}', "lone surrogate"),
    "a lone surrogate at the end": (rb'{"name": "\uD800"}', "lone surrogate"),
    "a raw lone surrogate": (b'{"name": "\xed\xa0\x80"}', "not UTF-8"),
    "bytes that are not UTF-8": (b'{"name": "\xff\xfe"}', "not UTF-8"),
    "a repeated key": (b'{"name": "greet", "name": "fail"}', "'name' stands twice"),
    "a repeated key far inside": (b'{"a": [{"b": {"c": 1, "\\u0063": 2}}]}', "'c' stands twice"),
    "5000 digits": (b'{"n": ' + b"9" * 5_000 + b"}", "out of range"),
    "5000 digits beside a colon": (b'{"n": ' + b"9" * 5_000 + b', "t": ":"}', "out of range"),
    "a number beyond floats": (b'{"n": 1e999}', "out of range"),
    "a byte order mark": (b"\xef\xbb\xbf{}", "byte order mark"),
    "UTF-16": ('{"name": "greet"}'.encode("utf-16"), "UTF-8"),
}


@pytest.mark.parametrize(("message", "cause"), HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_message_is_refused_with_its_cause(counter: Counter, message: bytes, cause: str) -> None:
    assert cause in json.dumps(counter.answer(message), ensure_ascii=False).replace("\\\\", "\\")


BENIGN = {
    "deep, but not too deep": _nested(MESSAGE_DEPTH - 2),
    "the word NaN": b'"NaN is not a number: Infinity neither"',
    "a surrogate pair": rb'"\ud83d\ude00"',
    "the same key in two objects": b'[{"a": 1}, {"a": 2}]',
    "colons in texts": b'{"a:a": ":::", "b": "{\\"a\\": 1, \\"a\\": 2}"}',
    "300 digits": b"[" + b"9" * 300 + b"]",
    "blanks around": b" \r\n\t {} \n",
}


@pytest.mark.parametrize("message", BENIGN.values(), ids=BENIGN)
def test_its_benign_twin_is_read(message: bytes) -> None:
    assert codec.decode(message) == json.loads(message)


@given(value=json_values())
@example(value={"a": float("inf")})
def test_whatever_is_encoded_can_be_decoded(value: Any) -> None:
    json.loads(codec.encode(value))
