"""Shortcuts of Windows as they lie on the disk, made for tests."""

import struct

CLASS = bytes.fromhex("0114020000000000c000000000000046")


def _text(text: str, *, is_unicode: bool = True) -> bytes:
    return struct.pack("<H", len(text)) + text.encode("utf-16-le" if is_unicode else "cp1252")


def shortcut(
    target: str = "", *, is_wide: bool = True, is_unicode: bool = True, is_local: bool = True, **strings: str
) -> bytes:
    """With a list of ids, as real ones have, which a reader must step over."""
    flags = 0x1 | (0x2 if target else 0) | (0x80 if is_unicode else 0)
    for name, flag in (("comment", 0x4), ("relative", 0x8), ("folder", 0x10), ("arguments", 0x20)):
        flags |= flag if name in strings else 0
    header = struct.pack("<I16sI", 0x4C, CLASS, flags).ljust(0x4C, b"\0")
    data = header + struct.pack("<H", 4) + b"\x02\0\0\0"
    if target:
        data += _info(target, is_wide=is_wide, is_local=is_local)
    for name in ("comment", "relative", "folder", "arguments"):
        if name in strings:
            data += _text(strings[name], is_unicode=is_unicode)
    return data


def _info(target: str, *, is_wide: bool, is_local: bool) -> bytes:
    head, _, tail = target.rpartition("\\")
    base, suffix = f"{head}\\", tail
    size = 0x24 if is_wide else 0x1C
    narrow = base.encode("cp1252", "replace") + b"\0" + suffix.encode("cp1252", "replace") + b"\0"
    second = size + len(base) + 1
    wide = b""
    offsets = b""
    if is_wide:
        begin = size + len(narrow)
        wide = base.encode("utf-16-le") + b"\0\0"
        offsets = struct.pack("<II", begin, begin + len(wide))
        wide += suffix.encode("utf-16-le") + b"\0\0"
    total = size + len(narrow) + len(wide)
    fixed = struct.pack("<IIIIIII", total, size, int(is_local), 0, size, 0, second)
    return fixed + offsets + narrow + wide
