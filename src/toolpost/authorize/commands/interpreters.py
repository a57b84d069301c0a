"""Programs that run code given as text: shells and languages."""

import re

SHELLS = frozenset(
    {"sh", "bash", "zsh", "dash", "ksh", "mksh", "ash", "yash", "fish", "rbash", "csh", "tcsh", "elvish"}
)
SHELL_FLAGS = re.compile(r"[-+][abefhkmnptuvxBCEHPTl]+|--(?:norc|noprofile|posix|login|verbose|restricted)")
"""Options of a shell that read no further file but the login profile."""
SHELL_SCRIPT = re.compile(r"-[abefhkmnptuvxBCEHPTli]*c[abefhkmnptuvxBCEHPTli]*")
SHELL_VALUES = frozenset({"-o", "+o", "-O", "+O", "--rcfile", "--init-file"})

CODE_FLAGS: dict[str, str] = {
    **dict.fromkeys(("python", "python2", "python3", "pypy", "pypy3", "ipython", "ipython3", "jython"), "-c"),
    **dict.fromkeys(("node", "nodejs", "bun"), "-e --eval -p --print"),
    "deno": "eval",
    "perl": "-e -E",
    "ruby": "-e",
    "php": "-r -B -E -R",
    "lua": "-e",
    "luajit": "-e",
    "osascript": "-e",
    "rscript": "-e",
    "r": "-e",
    "julia": "-e --eval -E",
    "elixir": "-e --eval",
    "erl": "-eval",
    "ghci": "-e",
    "ghc": "-e",
    "groovy": "-e",
    "scala": "-e",
    "tclsh": "",
    "expect": "-c",
    "pwsh": "-c -Command -EncodedCommand -e",
    "powershell": "-c -Command -EncodedCommand -e",
    "gawk": "",
    "guile": "-c -e",
    "racket": "-e",
    "sbcl": "--eval",
    "emacs": "--eval --execute",
    "swift": "-e",
    "crystal": "eval",
    "raku": "-e",
    "octave": "--eval",
    "jshell": "",
    "irb": "",
    "psysh": "",
    "ts-node": "-e --eval -p",
    "tsx": "-e --eval",
}
"""Languages, and the options whose value is code."""
VERSIONED = re.compile(r"(?P<name>python|pypy|ruby|perl|php|lua|node|bash|tclsh)[0-9][0-9.]*")

CALLS = re.compile(
    r"(?:system|popen|Popen|exec\w*|run|call|check_call|check_output|spawn\w*|getoutput|getstatusoutput|shell_exec"
    r"|passthru|open|qx|%x|cmd)\s*[(\[{ ]{0,4}\s*(?P<quote>['\"`])(?P<body>[^'\"`\\]{1,400})(?P=quote)?"
)
"""Where code hands a text to a shell, as far as one can see."""


def is_interpreter(name: str) -> bool:
    return name in SHELLS or language(name) in CODE_FLAGS


def language(name: str) -> str:
    """The name without its version: `python3.12` is python."""
    versioned = VERSIONED.fullmatch(name)
    return versioned["name"] if versioned else name
