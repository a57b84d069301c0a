"""One contestant in a process of its own: `contestants.py NAME CALLS` prints the CPU time of a call in us.

It runs in our environment or in the peers', so each contestant imports only what is its own.
"""

import asyncio
import sys
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import partial
from importlib import import_module
from typing import Any

ARGS = {"count": 3, "name": "Ada"}
NO_LIMIT_MET = 1_000_000_000  # a budget that is counted on every call and never spent
WARM_UP = 5  # one call in so many is made before the clock starts


async def noop(count: int, name: str) -> None:
    """Do nothing."""


async def toolpost(dialect_name: str, _open: AsyncExitStack) -> Callable[[], Any]:
    from toolpost import Bench, Limits, codec, tool
    from toolpost.dialects import load
    from toolpost.record.sinks import MemorySink

    own, sink = tool(noop), MemorySink()
    bench = Bench([own], limits=Limits(session={"calls": NO_LIMIT_MET}), sinks=[sink])
    dialect = load(dialect_name)([own])
    word = dialect.vocabulary.of_tool(own.name)
    assert word is not None
    message = codec.encode(dialect.ask(word.says, ARGS))

    async def once() -> bytes:
        result = await bench.call(dialect.parse(message))
        return codec.encode(dialect.render(result))

    result = await bench.call(dialect.parse(message))
    assert result.ok
    assert result.usage == {"calls": 1}
    assert len(sink) == 1
    return once


async def fastmcp(opened: AsyncExitStack) -> Callable[[], Any]:
    library = import_module("fastmcp")
    server = library.FastMCP("bench")
    server.tool(noop)
    client = await opened.enter_async_context(library.Client(server))
    assert not (await client.call_tool("noop", ARGS)).is_error
    return lambda: client.call_tool("noop", ARGS)


async def langchain(_open: AsyncExitStack) -> Callable[[], Any]:
    own = import_module("langchain_core.tools").tool(noop)
    call = {"name": "noop", "args": ARGS, "id": "call_1", "type": "tool_call"}
    assert (await own.ainvoke(call)).status == "success"
    return lambda: own.ainvoke(call)


async def pydantic_ai(_open: AsyncExitStack) -> Callable[[], Any]:
    library, model = import_module("pydantic_ai"), import_module("pydantic_ai.models.test").TestModel()
    context = library.RunContext(deps=None, model=model, usage=library.RunUsage(), run_step=1)
    toolset = import_module("pydantic_ai.toolsets").FunctionToolset([noop])
    manager = await import_module("pydantic_ai.tool_manager").ToolManager(toolset).for_run_step(context)
    part = import_module("pydantic_ai.messages").ToolCallPart
    assert await manager.handle_call(part("noop", '{"count":3,"name":"Ada"}', "call_1")) is None
    assert manager.succeeded_tools == {"noop"}
    return lambda: manager.handle_call(part("noop", '{"count":3,"name":"Ada"}', "call_1"))


async def pydantic_ai_agent(opened: AsyncExitStack, *, calls: int) -> Callable[[], Any]:
    """A whole run on a model made of a function; with calls it has one model turn more than without."""
    library, messages = import_module("pydantic_ai"), import_module("pydantic_ai.messages")
    del opened

    def answer(history: list[Any], _info: Any) -> Any:
        if calls and len(history) == 1:
            parts = [messages.ToolCallPart("noop", ARGS, f"call_{number}") for number in range(calls)]
            return messages.ModelResponse(parts)
        return messages.ModelResponse([messages.TextPart("done")])

    model = import_module("pydantic_ai.models.function").FunctionModel(answer)
    agent = library.Agent(model, tools=[noop])
    assert (await agent.run("go")).usage.tool_calls == calls
    return lambda: agent.run("go")


TEN = {
    "type": "object",
    "properties": {
        "path": {"type": "string", "minLength": 1},
        "max_bytes": {"type": "integer", "minimum": 1, "maximum": 512_000},
        "encoding": {"enum": ["utf-8", "latin-1"]},
        "recursive": {"type": "boolean"},
        "depth": {"type": "integer", "minimum": 0},
        "ratio": {"type": "number"},
        "pattern": {"type": "string"},
        "names": {"type": "array", "items": {"type": "string"}},
        "after": {"type": ["string", "null"]},
        "mode": {"type": "string", "maxLength": 16},
    },
    "required": ["path", "max_bytes", "mode"],
    "additionalProperties": False,
}
TEN_ARGS = {
    "path": "src/app.py", "max_bytes": 4096, "encoding": "utf-8", "recursive": True, "depth": 3,
    "ratio": 0.5, "pattern": "*.py", "names": ["a", "b"], "after": None, "mode": "text",
}  # fmt: skip


async def validator(_open: AsyncExitStack) -> Callable[[], Any]:
    from toolpost.compiled import compile_schema

    is_valid = compile_schema(TEN).validator.is_valid
    assert is_valid(TEN_ARGS)
    assert not is_valid({**TEN_ARGS, "depth": -1})
    return partial(is_valid, TEN_ARGS)


async def arguments(_open: AsyncExitStack) -> Callable[[], Any]:
    from toolpost import Call
    from toolpost.define import from_schema
    from toolpost.validate.arguments import Arguments

    own, check = from_schema("ten", "", TEN, None), Arguments().check
    call = Call(tool="ten", args=TEN_ARGS)
    assert check(own, call).plain == TEN_ARGS
    return partial(check, own, call)


PEERS: dict[str, Callable[[AsyncExitStack], Any]] = {
    "fastmcp": fastmcp,
    "langchain": langchain,
    "pydantic_ai": pydantic_ai,
    "pydantic_ai_agent": partial(pydantic_ai_agent, calls=1),
    "pydantic_ai_eleven": partial(pydantic_ai_agent, calls=11),
    "pydantic_ai_empty": partial(pydantic_ai_agent, calls=0),
}
CHECKS: dict[str, Callable[[AsyncExitStack], Any]] = {"validator": validator, "arguments": arguments}


def contestant(name: str) -> Callable[[AsyncExitStack], Any]:
    kind, _, dialect = name.partition(":")
    return partial(toolpost, dialect) if kind == "toolpost" else {**PEERS, **CHECKS}[name]


async def timed(name: str, calls: int) -> float:
    async with AsyncExitStack() as opened:
        once = await contestant(name)(opened)
        measure = many_checks if name in CHECKS else many_calls
        await measure(once, calls // WARM_UP + 1)
        return await measure(once, calls) / calls * 1e6


async def many_calls(once: Callable[[], Any], calls: int) -> float:
    began = time.process_time()
    for _ in range(calls):
        await once()
    return time.process_time() - began


async def many_checks(once: Callable[[], Any], calls: int) -> float:
    began = time.process_time()
    for _ in range(calls):
        once()
    return time.process_time() - began


if __name__ == "__main__":
    print(asyncio.run(timed(sys.argv[1], int(sys.argv[2]))))
