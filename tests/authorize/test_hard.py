import pytest

from toolpost.atom import Alarm, Atom, Kind
from toolpost.authorize.hard import hard
from toolpost.authorize.scene import Scene

SCENE = Scene(roots=("/home/ada/work", "/srv/data"), home="/home/ada", own=("/home/ada/.config/toolpost",))
LOST = "hard: a system folder, the home folder or the whole workspace would be lost"
OWN = "hard: toolpost's own policy, grants and records"
DEVICE = "hard: a raw device or file system is written"


def _delete(path: str, *, glob: bool = False) -> Atom:
    return Atom(kind=Kind.DELETE, target=path, tree=True, glob=glob)


@pytest.mark.parametrize(
    "path",
    ["/", "/usr", "/usr/lib", "/etc", "/home", "/home/ada", "/home/ada/work", "/home/ada/work/", "/srv"],
)
def test_deleting_the_system_the_home_folder_or_the_workspace_is_never_allowed(path: str) -> None:
    assert hard(_delete(path), SCENE) == LOST


@pytest.mark.parametrize("path", ["/*", "/home/ada/*", "/home/ada/work/*", "/home/ada/work/.*", "/usr/*"])
def test_nor_is_it_by_a_pattern_that_stands_for_all_of_it(path: str) -> None:
    assert hard(_delete(path, glob=True), SCENE) == LOST


@pytest.mark.parametrize(
    "atom",
    [
        _delete("/home/ada/work/build"),
        _delete("/home/ada/work/build/*", glob=True),
        _delete("/home/ada/work/*.pyc", glob=True),
        _delete("/tmp/scratch"),
        Atom(kind=Kind.DELETE, target="/home/ada/work"),
        Atom(kind=Kind.WRITE, target="/home/ada/work", tree=True),
    ],
)
def test_what_lies_below_is_for_rules_to_decide(atom: Atom) -> None:
    assert hard(atom, SCENE, "cp") is None


@pytest.mark.parametrize("program", ["chmod", "chown", "setfacl"])
def test_changing_the_rights_of_all_of_it_is_as_bad(program: str) -> None:
    assert hard(Atom(kind=Kind.WRITE, target="/home/ada/work", tree=True), SCENE, program) == LOST
    assert hard(Atom(kind=Kind.WRITE, target="/home/ada/work/a", tree=True), SCENE, program) is None


@pytest.mark.parametrize("kind", [Kind.WRITE, Kind.DELETE])
def test_no_call_changes_our_own_policy_grants_or_records(kind: Kind) -> None:
    assert hard(Atom(kind=kind, target="/home/ada/.config/toolpost/policy.toml"), SCENE) == OWN
    assert hard(Atom(kind=kind, target="/home/ada/.config", tree=True), SCENE, "chmod") == OWN
    assert hard(Atom(kind=kind, target="/home/ada/.config/toolposts"), SCENE) is None


def test_reading_them_is_not_hard() -> None:
    assert hard(Atom(kind=Kind.READ, target="/home/ada/.config/toolpost/policy.toml"), SCENE) is None


@pytest.mark.parametrize("path", ["/dev/sda", "/dev/nvme0n1", "/dev/mem"])
def test_raw_devices_are_not_written(path: str) -> None:
    assert hard(Atom(kind=Kind.WRITE, target=path), SCENE) == DEVICE


@pytest.mark.parametrize(
    "url", ["http://169.254.169.254/", "http://0251.0376.0251.0376/", "http://metadata.google.internal/x"]
)
def test_the_addresses_that_hand_out_credentials_are_closed_in_every_spelling(url: str) -> None:
    why = "hard: an address that hands out a cloud machine's credentials"
    assert hard(Atom(kind=Kind.NET, target=url), SCENE) == why


def test_other_hosts_are_for_rules_to_decide() -> None:
    assert hard(Atom(kind=Kind.NET, target="https://example.org/"), SCENE) is None


@pytest.mark.parametrize("alarm", list(Alarm))
def test_an_alarm_is_hard_when_it_says_so(alarm: Alarm) -> None:
    atom = Atom(kind=Kind.EXEC, target="x", alarm=alarm)
    assert hard(atom, SCENE) == (str(alarm) if alarm.level == "hard" else None)
