"""A repository's own configuration, made harmless: whatever in it names a program is overridden, key by key.

git reads configuration from the repository it works on, and dozens of keys name programs, many of them under names
the repository chooses (`filter.NAME.clean`, `hook.NAME.command`). So its keys are listed first, and each that could
run something gets an override. Every file that is included is listed too, whatever its condition says: what a
condition says may change between two commands, or within one, as when a worktree is made.
"""

import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from threading import Lock

from msgspec import Struct

from toolpost.errors import GitFailed
from toolpost.limits import GIT_CONFIG_BYTES, GIT_CONFIG_FILES, GIT_OVERRIDES, RACY_NS
from toolpost.workspace.git.process import Job, run
from toolpost.workspace.git.program import ENVIRONMENT, SETTINGS, program

Stamp = tuple[int, ...] | None

_BY_LAST_WORD: Mapping[str, str] = {
    "clean": "",
    "smudge": "",
    "process": "",
    "required": "false",
    "textconv": "",
    "cachetextconv": "false",
    "command": "",
    "cmd": "",
    "program": "false",
    "driver": "false",  # a merge that fails leaves a conflict to be seen; one that does nothing loses a side
    "uploadpack": "false",
    "receivepack": "false",
    "vcs": "false",
    "proxy": "false",
    "gitproxy": "none",
    "promisor": "false",
    "helper": "",
    "askpass": "false",
    "editor": "false",
    "pager": "cat",
    "path": "false",
    "update": "none",
    "tunnel": "false",
    "external": "",
    "difffilter": "",
}
"""The last word of a key -> what it is overridden with, in whatever section it stands."""
_BY_ENDING = (("command", "false"), ("cmd", "false"), ("program", "false"), ("hook", "false"), ("helper", ""))
"""For words git may learn later: what ends so has named a program until now."""
_BY_SECTION: Mapping[str, str] = {"pager": "false", "alias": ""}
_INCLUDES = ("include", "includeif")


class Configuration(Struct, frozen=True):
    overrides: Mapping[str, str]
    """Static and dynamic, ready for git's environment."""
    values: Mapping[str, str]
    """The repository's own, last one wins; keys as git writes them, in small letters but for the middle."""


class ConfigReader:
    """Reads one repository's configuration again only when a file of it changed."""

    def __init__(self, folder: Path, common: Path) -> None:
        self._files = tuple(
            dict.fromkeys((common / "config", common / "config.worktree", folder / "config.worktree"))
        )
        self._lock = Lock()
        self._held: tuple[dict[Path, Stamp], Configuration] | None = None

    def read(self) -> Configuration:
        with self._lock:
            if self._held is not None and all(stamp_of(file) == was for file, was in self._held[0].items()):
                return self._held[1]
            self._held = None
            stamps, values = _closure(self._files)
            made = Configuration(_environment(values), values)
            if not is_racy(*stamps.values()):
                self._held = (stamps, made)
            return made


def read_file(file: Path) -> Iterator[tuple[str, str]]:
    """Keys and values of one file, nothing included. git reads it, so that nobody reads it otherwise than git."""
    job = Job(
        argv=(program(), "config", "--file", str(file), "--no-includes", "--null", "--list"),
        cwd=Path("/"),
        environment={**ENVIRONMENT, "GIT_DIR": "/nonexistent"},
        max_bytes=GIT_CONFIG_BYTES,
    )
    output = run(job)
    if output.exit_code or output.truncated:
        raise GitFailed(
            f"The repository's configuration cannot be read: {file.name} is broken, or larger than"
            f" {GIT_CONFIG_BYTES:,} bytes. Have the user mend it.",
            parameter="path",
        )
    for item in output.stdout.split(b"\0")[:-1]:
        key, _, value = item.partition(b"\n")
        yield os.fsdecode(key), os.fsdecode(value)


def _closure(files: tuple[Path, ...]) -> tuple[dict[Path, Stamp], dict[str, str]]:
    """Every file that is, or might be, part of the configuration, and what they say together."""
    stamps: dict[Path, Stamp] = {}
    values: dict[str, str] = {}
    waiting = list(files)
    while waiting:
        file = waiting.pop(0)
        if file in stamps:
            continue
        if len(stamps) == GIT_CONFIG_FILES:
            raise GitFailed(f"The repository's configuration includes more than {GIT_CONFIG_FILES} files.")
        stamps[file] = stamp_of(file)
        if stamps[file] is None:
            continue
        if not file.is_file():
            raise GitFailed(f"The repository's configuration {file.name} is not a file.", parameter="path")
        for key, value in read_file(file):
            values[key] = value
            if key.partition(".")[0] in _INCLUDES:
                waiting.extend(_included(file, value))
    return stamps, values


def _included(file: Path, value: str) -> Iterator[Path]:
    """What `include.path` means, as git resolves it: HOME is nobody's, so `~/` names nothing."""
    if value.startswith("~/"):
        return
    if value.startswith(("~", "%(")):
        raise GitFailed(
            "The repository's configuration includes a file by a user's home or git's own folder; have the user name"
            " it by its path.",
            parameter="path",
        )
    yield file.parent / value


def _environment(values: Mapping[str, str]) -> dict[str, str]:
    """Through the environment, not `-c`: a key may hold `=`, and what git itself starts inherits it."""
    if "://" in values.get("extensions.refstorage", ""):
        raise GitFailed(
            "The repository keeps its refs in another place (extensions.refStorage).", parameter="path"
        )
    overrides = {**SETTINGS, **{key: value for name in values for key, value in _override(name)}}
    if len(overrides) > GIT_OVERRIDES + len(SETTINGS):
        raise GitFailed(f"The repository's configuration names more than {GIT_OVERRIDES} programs.")
    environment = {"GIT_CONFIG_COUNT": str(len(overrides))}
    for at, (key, value) in enumerate(overrides.items()):
        environment[f"GIT_CONFIG_KEY_{at}"] = key
        environment[f"GIT_CONFIG_VALUE_{at}"] = value
    return environment


def _override(key: str) -> Iterator[tuple[str, str]]:
    section, _, rest = key.partition(".")
    last = rest.rpartition(".")[2]
    if section in _INCLUDES:
        return
    if section == "hook" and "." in rest:
        name = rest.rpartition(".")[0]
        yield f"hook.{name}.event", ""  # an empty one takes back those before it
        yield f"hook.{name}.enabled", "false"
        yield f"hook.{name}.command", "false"
    elif key.lower() in _STATIC:
        return
    elif section in _BY_SECTION:
        yield key, _BY_SECTION[section]
    elif section == "color" and "." not in rest:  # a deeper one holds a colour
        yield key, "false"
    elif last in _BY_LAST_WORD:
        yield key, _BY_LAST_WORD[last]
    else:
        yield from ((key, value) for ending, value in _BY_ENDING if last.endswith(ending))


_STATIC = frozenset(key.lower() for key in SETTINGS)


def stamp_of(file: Path) -> Stamp:
    try:
        status = file.stat()
    except OSError:
        return None
    return (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def is_racy(*stamps: Stamp) -> bool:
    """Whether a file changed so lately that it could change once more under the same stamp."""
    newest = max((stamp[-1] for stamp in stamps if stamp is not None), default=0)
    return time.time_ns() - newest < RACY_NS
