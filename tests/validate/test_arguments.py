from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any

import msgspec
import pytest
from msgspec import UNSET

from toolpost import Call, InvalidArgument, Problem, Tool, tool
from toolpost.call import Words
from toolpost.define import Check, Example, from_schema
from toolpost.errors import BadTool, Several
from toolpost.limits import FAULTS_TOLD
from toolpost.validate.arguments import Arguments, Checked


def _take(schema: dict[str, Any], **settings: Any) -> Tool:
    return from_schema("work", "", {"type": "object", **schema}, None, **settings)


def _check(tool: Tool, args: dict[str, Any], **call: Any) -> Checked:
    arguments = Arguments()
    arguments.prepare(tool)
    return arguments.check(tool, Call(tool=tool.name, args=args, **call))


def _refusal(tool: Tool, args: dict[str, Any], **call: Any) -> Several:
    with pytest.raises(Several) as caught:
        _check(tool, args, **call)
    return caught.value


LIMITED = _take({"properties": {"limit": {"type": "integer", "minimum": 1, "maximum": 100}}})


def test_arguments_that_pass_are_given_plain_and_typed() -> None:
    @tool
    def buy(item: str, amount: int = 1) -> None: ...

    checked = _check(buy, {"item": "pen"})
    assert (checked.plain, checked.typed.item, checked.typed.amount, checked.notes) == (
        {"item": "pen"},
        "pen",
        1,
        (),
    )


def test_a_bad_schema_is_refused_when_it_is_prepared() -> None:
    with pytest.raises(BadTool):
        Arguments().prepare(_take({"properties": {"a": {"type": "nothing"}}}))


def test_a_fault_is_told_whole() -> None:
    assert _refusal(LIMITED, {"limit": 300}).problems() == (
        Problem(
            code="INVALID_ARGUMENT",
            slug="validation-error",
            title="Validation Error",
            detail="limit must be at most 100; it was 300.",
            sentence="maximum",
            parameter="limit",
            suggested=100,
            context={"provided_value": 300, "validation_rule": "maximum", "limit": 100},
            retryable=True,
        ),
    )


def test_every_fault_is_told_at_once_in_the_callers_order_and_what_is_missing_last() -> None:
    properties = {"a": {"type": "integer"}, "b": {"format": "email"}, "c": {"default": 5}}
    strict = _take({"properties": properties, "required": ["c"], "additionalProperties": False})
    refusal = _refusal(strict, {"b": "nobody", "zzz": 1, "a": "7"})
    assert [(problem.code, problem.parameter, problem.suggested) for problem in refusal.problems()] == [
        ("INVALID_ARGUMENT", "b", UNSET),
        ("UNKNOWN_PARAMETER", "zzz", UNSET),
        ("INVALID_ARGUMENT", "a", 7),
        ("MISSING_PARAMETER", "c", 5),
    ]
    assert refusal.problems()[0].title == "Invalid Email Format"
    assert refusal.repaired is None


def test_a_repair_is_offered_when_every_fault_has_a_cure() -> None:
    nested = {"properties": {"kind": {"enum": ["tag", "path"]}}, "additionalProperties": False}
    strict = _take({"properties": {"query": nested, "limit": {"maximum": 9}}, "additionalProperties": False})
    args = {"qeury": {"kind": "tag"}, "limit": 10}
    refusal = _refusal(strict, args)
    assert refusal.repaired == {"limit": 9, "query": {"kind": "tag"}}
    assert args == {"qeury": {"kind": "tag"}, "limit": 10}
    assert _refusal(strict, {"query": {"knd": "tag"}}).repaired == {"query": {"kind": "tag"}}


def test_a_misspelt_required_parameter_is_one_fault() -> None:
    strict = _take({"properties": {"path": {}}, "required": ["path"], "additionalProperties": False})
    (problem,) = _refusal(strict, {"pth": "a"}).problems()
    assert (problem.code, problem.suggested) == ("UNKNOWN_PARAMETER", "path")


def test_names_are_suggested_in_the_callers_spelling_and_repaired_in_ours() -> None:
    strict = _take({"properties": {"path": {}}, "required": ["path"], "additionalProperties": False})
    refusal = _refusal(strict, {"directry": "a"}, words=Words(spelling={"path": "directory"}))
    (problem,) = refusal.problems()
    assert (problem.suggested, problem.context["known"]) == ("directory", ["directory"])
    assert refusal.repaired == {"path": "a"}


def test_a_name_that_is_used_already_is_not_suggested() -> None:
    strict = _take({"properties": {"path": {}, "in": {"properties": {"name": {}}, "additionalProperties": False}},
                    "additionalProperties": False})  # fmt: skip
    (problem,) = _refusal(strict, {"path": 1, "pth": 2}).problems()
    assert problem.suggested is UNSET
    (problem,) = _refusal(strict, {"in": {"name": 1, "nam": 2}}).problems()
    assert problem.suggested is UNSET


def test_a_value_is_suggested_from_the_tools_examples() -> None:
    shown = _take(
        {"properties": {"a": {"multipleOf": 7}}, "required": ["a"]}, examples=[Example("one", {"a": 49})]
    )
    assert _refusal(shown, {}).problems()[0].suggested == 49


def test_an_examples_guest_is_not_suggested_as_anyones_name() -> None:
    text = {"type": "string", "minLength": 2}
    parts = {"guest": text, "mail": {"type": "string", "format": "email"}, "names": {"items": text}}
    one = Example("one", {"guest": "John Doe", "mail": "john@example.org", "names": ["John"]})
    shown = _take({"properties": parts, "required": list(parts)}, examples=[one])
    assert {problem.suggested for problem in _refusal(shown, {}).problems()} == {UNSET}
    wrong = {"guest": "J", "mail": "j", "names": ["J"]}
    assert [problem.suggested for problem in _refusal(shown, wrong).problems()] == [
        UNSET,
        "john@example.org",  # contract 003 shows the form of an address by the example's
        UNSET,
    ]


def test_an_examples_option_or_moment_is_suggested() -> None:
    parts = {"size": {"enum": ["s", "m"]}, "at": {"type": "string", "format": "date-time"}}
    one = Example("one", {"size": "m", "at": "2026-01-02T03:04:05Z"})
    shown = _take({"properties": parts, "required": list(parts)}, examples=[one])
    assert _refusal(shown, {}).repaired == one.input


@pytest.mark.parametrize(
    ("schema", "args", "suggested"),
    [
        ({"patternProperties": {"^n": {"maxLength": 2}}}, {"n": "abc"}, "ab"),
        ({"additionalProperties": {"type": "integer"}}, {"n": "5"}, 5),
        ({"properties": {"n": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}}, {"n": "5"}, 5),
        ({"properties": {"n": {"allOf": [{"enum": ["red"]}]}}}, {"n": "Red"}, "red"),
        ({"properties": {"n": {"allOf": [{"const": 3}]}}}, {"n": 4}, 3),
        ({"properties": {"n": {"allOf": [{"format": "date"}]}}}, {"n": "1.2.2025"}, "2025-02-01"),
        ({"properties": {"n": {"maximum": 5, "exclusiveMaximum": True, "type": "integer"}}}, {"n": 5}, 4),
    ],
)
def test_a_value_is_suggested_also_where_it_has_no_part_of_its_own(
    schema: dict[str, Any], args: dict[str, Any], suggested: Any
) -> None:
    assert _refusal(_take(schema), args).problems()[0].suggested == suggested


def test_a_suggestion_that_would_break_what_stands_around_it_is_not_made() -> None:
    unique = _take({"properties": {"n": {"items": {"type": "integer"}, "uniqueItems": True}}})
    assert _refusal(unique, {"n": [5, "5"]}).problems()[0].suggested is UNSET


def test_a_fault_of_the_whole_call_is_told() -> None:
    (problem,) = _refusal(_take({"minProperties": 1, "default": {"a": 1}}), {}).problems()
    assert (problem.parameter, problem.suggested, problem.sentence) == ("", {"a": 1}, "schema")
    (problem,) = _refusal(_take({"minProperties": 1, "default": 5}), {}).problems()
    assert problem.suggested is UNSET


def test_more_faults_than_anyone_reads_are_cut_and_cost_no_trials() -> None:
    many = _take({"properties": {"n": {"items": {"type": "integer", "default": 0}}}})
    problems = _refusal(many, {"n": ["x"] * 50_000}).problems()
    assert [problem.parameter for problem in problems] == [f"n[{at}]" for at in range(FAULTS_TOLD)]
    assert {problem.suggested for problem in problems} == {UNSET}
    assert problems[-1].detail.endswith("(and more than 980 more faults in this call)")
    few = _refusal(many, {"n": ["x"] * 25}).problems()
    assert few[-1].detail == "n[19] must be of type integer; it was 'x'. (and 5 more faults in this call)"
    assert few[-1].context["more_faults"] == 5
    strict = _take({"properties": {"name": {}}, "additionalProperties": False})
    assert len(_refusal(strict, {f"name{at}": 1 for at in range(50_000)}).problems()) == FAULTS_TOLD


def test_a_parameter_the_contract_clamps_is_brought_within_its_bounds_and_it_is_said() -> None:
    checked = _check(
        LIMITED, {"limit": 300}, clamp=frozenset({"limit"}), words=Words(spelling={"limit": "max"})
    )
    assert checked == Checked({"limit": 100}, {"limit": 100}, ("max was 300; 100 was used, the limit here.",))


def test_what_cannot_be_clamped_is_refused() -> None:
    both = _take({"properties": {"n": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}}})
    assert len(_refusal(both, {"n": 7}, clamp=frozenset({"n"})).problems()) == 1
    assert len(_refusal(LIMITED, {"limit": "x"}, clamp=frozenset({"limit"})).problems()) == 1


def test_a_contracts_own_code_is_used_for_a_broken_rule() -> None:
    coded = _take({"properties": {"type": {"enum": ["a"]}}}, codes={"type:enum": "INVALID_QUERY_TYPE"})
    (problem,) = _refusal(coded, {"type": 1}).problems()
    assert (problem.code, problem.title) == ("INVALID_QUERY_TYPE", "Invalid Query Type")


def _odd(number: int) -> None:
    if number % 2 == 0:
        raise InvalidArgument("It must be odd.", parameter="number", suggested=number + 1)


ODD = _take(
    {"properties": {"number": {"type": "integer"}, "b": {"type": "string"}}},
    checks=[Check(("number",), _odd)],
)


def test_a_tools_own_check_runs_beside_the_schema() -> None:
    refusal = _refusal(ODD, {"b": 1, "number": 2})
    assert [(problem.parameter, problem.suggested) for problem in refusal.problems()] == [
        ("b", "1"),
        ("number", 3),
    ]
    assert _check(ODD, {"number": 3}).plain == {"number": 3}


def test_a_check_is_left_out_where_its_value_is_missing_or_faulty_already() -> None:
    assert _check(ODD, {}).plain == {}
    assert [problem.parameter for problem in _refusal(ODD, {"number": "x"}).problems()] == ["number"]


def test_what_the_schema_cannot_say_the_type_says() -> None:
    @tool
    def store(raw: bytes, inner: list[bytes] | None = None) -> None: ...

    (problem,) = _refusal(store, {"raw": "not base64!"}).problems()
    assert (problem.parameter, problem.context["validation_rule"]) == ("raw", "type")
    assert problem.detail == "raw does not pass the tool's schema: Invalid base64 encoded string."
    assert _refusal(store, {"raw": "", "inner": ["!"]}).problems()[0].parameter == "inner[0]"
    assert _refusal(store, {"raw": "", "inner": ["", "!"]}).problems()[0].parameter == "inner[1]"


def test_of_several_parameters_the_types_refuse_only_the_first_was_told() -> None:
    @tool
    def pay(price: Decimal, raw: bytes, names: dict[int, str], at: datetime, times: int) -> None: ...

    wrong = {"price": "$5", "raw": "aGk", "names": {"x": "y"}, "at": "31.12.2025", "times": "2"}
    refusal = _refusal(pay, wrong)
    assert [(problem.parameter, problem.suggested) for problem in refusal.problems()] == [
        ("price", "5"),
        ("raw", "aGk="),
        ("names", UNSET),
        ("at", "2025-12-31T00:00:00Z"),
        ("times", 2),
    ]
    right = {"price": "5", "raw": "aGk=", "names": {"1": "y"}, "at": "2025-12-31T00:00:00Z", "times": 2}
    assert _refusal(pay, {**wrong, "names": {"1": "y"}}).repaired == right


def test_a_rule_of_the_type_as_a_whole_is_told() -> None:
    class Span(msgspec.Struct):
        first: int
        last: int

        def __post_init__(self) -> None:
            if self.first > self.last:
                raise ValueError("first is after last")

    @tool
    def cut(span: Span) -> None: ...

    with pytest.raises(InvalidArgument, match="first is after last"):
        _check(cut, {"first": 2, "last": 1})


def test_arguments_that_are_not_json_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="The arguments are not JSON"):
        _check(LIMITED, {5: 1})  # type: ignore[dict-item]


def _cycle() -> list[Any]:
    cycle: list[Any] = []
    cycle.append(cycle)
    return cycle


@pytest.mark.parametrize(
    "value",
    [
        b"x",
        {1},
        object(),
        {5: 1},
        "\ud800",
        {"\ud800": 1},
        float("nan"),
        float("-inf"),
        _cycle(),
        [{"a": _cycle()}],
    ],
    ids=["bytes", "set", "object", "key", "half", "half key", "nan", "inf", "cycle", "inner cycle"],
)
@pytest.mark.parametrize("schema", [{}, {"properties": {"a": {"type": "integer"}}}, {"required": ["b"]}])
def test_a_value_no_message_could_bring_is_refused_and_breaks_nothing(
    schema: dict[str, Any], value: Any
) -> None:
    with pytest.raises(InvalidArgument, match="The arguments are not JSON"):
        _check(_take(schema), {"a": value})

    @tool
    def anything(a: Any) -> None: ...

    with pytest.raises(InvalidArgument, match="The arguments are not JSON"):
        _check(anything, {"a": value})


@pytest.mark.parametrize(
    ("args", "parameter"),
    [
        ({"path": "bad\udcffname"}, "path"),
        ({"path": "a", "paths": ["é", "\ud800"]}, "paths[1]"),
        ({"path": "a", "deep": {"é": [{"b": "c"}, {"b": "\udfff"}]}}, "deep.é[1].b"),
        ({"path": "a", "deep": {"\ud800": []}}, "deep"),
        ({"path": "\ud800", "\ud800": 1}, "path"),
        ({"\ud800": 1, "path": "a"}, None),
    ],
)
@pytest.mark.parametrize("cost", [{}, lambda _: {"reads": 1}], ids=["free", "with a cost"])
def test_half_a_surrogate_broke_a_stage_where_the_schema_let_it_pass(
    args: dict[str, Any], parameter: str | None, cost: Any
) -> None:
    @tool(cost=cost)
    def read(
        path: str,
        paths: list[str] | None = None,
        deep: dict[str, list[dict[str, str]]] | None = None,
    ) -> None: ...

    with pytest.raises(InvalidArgument, match="half a character") as refused:
        _check(read, args)
    assert refused.value.parameter == parameter
    whole = {"path": "é", "paths": ["ü"], "deep": {"é": [{"b": "\U0001f600"}]}}
    assert _check(read, whole).plain == whole


def test_a_pattern_that_runs_away_is_a_fault_and_no_error_of_ours() -> None:
    looking = _take({"properties": {"a": {"pattern": "^(?:(?=a)a+)+$"}}})
    assert _check(looking, {"a": "aaa"}).plain == {"a": "aaa"}
    (problem,) = _refusal(looking, {"a": "a" * 40 + "!"}).problems()
    assert (problem.code, problem.context["validation_rule"]) == ("INVALID_ARGUMENT", "pattern")
    why = "its pattern took too many steps to try on this value"
    assert problem.detail == f"a does not pass the tool's schema: {why}."


def test_a_check_or_a_cost_that_changes_its_arguments_changed_the_record() -> None:
    def spoil(names: list[str]) -> None:
        names.append("spoiled")

    def cost(args: Any) -> dict[str, int]:
        args["names"].append("spoiled")
        return {}

    args = {"names": ["a"]}
    assert _check(_take({}, checks=[Check(("names",), spoil)]), args).plain == {"names": ["a"]}
    cost(_check(_take({}, cost=cost), args).plain)
    assert args == {"names": ["a"]}


def test_a_large_call_is_explained_without_reading_it_again_for_each_suggestion() -> None:
    parts = {f"n{at}": {"type": "integer"} for at in range(5)}
    beside = _take({"properties": {**parts, "rows": {"items": {"type": "string"}}}})
    wrong = dict.fromkeys(parts, "5")
    rows = ["x" * 100] * 10_000
    assert {problem.suggested for problem in _refusal(beside, {**wrong, "rows": rows}).problems()} == {5}
    tied = _take({"properties": {**parts, "rows": {}}, "not": {"required": ["zzz"]}})
    assert {problem.suggested for problem in _refusal(tied, wrong).problems()} == {5}
    assert {problem.suggested for problem in _refusal(tied, {**wrong, "rows": rows}).problems()} == {UNSET}


def test_an_enum_of_twenty_thousand_members_is_not_told_whole() -> None:
    members = [f"member number {at}" for at in range(20_000)]
    large = _take({"properties": {"n": {"items": {"enum": members}}}})
    problems = _refusal(large, {"n": ["member number 7!"] * 20}).problems()
    assert {problem.suggested for problem in problems} == {"member number 7"}
    assert len(problems[0].context["allowed"]) == 100
    assert problems[0].context["allowed_in_all"] == 20_000


def test_a_secret_is_not_echoed_and_a_long_value_is_cut() -> None:
    strict = _take(
        {"properties": {"api_key": {"type": "integer"}, "a": {"type": "integer"}, "b": {"type": "integer"}}}
    )
    problems = _refusal(strict, {"api_key": "sesame", "a": "x" * 500, "b": ["y"] * 500}).problems()
    echoes = [problem.context["provided_value"] for problem in problems]
    assert echoes == ["[redacted]", "x" * 200 + "…", str(["y"] * 500)[:200] + "…"]


def test_a_tool_gets_its_own_copy_of_the_arguments() -> None:
    args = {"a": {"b": [1]}}
    typed = _check(_take({}), args).typed
    typed["a"]["b"].append(2)
    assert args == {"a": {"b": [1]}}


def test_a_typed_bound_is_kept() -> None:
    @tool
    def wait(seconds: Annotated[float, msgspec.Meta(le=5)]) -> None: ...

    assert _refusal(wait, {"seconds": 9}).repaired == {"seconds": 5}
