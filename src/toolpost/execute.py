"""Running a tool: within its time, in its place, and so that a broken one breaks nothing else."""

import asyncio
import contextvars
import threading
from collections.abc import Callable, Coroutine, Generator
from typing import Any
from weakref import WeakKeyDictionary

from msgspec.structs import asdict

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
        try:
            return await self._timed(tool, call, self._in_turn(tool, args, call, in_thread=in_thread))
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

    async def _timed(self, tool: Tool, call: Call, work: Coroutine[Any, Any, Any]) -> Any:
        """The clock is wound only once the tool waits: most calls are over before."""
        try:
            waits_for = work.send(None)
        except StopIteration as done:
            return done.value
        timeout_s = self._timeout(tool, call)
        scope = asyncio.timeout(timeout_s)
        running = self._running.setdefault(call.request_id, [])
        running.append(scope)
        try:
            async with scope:
                return await _Begun(work, waits_for)
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
        done: asyncio.Future[tuple[Any, Exception | None]] = loop.create_future()
        context = contextvars.copy_context()

        def finish(*outcome: Any) -> None:
            threads.release()
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


def _spread(tool: Tool, args: Any, call: Call) -> tuple[tuple[Any, ...], dict[str, Any]]:
    named = {tool.call_parameter: call} if tool.call_parameter else {}
    if not tool.spread:
        return (args,), named
    return (), {**asdict(args), **named}


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
