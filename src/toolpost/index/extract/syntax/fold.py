"""Bodies of functions taken out of a text before it is parsed: nothing in them is exported, and they are most of it.

It goes by how formatters of a language lay it out: a head at the margin ends its line with a brace, and its body ends
with the next brace at the margin. A text laid out in another way stays as it is or is cut within a body; then what is
left does not parse, and the whole of it is parsed instead.
"""

import re

from toolpost.index.limits import PARSE_SMALL_BYTES

_END = b"\n}"


def fold(head: re.Pattern[bytes], text: bytes) -> bytes:
    """The text with empty bodies, every line where it was."""
    if len(text) <= PARSE_SMALL_BYTES:
        return text
    kept: list[bytes] = []
    done = 0
    while found := head.search(text, done):
        body = found.end() - 1
        end = text.find(_END, body)
        if end < 0:
            break
        kept += (text[done:body], b"\n" * text.count(b"\n", body, end))
        done = end
    return b"".join((*kept, text[done:]))
