"""Where a call runs: on the event loop, in a thread, and under which name it is recorded."""

from msgspec import Struct

from toolpost.define import Tool


class Lane(Struct, frozen=True):
    location: str
    in_thread: bool


HERE = Lane("local", in_thread=False)
THREAD = Lane("local", in_thread=True)


def choose(tool: Tool) -> Lane:
    """Local tools run here. Cloud tools do too while no worker is configured, and say so."""
    if tool.location == "local":
        return THREAD if tool.blocking else HERE
    return Lane("remote:in-process", in_thread=tool.blocking)
