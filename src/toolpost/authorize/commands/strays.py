r"""What the grammar leaves unread: scripts inside raw text, and lines continued inside a word.

Backticks in here-documents and in `${x:-...}`, `$(...)` after `<<-`, and `ps\<newline>ql` are such places.
"""

import re

_OPENING = re.compile(r"\\.|`|\$\(\(?|[<>]\(", re.DOTALL)
_INSIDE = re.compile(r"\\.|['\"()`]|\$\(", re.DOTALL)
_BACKTICK_ESCAPE = re.compile(r"\\([\\`$])")
_STATE = re.compile(r"\\\n|\\.|['\"]|\$'|(?:(?<=[\s;&|()])|\A)#[^\n]*", re.DOTALL)


def scripts(text: str) -> list[str]:
    """Each script that unquoted text substitutes, the outermost only: what is in them is theirs."""
    found: list[str] = []
    position = 0
    while (opening := _OPENING.search(text, position)) is not None:
        position = opening.end()
        if opening[0].startswith("\\"):
            continue
        end = _backtick(text, position) if opening[0] == "`" else _closing(text, position)
        inner = text[position:end]
        found.append(unticked(inner) if opening[0] == "`" else inner)
        position = end + 1
    return found


def unticked(text: str) -> str:
    """What a script in backticks is, once the shell has read it."""
    return _BACKTICK_ESCAPE.sub(r"\1", text)


def _backtick(text: str, position: int) -> int:
    while (found := _INSIDE.search(text, position)) is not None:
        if found[0] == "`":
            return found.start()
        position = found.end()
    return len(text)


def _closing(text: str, position: int) -> int:
    """Where the parenthesis is closed; a text without one goes to its end."""
    depth = 1
    while (found := _INSIDE.search(text, position)) is not None:
        position = found.end()
        if found[0] == "'":
            position = text.find("'", position) + 1 or len(text)
        depth += found[0].endswith("(") - (found[0] == ")")
        if depth == 0:
            return found.start()
    return len(text)


def joined(text: str) -> str:
    """The text with continued lines made one, as the shell reads them: not in single quotes, not in comments."""
    kept: list[str] = []
    position = start = 0
    double = False
    while (found := _STATE.search(text, position)) is not None:
        position = found.end()
        mark = found[0]
        if mark == "\\\n":
            kept.append(text[start : found.start()])
            start = position
        elif mark == '"':
            double = not double
        elif mark[0] == "#" and double:
            position = found.start() + 1
        elif mark[-1] == "'" and mark[0] != "#" and mark[0] != "\\" and not double:
            position = _end_of_quote(text, position, ansi=mark == "$'")
    kept.append(text[start:])
    return "".join(kept)


def _end_of_quote(text: str, position: int, *, ansi: bool) -> int:
    if not ansi:
        return text.find("'", position) + 1 or len(text)
    while position < len(text) and text[position] != "'":
        position += 2 if text[position] == "\\" else 1
    return position + 1
