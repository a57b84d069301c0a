"""Programs that take commands from their input: what a here-document tells them is split without understanding it."""

import re
from collections.abc import Iterable

from toolpost.atom import Alarm, Atom
from toolpost.authorize.commands.crude import crude_atoms
from toolpost.authorize.commands.interpreters import CODE_FLAGS, SHELLS, language

_FED = frozenset(
    {
        *(
            "ed",
            "red",
            "ex",
            "vi",
            "vim",
            "nvim",
            "gdb",
            "lldb",
            "make",
            "gmake",
            "ninja",
            "m4",
            "at",
            "batch",
        ),
        *(
            "psql",
            "mysql",
            "mariadb",
            "sqlite3",
            "sqlplus",
            "mongosh",
            "redis-cli",
            "ftp",
            "sftp",
            "lftp",
            "ssh",
        ),
        *(
            "awk",
            "gawk",
            "mawk",
            "nawk",
            "sed",
            "gsed",
            "xargs",
            "parallel",
            "crontab",
            "tmux",
            "screen",
            "bc",
        ),
    }
)
_BEFORE = re.compile(r"!|(?m:^[ \t]*[-+@]++)|\b(?:shell|system|pipe)\b")
"""What stands before a command line in editors, debuggers, makefiles and the shells of databases."""
_LISTED = re.compile(r"[\[\],{}]")


def fed_atoms(name: str, documents: Iterable[str]) -> list[Atom]:
    """Guesses: they only meet what denies."""
    if name not in _FED and (name in SHELLS or language(name) not in CODE_FLAGS):
        return []
    texts = (_LISTED.sub(" ", _BEFORE.sub("\n", document)) for document in documents)
    return [atom for text in texts for atom in crude_atoms(text, Alarm.UNREADABLE)]
