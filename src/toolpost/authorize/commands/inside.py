"""Scripts that stand in a command's words: after `-c`, in options that take a command, in code that starts a shell."""

import re
from collections.abc import Iterator

from msgspec import Struct

from toolpost.authorize.commands.interpreters import (
    CALLS,
    CODE_FLAGS,
    SHELL_FLAGS,
    SHELL_SCRIPT,
    SHELL_VALUES,
    language,
)
from toolpost.authorize.commands.options import flags, parted
from toolpost.authorize.commands.wrappers import COMMAND_FLAGS, SUB_COMMANDS

SHELL_WORDS = frozenset({"eval", "source", ".", "trap"})
_AWKS = frozenset(
    {"awk", "gawk", "mawk", "nawk", "sed", "gsed", "vim", "vi", "nvim", "ed", "ex", "make", "gdb"}
)
_ALIAS = re.compile(
    r"(?:alias\.[^=]+|core\.\w+|[\w.-]+\.(?:textconv|command|clean|smudge|process|cmd|helper|program))=!?(?P<script>.+)"
)
_AWK_CALL = re.compile(
    r"system\s*\(\s*\"(?P<first>[^\"]+)\"|\"(?P<second>[^\"]+)\"\s*\|&?\s*getline|\|&?\s*\"(?P<third>[^\"]+)\""
)
_SED_CALL = re.compile(r"(?:^|[;{}]|[0-9,$/])\s*e\s+(?P<script>.+)")
_PROXY = re.compile(r"(?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ](?P<script>.+)", re.IGNORECASE)
_CALLED = re.compile(r"!|(?:shell|pipe)\s+|exec=")
"""What stands before a command in the value of an option, as in `gdb -ex 'shell id'`."""
_SOCAT = re.compile(r"(?:EXEC|SYSTEM|SHELL):(?P<script>[^,]+)", re.IGNORECASE)


class ShellScript(Struct, frozen=True):
    index: int
    """The word that is the script."""
    clear: bool
    """No option makes the shell read another file."""


def shell_script(texts: list[str]) -> ShellScript | None:
    index, script, clear = 1, False, True
    while index < len(texts) and texts[index][:1] in {"-", "+"} and len(texts[index]) > 1:
        text = texts[index]
        if text == "--":
            index += 1
            break
        if SHELL_SCRIPT.fullmatch(text):
            script = True
            clear = clear and "i" not in text
        elif text in SHELL_VALUES or _ends_in_value(text):
            clear = clear and not text.startswith("--")
            script = script or (_ends_in_value(text) and text[0] == "-" and "c" in text)
            index += 1
        else:
            clear = clear and SHELL_FLAGS.fullmatch(text) is not None
        index += 1
    return ShellScript(index, clear) if script and index < len(texts) else None


def _ends_in_value(text: str) -> bool:
    """`-euo pipefail`."""
    return text[1] != "-" and text[-1] in "oO"


def inner_scripts(name: str, texts: list[str], documents: list[str]) -> Iterator[str]:
    """Best effort: what is found only meets what denies."""
    takes = COMMAND_FLAGS.get(name)
    if takes is not None:
        yield from _option_values(texts, flags(takes))
    if name == "git":
        yield from _git(texts)
    if name in _AWKS:
        yield from _calls(texts)
    if name == "socat":
        for text in texts[1:]:
            yield from (found["script"] for found in _SOCAT.finditer(text))
    code = CODE_FLAGS.get(language(name))
    if code is not None:
        for text in [*texts[1:], *documents]:
            yield from (found["body"] for found in CALLS.finditer(text))
    yield from _after_sub_command(name, texts)


def _option_values(texts: list[str], names: frozenset[str]) -> Iterator[str]:
    for _, option, value in parted(texts, names):
        if option in names and value:
            proxy = _PROXY.fullmatch(value)
            called = _CALLED.match(value)
            yield proxy["script"] if proxy else value[called.end() if called else 0 :]


def _git(texts: list[str]) -> Iterator[str]:
    for text in texts[1:]:
        found = _ALIAS.fullmatch(text)
        if found is not None:
            yield found["script"]
        elif text.startswith("!"):
            yield text[1:]


def _calls(texts: list[str]) -> Iterator[str]:
    for text in texts[1:]:
        for found in _AWK_CALL.finditer(text):
            yield found["first"] or found["second"] or found["third"]
        for found in _SED_CALL.finditer(text):
            yield found["script"]
        for index in range(len(text) - 1):
            if text[index] == "!" and text[index + 1].isalpha() and index < 4:
                yield text[index + 1 :]


def _after_sub_command(name: str, texts: list[str]) -> Iterator[str]:
    """`docker exec box sh -c '...'`: a shell's script among the words, wherever it begins."""
    subs = SUB_COMMANDS.get(name)
    if subs is None or not subs & set(texts[1:]):
        return
    for index, text in enumerate(texts[:-1]):
        if SHELL_SCRIPT.fullmatch(text) and index > 1:
            yield texts[index + 1]
    for text in texts[2:]:
        if " " in text:
            yield text
