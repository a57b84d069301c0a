"""A map of a tree for a prompt: its folders, and the files that matter most with what they export.

    12 files in 3 folders.
    src/ 9 files
    docs/ 3 files

    src/components/
      Button.tsx: function Button, interface ButtonProps
      Card.tsx: function Card

It never takes more tokens than it may, and is the same for the same snapshot.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from toolpost.errors import InvalidArgument
from toolpost.index.ask.weights import weights
from toolpost.index.limits import MAP_FOLDERS, MAP_MISSES, MAP_NAMES, MAP_TOKENS_MAX
from toolpost.index.model import DEFAULT, Export
from toolpost.index.snapshot import Snapshot

CHARS_A_TOKEN = 4
"""What English and code come to in the tokenizers in use; tokens are rounded up."""


class RepoMap(Struct, frozen=True, kw_only=True):
    text: str
    tokens: int
    files: int
    """Of the tree's files, so many are named."""
    total_files: int


def tokens_of(text: str) -> int:
    return -(-len(text) // CHARS_A_TOKEN)


def repo_map(snapshot: Snapshot, tokens: int, focus: Sequence[str] = ()) -> RepoMap:
    """`focus` are paths of files or folders, or exported names: what is near them comes first."""
    if not 1 <= tokens <= MAP_TOKENS_MAX:
        raise InvalidArgument(
            f"A map takes 1 to {MAP_TOKENS_MAX:,} tokens, not {tokens:,}.",
            parameter="tokens",
            suggested=min(max(tokens, 1), MAP_TOKENS_MAX),
        )
    room, snapshot = CHARS_A_TOKEN * tokens, snapshot.settled
    head = _head(snapshot, room // 4)
    lines = _chosen(snapshot, focus, room - len(head) - 1)
    text = f"{head}\n{_grouped(lines)}".strip("\n")
    return RepoMap(text=text, tokens=tokens_of(text), files=len(lines), total_files=snapshot.count)


class _Line(Struct, frozen=True):
    """A file on the map."""

    folder: str
    text: str


def _head(snapshot: Snapshot, room: int) -> str:
    """The size of the tree and its largest folders, as far as there is room."""
    counted = _folders(snapshot)
    head = f"{snapshot.count:,} files in {len(snapshot.base.folders):,} folders.\n"
    lines = [head if len(head) <= room else ""]
    for count, folder in counted[:MAP_FOLDERS]:
        line = f"{folder}/ {count:,} files\n"
        if sum(map(len, lines)) + len(line) > room:
            break
        lines.append(line)
    return "".join(lines)


def _folders(snapshot: Snapshot) -> list[tuple[int, str]]:
    """The folders at the top and how many files they hold, the largest first."""
    counts: dict[bytes, int] = {}
    for folder in snapshot.base.folders:
        if folder and b"/" not in folder:
            begin, end = snapshot.base.span(folder + b"/")
            counts[folder] = end - begin
    for number in snapshot.gone:
        _count(counts, snapshot.base.path(number), -1)
    for doc in snapshot.docs:
        _count(counts, doc.path.encode("utf-8", "surrogateescape"), 1)
    found = [(count, folder.decode("utf-8", "replace")) for folder, count in counts.items() if count > 0]
    return sorted(found, key=lambda one: (-one[0], one[1]))


def _count(counts: dict[bytes, int], path: bytes, change: int) -> None:
    top, slash, _ = path.partition(b"/")
    if slash:
        counts[top] = counts.get(top, 0) + change


def _chosen(snapshot: Snapshot, focus: Sequence[str], room: int) -> list[_Line]:
    """The weightiest files, as many as there is room for."""
    lines: list[_Line] = []
    folders: set[str] = set()
    misses = 0
    for path, exports in _ranked(snapshot, focus):
        folder, _, name = path.rpartition("/")
        header = 0 if folder in folders else len(_header(folder))
        written = _fitting(name, exports, room - header)
        if not written:
            misses += 1
            if misses >= MAP_MISSES:
                break
            continue
        misses = 0
        folders.add(folder)
        room -= header + len(written)
        lines.append(_Line(folder, written))
    return lines


def _ranked(snapshot: Snapshot, focus: Sequence[str]) -> Iterator[tuple[str, tuple[Export, ...]]]:
    """Files and their exports: the weightiest first, then new ones, then by path."""
    base = snapshot.base
    weighed = weights(snapshot, focus)
    for number in sorted(range(base.count), key=lambda one: (-round(weighed[one], 12), one)):
        path = base.path(number)
        doc = snapshot.doc(path) if number in snapshot.gone else None
        if doc is not None:
            yield _shown(doc.path), doc.exports
        elif number not in snapshot.gone:
            yield path.decode("utf-8", "replace"), base.exports(number)
    for doc in snapshot.docs:
        if base.find(doc.path.encode("utf-8", "surrogateescape")) < 0:
            yield _shown(doc.path), doc.exports


def _shown(path: str) -> str:
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _fitting(name: str, exports: tuple[Export, ...], room: int) -> str:
    """The file's line with as many names as fit; empty where not even the file does."""
    told = _told(exports)
    for count in sorted({min(len(told), MAP_NAMES), min(len(told), MAP_NAMES // 3), 0}, reverse=True):
        more = len(told) - count
        names = ", ".join(told[:count]) + (f", {more} more" if more and count else "")
        line = f"  {name}: {names}\n" if count else f"  {name}\n"
        if len(line) <= room:
            return line
    return ""


def _told(exports: tuple[Export, ...]) -> list[str]:
    """Names with their kinds: the file's own, then what it passes on; a default by its real name."""
    own = [one for one in exports if not (one.source or one.origin)]
    passed = [one for one in exports if one.source or one.origin]
    names = {
        one.local if one.name == DEFAULT and one.local else one.name: one.kind
        for one in reversed([*own, *passed])
    }
    return [f"{kind} {name}".strip() for name, kind in reversed(names.items())]


def _header(folder: str) -> str:
    return f"{folder or '.'}/\n"


def _grouped(lines: list[_Line]) -> str:
    """Folders in the order of their first file, files in the order they were chosen."""
    folders: dict[str, list[str]] = {}
    for line in lines:
        folders.setdefault(line.folder, []).append(line.text)
    return "".join(_header(folder) + "".join(texts) for folder, texts in folders.items())
