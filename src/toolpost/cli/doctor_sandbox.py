"""The doctor's look at what calls may do: the policies, and the sandbox that commands run in."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory

from toolpost.authorize.layers import ADMIN, Layers
from toolpost.cli import policies
from toolpost.cli.check import Check
from toolpost.cli.permissions_standing import own_policy, standing
from toolpost.cli.settings import here
from toolpost.cli.trouble import Trouble
from toolpost.config.load import Settings
from toolpost.config.places import project_folder
from toolpost.errors import SandboxUnavailable, ToolError
from toolpost.limits import PROBE_S
from toolpost.sandbox.model import Fence, Level, Spawn
from toolpost.sandbox.pick import Sandbox

_COMMAND = ("/bin/sh", "-c", ":")
_LEVELS = (Level.NAMESPACES, Level.LANDLOCK, Level.PROCESS)


def checks(settled: Settings) -> Iterator[Check]:
    yield from _policies(settled)
    yield from _sandbox(settled)


def _policies(settled: Settings) -> Iterator[Check]:
    try:
        found = policies.layers()
    except Trouble as error:
        yield Check("fail", "policy", error.message, error.next_step)
        return
    folder = project_folder(here())
    files = [("admin", ADMIN), ("user", own_policy())]
    files += [("project", folder / policies.POLICY)] if folder else []
    for layer, path in files:
        yield _policy(layer, path, found)
    for text in _failures(settled):
        yield Check("fail", "policy", text, "toolpost permissions test")
    for text in (*found.notes, *found.warnings):
        yield Check("warn", "policy", text, "toolpost permissions list")


def _failures(settled: Settings) -> tuple[str, ...]:
    try:
        return standing(settled).failures()
    except (Trouble, ToolError):  # a root or a sandbox that is not to be had, which has a check of its own
        return ()


def _policy(layer: str, path: Path, found: Layers) -> Check:
    if not path.is_file():
        return Check("ok", f"{layer} policy", "none")
    rules = sum(rule.layer.startswith(f"{layer}:") for rule in found.rules)
    tests = sum(test.file == str(path) for test in found.tests)
    return Check("ok", f"{layer} policy", f"{path}: {rules} rules, {tests} tests")


def _sandbox(settled: Settings) -> Iterator[Check]:
    box = Sandbox(settled.config.sandbox.level)  # tried anew, and nothing is remembered
    if box.least is Level.OFF:
        origin = settled.values["sandbox.level"].origin
        yield Check("warn", "sandbox", f"off, by {origin}", "toolpost config set sandbox.level prefer")
        return
    try:
        level = box.level()
    except SandboxUnavailable as error:
        yield Check("fail", "sandbox", error.detail, error.fix)
        yield from _levels(box, Level.OFF)
        return
    state = "ok" if level >= Level.LANDLOCK else "warn"
    yield Check(state, "sandbox", f"{level.label} ({box.require})", _step(level))
    yield from _levels(box, level)
    yield from _gaps(box)


def _step(level: Level) -> str:
    return "" if level >= Level.LANDLOCK else "Below L2 an allow of an interpreter is an allow of everything."


def _levels(box: Sandbox, best: Level) -> Iterator[Check]:
    """A level below the best one that does not work is nobody's trouble."""
    for level in _LEVELS:
        found = box.found(level)
        what = f"sandbox {level.label}"
        if found.works:
            yield Check("ok", what, "works")
        else:
            yield Check("warn" if level > best else "ok", what, found.reason, found.fix)


def _gaps(box: Sandbox) -> Iterator[Check]:
    """As a command that is run now would report them."""
    with TemporaryDirectory(prefix="toolpost-") as folder:
        root = str(Path(folder).resolve())
        spawn = Spawn(argv=_COMMAND, cwd=root, fence=Fence(roots=(root,)), tag=token_hex(8))
        try:
            started = box.start(spawn)
        except ToolError as error:
            yield Check("fail", "sandbox", error.detail, error.fix)
            return
        try:
            started.process.wait(timeout=PROBE_S)
        except subprocess.TimeoutExpired:
            started.process.kill()
            started.process.wait()
        finally:
            started.finish()
    for gap in started.report.gaps:
        yield Check("ok", "sandbox gap", gap)
