"""The working folder as `cd` moves it."""

from toolpost.authorize.commands.terms import Known, Term, clean
from toolpost.limits import COMMAND_FOLDERS


def change_folder(terms: list[Term], known: Known, roots: tuple[str, ...]) -> bool:
    """Moves the known folder; False when it is, or may be, outside the workspace."""
    operands = [term for term in terms[1:] if not term.text.startswith("-") or term.text == "-"]
    earlier = known.folder
    target = _target(terms[0].text, operands, known)
    _doubt(known, earlier, operands)
    known.folder = target
    known.variables["OLDPWD"] = earlier
    return target is not None and is_within(target, roots)


def _target(name: str, operands: list[Term], known: Known) -> str | None:
    if name == "popd":
        return known.base
    if not operands:
        return known.home or None
    term = operands[0]
    if term.text == "-":
        return known.variables.get("OLDPWD", known.base)
    if not term.word.fixed or term.word.glob:
        certain = bool(term.head) and term.head == term.text and not term.word.glob
        return known.path(term.text) if certain else None
    return known.path(term.text)


def _doubt(known: Known, earlier: str | None, operands: list[Term]) -> None:
    """A folder that is not there leaves the shell where it was: the next command may run in either."""
    doubts = {*known.doubts, *([earlier] if earlier else [])}
    if operands and operands[0].head and not operands[0].text.startswith("/"):
        doubts |= {clean(f"{folder}/{operands[0].head}") for folder in known.doubts}
    known.doubts = frozenset(sorted(doubts)[:COMMAND_FOLDERS])
    known.lost = known.lost or len(doubts) > COMMAND_FOLDERS


def is_within(path: str, roots: tuple[str, ...]) -> bool:
    return any(path == root or path.startswith(f"{root.rstrip('/')}/") for root in roots)
