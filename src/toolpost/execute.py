"""Running a tool: within its time, in its place, and so that a broken one breaks nothing else."""

import asyncio
import contextvars
import threading
from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

from toolpost.call import Call
from toolpost.define import Tool
from toolpost.errors import Cancelled, Several, TimedOut, ToolError, ToolFailed
from toolpost.limits import Limits


class Places:
    """How many calls, threads and calls of one tool go on at once, in one event loop."""

    def __init__(self, limits: Limits) -> None:
        self.calls = asyncio.Semaphore(limits.concurrent_calls)
        self.threads = asyncio.Semaphore(limits.concurrent_threads)
        self._of_tool: WeakKeyDictionary[Tool, asyncio.Semaphore] = WeakKeyDictionary()

    def of(self, tool: Tool) -> asyncio.Semaphore:
        places = self._of_tool.get(tool)
        if places is None:
            places = self._of_tool[tool] = asyncio.Semaphore(tool.concurrency or 1)
        return places


class Executor:
    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._places: WeakKeyDictionary[asyncio.AbstractEventLoop, Places] = WeakKeyDictionary()
        self._running: dict[str, list[asyncio.Timeout]] = {}
        self._cancelled: set[asyncio.Timeout] = set()

    async def run(self, tool: Tool, args: Any, call: Call, *, in_thread: bool) -> Any:
        """What the tool returned; whatever else happens is raised as a ToolError."""
        timeout_s = self._timeout(tool, call)
        scope = asyncio.timeout(timeout_s)
        running = self._running.setdefault(call.request_id, [])
        running.append(scope)
        try:
            async with scope:
                return await self._in_turn(tool, args, call, in_thread=in_thread)
        except TimeoutError:
            raise self._stopped(call, timeout_s, scope) from None
        except ToolError:
            raise
        except ExceptionGroup as group:
            raise _gathered(group) from None
        except Exception as error:
            raise ToolFailed(f"Failed to execute: {_say(error)}", error=type(error).__name__) from error
        finally:
            self._forget(call.request_id, running, scope)

    def cancel(self, request_id: str) -> bool:
        """Stop a running call; it ends as CANCELLED. False when no such call runs."""
        scopes = self._running.get(request_id, [])
        for scope in scopes:
            self._cancelled.add(scope)
            scope.reschedule(asyncio.get_running_loop().time())
        return bool(scopes)

    def _forget(self, request_id: str, running: list[asyncio.Timeout], scope: asyncio.Timeout) -> None:
        self._cancelled.discard(scope)
        running.remove(scope)
        if not running:
            self._running.pop(request_id, None)

    def _timeout(self, tool: Tool, call: Call) -> float:
        asked = call.timeout_s or tool.timeout_s or self._limits.timeout_s
        return min(asked, self._limits.timeout_max_s)

    def _here(self) -> Places:
        loop = asyncio.get_running_loop()
        places = self._places.get(loop)
        if places is None:
            places = self._places[loop] = Places(self._limits)
        return places

    async def _in_turn(self, tool: Tool, args: Any, call: Call, *, in_thread: bool) -> Any:
        places = self._here()
        async with places.calls:
            if tool.concurrency is None:
                return await self._invoke(tool, args, call, in_thread=in_thread)
            async with places.of(tool):
                return await self._invoke(tool, args, call, in_thread=in_thread)

    async def _invoke(self, tool: Tool, args: Any, call: Call, *, in_thread: bool) -> Any:
        if tool.run is None:
            raise ToolFailed(f"{call.said_tool} has no execute(): it is described, but cannot be called.")
        positional, named = _spread(tool, args, call)
        if not in_thread:
            answer = tool.run(*positional, **named)
            return await answer if asyncio.iscoroutine(answer) else answer
        run = tool.run
        return await self._in_thread(lambda: run(*positional, **named))

    async def _in_thread(self, work: Callable[[], Any]) -> Any:
        """A thread of its own, so that one that hangs keeps no other waiting and no process alive.

        Its place is given back when the thread really ends, not when the caller stops waiting.
        """
        threads = self._here().threads
        await threads.acquire()
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Any] = loop.create_future()
        context = contextvars.copy_context()

        def finish(set_outcome: Callable[[Any], None], outcome: Any) -> None:
            threads.release()
            if not done.done():
                set_outcome(outcome)

        def body() -> None:
            try:
                outcome, report = context.run(work), done.set_result
            except BaseException as error:  # carried to the caller, who knows what to do with it
                outcome, report = error, done.set_exception
            _hand_over(loop, finish, report, outcome)

        threading.Thread(target=body, name="toolpost-tool", daemon=True).start()
        return await done

    def _stopped(self, call: Call, timeout_s: float, scope: asyncio.Timeout) -> ToolError:
        if scope in self._cancelled:
            return Cancelled(f"{call.said_tool} was cancelled.")
        if not scope.expired():
            return ToolFailed("Failed to execute: TimeoutError inside the tool.", error="TimeoutError")
        return TimedOut(
            f"{call.said_tool} took longer than {timeout_s:g} s.", limit_s=timeout_s, tool=call.said_tool
        )


def _hand_over(loop: asyncio.AbstractEventLoop, finish: Callable[..., None], *outcome: Any) -> None:
    try:
        loop.call_soon_threadsafe(finish, *outcome)
    except RuntimeError:  # the loop is closed: nobody waits for the outcome any more
        return


def _spread(tool: Tool, args: Any, call: Call) -> tuple[tuple[Any, ...], dict[str, Any]]:
    named = {tool.call_parameter: call} if tool.call_parameter else {}
    if not tool.spread:
        return (args,), named
    fields = {name: getattr(args, name) for name in args.__struct_fields__}
    return (), {**fields, **named}


def _gathered(group: ExceptionGroup[Exception]) -> ToolError:
    """Several errors raised together; one stranger among them makes the whole a broken tool."""
    errors = _leaves(group)
    strangers = [error for error in errors if not isinstance(error, ToolError)]
    if strangers:
        return ToolFailed(f"Failed to execute: {_say(strangers[0])}", error=type(strangers[0]).__name__)
    problems = [problem for error in errors if isinstance(error, ToolError) for problem in error.problems()]
    return Several(tuple(problems))


def _leaves(group: ExceptionGroup[Exception]) -> list[Exception]:
    found: list[Exception] = []
    for error in group.exceptions:
        found.extend(_leaves(error) if isinstance(error, ExceptionGroup) else [error])
    return found


def _say(error: Exception) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
