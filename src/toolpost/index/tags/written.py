"""What a text tells of who wrote it: a person, or a program for machines."""

import re

from toolpost.index.limits import TAG_HEAD_BYTES, TAG_LONG_LINE_BYTES

_SAID = re.compile(
    rb"@generated\b|\b(?:DO NOT|[Dd]o not) (?:EDIT|MODIFY|edit|modify)\b"
    rb"|(?i:\b(?:file|code|module|page|document|schema|client)\b[^\n]{0,20}\b(?:is|was|been|are) "
    rb"(?:auto(?:matically)?[- ]?)?generated\b)"
    rb"|(?im:^\W*(?:code |file )?(?:auto(?:matically)?[- ]?)?generated (?:by|from|with|using|file|code)\b)"
)
"""The words such a line has; others say that something else is generated."""
_LOW, _HIGH, _KEEP, _KEPT = b"enerated", b"GENERATED", b"not edit", b"NOT EDIT"
_COMMENTS = (b"//", b"/*", b"*", b"#", b"--", b"<!--", b";", b"%", b'"""', b"'''", b"{/*", b"{#", b"@", b"'")
_WITHOUT_REMARKS = frozenset(("svg", "json", "csv"))
_SQUEEZED = frozenset(("javascript", "css"))


def says_generated(language: str, text: bytes) -> bool:
    """Whether a comment at its head says that a program wrote it."""
    if language in _WITHOUT_REMARKS:
        return False
    # Nearly no head holds the letters, and a search for them is all that most files cost: 1 us.
    head = text[:TAG_HEAD_BYTES]
    if not (_LOW in head or _HIGH in head or _KEEP in head or _KEPT in head):
        return False
    return any(_is_remark(head, match.end()) for match in _SAID.finditer(head))


def _is_remark(head: bytes, at: int) -> bool:
    """Within a comment: its line begins as one, or a block of one is open there."""
    line = head[head.rfind(b"\n", 0, at) + 1 : at].lstrip()
    return line.startswith(_COMMENTS) or head.rfind(b"/*", 0, at) > head.rfind(b"*/", 0, at)


def is_minified(language: str, text: bytes) -> bool:
    """Lines of a length nobody writes, in a language that is often squeezed."""
    if language not in _SQUEEZED or len(text) < 2 * TAG_LONG_LINE_BYTES:
        return False
    looked = min(len(text), 8 * TAG_LONG_LINE_BYTES)
    return text.count(b"\n", 0, looked) * TAG_LONG_LINE_BYTES < looked
