"""What a command may use, set by a shell that then becomes the command: limits of a process bind no single thread.

`preexec_fn` is no way: it runs Python between fork and exec, which may hang where a server has threads.
"""

import resource
from functools import lru_cache

from toolpost.sandbox.model import Caps

SHELL = "/bin/sh"
_BLOCK = 512  # the unit of `ulimit -f` in every POSIX shell, and in bash where it is called sh
_BASH_BLOCK = 1024  # and in bash by any other name
_SHELLS = frozenset({"sh", "/bin/sh", "bash", "/bin/bash", "/usr/bin/bash", "dash", "/bin/dash"})


def limited(argv: tuple[str, ...], caps: Caps) -> tuple[str, ...]:
    """A line for a shell is given to it with the limits above it: one program less to start."""
    if len(argv) == 3 and argv[0] in _SHELLS and argv[1] == "-c":
        return (argv[0], "-c", f"{_limits(caps, is_bash=argv[0].endswith('bash'))}\n{argv[2]}")
    return (SHELL, "-c", _limits(caps, is_bash=False) + '; exec "$@"', "sh", *argv)


def owning(terminal: str, argv: tuple[str, ...]) -> tuple[str, ...]:
    """Whoever leads a session and opens a terminal has it from then on."""
    return (SHELL, "-c", 'exec 0<>"$1"; shift; exec "$@"', "sh", terminal, *argv) if terminal else argv


@lru_cache
def _limits(caps: Caps, *, is_bash: bool) -> str:
    files, largest, seconds, memory, reserved, processes = (number for _, number in _numbers(caps))
    # bash and busybox say -u, dash says -p, which means something else to bash.
    return (
        f"{{ ulimit -c 0 && ulimit -n {files} && {_file_limit(largest, is_bash=is_bash)} && ulimit -t {seconds} && "
        f"ulimit -d {memory // 1024} && ulimit -v {reserved // 1024} && "
        f"{{ ulimit -u {processes} 2>/dev/null || ulimit -p {processes}; }}; }} || exit 125"
    )


def _file_limit(largest: int, *, is_bash: bool) -> str:
    posix = f"ulimit -f {largest // _BLOCK}"
    if not is_bash:
        return posix
    # POSIXLY_CORRECT in the environment changes the unit; SHELLOPTS tells, and nobody but bash can set it there.
    own = f"ulimit -f {largest // _BASH_BLOCK}"
    return f"case :$SHELLOPTS: in *:posix:*) {posix};; *) {own};; esac"


@lru_cache
def _numbers(caps: Caps) -> tuple[tuple[int, int], ...]:
    wanted = (
        (resource.RLIMIT_NOFILE, caps.open_files),
        (resource.RLIMIT_FSIZE, caps.file_bytes),
        (resource.RLIMIT_CPU, caps.cpu_s),
        (resource.RLIMIT_DATA, caps.memory_bytes),
        (resource.RLIMIT_AS, caps.address_bytes),
        (resource.RLIMIT_NPROC, caps.processes),
    )
    return tuple((limit, _within(number, limit)) for limit, number in wanted)


def _within(wanted: int, limit: int) -> int:
    """Nobody but root may raise a hard limit, and trying to fails."""
    hard = resource.getrlimit(limit)[1]
    return wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)


def as_limits(caps: Caps) -> dict[str, int | float]:
    """For the report."""
    return {
        "memory_bytes": caps.memory_bytes,
        "address_bytes": caps.address_bytes,
        "file_bytes": caps.file_bytes,
        "open_files": caps.open_files,
        "processes": caps.processes,
        "cpu_s": caps.cpu_s,
    }
