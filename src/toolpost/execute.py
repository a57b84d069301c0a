"""Running a tool: within its time, in its place, and so that a broken one breaks nothing else."""

import asyncio
import contextvars
import threading
import time
from collections.abc import Callable, Coroutine, Generator
from typing import Any
from weakref import WeakKeyDictionary

from msgspec.structs import asdict

from toolpost.call import Call
from toolpost.define import Tool
from toolpost.errors import Cancelled, Several, TimedOut, ToolError, ToolFailed
from toolpost.limits import Limits
from toolpost.places import Places


class Executor:
    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._calls = Places(limits.concurrent_calls)
        self._threads: WeakKeyDictionary[asyncio.AbstractEventLoop, Places] = WeakKeyDictionary()
        self._of_tool: WeakKeyDictionary[Tool, Places] = WeakKeyDictionary()
        self._running: dict[str, list[asyncio.Timeout]] = {}
        self._cancelled: set[asyncio.Timeout] = set()

    async def run(self, tool: Tool, args: Any, call: Call, *, in_thread: bool) -> Any:
        """What the tool returned; whatever else happens is raised as a ToolError."""
        work = self._work(tool, args, call, in_thread=in_thread)
        began = time.monotonic()
        try:
            try:
                waits_for = work.send(None)
            except StopIteration as done:  # most calls are over before they ever wait
                return done.value
            return await self._timed(tool, call, _Begun(work, waits_for), began)
        except ToolError:
            raise
        except ExceptionGroup as group:
            raise _gathered(group) from None
        except (SystemExit, asyncio.CancelledError) as error:
            if _asked_to_stop(error):
                raise
            raise ToolFailed(f"Failed to execute: {_say(error)}", error=type(error).__name__) from error
        except Exception as error:
            raise ToolFailed(f"Failed to execute: {_say(error)}", error=type(error).__name__) from error

    async def _timed(self, tool: Tool, call: Call, work: "_Begun", began: float) -> Any:
        timeout_s = self._timeout(tool, call)
        scope = asyncio.timeout(began + timeout_s - time.monotonic())
        running = self._running.setdefault(call.request_id, [])
        running.append(scope)
        try:
            async with scope:
                return await work
        except TimeoutError:
            raise self._stopped(call, timeout_s, scope) from None
        finally:
            self._forget(call.request_id, running, scope)

    def cancel(self, request_id: str) -> bool:
        """Stop a running call; it ends as CANCELLED. False when no such call runs."""
        scopes = [scope for scope in self._running.get(request_id, ()) if not scope.expired()]
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

    async def _work(self, tool: Tool, args: Any, call: Call, *, in_thread: bool) -> Any:
        if tool.run is None:
            raise ToolFailed(f"{call.said_tool} has no execute(): it is described, but cannot be called.")
        if not self._calls.take_free():
            await self._calls.take()
        try:
            if in_thread or tool.concurrency is not None:
                return await self._in_turn(tool, args, call, in_thread=in_thread)
            answer = _begin(tool.run, tool, args, call)
            return await answer if hasattr(answer, "__await__") else answer
        finally:
            self._calls.give()

    async def _in_turn(self, tool: Tool, args: Any, call: Call, *, in_thread: bool) -> Any:
        places = self._places(tool)
        await places.take()
        try:
            if in_thread:
                return await self._in_thread(lambda: _begin(tool.run, tool, args, call))
            answer = _begin(tool.run, tool, args, call)
            return await answer if hasattr(answer, "__await__") else answer
        finally:
            places.give()

    def _places(self, tool: Tool) -> Places:
        places = self._of_tool.get(tool)
        if places is None:
            places = self._of_tool[tool] = Places(tool.concurrency or self._limits.concurrent_calls)
        return places

    async def _in_thread(self, work: Callable[[], Any]) -> Any:
        """A thread of its own, so that one that hangs keeps no other waiting and no process alive.

        Its place is given back when the thread really ends, not when the caller stops waiting.
        """
        loop = asyncio.get_running_loop()
        threads = self._threads.setdefault(loop, Places(self._limits.concurrent_threads))
        await threads.take()
        done: asyncio.Future[tuple[Any, Exception | None]] = loop.create_future()
        context = contextvars.copy_context()

        def finish(*outcome: Any) -> None:
            threads.give()
            if not done.done():
                done.set_result(outcome)

        def body() -> None:
            _hand_over(loop, finish, *context.run(_outcome, work))

        threading.Thread(target=body, name="toolpost-tool", daemon=True).start()
        answer, error = await done
        if error is not None:
            raise error
        return answer

    def _stopped(self, call: Call, timeout_s: float, scope: asyncio.Timeout) -> ToolError:
        if scope in self._cancelled:
            return Cancelled(f"{call.said_tool} was cancelled.")
        if not scope.expired():
            return ToolFailed("Failed to execute: TimeoutError inside the tool.", error="TimeoutError")
        return TimedOut(
            f"{call.said_tool} took longer than {timeout_s:g} s.", limit_s=timeout_s, tool=call.said_tool
        )


def _outcome(work: Callable[[], Any]) -> tuple[Any, Exception | None]:
    """What came of it, as a value: some exceptions, such as StopIteration, no future can hold."""
    try:
        return work(), None
    except Exception as error:
        return None, error
    except BaseException as error:  # sys.exit() ends the tool, not the server
        return None, ToolFailed(f"Failed to execute: {_say(error)}", error=type(error).__name__)


def _asked_to_stop(error: BaseException) -> bool:
    """Whether the call was cancelled from outside; a tool can also raise CancelledError by itself."""
    task = asyncio.current_task()
    return isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling() > 0


class _Begun:
    """A coroutine that took its first step already; awaiting this takes the others."""

    def __init__(self, work: Coroutine[Any, Any, Any], waits_for: Any) -> None:
        self._work = work
        self._waits_for = waits_for

    def __await__(self) -> Generator[Any, Any, Any]:
        waits_for = self._waits_for
        try:
            while True:
                try:
                    sent = yield waits_for
                except BaseException as error:
                    waits_for = self._work.throw(error)
                else:
                    waits_for = self._work.send(sent)
        except StopIteration as done:
            return done.value


def _hand_over(loop: asyncio.AbstractEventLoop, finish: Callable[..., None], *outcome: Any) -> None:
    try:
        loop.call_soon_threadsafe(finish, *outcome)
    except RuntimeError:  # the loop is closed: nobody waits for the outcome any more
        return


def _begin(run: Any, tool: Tool, args: Any, call: Call) -> Any:
    """Call the function as it wants to be called: one value, or parameter by parameter."""
    named = {tool.call_parameter: call} if tool.call_parameter else {}
    if tool.spread:
        return run(**asdict(args), **named)
    return run(args, **named)


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


def _say(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
