from toolpost.desktop.apps.closed import Closed
from toolpost.desktop.environment import environment


def test_a_program_of_the_desktop_gets_what_it_needs_and_no_token() -> None:
    source = {
        "PATH": "/usr/bin:.",
        "HOME": "/home/u",
        "LC_TIME": "de_AT",
        "DISPLAY": ":0",
        "WAYLAND_DISPLAY": "wayland-0",
        "XDG_RUNTIME_DIR": "/run/user/1000",
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/user/1000/bus",
        "GITHUB_TOKEN": "secret",
        "LD_PRELOAD": "/evil.so",
        "PYTHONPATH": "/x",
    }
    kept = {
        name: value
        for name, value in source.items()
        if name not in {"GITHUB_TOKEN", "LD_PRELOAD", "PYTHONPATH"}
    }
    assert environment(source, "/elsewhere") == {**kept, "PATH": "/usr/bin"}
    assert environment({}, "/h") == {"HOME": "/h", "PATH": "/usr/local/bin:/usr/bin:/bin"}


def test_a_closed_folder_is_not_on_its_path() -> None:
    source = {"PATH": "/work/.venv/bin:/usr/bin"}
    assert environment(source, "/h", Closed(("/work",))) == {"HOME": "/h", "PATH": "/usr/bin"}
