"""A program of its own, run by its path: it starts another one in a session of its own, says its number, and ends.

So the new one is no child of the server: it stays when the server goes. Nothing of ours is imported, since this
runs without it. In: {"argv", "env", "cwd"} as JSON; out: {"pid"} or {"errno"}.
"""

import json
import os
import signal
import sys
from typing import Any


def start(order: dict[str, Any]) -> dict[str, int]:
    nothing = [
        (os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_RDWR, 0) for stream in range(3)
    ]  # in, out, errors
    try:
        os.chdir(order["cwd"])
        pid = os.posix_spawn(
            order["argv"][0],
            order["argv"],
            order["env"],
            file_actions=nothing,
            setsid=True,
            setsigmask=[],
            setsigdef=[signal.SIGPIPE, signal.SIGINT, signal.SIGHUP],
        )
    except OSError as failed:
        return {"errno": failed.errno or 0}
    return {"pid": pid}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(start(json.load(sys.stdin))))
