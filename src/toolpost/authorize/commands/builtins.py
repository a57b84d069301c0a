"""What the shell does by itself without touching the world: redirects and substitutions have atoms of their own."""

BUILTINS = frozenset(
    {
        *("cd", "pushd", "popd", "dirs", "pwd", "true", "false", ":", "test", "[", "[[", "]", "]]"),
        *("set", "unset", "export", "declare", "typeset", "local", "readonly", "shopt", "getopts"),
        *("read", "readarray", "mapfile", "wait", "echo", "printf", "let", "shift", "break", "continue"),
        *(
            "return",
            "exit",
            "logout",
            "times",
            "umask",
            "type",
            "hash",
            "jobs",
            "disown",
            "fg",
            "bg",
            "suspend",
        ),
        *("help", "caller", "ulimit", "command", "builtin", "which", "}", "fi", "done", "esac", "unalias"),
    }
)
"""`command` and `builtin` stand here alone, as in `command -v make`; what they run has its own atom."""
ARITHMETIC = frozenset(
    {
        *("test", "[", "[[", "let", "declare", "typeset", "local", "export", "readonly", "unset", "read"),
        *("mapfile", "readarray", "getopts", "wait"),
    }
)
"""They compute what is in their words: `[[ -v 'x[$(id)]' ]]` runs id although it is quoted."""
