"""Shortcuts of Windows' Start Menu (MS-SHLLINK): which program one starts, and with which arguments."""

import struct
from collections.abc import Iterator

from msgspec import Struct

from toolpost.desktop.apps.application import Application, Source
from toolpost.desktop.apps.exec_line import literal

_HEADER = struct.Struct("<I16sI")
_HEADER_BYTES = 0x4C
_CLASS = bytes.fromhex("0114020000000000c000000000000046")
_HAS_IDS, _HAS_INFO, _IS_UNICODE = 0x1, 0x2, 0x80
_STRINGS = {"comment": 0x4, "relative": 0x8, "folder": 0x10, "arguments": 0x20}
"""In the order they stand in, each only if its flag is set."""
_ENDING = ".lnk"
_NO_APPLICATIONS = ("uninstall", "readme", "help", "website")


class Shortcut(Struct, frozen=True, kw_only=True):
    target: str = ""
    comment: str = ""
    folder: str = ""
    arguments: str = ""


def application(path: str, data: bytes) -> Application | None:
    """None for one that starts no program: to a document, a web page, or what takes an application away."""
    name = path.replace("\\", "/").rpartition("/")[2].removesuffix(_ENDING)
    found = parse(data)
    if found is None or not found.target.lower().endswith(".exe"):
        return None
    if name.lower().startswith(_NO_APPLICATIONS):
        return None
    return Application(
        name=name,
        id=name,
        path=path,
        words=tuple(literal(word) for word in (found.target, *split(found.arguments))),
        source=Source.START_MENU,
        description=found.comment,
        also=(found.target.rpartition("\\")[2],),
        folder=found.folder,
    )


def parse(data: bytes) -> Shortcut | None:
    """None for what is no shortcut, or is cut off."""
    try:
        return _parsed(data)
    except (struct.error, UnicodeDecodeError, ValueError):
        return None


def _parsed(data: bytes) -> Shortcut | None:
    size, kind, flags = _HEADER.unpack_from(data)
    if size != _HEADER_BYTES or kind != _CLASS:
        return None
    place = _HEADER_BYTES
    if flags & _HAS_IDS:
        place += 2 + _number(data, place, "<H")
    target = ""
    if flags & _HAS_INFO:
        length = _number(data, place)
        target = _target(data[place : place + length])
        place += length
    strings = {}
    for name, flag in _STRINGS.items():
        if flags & flag:
            strings[name], place = _string(data, place, is_unicode=bool(flags & _IS_UNICODE))
    strings.pop("relative", None)
    return Shortcut(target=target, **strings)


def _number(data: bytes, place: int, form: str = "<I") -> int:
    (number,) = struct.unpack_from(form, data, place)
    return int(number)


def _target(info: bytes) -> str:
    """The path on this machine, and what follows it; in Unicode where the header has room to say where."""
    header = _number(info, 4)
    if not _number(info, 8) & 1:  # a target on the network only
        return ""
    if header >= 0x24:
        return _wide(info, _number(info, 28)) + _wide(info, _number(info, 32))
    return _narrow(info, _number(info, 16)) + _narrow(info, _number(info, 24))


def _narrow(info: bytes, place: int) -> str:
    return info[place : info.index(b"\0", place)].decode("cp1252")


def _wide(info: bytes, place: int) -> str:
    end = place
    while info[end : end + 2] not in {b"\0\0", b"", info[end : end + 1]}:
        end += 2
    return info[place:end].decode("utf-16-le")


def _string(data: bytes, place: int, *, is_unicode: bool) -> tuple[str, int]:
    width, encoding = (2, "utf-16-le") if is_unicode else (1, "cp1252")
    begin = place + 2
    end = begin + width * _number(data, place, "<H")
    if end > len(data):
        raise ValueError(end)
    return data[begin:end].decode(encoding), end


def split(line: str) -> tuple[str, ...]:
    """The arguments of a command line as Windows programs read it: quotes group, backslashes count before them."""
    return tuple(_split(line))


def _split(line: str) -> Iterator[str]:
    word: list[str] = []
    is_quoted = has_word = False
    slashes = 0
    for char in f"{line} ":
        if char == "\\":
            slashes += 1
            continue
        is_escaped = char == '"' and slashes % 2 == 1
        word.append("\\" * (slashes // 2 if char == '"' else slashes))
        has_word = has_word or slashes > 0
        slashes = 0
        if char == '"' and not is_escaped:
            is_quoted, has_word = not is_quoted, True
        elif char in " \t" and not is_quoted:
            if has_word:
                yield "".join(word)
            word, has_word = [], False
        else:
            word.append(char)
            has_word = True
    if has_word:  # a quote that nobody closed
        yield "".join(word)[:-1]
