import msgspec
import pytest

from toolpost.desktop.sound.processes import Process
from toolpost.desktop.sound.restraint import SOUND_SERVER, Own, reason

OWN = Own(pid=100, user=1000, above=frozenset({90, 1}), control_group="0::/user.slice/a\n")
SYSTEM = "It is a part of the system or of the session."
SELF = "It is this server, or one that started it."


def _process(pid: int = 200, name: str = "rec", **known: object) -> Process:
    facts = {"pid": pid, "name": name, "parent": 150, "began": 5, "users": (1000,) * 4, **known}
    return msgspec.convert(facts, Process)


@pytest.mark.parametrize(
    ("process", "why"),
    [
        (_process(), ""),
        (_process(name="pipewire"), SOUND_SERVER),
        (_process(name="pipewire-media-"), SOUND_SERVER),
        (_process(name="odd", program="wireplumber"), SOUND_SERVER),
        (_process(name="pulseaudio", users=(7,) * 4), SOUND_SERVER),
        (_process(pid=100), SELF),
        (_process(pid=90), SELF),
        (_process(users=(0,) * 4), "It belongs to root."),
        (_process(users=(1000, 0, 0, 0)), "It belongs to 1000."),
        (_process(users=()), "It belongs to another user."),
        (_process(name="systemd"), SYSTEM),
        (_process(name="gnome-session-b"), SYSTEM),
        (_process(parent=2), SYSTEM),
        (
            _process(control_group="0::/system.slice/x.service\n"),
            "It is a service of the system; stop it by its service manager.",
        ),
        (_process(control_group="0::/user.slice/b\n"), ""),
    ],
)
def test_whom_nobody_may_end(process: Process, why: str) -> None:
    if process.users and process.users[0] == 1000:
        why = why.replace("1000", process.user)
    assert reason(process, OWN) == why


def test_the_first_process_is_left_alone_also_by_root() -> None:
    own = Own(pid=100, user=0, control_group="0::/system.slice/us.service\n")
    assert reason(_process(pid=1, users=(0,) * 4, parent=0), own) == SYSTEM


def test_one_beside_us_in_our_own_service_is_no_other_service() -> None:
    own = Own(pid=100, user=1000, control_group="0::/system.slice/us.service\n")
    assert reason(_process(control_group="0::/system.slice/us.service\n"), own) == ""
