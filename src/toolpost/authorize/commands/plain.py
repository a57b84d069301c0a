"""Lines without quotes, variables or redirects, read without a parser: most lines are such."""

import re

from toolpost.authorize.commands.script import Block, Part, Piece, Raw, Script, Simple, Step

_PLAIN = re.compile(r"[A-Za-z0-9_./:,@%+-][A-Za-z0-9_./:,@%+=|&; -]*")
_JOINTS = re.compile(r"(\|\||&&|[|;])")
_RESERVED = frozenset(
    {
        *(
            "if",
            "then",
            "else",
            "elif",
            "fi",
            "for",
            "while",
            "until",
            "do",
            "done",
            "case",
            "esac",
            "select",
        ),
        *("function", "time", "coproc", "in", "export", "declare", "typeset", "local", "readonly", "unset"),
    }
)


def plain_script(text: str) -> Script | None:
    """None when a parser must read it."""
    if _PLAIN.fullmatch(text) is None:
        return None
    if "|" not in text and "&" not in text and ";" not in text:
        simple = _simple(text)
        return None if simple is None else Script((simple,), commands=1)
    parts = _JOINTS.split(text)
    simples = [_simple(part) for part in parts[::2]]
    if parts[-2:-1] == [";"] and not parts[-1].strip():
        simples, parts = simples[:-1], parts[:-2]
    commands = [simple for simple in simples if simple is not None]
    if len(commands) < len(simples):
        return None
    return Script(tuple(_joined(commands, parts[1::2])), commands=len(commands))


def _simple(text: str) -> Simple | None:
    words = text.split()
    if not words or "=" in words[0] or words[0] in _RESERVED or "&" in text:
        return None
    return Simple(tuple([Raw((Piece(Part.PLAIN, word),)) for word in words]))


def _joined(commands: list[Simple], joints: list[str]) -> list[Step]:
    steps: list[Step] = []
    chain: list[Step] = []
    pipe: list[Simple] = []
    sure = False
    for command, joint in zip(commands, [*joints, ";"], strict=True):
        pipe.append(command)
        if joint == "|":
            continue
        chain.extend(_piped(pipe))
        pipe = []
        if joint == "&&":
            sure = True
            continue
        steps.extend([Block(tuple(chain), sure=True)] if sure else chain)
        chain, sure = [], False
    return steps


def _piped(commands: list[Simple]) -> list[Step]:
    if len(commands) == 1:
        return [commands[0]]
    return [Block((command,), own=True, piped=index > 0) for index, command in enumerate(commands)]
