"""Starting one process the same way at every level."""

import os
import subprocess
from collections.abc import Mapping

from msgspec import Struct


class Streams(Struct, frozen=True, kw_only=True):
    """Descriptors, or what `subprocess` has for them: DEVNULL, PIPE, STDOUT."""

    stdin: int = subprocess.DEVNULL
    stdout: int = subprocess.DEVNULL
    stderr: int = subprocess.DEVNULL

    @property
    def terminal(self) -> str:
        """The name of the terminal the command is to have."""
        return os.ttyname(self.stdin)


def launch(
    argv: tuple[str, ...], *, cwd: str, env: Mapping[str, str], streams: Streams, kept: tuple[int, ...] = ()
) -> subprocess.Popen[bytes]:
    """In a session of its own, with no descriptor but its streams and `kept`."""
    return subprocess.Popen(
        argv,
        cwd=cwd,
        env=env,
        stdin=streams.stdin,
        stdout=streams.stdout,
        stderr=streams.stderr,
        pass_fds=kept,
        start_new_session=True,
    )
