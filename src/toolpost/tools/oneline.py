"""Names in text that has one to a line: a name with a line break in it must not look like two."""

import re

_BREAKING = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def one_line(name: str) -> str:
    r"""The name with control characters escaped, as in `a\nb.txt`; an answer's data has it as it is."""
    return name if name.isprintable() else _BREAKING.sub(_escaped, name)


def _escaped(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode()
