from typing import Annotated, Any

import msgspec
import pytest
from msgspec import Struct

from toolpost import Bench, Call, Effect, Text, Tool, tool
from toolpost.define import Example, Output, from_factory, from_schema, make
from toolpost.errors import BadTool


class Order(Struct):
    item: str
    amount: int = 1


def test_a_function_becomes_a_tool_that_says_what_it_takes() -> None:
    @tool
    def repeat(text: str, times: Annotated[int, msgspec.Meta(ge=1)] = 2) -> str:
        """Say it again."""
        return text * times

    assert isinstance(repeat, Tool)
    assert (repeat.name, repeat.description, repeat.blocking) == ("repeat", "Say it again.", True)
    assert repeat.input_schema == {
        "type": "object",
        "properties": {"text": {"type": "string"}, "times": {"type": "integer", "minimum": 1, "default": 2}},
        "required": ["text"],
        "additionalProperties": False,
    }
    assert repeat.output_schema is None


def test_settings_say_the_rest() -> None:
    @tool(name="shop.order", description="Orders.", effects=["write", "net"], tags=["shop"], timeout_s=3)
    async def order(order: Order) -> Order:
        return order

    assert (order.name, order.description, order.blocking) == ("shop.order", "Orders.", False)
    assert order.effects == {Effect.WRITE, Effect.NET}
    assert (order.tags, order.timeout_s, order.args_type, order.spread) == (("shop",), 3, Order, False)
    assert order.output_schema == order.input_schema


def test_a_function_may_ask_for_the_call_itself() -> None:
    @tool(blocking=False)
    def who(call: Call, greeting: str) -> str:
        return f"{greeting} {call.caller.name}"

    assert list(who.input_schema["properties"]) == ["greeting"]
    assert Bench([who]).call_sync("who", greeting="Hello").text == "Hello local"


def test_a_struct_and_the_call_go_together() -> None:
    @tool(blocking=False)
    def buy(order: Order, call: Call) -> str:
        return f"{call.tool} {order.amount} {order.item}"

    assert Bench([buy]).call_sync("buy", item="pen").text == "buy 1 pen"


def test_a_parameter_without_an_annotation_takes_anything() -> None:
    def loose(value) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
        """Takes anything."""

    assert tool(loose).input_schema["properties"] == {"value": {}}


@pytest.mark.parametrize("answer", [str, Text, Output, None, Any, int, list[Text], Text | None, object])
def test_only_an_answer_that_is_an_object_has_a_schema(answer: Any) -> None:
    def run() -> None:
        """Answers."""

    run.__annotations__["return"] = answer
    assert tool(run).output_schema is None


def test_an_object_answer_has_one() -> None:
    def run() -> dict[str, int]:
        return {}

    assert tool(run).output_schema == {"type": "object", "additionalProperties": {"type": "integer"}}


def test_a_parameter_no_caller_could_send_is_refused() -> None:
    def positional(a: int, /) -> None: ...
    def many(*a: int) -> None: ...
    def named(**a: int) -> None: ...

    for function in (positional, many, named):
        with pytest.raises(BadTool, match="has no name a caller could send"):
            tool(function)


def test_annotations_that_cannot_be_read_are_refused() -> None:
    def lost(a: "Nowhere") -> None: ...  # type: ignore[name-defined]  # noqa: F821

    with pytest.raises(BadTool, match="cannot be read"):
        tool(lost)


def test_an_unknown_setting_or_effect_is_named() -> None:
    with pytest.raises(BadTool, match="no setting 'colour'"):
        make(name="x", colour="red")
    with pytest.raises(BadTool, match="effects are read, write"):
        make(name="x", effects=["fly"])


def test_a_tool_is_read_only_when_it_changes_nothing() -> None:
    assert make(name="x").read_only
    assert make(name="x", effects=["read", "net"]).read_only
    assert not make(name="x", effects=["read", "exec"]).read_only


def test_a_tool_is_registered_by_hand() -> None:
    async def later(_input: Any) -> None: ...

    schema = {"type": "object", "required": ["a"]}
    by_hand = from_schema("x", "Does x", schema, lambda given: given, examples=[Example("one", {"a": 1})])
    assert (by_hand.input_schema, by_hand.blocking, by_hand.spread) == (schema, True, False)
    assert not from_schema("x", "", schema, later).blocking
    assert not from_schema("x", "", schema, None).blocking


def test_a_factory_is_bound_to_its_context() -> None:
    def create(ctx: dict[str, str], product: str) -> dict[str, Any]:
        return {"name": "look", "description": "Looks", "execute": lambda _input: f"{ctx['user']} {product}"}

    made = from_factory(create, {"user": "Ada"}, "p1", blocking=False)
    assert (made.name, made.description, made.input_schema) == ("look", "Looks", {"type": "object"})
    assert Bench([made]).call_sync("look", anything=1).text == "Ada p1"


@pytest.mark.parametrize("made", [None, {}, {"name": 5}])
def test_a_factory_that_makes_no_tool_is_refused(made: Any) -> None:
    with pytest.raises(BadTool, match="The factory gave no tool"):
        from_factory(lambda: made)


@pytest.mark.parametrize(
    ("setting", "wrong"),
    [
        ("tags", "shop"),
        ("scopes", "shop:write"),
        ("effects", "read"),
        ("examples", {"input": {}}),
        ("examples", ["one"]),
        ("examples", [{"name": "no input"}]),
        ("checks", [print]),
        ("timeout_s", 0),
        ("timeout_s", "3"),
        ("timeout_s", True),
        ("concurrency", 0),
        ("concurrency", 1.5),
        ("location", "moon"),
        ("location", None),
        ("version", 1),
        ("title", None),
        ("description", 5),
        ("codes", {"a:enum": 5}),
        ("codes", []),
        ("cost", {"bytes": -1}),
        ("cost", {5: 1}),
        ("cost", 5),
        ("blocking", "no"),
        ("idempotent", 1),
        ("input_schema", True),
        ("output_schema", []),
        ("run", "print"),
        ("tags", [5]),
    ],
)
def test_a_wrong_setting_was_found_only_when_it_was_used(setting: str, wrong: Any) -> None:
    with pytest.raises(BadTool) as caught:
        make(**{"name": "x", setting: wrong})
    assert caught.value.parameter == setting


def test_right_settings_are_taken() -> None:
    made = make(
        name="x", examples=[{"name": "one", "input": {"a": 1}}, {"input": {}}], location="cloud", cost=len
    )
    assert made.examples == (Example("one", {"a": 1}), Example("", {}))
    assert make(name="x", location="remote:worker-1", cost={"bytes": 0}, timeout_s=None).concurrency is None


class Greeter:
    def greet(self, name: str) -> str:
        return f"Hello {name}"

    async def __call__(self, name: str) -> str:
        return f"Hello {name}"


def test_a_method_that_is_not_bound_asked_its_callers_for_self() -> None:
    with pytest.raises(BadTool, match=r"tool\(thing.greet\)"):
        tool(Greeter.greet)
    assert list(tool(Greeter().greet).input_schema["properties"]) == ["name"]


def test_what_is_no_function_or_has_no_name_is_refused() -> None:
    for wrong in (int, 5, lambda a: a, Greeter()):
        with pytest.raises(BadTool):
            tool(wrong)  # type: ignore[arg-type]
    with pytest.raises(BadTool, match="does not say which parameters"):
        tool(max)


def test_an_object_whose_call_is_a_coroutine_ran_in_a_thread() -> None:
    greeter = tool(name="greet")(Greeter())
    assert (greeter.blocking, list(greeter.input_schema["properties"])) == (False, ["name"])
    assert Bench([greeter]).call_sync("greet", name="Ada").text == "Hello Ada"
    assert not from_schema("greet", "", {"type": "object"}, Greeter()).blocking
