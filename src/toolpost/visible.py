"""Text of strangers made safe to look at: nothing in it is hidden, and nothing commands a terminal.

Escape sequences are taken out, other control and format characters are shown as `<U+202E>`.
"""

import re

_SEQUENCE = re.compile(
    "\x1b\\[[0-?]*[ -/]*[@-~]?"  # CSI: colours, cursor
    "|\x1b\\][^\x07\x1b\x9c]*(?:\x07|\x1b\\\\|\x9c)"  # OSC: titles, links, clipboard
    "|\x1b[PX^_][^\x1b\x9c]*(?:\x1b\\\\|\x9c)"  # DCS, SOS, PM, APC
    "|\x1b[ -/]*[0-~]?"  # the others; of one without an end only the beginning
    "|\x9b[0-?]*[ -/]*[@-~]?"  # CSI in one character
)
_HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
    "\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f]"
    "|(?<![^\x00-\x7f])[\u200c\u200d]"  # joiners are part of words and emoji, but not between ASCII
    "|[\u200c\u200d](?![^\x00-\x7f])"
)
_STRUCK = re.compile("[^\x08\n]\x08")


def visible(text: str) -> str:
    """The text with nothing hidden; ordinary text, line ends and tabs are as they were."""
    return text if text.isascii() and text.isprintable() else _HIDDEN.sub(_named, _SEQUENCE.sub("", text))


def settled(text: str) -> str:
    r"""As it stands on a terminal in the end: of a line written anew after each `\r` the last state."""
    if "\x08" in text:
        text = _STRUCK.sub("", text)
    if "\r" in text:
        text = "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))
    return visible(text)


def _named(found: re.Match[str]) -> str:
    return f"<U+{ord(found[0]):04X}>"
