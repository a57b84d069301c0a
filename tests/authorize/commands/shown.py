"""Atoms as short texts: `exec make lint`, `?exec psql -l` for a guess, `!POWER reboot` for an alarm."""

from collections.abc import Iterable, Mapping

from toolpost.atom import Atom, Kind
from toolpost.authorize.commands.line import argv_atoms, line_atoms
from toolpost.authorize.commands.matching import allows, catches
from toolpost.authorize.scene import Scene

SCENE = Scene(roots=("/w",), home="/home/u")


def shown(atom: Atom) -> str:
    guess = "?" if atom.maybe else ""
    if atom.alarm is not None:
        return f"{guess}!{atom.alarm.name} {atom.target}"
    marks = "".join(
        mark
        for mark, holds in ((" ~", not atom.fixed), (" *", atom.glob), (" /", atom.tree))
        if holds and atom.kind is not Kind.EXEC
    )
    via = "".join(f"{name}>" for name in atom.via)
    return f"{guess}{atom.kind} {via}{atom.target}{marks}"


def told(line: str, env: Mapping[str, str] | None = None) -> list[str]:
    return [shown(atom) for atom in line_atoms(line, SCENE, env or {})]


def sure(line: str) -> list[str]:
    return [text for text in told(line) if not text.startswith("?")]


def alarms(line: str, env: Mapping[str, str] | None = None) -> set[str]:
    return {atom.alarm.name for atom in line_atoms(line, SCENE, env or {}) if atom.alarm is not None}


def denied(pattern: str, line: str) -> bool:
    return any(catches(pattern, atom) for atom in line_atoms(line, SCENE))


def allowed(pattern: str, line: str) -> bool:
    """Whether each command of the line is covered by the one pattern."""
    return all(allows(pattern, atom) for atom in _judged(line_atoms(line, SCENE)))


def allowed_argv(pattern: str, *argv: str) -> bool:
    return all(allows(pattern, atom) for atom in _judged(argv_atoms(argv, SCENE)))


def _judged(atoms: Iterable[Atom]) -> list[Atom]:
    return [atom for atom in atoms if atom.kind is Kind.EXEC and not atom.maybe]
