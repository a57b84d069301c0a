"""A command line, or an argument list, to atoms: what it would run, read, write, delete and dial."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import import_module

from toolpost.atom import Alarm, Atom, Kind, Word
from toolpost.authorize.commands.computing import Computing
from toolpost.authorize.commands.crude import crude_atoms
from toolpost.authorize.commands.dangers import is_bomb, is_invisible
from toolpost.authorize.commands.environment import is_guarded
from toolpost.authorize.commands.plain import plain_script
from toolpost.authorize.commands.running import Place
from toolpost.authorize.commands.script import Script
from toolpost.authorize.commands.terms import Known, fixed
from toolpost.authorize.commands.walk import Parse, Walker
from toolpost.authorize.scene import Scene
from toolpost.limits import COMMAND_CHARS, COMMAND_COUNT

_NOTHING: Mapping[str, str] = {}


def line_atoms(line: str, scene: Scene, env: Mapping[str, str] = _NOTHING) -> tuple[Atom, ...]:
    """Never raises. Atoms that follow from a command stand after it."""
    if not line.strip():
        return (_alarm(Alarm.EMPTY, line),)
    if is_invisible(line):
        return (_alarm(Alarm.INVISIBLE, line), *crude_atoms(line[:COMMAND_CHARS], Alarm.UNREADABLE))
    if len(line) > COMMAND_CHARS:
        return (
            *_bomb(line),
            _alarm(Alarm.TOO_LONG, line[:COMMAND_CHARS]),
            *crude_atoms(line, Alarm.TOO_LONG),
        )
    walker = Walker(scene, Known(scene.base, scene.home, {}), _parse)
    walker.computing = Computing(env)
    _environment(walker, env)
    walker.script(line, Place())
    return _finished(walker, line)


def argv_atoms(argv: Sequence[str], scene: Scene, env: Mapping[str, str] = _NOTHING) -> tuple[Atom, ...]:
    """No shell reads these: words are data, whatever they look like."""
    words = list(argv)
    line = " ".join(words)
    if not words or not words[0].strip():
        return (_alarm(Alarm.EMPTY, line),)
    if is_invisible(line.replace("\r", "")):
        return (_alarm(Alarm.INVISIBLE, line),)
    walker = Walker(scene, Known(scene.base, scene.home, {}), _parse)
    _environment(walker, env)
    walker.command([fixed(word) for word in words], Place())
    return _finished(walker, line)


def _finished(walker: Walker, line: str) -> tuple[Atom, ...]:
    """What was found, and the crude parts of what could not be read or is too much."""
    atoms = walker.atoms
    if walker.computing.runs:
        atoms.append(Atom(kind=Kind.EXEC, target=line.strip(), fixed=False, alarm=Alarm.RUN_TIME))
    if walker.commands > COMMAND_COUNT or walker.left < 0 or walker.known.lost:
        atoms = [*atoms, _alarm(Alarm.TOO_LONG, line), *crude_atoms(line, Alarm.TOO_LONG)]
    for text in walker.unreadable:
        atoms.extend(crude_atoms(text, Alarm.UNREADABLE))
    if walker.unreadable:
        atoms.extend(_bomb(line))
    return tuple(atoms) or (Atom(kind=Kind.EXEC, target=line.strip(), words=(Word(":"),)),)


def _alarm(alarm: Alarm, line: str) -> Atom:
    return Atom(kind=Kind.EXEC, target=line.strip(), alarm=alarm)


def _bomb(line: str) -> list[Atom]:
    return [_alarm(Alarm.FORK_BOMB, line)] if is_bomb(line) else []


def _environment(walker: Walker, env: Mapping[str, str]) -> None:
    for name in env:
        if is_guarded(name):
            walker.emit([fixed(f"{name}={env[name]}")], Place(), alarm=Alarm.ENVIRONMENT)


def _parse(text: str) -> Script:
    return plain_script(text) or _parser()(text)


@lru_cache(1)
def _parser() -> Parse:
    parse: Parse = import_module("toolpost.authorize.commands.parse").parse
    return parse
