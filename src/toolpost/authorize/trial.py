"""A call that is only tried: what the rules would say of it, and why. Nothing is asked, run or kept."""

from collections.abc import Iterable, Mapping
from typing import Any

from toolpost.atom import Atom, Kind
from toolpost.authorize.commands.line import argv_atoms, line_atoms
from toolpost.authorize.compile import absolute
from toolpost.authorize.decide import Judged, Subject, judge, strictest
from toolpost.authorize.rulebook import Rulebook
from toolpost.authorize.scene import Scene
from toolpost.result import Verdict

_COMMANDS = frozenset({"run_command", "os.exec", "local.os.exec", "exec", "Bash", "shell"})
_FILES = {
    **dict.fromkeys(("read_file", "fs.read", "read", "list_directory", "fs.list", "search_files"), Kind.READ),
    **dict.fromkeys(("code.search", "local.fs.readFile", "readFile"), Kind.READ),
    **dict.fromkeys(
        ("write_file", "fs.write", "write", "edit_file", "fs.edit", "local.fs.writeFile"), Kind.WRITE
    ),
    **dict.fromkeys(("delete_file", "fs.delete", "delete"), Kind.DELETE),
    **dict.fromkeys(("web_request", "web.fetch", "net", "cloud.web.fetch"), Kind.NET),
}
_TARGETS = ("path", "command", "url", "argv", "query")
NAMES = (*sorted(_COMMANDS), *sorted(_FILES))
"""The tools of ours that can be tried."""


def can_try(tool: str) -> bool:
    """A server's tool can be, whatever it is called: what its arguments could mean is guessed."""
    return tool in NAMES or all(tool.partition("/"))


def verdict_of(book: Rulebook, scene: Scene, call: Mapping[str, Any]) -> Verdict:
    """Of a call as a policy's tests write it: `{run_command = "make lint"}`, `{read_file = "a.txt"}`."""
    subject, judged = tried(book, scene, call)
    return strictest(judged, subject)


def tried(book: Rulebook, scene: Scene, call: Mapping[str, Any]) -> tuple[Subject, tuple[Judged, ...]]:
    """Every thing that the call would do, with its verdict."""
    tool, said = next(iter(call.items()), ("", ""))
    subject = Subject(tool=tool, known="/" not in tool)
    return subject, judge(
        book, scene, subject, (*_atoms(tool, said, scene), Atom(kind=Kind.TOOL, target=tool))
    )


def _atoms(tool: str, said: Any, scene: Scene) -> Iterable[Atom]:
    target = _target(said)
    if tool in _COMMANDS:
        is_line = isinstance(target, str)
        return line_atoms(target, scene) if is_line else argv_atoms([str(word) for word in target], scene)
    kind = _FILES.get(tool)
    if kind is Kind.NET:
        return (Atom(kind=kind, target=str(target)),)
    if kind is not None:
        return (Atom(kind=kind, target=absolute(str(target), scene)),)
    return tuple(_guessed(said, scene))


def _target(said: Any) -> Any:
    if not isinstance(said, Mapping):
        return said
    return next((said[name] for name in _TARGETS if name in said), "")


def _guessed(said: Any, scene: Scene) -> Iterable[Atom]:
    values = said.values() if isinstance(said, Mapping) else (said,)
    for value in values:
        if isinstance(value, str) and "://" in value:
            yield Atom(kind=Kind.NET, target=value, maybe=True)
        elif isinstance(value, str):
            for kind in (Kind.READ, Kind.WRITE, Kind.DELETE):
                yield Atom(kind=kind, target=absolute(value, scene), maybe=True)
