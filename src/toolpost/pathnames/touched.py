"""What a path in a call may come to once the shell has worked on it: never less than it does.

Between the first and the last special character of a name anything may stand. A name that may become `..`
leads up, and then only the folders before it are known.
"""

import re
from itertools import dropwhile, takewhile

from toolpost.limits import TOUCHED_GAPS
from toolpost.pathnames.folded import fold
from toolpost.pathnames.states import Gap, Reach

_FIRST = re.compile(r"[@!+]?[*?\[\]{}()|]")
_LAST = re.compile(r"[*?\[\]{}()|][^*?\[\]{}()|]*\Z")
_PARTS = re.compile(r"[{},()|@!+/]")
_STANDS_FOR_ANY = re.compile(r"\[[^\]]*\]|[*?]")


def names_of(path: str) -> tuple[str, ...]:
    """The path's names, `.` and `..` resolved by the letter."""
    names: list[str] = []
    for name in path.split("/"):
        if name == "..":
            del names[-1:]
        elif name not in {"", "."}:
            names.append(name)
    return tuple(names)


def is_wild(path: str) -> bool:
    return _FIRST.search(path) is not None


def folder_of(glob: str) -> str | None:
    """The folder that all a glob stands for lies in; None where some of it may lie elsewhere."""
    if _crosses(glob) or _leads_up(glob):
        return None
    return "/".join(takewhile(lambda name: not is_wild(name), glob.split("/"))) or "/"


def touched(path: str, *, tree: bool, glob: bool, plain: bool) -> Reach:
    """`plain`: the rule is ASCII, so what stands beside a wildcard cannot merge into one of its letters."""
    path, nul, _ = path.partition("\0")
    if nul or (glob and (_crosses(path) or _leads_up(path))):
        return _from_here_on(path)
    names = names_of(path)
    return _pieces(names, tree=tree, plain=plain) if glob else Reach(((folded(names), Gap.NOTHING),), tree)


def folded(names: tuple[str, ...]) -> str:
    return "".join(f"/{fold(name) or name}" for name in names)


def _crosses(path: str) -> bool:
    """Whether a group such as `{a/b,..}` may bring folders of its own."""
    start, end = path.find("{"), path.rfind("}")
    return start >= 0 and "/" in path[start : end if end > start else None]


def _leads_up(glob: str) -> bool:
    """Whether it may go up from a folder that is not known: how deep `**` went, only the shell knows."""
    below = dropwhile(lambda name: not is_wild(name), glob.split("/"))
    return any(name == ".." or _may_lead_up(name) for name in below)


def _may_lead_up(name: str) -> bool:
    """Whether the shell may make `..` of it. A wildcard alone never becomes one: the first dot has to be written."""
    if not (name.startswith((".", "{")) or "(" in name) or not is_wild(name):
        return False
    return _has_dots_alone(name)


def _has_dots_alone(text: str) -> bool:
    """Sets and groups are taken apart in either order: `.[!{]` and `{.[,.]}` hide their dots each in their own."""
    inner = (_STANDS_FOR_ANY.sub("", part) for part in _PARTS.split(text))
    outer = _PARTS.split(_STANDS_FOR_ANY.sub("", text))
    return any(part and not part.strip(".") for part in (*inner, *outer))


def _from_here_on(path: str) -> Reach:
    """Anything that begins as the path does before its first wildcard, or that lies where its dots may lead up to."""
    wild = _FIRST.search(path)
    known, rest = (path[: wild.start()], path[wild.start() :]) if wild else (path, "")
    *folders, beginning = known.split("/")
    names = names_of("/".join(folders))
    ups = f"{beginning}{rest}".count(".") if _has_dots_alone(f"{beginning}{rest}") else 0
    if ups or not beginning.isascii():
        return Reach(((folded(names[: max(0, len(names) - ups)]), Gap.PATH),))
    return Reach(((f"{folded(names)}/{beginning.lower()}", Gap.PATH),))


def _pieces(names: tuple[str, ...], *, tree: bool, plain: bool) -> Reach:
    pieces: list[tuple[str, Gap]] = []
    known = ""
    for name in names:
        if len(pieces) == TOUCHED_GAPS:
            return Reach((*pieces, (known, Gap.PATH)))
        if len(name) > 1 and not name.strip("*"):  # `**` may also stand for no folder at all
            pieces.append((known, Gap.PATH))
            known = ""
        elif is_wild(name):
            before, after = _edges(name) if plain and name.isascii() else ("", "")
            pieces.append((f"{known}/{before}", Gap.NAME))
            known = after
        else:
            known += f"/{fold(name) or name}"
    return Reach((*pieces, (known, Gap.NOTHING)), tree)


def _edges(name: str) -> tuple[str, str]:
    """What stands before the first wildcard and after the last."""
    first, last = _FIRST.search(name), _LAST.search(name)
    before = name[: first.start()] if first else name
    after = name[last.start() + 1 :] if last else ""
    return before.lower(), after.lower().rstrip(" .")
