"""Through a script, command by command, knowing folders and variables as they change; atoms come out."""

from collections.abc import Callable, Iterable, Sequence

from toolpost.atom import Alarm
from toolpost.authorize.commands.builtins import ARITHMETIC
from toolpost.authorize.commands.computing import Computing
from toolpost.authorize.commands.environment import is_guarded
from toolpost.authorize.commands.paths import redirect_atoms
from toolpost.authorize.commands.running import Place, Runner, base_name
from toolpost.authorize.commands.script import Assign, Block, Part, Raw, Redirect, Script, Simple, Step, Sum
from toolpost.authorize.commands.strays import scripts
from toolpost.authorize.commands.terms import Known, Term, expand, fixed
from toolpost.authorize.scene import Scene
from toolpost.limits import COMMAND_CHUNK_BYTES, COMMAND_NESTING, LOOP_VALUES

Parse = Callable[[str], Script]


class Walker(Runner):
    def __init__(self, scene: Scene, known: Known, parse: Parse) -> None:
        super().__init__(scene, known)
        self._parse = parse
        self._functions: dict[str, Block] = {}
        self._calling: set[str] = set()
        self.computing = Computing({})
        self.commands = 0
        self.unreadable: list[str] = []
        """Scripts inside the line that could not be read."""

    def script(self, text: str, place: Place) -> None:
        if not text.strip() or self.left < 0:
            return
        if len(place.via) > COMMAND_NESTING:
            self.emit([fixed(text)], Place(place.via), alarm=Alarm.NESTING)
            return
        self.left -= 1 + len(text) // COMMAND_CHUNK_BYTES
        parsed = self._parse(text)
        self.commands += parsed.commands
        if parsed.unreadable:
            self.unreadable.append(text)
            self.alarm(Alarm.UNREADABLE, [fixed(text)], place)
        self.steps(parsed.steps, place)

    def steps(self, steps: Iterable[Step], place: Place) -> None:
        for step in steps:
            if self.left < 0:
                return
            if isinstance(step, Simple):
                self._simple(step, place)
            else:
                self._block(step, place)

    # Groups

    def _block(self, block: Block, place: Place) -> None:
        if block.piped and not place.piped:
            place = Place(place.via, place.maybe, piped=True, guessed=place.guessed)
        outer = self.known
        if block.own or block.function:
            self.known = outer.copy()
        piped = self._redirected(block.redirects)
        if piped:
            place = Place(place.via, place.maybe, piped=True, guessed=place.guessed)
        if block.function:
            self._define(block, place)
        elif block.loop is not None:
            self._loop(block, place)
        elif block.sure:
            self._chain(block, place)
        else:
            self.steps(block.steps, place)
        self.known = outer

    def _chain(self, block: Block, place: Place) -> None:
        """`cd a && b`: b runs only where cd has gone; what comes after the chain may not."""
        known, doubts = self.known, self.known.doubts
        met = doubts
        for step in block.steps:
            self.steps([step], place)
            met |= known.doubts
            known.doubts = doubts
        known.doubts = met

    def _define(self, block: Block, place: Place) -> None:
        """A body is judged where it stands, also when nobody calls it; its parameters are not known."""
        self._functions[block.function] = block
        if _is_bomb(block):
            self.alarm(Alarm.FORK_BOMB, [fixed(f"{block.function}()")], place)
        self.left -= 1
        self._calling.add(block.function)
        self.steps(block.steps, place)
        self._calling.discard(block.function)

    def call(self, name: str, terms: list[Term], place: Place) -> bool:
        name = terms[0].text
        block = self._functions.get(name)
        if block is None:
            return False
        self.emit(terms, place, maybe=True)
        if name not in self._calling:
            outer, self.known = self.known, self.known.copy()
            self.known.place_arguments([name, *(term.text for term in terms[1:])])
            self._calling.add(name)
            self.steps(block.steps, place)
            self._calling.discard(name)
            self.known = outer
        return True

    def _loop(self, block: Block, place: Place) -> None:
        loop = block.loop
        if loop is None:
            return
        if is_guarded(loop.name):
            self.alarm(Alarm.ENVIRONMENT, [fixed(f"for {loop.name}")], place)
        values = [term for raw in loop.values for term in expand(raw, self.known)]
        self.computing.loop(loop.name, values)
        known = [term.text for term in values if term.text]
        texts: list[str | None] = [*list(dict.fromkeys(known))[:LOOP_VALUES]]
        if not texts or len(known) > LOOP_VALUES or any(not term.word.fixed for term in values):
            texts.append(None)
        for text in texts:
            self.known.variables[loop.name] = text
            self.steps(block.steps, place)
        self.known.variables[loop.name] = None

    # Commands

    def _simple(self, simple: Simple, place: Place) -> None:
        for inner in simple.inner:
            self._block(inner, Place(place.via, place.maybe, guessed=place.guessed))
        if simple.sums is not None and not place.maybe:
            self._summed(simple.sums)
        terms = [term for raw in simple.words for term in expand(raw, self.known)]
        self.computing.assigned(simple.assigns, terms)
        self._assigned(simple.assigns, terms, place)
        piped = self._redirected(simple.redirects) or place.piped
        here = Place(place.via, place.maybe, piped, place.guessed)
        documents = [term for raw in simple.documents for term in _document(raw, self.known)]
        if simple.lasting or not terms:
            self._remember(simple.assigns)
        outer = self.known
        if simple.assigns and terms and not simple.lasting:
            self.known = outer.copy()
            self._remember(simple.assigns)
        if terms:
            self._computed(terms, place)
            self.command(terms, here, documents)
            self._forget(terms)
        if self.known is not outer:
            outer.folder, outer.doubts = self.known.folder, self.known.doubts
            self.known = outer

    def _assigned(self, assigns: Sequence[Assign], terms: list[Term], place: Place) -> None:
        for assign in assigns:
            texts = expand(assign.value, self.known) if assign.value else []
            shown = fixed(f"{assign.name}={' '.join(term.text for term in texts)}")
            if is_guarded(assign.name):
                self.alarm(Alarm.ENVIRONMENT, terms or [shown], place)
            for text in (term.text for term in texts):
                self._hidden(text, shown, place)

    def _summed(self, found: Sum) -> None:
        self.computing.use(found.names)
        self.computing.number(found.made)
        self.computing.spoil(found.spoiled)
        self.computing.unsure = self.computing.unsure or found.unsure

    def _computed(self, terms: list[Term], place: Place) -> None:
        name = base_name(terms[0].text)
        if not place.maybe:
            self.computing.command(name, terms)
        if name in ARITHMETIC or (name == "printf" and terms[1:] and terms[1].text.startswith("-v")):
            for term in terms[1:]:
                self._hidden(term.text, terms[0], place)

    def _hidden(self, text: str, shown: Term, place: Place) -> None:
        """Quoted text that the shell may yet run: `x='a[$(id)]'; echo $((x))`."""
        if "$(" not in text and "`" not in text:
            return
        self.alarm(Alarm.RUN_TIME, [shown], place)
        for script in scripts(text):
            self.script(script, place.inside("$(", maybe=True))

    def _remember(self, assigns: Sequence[Assign]) -> None:
        for assign in assigns:
            terms = expand(assign.value, self.known) if assign.value is not None else None
            known = terms is not None and all(term.head == term.text for term in terms)
            text = " ".join(term.text for term in terms or ()) if known else None
            self.known.variables[assign.name] = text

    def _forget(self, terms: list[Term]) -> None:
        if terms[0].text in {
            "read",
            "readarray",
            "mapfile",
            "getopts",
            "unset",
            "source",
            ".",
            "eval",
            "printf",
        }:
            for term in terms[1:]:
                if term.text.isidentifier():
                    self.known.variables[term.text] = None

    def _redirected(self, redirects: Iterable[Redirect]) -> bool:
        """Whether the input comes out of a script: `bash < <(curl u)`."""
        piped = False
        for redirect in redirects:
            for term in expand(redirect.target, self.known):
                self.atoms.extend(redirect_atoms(redirect.operator, term, self.known))
                piped = piped or (term.made is Part.PROCESS and "<" in redirect.operator)
        return piped


def _document(raw: Raw, known: Known) -> list[Term]:
    return expand(Raw(raw.pieces), known)


def _is_bomb(block: Block) -> bool:
    """A function that starts itself and does not wait."""
    calls = _self_calls(block.steps, block.function)
    return any(background for background, _ in calls) or sum(piped for _, piped in calls) > 1


def _self_calls(
    steps: Iterable[Step], name: str, *, background: bool = False, own: bool = False
) -> list[tuple[bool, bool]]:
    calls: list[tuple[bool, bool]] = []
    for step in steps:
        if isinstance(step, Block):
            calls += _self_calls(
                step.steps, name, background=background or step.background, own=own or step.own
            )
        elif step.words and "".join(piece.text for piece in step.words[0].pieces) == name:
            calls.append((background, own))
    return calls
