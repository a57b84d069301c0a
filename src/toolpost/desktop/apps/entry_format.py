r"""The Desktop Entry format: groups of `Key[locale]=value` lines, with escapes such as `\s`."""

import re
from collections.abc import Mapping

Group = Mapping[str, str]

MAIN = "Desktop Entry"
_HEADER = re.compile(r"\[([^\[\]]+)\]\s*")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_MEANS = {"s": " ", "n": "\n", "t": "\t", "r": "\r", "\\": "\\"}
_ITEM = re.compile(r"((?:[^;\\]|\\.)+)(?:;|$)", re.DOTALL)
_LOCALE = re.compile(r"([^_.@]+)(?:_([^.@]+))?(?:\.[^@]*)?(?:@(.+))?")


def parse(text: str) -> dict[str, dict[str, str]]:
    """Groups by name, each with its values as they are written. What is no line of the format is passed over."""
    groups: dict[str, dict[str, str]] = {}
    group: dict[str, str] | None = None
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        header = _HEADER.fullmatch(line)
        if header:
            group = groups.setdefault(header[1], {})
            continue
        key, sign, value = line.partition("=")
        if sign and group is not None:
            group[key.strip()] = value.strip()
    return groups


def text(group: Group, key: str, locales: tuple[str, ...] = ()) -> str:
    """In the first language there is; else as it is without one."""
    names = (*(f"{key}[{locale}]" for locale in locales), key)
    return unescaped(next((group[name] for name in names if name in group), ""))


def texts(group: Group, key: str, locales: tuple[str, ...] = ()) -> tuple[str, ...]:
    r"""Several values, with `;` between them, or `\;` inside one."""
    names = (*(f"{key}[{locale}]" for locale in locales), key)
    value = next((group[name] for name in names if name in group), "")
    return tuple(unescaped(item.replace("\\;", ";")) for item in _ITEM.findall(value))


def is_true(group: Group, key: str) -> bool:
    return group.get(key) in {"true", "1"}  # 1 is how it was written before version 1.0


def unescaped(value: str) -> str:
    return _ESCAPE.sub(lambda found: _MEANS.get(found[1], found[0]), value)


def locales(environ: Mapping[str, str]) -> tuple[str, ...]:
    """The tags that fit the user's language, the nearest first: de_AT@euro, de_AT, de@euro, de."""
    wanted = next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), "")
    found = _LOCALE.fullmatch(wanted)
    if found is None or found[1] in {"C", "POSIX"}:
        return ()
    language, country, modifier = found.groups()
    parts = (
        f"{language}_{country}@{modifier}" if country and modifier else "",
        f"{language}_{country}" if country else "",
        f"{language}@{modifier}" if modifier else "",
        language,
    )
    return tuple(part for part in parts if part)
