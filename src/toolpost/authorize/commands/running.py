"""One command of a line: what it runs inside itself, what it does, and what is wrong with it."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from shlex import quote

from msgspec import Struct

from toolpost.atom import Alarm, Atom, Kind, Word
from toolpost.authorize.commands.dangers import danger, is_fed, is_made
from toolpost.authorize.commands.environment import SETTERS, is_guarded, named
from toolpost.authorize.commands.fed import fed_atoms
from toolpost.authorize.commands.folders import change_folder
from toolpost.authorize.commands.implied import implied
from toolpost.authorize.commands.inside import SHELL_WORDS, inner_scripts, shell_script
from toolpost.authorize.commands.interpreters import SHELLS, is_interpreter
from toolpost.authorize.commands.options import flags, parted
from toolpost.authorize.commands.script import Part
from toolpost.authorize.commands.searching import inner_spans
from toolpost.authorize.commands.terms import Known, Term
from toolpost.authorize.commands.unwrap import Inner, unwrap
from toolpost.authorize.commands.wrappers import TRUSTED, WRAPPERS
from toolpost.authorize.scene import Scene
from toolpost.limits import COMMAND_NESTING, COMMAND_STEPS, COMMAND_WORDS

_FINDERS = frozenset({"find", "gfind", "fd", "fdfind"})
_UNKNOWN = Term(Word("", fixed=False), "")


class Place(Struct, frozen=True):
    """Where a command stands."""

    via: tuple[str, ...] = ()
    maybe: bool = False
    piped: bool = False
    guessed: bool = False
    """Its beginning was guessed, so none is guessed in it."""

    def inside(self, name: str, *, maybe: bool = False, guessed: bool = False) -> "Place":
        return Place((*self.via, name), self.maybe or maybe, self.piped, self.guessed or guessed)


def base_name(text: str) -> str:
    return text.rpartition("/")[2].lower().removesuffix(".exe")


def shown(words: Iterable[Word]) -> str:
    return " ".join(
        quote(word.text) if " " in word.text or "\n" in word.text else word.text for word in words
    )


class Runner(ABC):
    def __init__(self, scene: Scene, known: Known) -> None:
        self.atoms: list[Atom] = []
        self.scene = scene
        self.known = known
        self.left = COMMAND_STEPS

    @abstractmethod
    def script(self, text: str, place: Place) -> None:
        """Reads a script inside the line and goes through it."""

    @abstractmethod
    def call(self, name: str, terms: list[Term], place: Place) -> bool:
        """Goes through a function of the line; False when there is none of that name."""

    def emit(
        self, terms: Sequence[Term], place: Place, *, alarm: Alarm | None = None, maybe: bool = False
    ) -> None:
        words = tuple(term.word for term in terms)
        sure = not words or (words[0].fixed and not words[0].glob)
        atom = Atom(
            kind=Kind.EXEC,
            target=shown(words),
            words=words,
            via=place.via,
            fixed=sure,
            maybe=place.maybe or maybe,
            alarm=alarm,
        )
        self.atoms.append(atom)

    def alarm(self, alarm: Alarm, terms: Sequence[Term], place: Place) -> None:
        """A guess raises none: what is not sure to run is only compared with what is denied."""
        if not place.maybe:
            self.emit(terms, place, alarm=alarm)

    def command(self, terms: list[Term], place: Place, documents: Sequence[Term] = ()) -> None:
        self.left -= 1 + len(terms) // COMMAND_WORDS
        if self.left < 0 or not terms:
            return
        if len(place.via) > COMMAND_NESTING:
            self.emit(terms, Place(place.via), alarm=Alarm.NESTING)
            return
        name = base_name(terms[0].text)
        texts = [term.text for term in terms]
        self._alarms(name, texts, terms, place)
        program = terms[0].word
        if not program.fixed or program.glob:
            self.emit(terms, place, alarm=Alarm.RUN_TIME)
        if name and not self.call(name, terms, place):
            handler = _HANDLERS.get(name) or (_HANDLERS["sh"] if name in SHELLS else None)
            if handler is not None:
                handler(self, terms, place, documents)
            elif name in WRAPPERS:
                self.wrapped(name, terms, place, documents)
            else:
                self.plain(name, terms, place, documents)

    def _alarms(self, name: str, texts: list[str], terms: list[Term], place: Place) -> None:
        found = danger(name, texts)
        if found is not None:
            self.alarm(found, terms, place)
        interpreter = is_interpreter(name)
        if (interpreter and place.piped and is_fed(name, terms)) or (
            (interpreter or name in SHELL_WORDS) and is_made(terms)
        ):
            self.alarm(Alarm.PIPED, terms, place)
        if any(is_guarded(variable) for variable in named(name, texts)):
            self.alarm(Alarm.ENVIRONMENT, terms, place)

    def plain(self, name: str, terms: list[Term], place: Place, documents: Sequence[Term]) -> None:
        """A program that is no wrapper: what it does to files and hosts, and the scripts in its options."""
        program = terms[0].word
        if program.fixed and not program.glob:
            self.emit(terms, place)
        for atom in implied(name, terms, self.known):
            self.atoms.append(_guess(atom) if place.maybe and not atom.maybe else atom)
        texts = [term.text for term in terms]
        if name in _FINDERS:
            self._found(name, terms, place)
        told = [document.text for document in documents]
        self.atoms.extend(fed_atoms(name, told))
        for text in inner_scripts(name, texts, told):
            self.script(text, place.inside(name, maybe=True))

    def _found(self, name: str, terms: list[Term], place: Place) -> None:
        texts = [term.text for term in terms]
        for start, end in inner_spans(texts):
            inner = [_UNKNOWN if term.text == "{}" else term for term in terms[start:end]]
            self.command(inner, Place((*place.via, name), place.maybe, guessed=True))

    def wrapped(self, name: str, terms: list[Term], place: Place, documents: Sequence[Term]) -> None:
        wrapper = WRAPPERS[name]
        if name == "coproc" and len(terms) > 2 and terms[2].text == "{":
            terms = [terms[0], *terms[2:]]
        texts = [term.text for term in terms]
        inner = unwrap(texts, wrapper)
        looks_up = name == "command" and bool({"-v", "-V"} & set(texts[1:2]))
        runs = inner.start < len(terms) and not looks_up
        if terms[0].word.fixed:
            self.emit(terms, place, maybe=wrapper.transparent and runs and _is_itself(texts[0]))
        for atom in (
            implied(name, terms[: inner.start] if runs else terms, self.known) if not looks_up else ()
        ):
            self.atoms.append(_guess(atom) if place.maybe and not atom.maybe else atom)
        if any(is_guarded(text.partition("=")[0]) for text in inner.assigns):
            self.alarm(Alarm.ENVIRONMENT, terms, place)
        for text in [*(texts[index] for index in inner.scripts if index < len(texts)), *inner.glued]:
            self.script(text, place.inside(name, maybe=wrapper.far))
        self.atoms.extend(fed_atoms(name, [document.text for document in documents]))
        for text in inner_scripts(name, texts, []):
            self.script(text, place.inside(name, maybe=True))
        if runs:
            self._run_inner(inner, terms, place, documents)

    def _run_inner(self, inner: Inner, terms: list[Term], place: Place, documents: Sequence[Term]) -> None:
        name = base_name(terms[0].text)
        wrapper = WRAPPERS[name]
        rest = terms[inner.start :]
        inside = place.inside(name, maybe=wrapper.far)
        if wrapper.joins:
            self.script(" ".join(term.text for term in rest), inside)
        if name == "xargs":
            rest = [*rest, _UNKNOWN]
        if not (wrapper.joins and wrapper.far):
            self.command(rest, inside, documents)
        if place.guessed:
            return
        starts = range(inner.start + 1, len(terms)) if wrapper.far else inner.others
        for start in starts:
            if not wrapper.far or base_name(terms[start].text) in _OPENERS:
                self.command(terms[start:], place.inside(name, maybe=True, guessed=True))

    def shell(self, terms: list[Term], place: Place, documents: Sequence[Term]) -> None:
        """`bash -c '...'` is what its script is; a shell without one reads what it is given."""
        name = base_name(terms[0].text)
        found = shell_script([term.text for term in terms])
        if found is None:
            self.plain("sh", terms, place, ())
            for document in documents:
                self.script(document.text, place.inside(name))
            return
        script = terms[found.index]
        self.emit(terms, place, maybe=found.clear and script.word.fixed and _is_itself(terms[0].text))
        if not script.word.fixed and script.made is Part.PLAIN:
            self.alarm(Alarm.RUN_TIME, terms, place)
        outer, self.known = self.known, self.known.copy()
        self.known.place_arguments([term.text for term in terms[found.index + 1 :]])
        if place.piped and "xargs" in place.via and "{}" in script.text:
            self.alarm(Alarm.PIPED, terms, place)
        self.script(script.text, place.inside(name))
        self.known = outer

    def evaluate(self, terms: list[Term], place: Place, _: Sequence[Term]) -> None:
        """eval, trap and alias: their words are a script."""
        name = base_name(terms[0].text)
        words = terms[1:] if name == "eval" else terms[1:2]
        text = " ".join(term.text for term in words if term.text != "--")
        self.emit(terms, place, maybe=all(term.word.fixed for term in words) and terms[0].text == name)
        if not all(term.word.fixed for term in words):
            self.alarm(Alarm.RUN_TIME, terms, place)
        self.script(text, place.inside(name))

    def alias(self, terms: list[Term], place: Place, _: Sequence[Term]) -> None:
        self.emit(terms, place)
        for term in terms[1:]:
            self.script(term.text.partition("=")[2], place.inside("alias", maybe=True))

    def callback(self, terms: list[Term], place: Place, documents: Sequence[Term]) -> None:
        """`mapfile -C` runs a script for each line, with the line as its last word."""
        name = base_name(terms[0].text)
        self.plain(name, terms, place, documents)
        for _, option, value in parted([term.text for term in terms], flags(SETTERS[name])):
            if option == "-C":
                self.alarm(Alarm.RUN_TIME, terms, place)
                self.script(value or "", place.inside(name))

    def folder(self, terms: list[Term], place: Place, _: Sequence[Term]) -> None:
        inside = change_folder(terms, self.known, self.scene.roots)
        self.emit(terms, place)
        if not inside:
            self.alarm(Alarm.ELSEWHERE, terms, place)


def _is_itself(program: str) -> bool:
    """Not a file elsewhere that bears the name of a shell or a wrapper: that one is a program to be judged."""
    folder, slash, _ = program.rpartition("/")
    return not slash or folder in TRUSTED


def _guess(atom: Atom) -> Atom:
    return Atom(
        kind=atom.kind,
        target=atom.target,
        fixed=atom.fixed,
        glob=atom.glob,
        tree=atom.tree,
        implied=True,
        maybe=True,
    )


_OPENERS = frozenset({*WRAPPERS, *SHELLS, "eval", "find", "fd"})
_Handler = Callable[[Runner, list[Term], Place, Sequence[Term]], None]
_HANDLERS: dict[str, _Handler] = {
    "sh": Runner.shell,
    "eval": Runner.evaluate,
    "trap": Runner.evaluate,
    "alias": Runner.alias,
    "mapfile": Runner.callback,
    "readarray": Runner.callback,
    "cd": Runner.folder,
    "chdir": Runner.folder,
    "pushd": Runner.folder,
    "popd": Runner.folder,
}
