import os
import socket
from pathlib import Path

import pytest

from toolpost.pathnames.sensitive import is_secret
from toolpost.sandbox import masks as module
from toolpost.sandbox.masks import Masks, masked


def _made(top: Path, *names: str) -> Path:
    for name in names:
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text("")
    return top.resolve()


def test_the_outermost_denied_paths_are_found_everywhere(tmp_path: Path) -> None:
    top = _made(tmp_path, ".env", "a/b/id_rsa", "a/.ssh/config", "a/.ssh/known", "src/main.py")
    assert masked((str(top),), is_secret) == ((f"{top}/.env", f"{top}/a/.ssh", f"{top}/a/b/id_rsa"), True)


def test_what_others_made_is_not_looked_at(tmp_path: Path) -> None:
    top = _made(
        tmp_path,
        "node_modules/x/.env",
        ".git/objects/aa/server.pem",
        "v/pyvenv.cfg",
        "v/lib/.env",
        "__pycache__/.env",
    )
    assert masked((str(top),), is_secret) == ((), True)


def test_a_walk_that_stops_early_says_so(tmp_path: Path) -> None:
    top = _made(tmp_path, *(f"{number}/x" for number in range(20)))
    assert masked((str(top),), is_secret, 5)[1] is False


def test_a_denied_link_stands_for_what_it_points_to_inside(tmp_path: Path) -> None:
    top = _made(tmp_path / "top", "real")
    outside = _made(tmp_path / "out", "there")
    (top / ".env").symlink_to("real")
    (top / ".env.local").symlink_to(outside / "there")
    assert masked((str(top),), is_secret) == ((f"{top}/real",), True)


def test_sockets_and_pipes_are_masked_and_links_to_files_are_not(tmp_path: Path) -> None:
    top = _made(tmp_path, "a/real")
    os.mkfifo(top / "a" / "pipe")
    (top / "a" / "link").symlink_to("real")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(top / "s"))
        assert masked((str(top),), is_secret) == ((f"{top}/a/pipe", f"{top}/s"), True)


def test_a_denied_root_is_masked_whole_and_an_unreadable_one_is_passed_by(tmp_path: Path) -> None:
    top = _made(tmp_path, ".ssh/key")
    assert masked((f"{top}/.ssh", f"{top}/gone"), is_secret) == ((f"{top}/.ssh",), True)


def test_unchanged_folders_are_not_asked_about_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    top = _made(tmp_path, "a/x", "b/y")
    monkeypatch.setattr(module, "SANDBOX_SETTLED_S", -1.0)
    monkeypatch.setattr(module, "SANDBOX_MASK_FOLDERS", 3)
    asked: list[str] = []

    def is_denied(path: str) -> bool:
        asked.append(path)
        return path.endswith("secret")

    masks = Masks(is_denied)
    masks.find((str(top),))
    asked.clear()
    masks.find((str(top),))
    again = [path for path in asked if path != str(top)]
    (top / "a" / "secret").write_text("")
    assert masks.find((str(top),))[0] == (f"{top}/a/secret",)
    assert again == []
    (top / "c").mkdir()
    assert masks.find((str(top),))[0] == (f"{top}/a/secret",)
