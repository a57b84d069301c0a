"""Whatever the rules: what would be allowed here was allowed there."""

import json
import re
from fnmatch import translate

from hypothesis import given, settings
from hypothesis import strategies as st

from toolpost.authorize.commands.line import line_atoms
from toolpost.authorize.decide import Subject, decide
from toolpost.authorize.imports import claude, codex, gemini, opencode, zed
from toolpost.authorize.imports.imported import Imported
from toolpost.authorize.rulebook import Rulebook
from toolpost.authorize.scene import Scene
from toolpost.result import Decision

HERE = Scene(roots=("/work",), home="/home/ada")
WORDS = ("push", "pushy", "-f", "main")
DECISIONS = st.sampled_from(["allow", "ask", "deny"])
PROGRAMS = st.sampled_from(["git", "git", "git", "gitx"])
LINES = st.builds(
    lambda first, rest: " ".join([first, *rest]), PROGRAMS, st.lists(st.sampled_from(WORDS), max_size=3)
)
GLOBS = st.builds(
    lambda first, rest: " ".join([first, *rest]),
    st.sampled_from(["git", "git", "gi*", "*"]),
    st.lists(st.sampled_from((*WORDS, "*", "*", "pu*", "*h", "p*y")), max_size=3),
)


def is_allowed_here(imported: Imported, line: str) -> bool:
    verdict = decide(Rulebook(rules=imported.rules), HERE, Subject(tool="os.exec"), line_atoms(line, HERE))
    return verdict.decision is Decision.ALLOW


def meets(glob: str, line: str) -> bool:
    """As text, where a final ` *` also means nothing at all."""
    bare = glob.removesuffix(" *")
    return bool(re.match(translate(glob), line)) or (bare != glob and bool(re.match(translate(bare), line)))


def strictest(found: list[str]) -> str:
    return next((one for one in ("deny", "ask", "allow") if one in found), "ask")


@settings(deadline=None, max_examples=300)
@given(st.lists(st.tuples(GLOBS, DECISIONS), max_size=5, unique_by=lambda rule: rule[0]), LINES)
def test_opencode(rules: list[tuple[str, str]], line: str) -> None:
    imported = opencode.read(json.dumps({"permission": {"bash": dict(rules)}}))
    there = ([said for glob, said in rules if meets(glob, line)] or ["ask"])[-1]

    assert not is_allowed_here(imported, line) or there == "allow"


@settings(deadline=None, max_examples=300)
@given(st.lists(st.tuples(GLOBS, DECISIONS), max_size=5), LINES)
def test_claude(rules: list[tuple[str, str]], line: str) -> None:
    lists = {
        name: [f"Bash({glob})" for glob, said in rules if said == name] for name in ("allow", "ask", "deny")
    }
    imported = claude.read(json.dumps({"permissions": lists}))

    assert (
        not is_allowed_here(imported, line)
        or strictest([s for glob, s in rules if meets(glob, line)]) == "allow"
    )


PREFIXES = st.builds(
    lambda first, rest: [first, *rest], PROGRAMS, st.lists(st.sampled_from(WORDS), max_size=2)
)


@settings(deadline=None, max_examples=200)
@given(st.lists(st.tuples(PREFIXES, DECISIONS), max_size=5), LINES)
def test_codex(rules: list[tuple[list[str], str]], line: str) -> None:
    words = {"allow": "allow", "ask": "prompt", "deny": "forbidden"}
    text = "\n".join(f"prefix_rule(pattern={pattern!r}, decision={words[said]!r})" for pattern, said in rules)
    met = [said for pattern, said in rules if line.split()[: len(pattern)] == pattern]

    assert not is_allowed_here(codex.read(text), line) or strictest(met) == "allow"


REGEXES = st.builds(
    lambda start, words, end: start + r"\s+".join(["git", *words]) + end,
    st.sampled_from(["^", ""]),
    st.lists(st.sampled_from((*WORDS, "(push|main)", "p.*", "pus")), max_size=2),
    st.sampled_from(["", r"\b", "$", r"\s", ".*", r"(\s|$)"]),
)


@settings(deadline=None, max_examples=300)
@given(st.lists(st.tuples(REGEXES, DECISIONS), max_size=5), DECISIONS, LINES)
def test_zed(rules: list[tuple[str, str]], default: str, line: str) -> None:
    keys = {"allow": "always_allow", "ask": "always_confirm", "deny": "always_deny"}
    tool = {keys[name]: [{"pattern": text} for text, said in rules if said == name] for name in keys}
    tool = {**tool, "default": {"ask": "confirm"}.get(default, default)}  # type: ignore[dict-item]
    imported = zed.read(json.dumps({"agent": {"tool_permissions": {"tools": {"terminal": tool}}}}))
    met = [said for text, said in rules if re.search(text, line)] or [default]

    assert not is_allowed_here(imported, line) or strictest(met) == "allow"


@settings(deadline=None, max_examples=300)
@given(st.lists(st.tuples(REGEXES, DECISIONS, st.integers(0, 3)), max_size=5), LINES)
def test_gemini(rules: list[tuple[str, str, int]], line: str) -> None:
    text = "".join(
        f"[[rule]]\ntoolName = 'run_shell_command'\ncommandRegex = '{regex}'\npriority = {priority}\n"
        f"decision = '{'ask_user' if said == 'ask' else said}'\n"
        for regex, said, priority in rules
    )
    met = [(priority, said) for regex, said, priority in rules if re.match(regex, line)]
    first = max((priority for priority, _ in met), default=0)
    there = strictest([said for priority, said in met if priority == first])

    assert not is_allowed_here(gemini.read(text), line) or there == "allow"
