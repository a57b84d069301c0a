"""Lines to the real standard tools, each with a folder of its own that goes when the test ends."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from tests.contracts.ground import Files, ground
from tests.contracts.line import Line

from toolpost.define import Tool


@pytest.fixture
def real() -> Iterator[Callable[..., Line]]:
    """`real(dialect, files, *more_tools)`: settings are those of a bench, and `connected`."""
    with ExitStack() as grounds:

        def line(
            dialect: str, files: Files | None = None, *more: Tool, connected: bool = True, **settings: Any
        ) -> Line:
            made = grounds.enter_context(ground(files or {}, connected=connected))
            talk = Line(dialect, *made.tools, *more, **settings)
            talk.folder = made.folder
            return talk

        yield line
