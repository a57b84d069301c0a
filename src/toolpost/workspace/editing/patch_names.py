"""Which file a diff is about, by the lines above its hunks: git's quoting, prefixes and extended headers."""

import re
from collections.abc import Sequence

from toolpost.workspace.editing.hunk import FilePatch, Hunk, PatchKind

EXTENDED = (
    *("old mode ", "new mode ", "deleted file mode ", "new file mode "),
    *("rename from ", "rename to ", "copy from ", "copy to "),
    *("similarity index ", "dissimilarity index ", "index ", "GIT binary patch", "Binary files "),
)
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_ESCAPE = re.compile(r"\\([0-7]{3}|.)", re.DOTALL)
_PLAIN = {"a": "\a", "b": "\b", "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", '"': '"', "\\": "\\"}
_PREFIXES = frozenset(("a/", "b/", "c/", "i/", "o/", "w/"))  # git's, with and without `diff.mnemonicPrefix`
_LINKS = ("120000", "160000")
_MODES = {"100644": False, "100755": True}

Names = tuple[str | None, str | None]


class _Header:
    """The lines above the hunks of a file: `diff --git` and what git puts below it, then `---` and `+++`."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = [line.rstrip("\r\n") for line in lines]

    def value(self, begins: str) -> str | None:
        return next((line[len(begins) :] for line in self._lines if line.startswith(begins)), None)

    def names(self) -> Names:
        old, new = self.value("--- "), self.value("+++ ")
        if old is not None and new is not None:
            return _named(old), _named(new)
        return _both(self.value("diff --git ") or "")


def _named(rest: str) -> str | None:
    """A name after `---` or `+++`; None for `/dev/null`. A date may follow a tab."""
    name = unquoted(rest.partition("\t")[0])
    return None if name == "/dev/null" else name


def _both(names: str) -> Names:
    """Both names of a `diff --git` line: they are equal, for a file that is moved has them again below."""
    quoted = _QUOTED.match(names)
    if quoted:
        return unquoted(names), unquoted(names[quoted.end() :].lstrip())
    half = len(names) // 2
    return names[:half], names[half + 1 :]


def unquoted(name: str) -> str:
    """A path as it is; git quotes one with odd characters, as C does. ValueError when it is no text."""
    quoted = _QUOTED.match(name)
    if not quoted:
        return name
    try:
        return _ESCAPE.sub(_unescaped, quoted[1]).encode("utf-8", "surrogateescape").decode("utf-8")
    except UnicodeError:
        reason = f"names a file whose path is no UTF-8 text, {quoted[0]}"
        raise ValueError(reason) from None


def _unescaped(escape: re.Match[str]) -> str:
    code = escape[1]
    if len(code) == 3:
        byte = int(code, 8) & 0xFF
        return chr(byte) if byte < 0x80 else chr(0xDC00 + byte)
    return _PLAIN.get(code, code)


def file_patch(lines: Sequence[str], hunks: tuple[Hunk, ...]) -> FilePatch:
    """What the lines above the hunks, and these, do to a file; ValueError says what is wrong with them."""
    header = _Header(lines)
    _refuse_kinds(header)
    runs = _is_executable(header)
    source, target = header.value("rename from "), header.value("rename to ")
    if source is not None and target is not None:
        return FilePatch(unquoted(source), PatchKind.MOVE, unquoted(target), hunks, runs)
    old, new = _without_prefixes(*header.names())
    if old is None or header.value("new file mode ") is not None:
        return FilePatch(_sure(new), PatchKind.ADD, hunks=hunks, is_executable=runs)
    if new is None or header.value("deleted file mode ") is not None:
        return FilePatch(old, PatchKind.DELETE, hunks=hunks)
    if old != new:
        reason = f"names two files, {old} and {new}: to move one, say so with `rename from` and `rename to`"
        raise ValueError(reason)
    if not hunks:
        reason = f"changes nothing in {new} that is text: a mode is changed only together with lines"
        raise ValueError(reason)
    return FilePatch(new, hunks=hunks, is_executable=runs)


def _is_executable(header: _Header) -> bool | None:
    mode = header.value("new file mode ") or header.value("new mode ")
    if mode is None:
        return None
    if mode.strip() not in _MODES:
        reason = f"asks for the file mode {mode}: only 100644 and 100755 can be given"
        raise ValueError(reason)
    return _MODES[mode.strip()]


def _refuse_kinds(header: _Header) -> None:
    reason = ""
    if header.value("GIT binary patch") is not None or header.value("Binary files ") is not None:
        reason = "changes a binary file: only text can be patched"
    if header.value("copy from ") is not None:
        reason = "copies a file: add it as a new one instead"
    modes = (header.value(f"{word} mode ") for word in ("old", "new", "new file", "deleted file"))
    if any(mode in _LINKS for mode in modes):
        reason = "is about a link or a submodule: only regular files can be patched"
    if reason:
        raise ValueError(reason)


def _without_prefixes(old: str | None, new: str | None) -> Names:
    """`a/` and `b/` go where both names have them, each its own: a folder called `a` stays."""
    begins = [name[:2] for name in (old, new) if name is not None]
    if len(set(begins)) < len(begins) or not _PREFIXES.issuperset(begins):
        return old, new
    return old and old[2:], new and new[2:]


def _sure(name: str | None) -> str:
    if not name:
        reason = "names no file: one of `---` and `+++` must not be /dev/null"
        raise ValueError(reason)
    return name
