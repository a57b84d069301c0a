"""What would change a verdict: the rule to write, to take out or to revoke, or that nothing would."""

from collections.abc import Iterator

from toolpost.atom import Atom, Kind
from toolpost.authorize.commands.arity import ARITY
from toolpost.authorize.commands.offers import offers
from toolpost.authorize.decide import Judged, is_inside
from toolpost.authorize.gate import Rights
from toolpost.authorize.grammar import RuleError, parse_rule
from toolpost.authorize.hosts import normal_host
from toolpost.authorize.imports.command_text import literal
from toolpost.authorize.rule import covers
from toolpost.authorize.scene import Scene
from toolpost.result import Decision, Verdict

_BUILT_IN = "built in"
_PERSON = "nothing but a person's answer to this very call"
_USUAL_WORDS = 2


def change(one: Judged, rights: Rights) -> str:
    verdict = one.verdict
    if verdict is None:
        return "it is a guess, and no rule denies it"
    if verdict.layer == _BUILT_IN:
        return _built_in(one.atom, verdict, rights.scene)
    if verdict.decision is Decision.ALLOW:
        return _forbidding(one.atom, verdict, rights.scene)
    return _holding(one.atom, verdict, rights.scene)


def _holding(atom: Atom, verdict: Verdict, scene: Scene) -> str:
    if verdict.layer.startswith("grant:"):
        return _revoking(verdict)
    if not verdict.layer.startswith("profile:"):
        return f"take {verdict.decision} {verdict.rule} out of {verdict.layer}"
    if "(" in verdict.rule:
        return "another profile: toolpost config set profile ask"
    return _allowing(atom, scene, opens=False)


def _revoking(verdict: Verdict) -> str:
    return f"toolpost permissions revoke {verdict.layer.rpartition(':')[2]}"


def _built_in(atom: Atom, verdict: Verdict, scene: Scene) -> str:
    level = verdict.rule.partition(":")[0]
    if level == "hard":
        return "nothing: hard"
    return _allowing(atom, scene, opens=True) if level == "guard" else _PERSON


def _allowing(atom: Atom, scene: Scene, *, opens: bool) -> str:
    if atom.implied and not opens and _comes_with_command(atom, scene):
        return "an allow of its command covers it"
    for pattern in _patterns(atom, scene):
        text = f"{atom.kind}{'!' * opens}({pattern})"
        if _is_covered(text, atom, scene):
            return f"write {text} under allow in your policy"
    return _PERSON


def _forbidding(atom: Atom, verdict: Verdict, scene: Scene) -> str:
    if verdict.layer.startswith("grant:"):
        return _revoking(verdict)
    pattern = next(_patterns(atom, scene), "*")
    return f"write {atom.kind}({pattern}) under ask or deny in your policy"


def _comes_with_command(atom: Atom, scene: Scene) -> bool:
    return not atom.fixed if atom.kind is Kind.NET else is_inside(atom, scene)


def _is_covered(text: str, atom: Atom, scene: Scene) -> bool:
    try:
        return covers(parse_rule(text, Decision.ALLOW), atom, scene)
    except RuleError:
        return False


def _patterns(atom: Atom, scene: Scene) -> Iterator[str]:
    """What a rule could say of it, the handiest first."""
    if not atom.target:
        yield "*"
    elif atom.kind is Kind.EXEC:
        yield from _commands(atom)
    elif atom.kind is Kind.NET:
        host = normal_host(atom.target)
        yield from (host,) if host else ()
    elif atom.kind is Kind.TOOL:
        yield atom.target
    else:
        yield _path(atom, scene)


def _commands(atom: Atom) -> Iterator[str]:
    for rule in offers((atom,)):
        yield rule.removeprefix("exec(").removesuffix(")")
    words = [literal(word.text) for word in atom.words]
    if words:
        count = ARITY.get(words[0], _USUAL_WORDS)
        yield " ".join([*words[:count], "*"]) if len(words) >= count else " ".join(words)
        yield " ".join(words)
        yield f"{words[0]} *"


def _path(atom: Atom, scene: Scene) -> str:
    root = next((root for root in scene.roots if atom.target.startswith(f"{root}/")), "")
    below = atom.target[len(root) + 1 :] if root else atom.target
    spelled = "".join(f"\\{letter}" if letter in "*?[]{}\\" else letter for letter in below)
    if root and "/" not in spelled:
        spelled = f"./{spelled}"
    return f"{spelled.rstrip('/')}/**" if atom.tree else spelled
