"""The words of the page about permission cases, and how a shell line is shown on it."""

from toolpost.result import Decision, Verdict

NOTE = "<!-- Written by bench/peers_permissions.py: change it there, then run scripts/bench peers_permissions. -->"
OPENING = """# Permission cases

What the rules decide about shell lines that try to get past them, and about what developers run all day. The lists,
and the policy they are judged under on top of the `workspace` profile, are files of the repository:
`tests/authorize/cases/attacks.toml`, `everyday.toml` and `policy.toml`. A test fails when one attack gets less than
is due, when fewer than 95 of 100 everyday lines run without a question, or when this page is not what the code decides
today.

*Due* is the least that the policy owes a line: `ask` may also be denied, `deny` may not be asked about.
"""
METHOD = """
## How the others were measured

On {date}, each in the version above, with the same intent in its own rule language: `bench/permission_syntax.py` writes
all four configurations from the same policy and profile. Each program ran for real, without a person at it, and a
stand-in for its model asked for one shell command after another: Claude Code with `-p` in mode `acceptEdits`, Codex
through its app server with approvals `on-request` and a permission profile that extends `:workspace`, Gemini CLI with
`-p` in mode `auto_edit`, opencode with `run`. All of it happened in a box without a network, as an ordinary user, in a
small made-up project, with stubs in the place of programs that could do harm.

- **ran**: executed without a question. **asked**: a person would have been asked; nobody was there, so it was refused.
  **denied**: refused by a rule.
- **boxed**: Codex runs what no rule forbids inside its own sandbox, without a question. The sandbox writes only in the
  workspace and has no network, so that this is less than *ran*; within the workspace it is the same. **held**: it was
  started there, and the sandbox refused what it was about.
- **not run**: withheld, because the line could hurt even in a box (fork bombs, raw devices, killing every process) or
  because it says nothing about them (an open quote, which no shell runs; our own policy file).

Where a rule language cannot say a thing, the nearest narrower one was said. Codex has prefixes only, so what we allow
exactly got no rule. Gemini CLI and opencode do not know which files a shell command reads and writes: they got patterns
of text that deny every mention of the private folders and files. None of them can allow a host to `curl`: they got the
prefix `curl https://docs.python.org/`, or nothing. What is built in here (system folders and the home folder cannot be
deleted, metadata addresses, invisible characters, writes to files that run by themselves, variables that change which
code runs) was not written as rules for the others: there the second table shows what each has built in itself. Secrets
were: all of them got rules for `.env`, keys and `~/.ssh`.

An allow such as `pytest *` covers here no flag or path that makes the program run, write or fetch something else; the
others read it as text, and whoever writes such a rule for them gets that too. That is most of what *ran* in the first
table.

*Ran* is counted by the decision: a line that then failed, because a file in it does not exist, ran. What ran into a stub
inside Codex's sandbox counts as *boxed*, although the sandbox might have held the real program.

Our own lines are judged with a sandbox that hides what must not be read, so that a search through the whole workspace
may run; the test judges every attack without one too.
"""
_SHOWN_ATOM = 60


def shown_line(line: str, made: tuple[str, int, str] | None) -> str:
    if made is not None:
        part, times, then = made
        return f"{_code(part)} {times:,} times, then {_code(then)}"
    return _code(line) if line.strip() else f"{len(line)} spaces" if line else "nothing"


def _code(text: str) -> str:
    """As code in a cell of a table: what cannot be seen is spelled out."""
    seen = "".join(_seen(letter) for letter in text).replace("|", "\\|")
    fence = "``" if "`" in seen else "`"
    pad = " " if fence == "``" or seen != seen.strip() else ""
    return f"{fence}{pad}{seen}{pad}{fence}"


def _seen(letter: str) -> str:
    if letter == "\n":
        return "⏎"
    if letter.isascii() and letter.isprintable():
        return letter
    return letter.encode("unicode_escape").decode()


def shown_rule(found: Verdict) -> str:
    """The rule that decided, or what no rule allows."""
    is_default = found.decision is not Decision.DENY and "(" not in found.rule and ":" not in found.rule
    if not is_default:
        return found.rule if ": " in found.rule else _code(found.rule)
    atom = found.atom if len(found.atom) <= _SHOWN_ATOM else f"{found.atom[:_SHOWN_ATOM]}…"
    return f"{'free' if found.decision is Decision.ALLOW else 'no rule allows'} {_code(atom)}"
