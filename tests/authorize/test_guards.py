import pytest

from toolpost.atom import Alarm, Atom, Kind
from toolpost.authorize.guards import held
from toolpost.authorize.scene import Scene
from toolpost.result import Decision

SCENE = Scene(roots=("/home/ada/work",), home="/home/ada")
SECRET = (Decision.DENY, "guard: a file that may hold secrets")
PROTECTED = (Decision.ASK, "guard: a file that configures what runs by itself")
INNER = (Decision.ASK, "guard: an address inside the machine or its network")
OUT = (Decision.ASK, "guard: this session has read a secret, and would send data out")


def _atom(kind: Kind, target: str, *, glob: bool = False) -> Atom:
    return Atom(kind=kind, target=target, glob=glob)


@pytest.mark.parametrize(
    "path",
    [
        "/home/ada/work/.env",
        "/home/ada/work/deploy/server.pem",
        "/home/ada/.ssh/id_ed25519",
        "/home/ada/work/.ENV.local",
        "/etc/shadow",
        "/proc/1/environ",
        "/home/ada/.aws/credentials",
    ],
)
def test_secrets_are_not_read(path: str) -> None:
    assert held(_atom(Kind.READ, path), SCENE) == SECRET


@pytest.mark.parametrize("path", ["/home/ada/work/.env.example", "/home/ada/work/src/env.py", "/etc/hosts"])
def test_other_files_are(path: str) -> None:
    assert held(_atom(Kind.READ, path), SCENE) is None


@pytest.mark.parametrize("last", [".e*", ".env*", "*.pem", "id_*", "*.key", ".en?", "[.]env", "cred*.json"])
def test_a_pattern_that_reaches_a_secret_is_judged_as_the_secret(last: str) -> None:
    assert held(_atom(Kind.READ, f"/home/ada/work/{last}", glob=True), SCENE) == SECRET


@pytest.mark.parametrize("last", ["*", "*.py", "src*", "*.md", "?", "test_*.py"])
def test_other_patterns_are_not(last: str) -> None:
    assert held(_atom(Kind.READ, f"/home/ada/work/{last}", glob=True), SCENE) is None


@pytest.mark.parametrize("kind", [Kind.WRITE, Kind.DELETE])
@pytest.mark.parametrize(
    "path",
    [
        "/home/ada/work/.git/hooks/pre-commit",
        "/home/ada/work/.mcp.json",
        "/home/ada/work/sub/.github/workflows/ci.yml",
        "/home/ada/.bashrc",
        "/home/ada/.config/anything/at.all",
        "/home/ada/.local/bin/ls",
    ],
)
def test_what_configures_other_programs_is_asked_about(kind: Kind, path: str) -> None:
    assert held(_atom(kind, path), SCENE) == PROTECTED


def test_other_files_are_written_by_the_rules_alone() -> None:
    assert held(_atom(Kind.WRITE, "/home/ada/work/src/a.py"), SCENE) is None


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:8080/", "http://10.0.0.7/", "http://localhost/", "http://[::1]/"]
)
def test_the_inner_network_is_asked_about(url: str) -> None:
    assert held(_atom(Kind.NET, url), SCENE) == INNER


def test_a_session_that_read_a_secret_asks_before_it_sends_anything_out() -> None:
    out = _atom(Kind.NET, "https://example.org/")
    assert (held(out, SCENE), held(out, SCENE, frozenset({"secret"}))) == (None, OUT)


@pytest.mark.parametrize("alarm", list(Alarm))
def test_an_alarm_is_held_when_it_says_so(alarm: Alarm) -> None:
    atom = Atom(kind=Kind.EXEC, target="x", alarm=alarm)
    assert held(atom, SCENE) == ((Decision.ASK, str(alarm)) if alarm.level == "guard" else None)
