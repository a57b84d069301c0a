"""What bash itself runs of a line is among what the line was said to run."""

import os
import random
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from toolpost.atom import Alarm, Kind, Word
from toolpost.authorize.commands.line import line_atoms
from toolpost.authorize.scene import Scene

BASH = "/bin/bash"
TELL = r"""command_not_found_handle() {
  local told=RAN word shown
  for word in "$@"; do printf -v shown ' %q' "$word"; told+=$shown; done
  printf '%s\n' "$told" >&9
  return $((RANDOM % 2))
}
PATH=/nonexistent
"""
PROGRAMS = ["a", "b", '"p q"', "p'r'g", "\\pp", "p\\\nq", "$(a)", '"$(b)"x', "p{a,b}"]
WORDS = [
    *("a", "-c", "--d=e", "'f g'", '"h i"', "\\j", "$'k\\tl'", "{m,n}", "o{p,q}r", 's"t"u', "a\\\nb", "\\ y"),
    *(
        '$"z"',
        "a#b",
        "{c",
        '""',
        "a=b",
        '"a\\"b"',
        "'a\\\nb'",
        "-",
        "--",
        "@{u}",
        "HEAD^",
        '"$(a)"',
        "$(b c)",
    ),
    *(
        "`c`",
        '"`d`"',
        '$(a "$(b)")',
        "`a \\`b\\``",
        "${x:-y}",
        '"${x:-$(e)}"',
        "$((1+2))",
        "<(a)",
        "[ab]",
        "!",
    ),
]
REDIRECTS = [">o1", "> o2", "2>o3", ">>o1", "&>o2", "2>&1", ">&2", "<<<x", '<<< "y z"', ">'o 4'"]
JOINTS = [";", "&&", "||", "|", "\n", " & ", "|&", ";\n"]
GROUPS = [
    "({})",
    "{{ {}; }}",
    "if {}; then b; fi",
    "for v in a 'b c'; do {}; done",
    "case a in a) {};; esac",
    "! {}",
    "time {}",
]


class Lines:
    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def line(self, depth: int = 0) -> str:
        line = self._command(depth)
        for _ in range(self._random.choice([0, 0, 1, 2])):
            line += f" {self._random.choice(JOINTS)} {self._command(depth)}"
        return line

    def _command(self, depth: int) -> str:
        if depth < 3 and self._random.random() < 0.2:
            return self._random.choice(GROUPS).format(self.line(depth + 1))
        words = ["x=1"] if self._random.random() < 0.1 else []
        words.append(self._random.choice(PROGRAMS))
        words.extend(
            self._random.choice(WORDS if self._random.random() < 0.85 else REDIRECTS)
            for _ in range(self._random.randint(0, 4))
        )
        return " ".join(words)


def _ran(line: str, folder: Path) -> list[list[str]]:
    told = folder / "told"
    with told.open("wb") as file:
        os.set_inheritable(file.fileno(), True)
        script = f"exec 9>&{file.fileno()}\n{TELL}{line}"
        done = subprocess.run(
            [BASH, "--norc", "-c", script],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            pass_fds=(file.fileno(),),
            timeout=20,
            check=False,
        )
    if b"syntax error" in done.stderr or b"unexpected" in done.stderr:
        return []
    return [_words(text) for text in told.read_text().splitlines() if text.startswith("RAN ")]


def _words(told: str) -> list[str]:
    """`%q` writes control characters as `$'...'`."""
    plain = re.sub(r"\$'([^']*)'", lambda found: f"'{found[1].encode().decode('unicode_escape')}'", told)
    return shlex.split(plain)[1:]


def _is_told(ran: list[str], words: tuple[Word, ...]) -> bool:
    if all(word.fixed and not word.glob for word in words):
        return [word.text for word in words] == ran
    left = iter(ran)
    return all(any(text == word.text for text in left) for word in words if word.fixed and not word.glob)


@pytest.mark.skipif(not Path(BASH).exists(), reason="bash is not installed")
@pytest.mark.parametrize("seed", range(6))
def test_nothing_runs_that_was_not_told(seed: int, tmp_path: Path) -> None:
    lines = Lines(seed)
    missed: list[tuple[str, list[str]]] = []
    for _ in range(30):
        line = lines.line()
        atoms = line_atoms(line, Scene(roots=(str(tmp_path),)))
        if any(atom.alarm in {Alarm.UNREADABLE, Alarm.TOO_LONG} for atom in atoms):
            continue
        told = [atom.words for atom in atoms if atom.kind is Kind.EXEC]
        ran = _ran(line, tmp_path)
        missed += [
            (line, words) for words in ran if not any(_is_told(words, words_told) for words_told in told)
        ]
    assert missed == []
