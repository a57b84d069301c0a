"""Running a tool: within its time, in its place, and so that a broken one breaks nothing else."""

import asyncio
import contextvars
import time
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextlib import suppress
from types import CoroutineType
from typing import Any
from weakref import WeakKeyDictionary

from msgspec.structs import asdict

from toolpost.call import Call
from toolpost.define import Run, Tool
from toolpost.errors import Cancelled, Several, TimedOut, ToolError, ToolFailed
from toolpost.limits import Limits
from toolpost.places import Places
from toolpost.workers import Workers


class Executor:
    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._calls = Places(limits.concurrent_calls)
        self._threads = Places(limits.concurrent_threads)
        self._workers = Workers(limits.concurrent_threads)
        self._of_tool: WeakKeyDictionary[Tool, Places] = WeakKeyDictionary()
        self._running: dict[str, list[_Scope]] = {}

    async def run(self, tool: Tool, args: Any, call: Call, *, in_thread: bool) -> Any:
        """What the tool returned; whatever else happens is raised as a ToolError."""
        began = time.monotonic()
        has_place = not in_thread and tool.concurrency is None and self._calls.take_free()
        try:
            if in_thread and tool.at_once is not None:
                with suppress(BlockingIOError):
                    return _start(tool.at_once, tool, args, call)
            answer = (
                _begin(tool, args, call)
                if has_place
                else self._in_turn(tool, args, call, in_thread=in_thread)
            )
            if not hasattr(answer, "__await__"):
                return answer
            work = answer if type(answer) is CoroutineType else _awaited(answer)
            try:
                waits_for = work.send(None)
            except StopIteration as done:  # most calls are over before they ever wait
                return done.value
            left_s = began + self._timeout(tool, call) - time.monotonic()
            return await self.cancellable(call, _Begun(work, waits_for), left_s)
        except (ToolError, KeyboardInterrupt, GeneratorExit):
            raise
        except TimeoutError as error:
            raise self._late(tool, call, error) from None
        except ExceptionGroup as group:
            raise _gathered(group) from None
        except BaseException as error:
            if _asked_to_stop(error):
                raise
            raise ToolFailed(f"Failed to execute: {_say(error)}", error=type(error).__name__) from error
        finally:
            if has_place:
                self._calls.give()

    async def cancellable(self, call: Call, work: Awaitable[Any], timeout_s: float | None = None) -> Any:
        """Await something that `cancel` can stop, and a timeout too when there is one."""
        scope = _Scope(asyncio.timeout(timeout_s), asyncio.get_running_loop())
        running = self._running.setdefault(call.request_id, [])
        running.append(scope)
        try:
            async with scope.timeout:
                return await work
        except TimeoutError:
            if scope.is_cancelled:
                raise Cancelled(f"{call.said_tool} was cancelled.") from None
            raise _Late if scope.timeout.expired() else TimeoutError from None
        finally:
            running.remove(scope)
            if not running:
                self._running.pop(call.request_id, None)

    def cancel(self, request_id: str) -> bool:
        """Stop a call, from any thread; it ends as CANCELLED. False when no such call waits or runs."""
        scopes = [scope for scope in self._running.get(request_id, ()) if not scope.timeout.expired()]
        for scope in scopes:
            scope.loop.call_soon_threadsafe(scope.cancel)
        return bool(scopes)

    def _timeout(self, tool: Tool, call: Call) -> float:
        asked = call.timeout_s or tool.timeout_s or self._limits.timeout_s
        return min(asked, self._limits.timeout_max_s)

    def _late(self, tool: Tool, call: Call, error: TimeoutError) -> ToolError:
        if not isinstance(error, _Late):
            return ToolFailed("Failed to execute: TimeoutError inside the tool.", error="TimeoutError")
        limit_s = self._timeout(tool, call)
        said = f"{call.said_tool} took longer than {limit_s:g} s."
        return TimedOut(said, limit_s=limit_s, tool=call.said_tool)

    async def _in_turn(self, tool: Tool, args: Any, call: Call, *, in_thread: bool) -> Any:
        """Once there is a place among all calls, one among its like, and a thread if it needs one."""
        held: list[Places] = []
        await self._calls.take()
        try:
            for places in self._wanted(tool, in_thread=in_thread):
                await places.take()
                held.append(places)
            if in_thread:
                answer = await _in_thread(self._workers, lambda: _begin(tool, args, call), held)
            else:
                answer = _begin(tool, args, call)
            return await answer if hasattr(answer, "__await__") else answer
        finally:
            for places in (*held, self._calls):
                places.give()

    def _wanted(self, tool: Tool, *, in_thread: bool) -> list[Places]:
        wanted = [self._threads] if in_thread else []
        if tool.concurrency is not None:
            wanted.append(self._of_tool.setdefault(tool, Places(tool.concurrency)))
        return wanted


async def _in_thread(workers: Workers, work: Callable[[], Any], held: list[Places]) -> Any:
    """In a thread that has nothing else to do, so that one that hangs keeps no other waiting.

    The places held go with the thread: they are given back when it really ends, not when the caller stops
    waiting.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[tuple[Any, BaseException | None]] = loop.create_future()
    context = contextvars.copy_context()
    with_thread = tuple(held)
    held.clear()

    def finish(*outcome: Any) -> None:
        if not done.done():
            done.set_result(outcome)

    def body() -> None:
        outcome = context.run(_outcome, work)
        for places in with_thread:
            places.give()
        _hand_over(loop, finish, *outcome)

    workers.do(body)
    answer, error = await done
    if error is not None:
        raise error
    return answer


class _Late(TimeoutError):
    """Our own timeout, not one the tool raised."""


class _Scope:
    """What is needed to stop one waiting call."""

    def __init__(self, timeout: asyncio.Timeout, loop: asyncio.AbstractEventLoop) -> None:
        self.timeout = timeout
        self.loop = loop
        self.is_cancelled = False

    def cancel(self) -> None:
        if not self.is_cancelled and not self.timeout.expired():
            self.is_cancelled = True
            self.timeout.reschedule(self.loop.time())


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


async def _awaited(answer: Awaitable[Any]) -> Any:
    return await answer


def _begin(tool: Tool, args: Any, call: Call) -> Any:
    if tool.run is None:
        raise ToolFailed(f"{call.said_tool} has no execute(): it is described, but cannot be called.")
    return _start(tool.run, tool, args, call)


def _start(run: Run, tool: Tool, args: Any, call: Call) -> Any:
    """Call the function as it wants to be called: one value, or parameter by parameter."""
    if tool.call_parameter:
        named = {tool.call_parameter: call}
        return run(**asdict(args), **named) if tool.spread else run(args, **named)
    return run(**asdict(args)) if tool.spread else run(args)


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
