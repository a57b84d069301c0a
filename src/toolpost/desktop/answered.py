"""What a program answers that is run for its answer: bounded in time, by its path, without a shell or a variable of ours."""

import subprocess
from collections.abc import Mapping, Sequence


def answered(argv: Sequence[str], env: Mapping[str, str], *, timeout_s: float, told: bytes = b"") -> bytes:
    """Its output. Raises OSError or SubprocessError, also when it ends with another code than 0."""
    done = subprocess.run(
        argv,
        input=told,
        capture_output=True,
        env=env,
        cwd="/",
        timeout=timeout_s,
        check=True,
        start_new_session=True,
    )
    return done.stdout
