"""What is held back unless a rule of the form `effect!(...)` opens it: secrets, what runs by itself, the inner network."""

from collections.abc import Callable
from fnmatch import fnmatchcase

from toolpost.atom import Atom, Kind
from toolpost.authorize.hosts import is_private, normal_host
from toolpost.authorize.scene import Scene
from toolpost.pathnames.folded import fold
from toolpost.pathnames.sensitive import is_protected, is_secret
from toolpost.result import Decision

Held = tuple[Decision, str]

_SAMPLES = (
    *(".env", ".env.local", ".env.production", ".envrc", ".netrc", ".pgpass", ".npmrc", ".pypirc"),
    *(".git-credentials", "id_rsa", "id_ed25519", "server.pem", "tls.key", "credentials.json", "kubeconfig"),
    *(
        "secrets.yml",
        "secrets.yaml",
        "secrets.json",
        "terraform.tfstate",
        "prod.tfvars",
        "store.p12",
        "a.pfx",
    ),
)
"""A secret of each form: a pattern of the shell that reaches one of them is judged as the secret itself."""


def held(atom: Atom, scene: Scene, labels: frozenset[str] = frozenset()) -> Held | None:
    """What a guard decides about an atom, and why; None where no guard stands."""
    if atom.alarm is not None:
        return (Decision.ASK, str(atom.alarm)) if atom.alarm.level == "guard" else None
    judge = _GUARDS.get(atom.kind)
    return judge(atom, scene, labels) if judge else None


def _read(atom: Atom, scene: Scene, _labels: frozenset[str]) -> Held | None:
    is_held = _reaches_secret(atom) if atom.glob else is_secret(_shown(atom, scene))
    return (Decision.DENY, "guard: a file that may hold secrets") if is_held else None


def _write(atom: Atom, scene: Scene, _labels: frozenset[str]) -> Held | None:
    path = _shown(atom, scene)
    is_held = is_protected(path) or _is_start_file(atom.target, scene)
    return (Decision.ASK, "guard: a file that configures what runs by itself") if is_held else None


def _net(atom: Atom, _scene: Scene, labels: frozenset[str]) -> Held | None:
    host = normal_host(atom.target)
    if host is None:
        return (Decision.ASK, "guard: a host that cannot be told") if atom.fixed and not atom.maybe else None
    if is_private(host):
        return Decision.ASK, "guard: an address inside the machine or its network"
    if "secret" in labels:
        return Decision.ASK, "guard: this session has read a secret, and would send data out"
    return None


_GUARDS: dict[Kind, Callable[[Atom, Scene, frozenset[str]], Held | None]] = {
    Kind.READ: _read,
    Kind.WRITE: _write,
    Kind.DELETE: _write,
    Kind.NET: _net,
}


def _shown(atom: Atom, scene: Scene) -> str:
    """The path as the tables know it: below its root, if it lies in one; rules about names hold at any depth."""
    for root in scene.roots:
        if atom.target == root or atom.target.startswith(f"{root}/"):
            return atom.target[len(root) + 1 :]
    return atom.target.lstrip("/")


def _is_start_file(path: str, scene: Scene) -> bool:
    """Programs read `~/.config` when they start, whatever the file is called."""
    folders = (f"{scene.home}/.config", f"{scene.home}/.local/bin") if scene.home else ()
    return any(path == folder or path.startswith(f"{folder}/") for folder in folders)


def _reaches_secret(atom: Atom) -> bool:
    """Whether a pattern with letters of its own does.

    A bare `*` does not count: it names every file, as a search through the folder does, and the sandbox masks what
    is secret there.
    """
    last = fold(atom.target.rpartition("/")[2])
    if not last.strip("*?"):
        return False
    return is_secret(last) or any(_is_met(name, last) for name in _SAMPLES)


def _is_met(name: str, pattern: str) -> bool:
    """As a shell matches: a leading dot must be written. What writes more letters than the name has is not looked at."""
    if "[" not in pattern and len(pattern) - pattern.count("*") > len(name):
        return False
    return (not name.startswith(".") or pattern.startswith((".", "[", "{"))) and fnmatchcase(name, pattern)
