"""What follows from a command's own words: the files it reads, writes or deletes, and the hosts it dials."""

from collections.abc import Callable, Iterator

from toolpost.atom import Atom, Kind
from toolpost.authorize.commands.network import NETWORK, url_atoms
from toolpost.authorize.commands.operands import NO_FILES, OPERANDS, Use
from toolpost.authorize.commands.options import flags, given, parted
from toolpost.authorize.commands.paths import path_atoms
from toolpost.authorize.commands.searching import find_atoms
from toolpost.authorize.commands.terms import Known, Term, fixed

_HERE = fixed(".")
_TAR_FILE = flags("-f --file")
_GIT_TEXTS = frozenset(
    {"-m", "--message", "--author", "--date", "-S", "-G", "--grep", "--format", "--pretty"}
)
_FOLDER = flags("-C --directory")
_TAR_MAKES = flags("--create --append --update --delete")


def implied(name: str, terms: list[Term], known: Known) -> Iterator[Atom]:
    special = _SPECIAL.get(name)
    if special is not None:
        yield from special(terms, known)
    dial = NETWORK.get(name)
    if dial is not None:
        yield from dial(terms, known)
    use = OPERANDS.get(name)
    if use is not None:
        yield from _used(use, _dashed(terms) if special is _tar else terms, known)
    elif special is None and name not in NO_FILES:
        yield from _guessed(terms, known)
    if dial is None:
        yield from url_atoms(terms)


def _used(use: Use, terms: list[Term], known: Known) -> Iterator[Atom]:
    texts = [term.text for term in terms]
    reads, writes = flags(use.reads), flags(use.writes)
    values = flags(use.values) | reads | writes
    operands: list[Term] = []
    for index, option, value in parted(texts, values):
        if not option:
            operands.append(terms[index])
        elif value is not None and option in reads | writes:
            kind = Kind.READ if option in reads else Kind.WRITE
            term = terms[index] if texts[index] == value else fixed(value)
            yield from path_atoms(kind, term, known)
    yield from _operand_atoms(use, texts, operands, known)


def _operand_atoms(use: Use, texts: list[str], operands: list[Term], known: Known) -> Iterator[Atom]:
    if use.skip and not (use.unless and given(texts, flags(use.unless))):
        operands = operands[use.skip :]
    if use.kind is None:
        return
    operands = operands[: use.only] if use.only else operands
    kind = Kind.WRITE if use.becomes and given(texts, flags(use.becomes)) else use.kind
    tree = use.trees == "*" or bool(use.trees and given(texts, flags(use.trees)))
    if not operands and (use.here or (tree and use.trees != "*")) and kind is Kind.READ:
        operands = [_HERE]
    targeted = use.last is not None and given(texts, frozenset({"-t", "--target-directory"}))
    for index, term in enumerate(operands):
        final = use.last is not None and index == len(operands) - 1 and index > 0 and not targeted
        yield from path_atoms(use.last if final and use.last else kind, term, known, tree=tree and not final)


def _guessed(terms: list[Term], known: Known) -> Iterator[Atom]:
    """A stranger's words may be files: what denies those holds."""
    for term in terms[1:]:
        text = term.text
        if text.startswith("-"):
            text = text.partition("=")[2]
        if "://" not in text and text.strip("./") and ("/" in text or "." in text):
            for atom in path_atoms(Kind.READ, fixed(text), known):
                yield Atom(kind=atom.kind, target=atom.target, glob=term.word.glob, implied=True, maybe=True)


def _dd(terms: list[Term], known: Known) -> Iterator[Atom]:
    for term in terms[1:]:
        name, equals, value = term.text.partition("=")
        if equals and name in {"if", "of"}:
            part = Term(type(term.word)(value, term.word.fixed, term.word.glob), term.head.partition("=")[2])
            yield from path_atoms(Kind.READ if name == "if" else Kind.WRITE, part, known)


def _tar(terms: list[Term], known: Known) -> Iterator[Atom]:
    """The archive is read, or written when one is made."""
    terms = _dashed(terms)
    texts = [term.text for term in terms]
    mode = texts[1] if len(texts) > 1 and not texts[1].startswith("--") else ""
    makes = any(letter in mode for letter in "cru") or given(texts, _TAR_MAKES)
    for index, option, value in parted(texts, _TAR_FILE):
        if option in _TAR_FILE and value is not None:
            archive = terms[index] if texts[index] == value else fixed(value)
            yield from path_atoms(Kind.WRITE if makes else Kind.READ, archive, known)
    if "x" in mode or "--extract" in texts or "--get" in texts:
        yield from path_atoms(Kind.WRITE, _HERE, known, tree=True)


def _dashed(terms: list[Term]) -> list[Term]:
    """`tar xf` is `tar -xf`."""
    if len(terms) < 2 or terms[1].text.startswith("-"):
        return terms
    return [terms[0], fixed(f"-{terms[1].text}"), *terms[2:]]


def _git(terms: list[Term], known: Known) -> Iterator[Atom]:
    """Files that git shows from a revision: `git show HEAD:.env`."""
    for term in terms[1:]:
        before, colon, path = term.text.partition(":")
        if colon and path and not path.startswith("/") and "://" not in term.text and "@" not in before:
            for atom in path_atoms(Kind.READ, fixed(path), known):
                yield Atom(kind=atom.kind, target=atom.target, implied=True, maybe=True)
    yield from _git_paths(terms, known)
    yield from _gone_to(terms, known)
    texts = [term.text for term in terms]
    for _, option, value in parted(texts, flags("--output -F --file --no-index")):
        if option == "--output" and value:
            yield from path_atoms(Kind.WRITE, fixed(value), known)
    if "clean" in texts[1:] or "rm" in texts[1:]:
        yield from _git_deletes(terms, known)


def _gone_to(terms: list[Term], known: Known) -> Iterator[Atom]:
    """The folder of `git -C` and `make -C`, by whose files they work."""
    texts = [term.text for term in terms]
    for index, option, value in parted(texts, _FOLDER):
        if option in _FOLDER and value is not None:
            yield from path_atoms(Kind.READ, terms[index] if texts[index] == value else fixed(value), known)
        elif not option and terms[0].text.endswith("git"):
            return


def _git_paths(terms: list[Term], known: Known) -> Iterator[Atom]:
    """Any word may be a path that git shows, copies or stages; but for texts."""
    is_text = False
    for term in terms[2:]:
        if not is_text and not term.text.startswith("-"):
            for atom in path_atoms(Kind.READ, term, known):
                yield Atom(kind=atom.kind, target=atom.target, glob=atom.glob, maybe=True)
        is_text = term.text in _GIT_TEXTS


def _git_deletes(terms: list[Term], known: Known) -> Iterator[Atom]:
    texts = [term.text for term in terms]
    if "rm" in texts[1:3] and "--cached" not in texts:
        for index, option, _ in parted(texts, frozenset()):
            if not option and texts[index] != "rm":
                yield from path_atoms(Kind.DELETE, terms[index], known)


_SPECIAL: dict[str, Callable[[list[Term], Known], Iterator[Atom]]] = {
    "dd": _dd,
    "tar": _tar,
    "bsdtar": _tar,
    "gtar": _tar,
    "git": _git,
    "make": _gone_to,
    "gmake": _gone_to,
    "find": find_atoms,
    "gfind": find_atoms,
    "fd": find_atoms,
    "fdfind": find_atoms,
}
